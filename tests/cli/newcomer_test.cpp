// SPDX-License-Identifier: MIT
// What somebody types who has just installed the program, in an empty folder.
#include <gtest/gtest.h>

#include "bellwether/json/json.hpp"
#include "cli/program.hpp"

namespace bellwether::cli_test {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Newcomer, ScenariosArePartOfTheProgram) {
  const Folder folder;
  const Outcome named = run(folder, {"run", "first-election", "--json"});
  EXPECT_EQ(named.status, 0) << named.err;
  // As the README has it, and as a name: the same run.
  for (const char* words : {"scenarios/first-election.toml", "first-election.toml"})
    EXPECT_EQ(run(folder, {"run", words, "--json"}).out, named.out) << words;
  const Outcome of_file = run(folder, {"run", project("scenarios/first-election.toml"), "--json"});
  EXPECT_EQ(of_file.out, named.out);
  const Outcome listed = run(folder, {"list", "scenarios"});
  EXPECT_TRUE(has(listed.out, "partition-heals")) << listed.out;
  EXPECT_TRUE(folder.files().empty());
}

TEST(Newcomer, AFileGoesBeforeTheScenarioOfThatName) {
  const Folder folder;
  folder.write("first-election.toml",
               "name = \"mine\"\nalgorithm = \"height\"\n[network]\nnodes = 3\n");
  EXPECT_TRUE(has(run(folder, {"run", "first-election.toml"}).out, "height on mine"));
  folder.write("first-election.toml", "nonsense");
  EXPECT_EQ(run(folder, {"run", "first-election.toml"}).status, 2);
}

TEST(Newcomer, AScenarioThatIsNowhereIsRefused) {
  const Folder folder;
  for (const char* words : {"first-elect", "elsewhere/first-election.toml"}) {
    const Outcome outcome = run(folder, {"run", words});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_TRUE(has(outcome.err, words)) << outcome.err;
  }
}

TEST(Newcomer, TheDoctorSaysWhatIsThere) {
  const Folder folder;
  const Outcome outcome = run(folder, {"doctor"});
  EXPECT_EQ(outcome.status, 0) << outcome.out;
  for (const char* part : {"run, check, compare", "sweep", "802.11n (--engine ns3)", "view",
                           "own elections", "python", "node"})
    EXPECT_TRUE(has(outcome.out, std::string("\n") + part + "\n")) << part << "\n" << outcome.out;
  const auto json = json::Json::parse(run(folder, {"doctor", "--json"}).out);
  ASSERT_GT(json.at("findings").size(), 10u);
  for (const auto& each : json.at("findings")) {
    EXPECT_FALSE(each.at("found").get<std::string>().empty());
    // What is not good says what to do.
    EXPECT_TRUE(each.at("state") == "ok" || !each.at("cure").get<std::string>().empty()) << each;
  }
}

/// `bellwether node` becomes the small program beside it; if that is itself, it must not do so for
/// ever.
TEST(Newcomer, TheProgramUnderTheNameOfTheSmallOneIsNoLoop) {
  const Folder folder;
  std::filesystem::create_symlink(BELLWETHER_PROGRAM, folder.path() / "bellwether-node");
  std::filesystem::copy_file(BELLWETHER_PROGRAM, folder.path() / "bellwether");
  std::filesystem::create_directory(folder.path() / "copied");
  std::filesystem::copy_file(BELLWETHER_PROGRAM, folder.path() / "copied" / "bellwether-node");
  for (const char* program : {"bellwether", "bellwether-node", "copied/bellwether-node"}) {
    const Outcome outcome =
        Program(folder, {"node", "--help"}, "/dev/null", (folder.path() / program).string()).wait();
    EXPECT_EQ(outcome.status, 0) << program;
    EXPECT_TRUE(has(outcome.out, "--check-config")) << program;
  }
}

/// A key is for its owner, and in a folder that hands down its group, for that group to read: the
/// package's /etc/bellwether is one, so that the service can read what root has made.
TEST(Newcomer, AKeyIsReadByWhomItIsFor) {
  namespace fs = std::filesystem;
  const Folder folder;
  fs::create_directory(folder.path() / "shared");
  fs::permissions(folder.path() / "shared", fs::perms::set_gid, fs::perm_options::add);
  EXPECT_EQ(run(folder, {"keygen", "own.key"}).status, 0);
  EXPECT_EQ(run(folder, {"keygen", "shared/group.key"}).status, 0);
  EXPECT_EQ(fs::status(folder.path() / "own.key").permissions(), fs::perms{0600});
  EXPECT_EQ(fs::status(folder.path() / "shared" / "group.key").permissions(), fs::perms{0640});
}

/// Programs are looked for in $PATH, so without one they are missing.
TEST(Newcomer, TheDoctorNoticesWhatIsMissing) {
  const Folder folder;
  const Outcome outcome =
      Program(folder, {"-c", std::string("PATH=/nowhere ") + BELLWETHER_PROGRAM + " doctor"},
              "/dev/null", "/bin/sh")
          .wait();
  EXPECT_TRUE(
      has(outcome.out, "note     compiler: g++ is not here\n           -> apt-get install g++"))
      << outcome.out;
  EXPECT_TRUE(has(outcome.out, "browser: none was found")) << outcome.out;
}

}  // namespace
}  // namespace bellwether::cli_test
