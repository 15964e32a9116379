// SPDX-License-Identifier: MIT
// What is told about every protocol: options, facts, properties, the page in docs/algorithms.
#include <filesystem>
#include <fstream>
#include <set>

#include "conformance/protocols.hpp"

namespace bellwether::conformance {
namespace {

template <class P>
class Told : public testing::Test {};
TYPED_TEST_SUITE(Told, EveryProtocol, Names);

TYPED_TEST(Told, options_can_be_set_to_their_defaults) {
  using Options = typename TypeParam::Options;
  std::set<std::string> names;
  Options all{};
  for (const core::OptionRow& row : core::option_rows<Options>()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name << " is there twice";
    EXPECT_FALSE(row.about.empty()) << row.name << " is not explained";
    EXPECT_FALSE(row.kind.empty());
    Options options{};
    EXPECT_EQ(core::set_option(options, row.name, row.standard), core::OptionOutcome::set)
        << row.name << " = " << row.standard;
    EXPECT_EQ(options, Options{}) << row.name << " = " << row.standard;
    EXPECT_EQ(core::set_option(options, row.name, "no such value"),
              core::OptionOutcome::wrong_kind);
    EXPECT_EQ(options, Options{}) << "a refused value leaves the option as it was";
    core::set_option(all, row.name, row.standard);
  }
  EXPECT_EQ(all, Options{});
  EXPECT_EQ(core::set_option(all, "no such option", "1"), core::OptionOutcome::unknown_name);
}

TYPED_TEST(Told, facts_are_complete) {
  const core::Facts& facts = TypeParam::facts;
  for (const auto& [what, text] : {std::pair{"title", facts.title},
                                   {"source", facts.source},
                                   {"idea", facts.idea},
                                   {"messages", facts.messages},
                                   {"time", facts.time},
                                   {"guarantee", facts.guarantee},
                                   {"differs", facts.differs}})
    EXPECT_FALSE(text.empty()) << what;
  EXPECT_EQ(facts.model.synchronous, core::RoundProtocol<TypeParam>);
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

TYPED_TEST(Told, name_is_kebab_case) {
  EXPECT_TRUE(kebab_case(TypeParam::name));
}

TYPED_TEST(Told, properties_have_names_and_sentences) {
  std::set<std::string> names;
  for (const auto& property : catalogue::entry_of<TypeParam>().properties) {
    EXPECT_FALSE(property.name.empty());
    EXPECT_FALSE(property.says.empty()) << property.name;
    EXPECT_TRUE(names.insert(property.name).second) << property.name << " is there twice";
  }
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

TYPED_TEST(Told, page_has_all_its_headings) {
  const std::filesystem::path path = std::filesystem::path(BELLWETHER_SOURCE_DIR) /
                                     "docs/algorithms" / (std::string(TypeParam::name) + ".md");
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
  for (const auto& entry : catalogue::entries(catalogue::AllProtocols{}))
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
}

}  // namespace
}  // namespace bellwether::conformance
