// SPDX-License-Identifier: MIT
// What every protocol states about itself: options, facts, properties, the page in docs/algorithms.
#include <filesystem>
#include <fstream>
#include <set>

#include "bellwether/core/configuration.hpp"
#include "bellwether/core/problem.hpp"
#include "conformance/typed.hpp"

namespace bellwether::conformance {
namespace {

class Told : public testing::TestWithParam<Subject> {
 protected:
  const core::Algorithm& algorithm() const { return *GetParam().algorithm; }
};
INSTANTIATE_TEST_SUITE_P(, Told, testing::ValuesIn(algorithms()), NameOf{});

TEST_P(Told, options_can_be_set_to_their_defaults) {
  typed_row(algorithm().name).expect_defaults();
  const auto defaults = algorithm().make({});
  const AnyNode expected(*defaults, NodeId{3});
  for (const core::OptionRow& row : algorithm().options) {
    const auto nodes = algorithm().make({{row.name, row.default_text}});
    const AnyNode node(*nodes, NodeId{3});
    if (nodes->can().described) {
      EXPECT_EQ(bytes_of(node), bytes_of(expected)) << row.name;
    }
    EXPECT_TRUE(algorithm().has_option(row.name));
    EXPECT_THROW(algorithm().make({{row.name, "no such value"}}), core::Problem) << row.name;
  }
  EXPECT_THROW(algorithm().make({{"no such option", "1"}}), core::Problem);
}

TEST_P(Told, facts_are_complete) {
  const core::Facts& facts = algorithm().facts;
  for (const auto& [what, text] : {std::pair{"title", facts.title},
                                   {"source", facts.source},
                                   {"idea", facts.idea},
                                   {"messages", facts.messages},
                                   {"time", facts.time},
                                   {"guarantee", facts.guarantee},
                                   {"differs", facts.differs}})
    EXPECT_FALSE(text.empty()) << what;
  EXPECT_TRUE(algorithm().has_facts);
  EXPECT_EQ(facts.model.synchronous, algorithm().rounds);
  const auto nodes = algorithm().make({});
  EXPECT_EQ(nodes->name(), algorithm().name);
  EXPECT_EQ(nodes->facts().title, facts.title);
  EXPECT_EQ(nodes->can().rounds, algorithm().rounds);
}

/// Words of small letters and digits with single hyphens between, the first one with a letter
/// first.
bool kebab_case(std::string_view name) {
  const auto word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  if (name.empty() || name.front() < 'a' || name.front() > 'z' || !word(name.back())) return false;
  for (std::size_t i = 1; i < name.size(); ++i)
    if (!word(name[i]) && !(name[i] == '-' && word(name[i - 1]))) return false;
  return true;
}

TEST_P(Told, name_is_kebab_case) {
  EXPECT_TRUE(kebab_case(algorithm().name));
}

TEST_P(Told, properties_have_names_and_sentences) {
  std::set<std::string> names;
  for (const auto& property : algorithm().properties) {
    EXPECT_FALSE(property.name.empty());
    EXPECT_FALSE(property.says.empty()) << property.name;
    EXPECT_TRUE(names.insert(property.name).second) << property.name << " is there twice";
  }
  std::set<std::string> watched;
  for (const auto& monitor : algorithm().make({})->monitors()) watched.emplace(monitor->name());
  EXPECT_EQ(watched, names);
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::filesystem::path page_of(std::string_view algorithm) {
  return std::filesystem::path(BELLWETHER_SOURCE_DIR) / "docs/algorithms" /
         (std::string(algorithm) + ".md");
}

TEST_P(Told, page_states_what_each_option_accepts) {
  std::ifstream page(page_of(algorithm().name));
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  for (const core::OptionRow& option : algorithm().options) {
    const std::string row =
        "| `" + option.name + "` | `" + option.default_text + "` | " + option.kind + " |";
    EXPECT_NE(text.find(row), std::string::npos) << algorithm().name << ".md: " << row;
  }
}

TEST_P(Told, page_has_all_its_headings) {
  const std::filesystem::path path = page_of(algorithm().name);
  std::ifstream page(path);
  ASSERT_TRUE(page) << path << " is missing";
  std::string headings;
  for (std::string line; std::getline(page, line);)
    if (line.starts_with('#')) headings += lower_case(line) + '\n';
  for (const char* heading : {"idea", "model", "bounds", "guarantee", "where we differ", "source"})
    EXPECT_NE(headings.find(heading), std::string::npos)
        << path << " has no heading \"" << heading << '"';
}

TEST(Catalogue, names_are_unique) {
  std::set<std::string_view> names;
  for (const auto& entry : catalogue::all())
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
}

}  // namespace
}  // namespace bellwether::conformance
