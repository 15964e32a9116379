// SPDX-License-Identifier: MIT
#include "bellwether/terminal/command_line.hpp"

#include <gtest/gtest.h>

#include "bellwether/terminal/command.hpp"

namespace bellwether::terminal {
namespace {

TEST(OwnName, HintsAreAboutTheProgramThatWasCalled) {
  Command app{"", "bellwether-node"};
  app.add_subcommand("node", "");
  app.add_subcommand("keygen", "");
  EXPECT_EQ(in_own_name("make one with: bellwether keygen FILE", app),
            "make one with: bellwether-node keygen FILE");
  EXPECT_EQ(in_own_name("see bellwether --help or `bellwether node`", app),
            "see bellwether-node --help or `bellwether-node node`");
  EXPECT_EQ(in_own_name("see: bellwether list node", app), "see: bellwether list node")
      << "it has no such command";
  EXPECT_EQ(in_own_name("a bellwether nodes, bellwether ", app), "a bellwether nodes, bellwether ");
  Command usual{"", "bellwether"};
  usual.add_subcommand("keygen", "");
  EXPECT_EQ(in_own_name("bellwether keygen", usual), "bellwether keygen");
}

TEST(OwnName, IsTheLastPartOfThePath) {
  EXPECT_EQ(program_name("/usr/bin/bellwether-node"), "bellwether-node");
  EXPECT_EQ(program_name("ring-of-trust"), "ring-of-trust");
  EXPECT_EQ(program_name(""), "bellwether");
  EXPECT_EQ(program_name(nullptr), "bellwether");
}

}  // namespace
}  // namespace bellwether::terminal
