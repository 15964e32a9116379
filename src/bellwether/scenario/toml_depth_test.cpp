// SPDX-License-Identifier: MIT
#include "bellwether/scenario/toml_depth.hpp"

#include <gtest/gtest.h>

#include "bellwether/core/problem.hpp"
#include "bellwether/scenario/scenario.hpp"

namespace bellwether::scenario {
namespace {

std::string key_of(std::size_t parts) {
  std::string out = "a";
  for (std::size_t i = 1; i < parts; ++i) out += ".a";
  return out;
}

std::string says(const std::string& toml) {
  try {
    parse_scenario(toml, "x.toml");
  } catch (const core::Problem& problem) {
    return problem.what();
  }
  return "";
}

TEST(TomlDepth, KeysHaveAtMostSixteenParts) {
  EXPECT_EQ(find_too_deep(key_of(16) + " = 1").line, 0u);
  EXPECT_EQ(find_too_deep("x = 1\n" + key_of(17) + " = 1").line, 2u);
  EXPECT_EQ(find_too_deep("x = 1\n[" + key_of(17) + "]\n").line, 2u);
  EXPECT_EQ(find_too_deep("x = {y = 1, " + key_of(17) + " = 1}").line, 1u);
  EXPECT_EQ(find_too_deep("x = [" + std::string(16, '[') + "1").line, 1u);
  EXPECT_EQ(find_too_deep("x = [" + std::string(15, '{') + "1").line, 0u);
}

TEST(TomlDepth, StringsAndCommentsAreNoKeys) {
  const std::string dots(40, '.');
  for (const std::string& toml :
       {"x = \"" + dots + "\"", "x = '" + dots + "'", "# " + dots, "x = \"\"\"\n" + dots + "\"\"\"",
        "x = '''" + dots + "\n" + dots + "'''", "x = \"\\\"" + dots + "\"",
        "x = \"\"\"\"\"\"\"\" # " + dots, "x = [1.5, 2.5, 3.5]\n" + key_of(16) + " = 1"})
    EXPECT_EQ(find_too_deep(toml).line, 0u) << toml;
  // What ends in a string does not hide what follows it.
  for (const std::string toml :
       {"x = \"\"\"a\"\"\"\"\n", "x = ''\n", "x = \"\"\n", "x = 'open\n", "x = '\\'\n"})
    EXPECT_EQ(find_too_deep(toml + key_of(17)).line, 2u) << toml;
  EXPECT_EQ(find_too_deep("x = '''\n\n'''\n" + key_of(17)).line, 4u);
}

// A parser that calls itself for each part needs more stack than there is.
TEST(TomlDepth, TwentyThousandPartsAreRefused) {
  const std::string deep = key_of(20'000);
  EXPECT_EQ(says(deep + " = 1"), "x.toml:1: this key has more than 16 parts; write a shorter one");
  EXPECT_EQ(says("\n[" + deep + "]"),
            "x.toml:2: this key has more than 16 parts; write a shorter one");
  EXPECT_EQ(says("x = " + std::string(20'000, '[')),
            "x.toml:1: brackets are nested more than 16 deep; remove some");
  Scenario scenario;
  EXPECT_THROW(set_key(scenario, "network.nodes={" + deep + "=1}"), core::Problem);
}

TEST(TomlDepth, WhatIsNoTextHasALine) {
  EXPECT_EQ(says("seed = 1\n\xff\xfe"), "x.toml:2: is not text (UTF-8); name a TOML file");
  EXPECT_EQ(says(std::string("\0\0", 2)), "x.toml:1: is not text (UTF-8); name a TOML file");
}

}  // namespace
}  // namespace bellwether::scenario
