// SPDX-License-Identifier: MIT
// Options of `drumbeat` that contradict each other.
#include <gtest/gtest.h>

#include "bellwether/algorithms/moving/drumbeat.hpp"

namespace bellwether::algorithms {
namespace {

using namespace std::chrono_literals;
using Names = std::vector<std::string_view>;

Names conflicting(const Drumbeat::Options& options) {
  const auto conflict = Drumbeat::conflict(options);
  if (!conflict) return {};
  EXPECT_NE(conflict->sentence.find("; set "), std::string::npos) << "a cure";
  return conflict->options;
}

TEST(DrumbeatOptions, TheDefaultsAgree) {
  EXPECT_EQ(conflicting({}), Names{});
}

TEST(DrumbeatOptions, AJitterFitsBetweenTwoBeats) {
  EXPECT_EQ(conflicting({.period = 10ms, .jitter = 10ms, .taps = 0}), Names{});
  EXPECT_EQ(conflicting({.period = 10ms, .jitter = 11ms, .taps = 0}), (Names{"jitter", "period"}));
}

TEST(DrumbeatOptions, AJitterFitsIntoTheSlack) {
  EXPECT_EQ(conflicting({.jitter = 5ms, .slack = 5ms}), Names{});
  EXPECT_EQ(conflicting({.jitter = 6ms, .slack = 5ms}), (Names{"slack", "jitter"}));
}

TEST(DrumbeatOptions, AJitterFitsBetweenTwoTaps) {
  EXPECT_EQ(conflicting({.period = 40ms, .jitter = 4ms, .taps = 9}), Names{});
  EXPECT_EQ(conflicting({.period = 40ms, .jitter = 4ms, .taps = 10}),
            (Names{"taps", "jitter", "period"}));
}

}  // namespace
}  // namespace bellwether::algorithms
