// SPDX-License-Identifier: MIT
#include "bellwether/view/brief.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace bellwether::view {
namespace {

TEST(Brief, SaysAllThatIsNotTheDefault) {
  int seen = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::string(BELLWETHER_SOURCE_DIR) + "/scenarios")) {
    if (file.path().extension() != ".toml") continue;
    const auto scenario = scenario::read_scenario(file.path());
    const std::string text = brief(scenario);
    auto again = scenario::parse_scenario(text, "brief");
    again.folder = scenario.folder;
    EXPECT_EQ(again, scenario) << text;
    EXPECT_LT(text.size(), scenario::print_scenario(scenario).size() / 2) << text;
    ++seen;
  }
  EXPECT_GT(seen, 10);
}

TEST(Brief, KeepsEntriesOfAScriptApart) {
  const auto scenario = scenario::parse_scenario(
      "algorithm = \"height\"\n[[change]]\nat = \"1 s\"\ncrash = [1]\n"
      "[[change]]\nat = \"2 s\"\nrestart = [1]\n",
      "x");
  EXPECT_EQ(scenario::parse_scenario(brief(scenario), "y"), scenario) << brief(scenario);
}

}  // namespace
}  // namespace bellwether::view
