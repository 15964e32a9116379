// SPDX-License-Identifier: MIT
#include "bellwether/operate/node_config.hpp"
#include "bellwether/core/problem.hpp"

#include <gtest/gtest.h>

#include "bellwether/terminal/program.hpp"

namespace bellwether::operate {
namespace {

using namespace std::chrono_literals;

std::string complaint(const std::string& text) {
  node::Config config;
  try {
    read_node_config(config, text, "node.toml");
    return "";
  } catch (const core::Problem& error) {
    return error.what();
  }
}

TEST(NodeConfig, WhatIsNoTomlIsBadInputWithItsPlace) {
  EXPECT_TRUE(complaint("id = 1\nx = 1e400\n").starts_with("node.toml:2:"));
  EXPECT_TRUE(complaint("id = ").starts_with("node.toml:1:"));
  EXPECT_TRUE(complaint("id = 1979-05-27\n").starts_with("node.toml:1: "));
  EXPECT_EQ(complaint("id = 1\n"), "");
}

TEST(NodeConfig, ATimeoutFollowsThePeriodHoweverLong) {
  node::Config config;
  read_node_config(config, "period = '20 ms'\n", "node.toml");
  EXPECT_EQ(config.timeout, 60ms);
  read_node_config(config, "period = '1500000 h'\n", "node.toml");
  EXPECT_GT(config.timeout, 0ms) << "three times that runs over";
  config.plain = true;
  try {
    node::validate(config);
    FAIL() << "a period of centuries";
  } catch (const core::Problem& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("period:")) << error.what();
  }
}

}  // namespace
}  // namespace bellwether::operate
