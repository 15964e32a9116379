// SPDX-License-Identifier: MIT
#include "bellwether/catalogue/catalogue.hpp"

#include <gtest/gtest.h>

#include <set>

#include "bellwether/core/algorithm_of.hpp"

namespace bellwether::catalogue {
namespace {

/// Lower-case words joined by single dashes: what the command line takes.
bool kebab_case(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  if (name.empty() || !letter(name.front()) || !letter(name.back())) return false;
  for (std::size_t i = 1; i < name.size(); ++i)
    if (!letter(name[i]) && (name[i] != '-' || name[i - 1] == '-')) return false;
  return true;
}

TEST(Catalogue, NamesAreUniqueSortedAndFitTheCommandLine) {
  ASSERT_FALSE(all().empty());
  for (std::size_t i = 0; i < all().size(); ++i) {
    EXPECT_TRUE(kebab_case(all()[i].name)) << all()[i].name;
    if (i > 0) {
      EXPECT_LT(all()[i - 1].name, all()[i].name);
    }
  }
}

TEST(Catalogue, EveryAlgorithmSaysWhatItIs) {
  for (const core::Algorithm& entry : all()) {
    SCOPED_TRACE(entry.name);
    const core::Facts& facts = entry.facts;
    for (const std::string_view fact : {facts.title, facts.source, facts.idea, facts.messages,
                                        facts.time, facts.guarantee, facts.differs})
      EXPECT_FALSE(fact.empty());
    EXPECT_TRUE(facts.source.find("19") != std::string_view::npos ||
                facts.source.find("20") != std::string_view::npos)
        << "a source has a year: " << facts.source;
    EXPECT_EQ(facts.model.synchronous, entry.rounds);
  }
}

TEST(Catalogue, EveryOptionIsExplained) {
  for (const core::Algorithm& entry : all()) {
    std::set<std::string> names;
    for (const core::OptionRow& row : entry.options) {
      SCOPED_TRACE(std::string(entry.name) + "." + row.name);
      EXPECT_TRUE(names.insert(row.name).second);
      EXPECT_EQ(row.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-"),
                std::string::npos);
      EXPECT_FALSE(row.kind.empty());
      EXPECT_FALSE(row.default_text.empty());
      EXPECT_GT(row.description.size(), 10u) << row.description;
    }
  }
}

TEST(Catalogue, EveryPropertyHasANameAndASentence) {
  for (const core::Algorithm& entry : all()) {
    std::set<std::string> names;
    EXPECT_EQ(entry.properties.empty(), entry.rounds)
        << entry.name << ": what runs asynchronously brings properties";
    for (const core::PropertyRow& row : entry.properties) {
      SCOPED_TRACE(std::string(entry.name) + "." + row.name);
      EXPECT_TRUE(names.insert(row.name).second);
      EXPECT_NE(row.name, "agreement") << "every election has that one already";
      EXPECT_NE(row.name, "all") << "means all of them";
      EXPECT_FALSE(row.name.empty());
      EXPECT_GT(row.says.size(), 10u);
    }
  }
}

TEST(Catalogue, EntriesSayWhatTheTypesSay) {
  const core::Algorithm& ring = algorithm("chang-roberts");
  EXPECT_EQ(ring.facts.model.shape, core::Shape::ring);
  EXPECT_FALSE(ring.rounds);
  ASSERT_EQ(ring.options.size(), 2u);
  EXPECT_EQ(ring.options[0].name, "extremum");
  EXPECT_EQ(ring.options[0].default_text, "max");
  EXPECT_EQ(ring.options[0].kind, "one of max, min");
  EXPECT_EQ(ring.options[1].kind, "true or false");
  EXPECT_TRUE(algorithm("flood-max").rounds);
  EXPECT_EQ(algorithm("bully").facts.model.shape, core::Shape::complete);
}

/// A user's own protocol, without facts and properties.
class Hermit {
 public:
  static constexpr std::string_view name = "hermit";
  struct Options {
    static constexpr std::tuple<> fields{};
  };
  struct Nothing {
    static constexpr std::tuple<> fields{};
    friend bool operator==(const Nothing&, const Nothing&) = default;
  };
  using Message = Nothing;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;

  Hermit() = default;
  Hermit(core::NodeId, Options) {}
  void start(Step&) {}
  void link_up(Step&, core::Port) {}
  void link_down(Step&, core::Port) {}
  void receive(Step&, core::Port, const Nothing&) {}
  void timeout(Step&, Timer) {}
  std::optional<core::NodeId> leader() const { return std::nullopt; }
  friend bool operator==(const Hermit&, const Hermit&) = default;
};

TEST(Catalogue, TakesProtocolsOfOthers) {
  const Algorithms own{core::algorithm_of<Hermit>(), algorithm("flood-max")};
  EXPECT_EQ(own[0].name, "hermit");
  EXPECT_TRUE(own[0].facts.title.empty());
  EXPECT_TRUE(own[0].options.empty());
  EXPECT_TRUE(own[0].properties.empty());
  EXPECT_FALSE(own[0].rounds);
  EXPECT_EQ(own[1].name, "flood-max");
  EXPECT_EQ(find(own, "hermit"), &own[0]);
  EXPECT_EQ(find(own, "bully"), nullptr);
  EXPECT_EQ(find({}, "hermit"), nullptr);
}

TEST(Catalogue, OnesOwnStandBesideAllOthers) {
  const Algorithms both = with_all({core::algorithm_of<Hermit>()});
  EXPECT_EQ(both.size(), all().size() + 1);
  EXPECT_NE(find(both, "hermit"), nullptr);
  for (const core::Algorithm& each : all()) EXPECT_NE(find(both, each.name), nullptr) << each.name;
}

}  // namespace
}  // namespace bellwether::catalogue
