// SPDX-License-Identifier: MIT
// What a user types who has just installed the program, in an empty folder.
#include <gtest/gtest.h>

#include "bellwether/json/json.hpp"
#include "cli/program.hpp"

namespace bellwether::cli_test {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool has_file(const Folder& folder, const std::string& name) {
  return folder.files().contains(name);
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

std::string fingerprint(const Outcome& outcome) {
  return json::Json::parse(outcome.out).at("fingerprint").get<std::string>();
}

/// The commands of the README, one after the other.
TEST(Newcomer, SeesAnElectionAndWhoWonIt) {
  const Folder folder;
  const Outcome first = run(folder, {"run", "first-election", "--trace", "run.jsonl"});
  EXPECT_EQ(first.status, 0) << first.err;
  // The leader stands first, and all times have one unit.
  EXPECT_TRUE(has(first.out, "---\nleader  ")) << first.out;
  EXPECT_TRUE(has(first.out, "agreement  ")) << first.out;
  EXPECT_FALSE(has(first.out, " ms\n")) << first.out;
  EXPECT_LT(first.out.find("\nagreement "), first.out.find("\nended ")) << first.out;

  EXPECT_TRUE(has(run(folder, {"trace", "run.jsonl"}).out, "leader"));
  EXPECT_EQ(run(folder, {"trace", "run.jsonl", "--svg", "run.svg"}).status, 0);
  EXPECT_TRUE(has(folder.read("run.svg"), "<svg"));
  const Outcome compared = run(folder, {"compare", "first-election"});
  EXPECT_EQ(compared.status, 0) << compared.err;
  EXPECT_TRUE(has(compared.out, "chang-roberts")) << compared.out;
  const Outcome checked = run(folder, {"check", "cel", "--all-graphs", "3", "--changes", "3"});
  EXPECT_EQ(checked.status, 1) << checked.err;
  EXPECT_TRUE(has_file(folder, "cel-violation.jsonl"));
  EXPECT_EQ(run(folder, {"trace", "cel-violation.jsonl"}).status, 0);
  EXPECT_EQ(run(folder, {"run", "--replay", "cel-violation.jsonl"}).status, 1);
}

/// Every key that a scenario needs is in the list, and what --print prints is that scenario.
TEST(Newcomer, WritesAScenarioFromTheListOfKeys) {
  const Folder folder;
  const std::string keys = run(folder, {"list", "keys"}).out;
  for (const char* key : {"network.topology", "mobility.model", "radio.range", "stop.time"})
    EXPECT_TRUE(has(keys, std::string("\n  ") + key + ' ')) << key;
  folder.write("own.toml",
               "algorithm = \"flooding\"\n[network]\ntopology = \"radio\"\nnodes = 10\n"
               "[mobility]\nmodel = \"random-waypoint\"\nwidth = 300\nheight = 300\n"
               "[radio]\nrange = 120\n[neighbours]\ndetect = \"probes\"\n"
               "[stop]\ntime = \"10 s\"\n");
  const Outcome table = run(folder, {"run", "own.toml"});
  EXPECT_EQ(table.status, 0) << table.err;
  EXPECT_TRUE(has(table.out, "\n  instability  ")) << table.out;
  EXPECT_TRUE(has(table.out, "(instability: ")) << "nothing says what it is: " << table.out;
  folder.write("printed.toml", run(folder, {"run", "own.toml", "--print"}).out);
  const Outcome own = run(folder, {"run", "own.toml", "--json"});
  const Outcome printed = run(folder, {"run", "printed.toml", "--json"});
  ASSERT_EQ(printed.status, 0) << printed.err;
  EXPECT_EQ(fingerprint(printed), fingerprint(own));
}

/// Links by radio come and go with the positions of nodes: churn would break wires.
TEST(Newcomer, AKeyThatDoesNothingIsRefused) {
  const Folder folder;
  for (const char* command : {"run", "compare"}) {
    const Outcome outcome =
        run(folder, {command, "thesis-random-waypoint", "--set", "churn.rate=5"});
    EXPECT_EQ(outcome.status, 2) << command;
    EXPECT_TRUE(has(outcome.err, "churn.rate: has no effect")) << outcome.err;
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
  EXPECT_TRUE(has(outcome.out,
                  "note     compiler: g++ is not installed\n           -> apt-get install g++"))
      << outcome.out;
  EXPECT_TRUE(has(outcome.out, "browser: none found")) << outcome.out;
}

}  // namespace
}  // namespace bellwether::cli_test
