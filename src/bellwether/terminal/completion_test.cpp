// SPDX-License-Identifier: MIT
#include "bellwether/terminal/completion.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>

#include "bellwether/terminal/command.hpp"

namespace bellwether::terminal {
namespace {

/// A program with two commands.
struct Program {
  Command app{"about", "bellwether"};
  std::string algorithm, file;
  bool json = false;
  CompletionWords words{{"--algorithm", {"height", "cel", "cel-2"}},
                        {"describe", {"height", "cel-2"}}};
  Program() {
    auto* run = app.add_subcommand("run", "Run it, don't ask");
    run->add_option("file", file);
    run->add_option("-a,--algorithm", algorithm, "Which one");
    run->add_flag("--json", json, "As JSON");
    app.add_subcommand("describe", "What it is");
  }
};

/// What bash offers for a line whose last word is being typed.
std::string offered(const std::string& line) {
  const std::string path = testing::TempDir() + "bellwether-completion-" + std::to_string(getpid());
  std::ofstream(path) << bash_completion(Program().app, Program().words) << "COMP_WORDS=(" << line
                      << ")\nCOMP_CWORD=$((${#COMP_WORDS[@]}-1))\n_bellwether\n"
                         "echo \"${COMPREPLY[*]}\"\n";
  FILE* shell = popen(("bash " + path).c_str(), "r");
  std::array<char, 4096> buffer{};
  std::string out;
  while (std::fgets(buffer.data(), buffer.size(), shell)) out += buffer.data();
  EXPECT_EQ(pclose(shell), 0);
  std::remove(path.c_str());
  if (!out.empty()) out.pop_back();
  return out;
}

TEST(Completion, BashOffersCommandsOptionsAndNames) {
  EXPECT_EQ(offered("bellwether ''"), "run describe");
  EXPECT_EQ(offered("bellwether r"), "run");
  EXPECT_EQ(offered("bellwether run --a"), "--algorithm");
  EXPECT_EQ(offered("bellwether run --j"), "--json");
  EXPECT_EQ(offered("bellwether run --algorithm c"), "cel cel-2");
  EXPECT_EQ(offered("bellwether run -a h"), "height");
  EXPECT_EQ(offered("bellwether describe ''"), "height cel-2");
  EXPECT_EQ(offered("bellwether run /etc/host"), offered("bellwether run /etc/host"));
  EXPECT_NE(offered("bellwether run /etc/host").find("/etc/hosts"), std::string::npos);
}

TEST(Completion, TheOtherShellsHaveTheSame) {
  const Program program;
  const std::string fish = fish_completion(program.app, program.words);
  EXPECT_NE(fish.find("-a run -d 'Run it, dont ask'"), std::string::npos) << fish;
  EXPECT_NE(fish.find("-l algorithm -s a -x -a 'height cel cel-2'"), std::string::npos) << fish;
  const std::string zsh = zsh_completion(program.app, program.words);
  EXPECT_TRUE(zsh.starts_with("#compdef bellwether"));
  EXPECT_NE(zsh.find("--algorithm|-a) words=\"height cel cel-2\""), std::string::npos) << zsh;
}

}  // namespace
}  // namespace bellwether::terminal
