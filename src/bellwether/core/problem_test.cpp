// SPDX-License-Identifier: MIT
#include "bellwether/core/problem.hpp"

#include <gtest/gtest.h>

namespace bellwether::core {
namespace {

TEST(Location, IsAFileALineAColumnOrAFlag) {
  EXPECT_EQ(Location().text(), "");
  EXPECT_TRUE(Location().empty());
  EXPECT_EQ(Location("--set").text(), "--set");
  EXPECT_EQ(Location("my.toml", 12).text(), "my.toml:12");
  EXPECT_EQ(Location("my.toml", 12, 7).text(), "my.toml:12:7");
  EXPECT_FALSE(Location("my.toml", 12) == Location("my.toml", 13));
}

TEST(Problem, SaysWhereWhatAndTheSentence) {
  EXPECT_STREQ(Problem("write a number").what(), "write a number");
  EXPECT_STREQ(Problem("radio.range", "write a number").what(), "radio.range: write a number");
  EXPECT_STREQ(Problem("my.toml", {}, "is empty").what(), "my.toml: is empty");
  const Problem problem({"my.toml", 12}, "radio.range", "write a number");
  EXPECT_STREQ(problem.what(), "my.toml:12: radio.range: write a number");
  EXPECT_EQ(problem.where(), Location("my.toml", 12));
  EXPECT_EQ(problem.key(), "radio.range");
  EXPECT_EQ(problem.sentence(), "write a number");
}

TEST(Problem, IsBlamedOnAPlaceAfterwards) {
  const Problem problem("radio.range", "write a number");
  EXPECT_STREQ(problem.at("--set").what(), "--set: radio.range: write a number");
  EXPECT_STREQ(problem.at({"my.toml", 3}).at({}).what(), "radio.range: write a number");
}

TEST(Problem, AFlagOfTheSameNameSaysTheKeyAlready) {
  const Problem problem("--seed", "seed", "write a number");
  EXPECT_STREQ(problem.what(), "--seed: write a number");
  EXPECT_EQ(problem.key(), "seed");
}

TEST(Problem, IsCaughtAsAnException) {
  try {
    throw Problem("my.toml", "seed", "write a number");
  } catch (const std::exception& error) {
    EXPECT_STREQ(error.what(), "my.toml: seed: write a number");
  }
}

}  // namespace
}  // namespace bellwether::core
