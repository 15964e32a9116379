// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <filesystem>

#include "bellwether/scenario/keys.hpp"

namespace bellwether::scenario {
namespace {

TEST(Brief, SaysAllThatIsNotTheDefault) {
  int seen = 0;
  for (const auto& file : std::filesystem::directory_iterator(BELLWETHER_SOURCE_DIR "/scenarios")) {
    if (file.path().extension() != ".toml") continue;
    const auto scenario = read_scenario(file.path());
    const std::string text = print_brief(scenario);
    auto again = parse_scenario(text, "brief");
    again.folder = scenario.folder;
    EXPECT_EQ(again, scenario) << text;
    EXPECT_LT(text.size(), print_scenario(scenario).size() / 2) << text;
    ++seen;
  }
  EXPECT_GT(seen, 10);
}

TEST(Brief, KeepsEntriesOfAScriptApart) {
  const auto scenario = parse_scenario(
      "algorithm = \"height\"\n[[change]]\nat = \"1 s\"\ncrash = [1]\n"
      "[[change]]\nat = \"2 s\"\nrestart = [1]\n",
      "x");
  EXPECT_EQ(parse_scenario(print_brief(scenario), "y"), scenario) << print_brief(scenario);
}

}  // namespace
}  // namespace bellwether::scenario
