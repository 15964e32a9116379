// SPDX-License-Identifier: MIT
// Files that are none, or not what they should be, for every command and flag that reads or writes
// one; and networks that are too large for the machine.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <thread>

#include "cli/refused.hpp"

namespace bellwether::cli_test {
namespace {

namespace fs = std::filesystem;

/// The command with `file` in place of FILE.
Arguments with_file(Arguments words, const std::string& file) {
  for (std::string& word : words)
    if (const auto at = word.find("FILE"); at != word.npos) word.replace(at, 4, file);
  return words;
}

const std::vector<Arguments> readers{
    {"run", "FILE"},
    {"run", "--replay", "FILE"},
    {"run", "first-election", "--set", "network.topology=file", "--set", "network.nodes=0", "--set",
     "network.one_way=false", "--set", "network.file=FILE"},
    {"run", "swarm", "--set", "mobility.model=trace", "--set", "mobility.file=FILE"},
    {"motion", "FILE", "--out", "paths.tcl"},
    {"trace", "FILE"},
    {"central", "FILE"},
    {"compare", "FILE"},
    {"sweep", "FILE"},
    {"tune", "FILE"},
    {"tune", "--recording", "FILE"},
    {"view", "--replay", "FILE"},
    {"node", "--config", "FILE", "--check-config"},
};

/// 300 kB of bytes that are no text; the same on every run.
std::string noise() {
  std::string out(300'000, '\0');
  std::uint32_t state = 1;
  for (char& each : out) {
    state = state * 1664525 + 1013904223;
    each = static_cast<char>(state >> 24);
  }
  return out;
}

TEST(HostileFiles, WhatIsNoFileIsRefusedByName) {
  const Folder folder;
  fs::create_directory(folder.path() / "folder");
  std::vector<Arguments> all = readers;
  all.push_back({"view", "FILE"});
  for (const Arguments& reader : all) {
    refused(folder, with_file(reader, "./missing.toml"), {"missing.toml"});
    refused(folder, with_file(reader, "./folder"), {"./folder", "is a folder"});
    refused(folder, with_file(reader, "/dev/zero"), {"/dev/zero", "is a device"});
  }
}

TEST(HostileFiles, WhatHoldsSomethingElseIsRefusedByName) {
  const Folder folder;
  folder.write("empty.toml", "");
  folder.write("noise.toml", noise());
  for (const Arguments& reader : readers) {
    refused(folder, with_file(reader, "./empty.toml"), {"empty.toml"});
    refused(folder, with_file(reader, "./noise.toml"), {"noise.toml"});
  }
}

/// A key of 20,000 parts used to exhaust the stack of the TOML library.
TEST(HostileFiles, KeysOfThousandsOfParts) {
  std::string key = "a";
  for (int i = 0; i < 20'000; ++i) key += ".a";
  const Folder folder;
  folder.write("dotted.toml", key + " = 1\n");
  folder.write("table.toml", '[' + key + "]\nb = 1\n");
  for (const char* file : {"dotted.toml", "table.toml"})
    for (const Arguments& words :
         {Arguments{"run", file}, {"sweep", file}, {"node", "--config", file, "--check-config"}})
      refused(folder, words, {std::string(file) + ":1", "parts"});
  refused(folder, {"run", "first-election", "--set", key + "=1"}, {"--set"});
}

struct FileWriter {
  Arguments words;     // with FILE
  std::string ending;  // that the command asks for
};

const std::vector<FileWriter> writers{
    {{"run", "first-election", "--trace", "FILE"}, ".jsonl"},
    {{"run", "thesis-random-waypoint", "--set", "stop.time=2s", "--series", "FILE"}, ".csv"},
    {{"trace", "run.jsonl", "--svg", "FILE"}, ".svg"},
    {{"motion", "thesis-random-waypoint", "--out", "FILE"}, ".tcl"},
};

TEST(HostileFiles, WhatCannotBeWrittenIsRefused) {
  const Folder folder;
  ASSERT_EQ(run(folder, {"run", "first-election", "--trace", "run.jsonl"}).status, 0);
  for (const FileWriter& each : writers) {
    fs::create_directory(folder.path() / ("folder" + each.ending));
    refused(folder, with_file(each.words, "folder" + each.ending), {"is a folder; name a file"});
    refused(folder, with_file(each.words, "none/file" + each.ending),
            {"none/file" + each.ending + ": cannot be written", "is the folder there?"});
  }
}

/// A full device fails when the file is complete: what the command has found is printed by then.
TEST(HostileFiles, AFullDeviceLosesNoFinding) {
  const Folder folder;
  ASSERT_EQ(run(folder, {"run", "first-election", "--trace", "run.jsonl"}).status, 0);
  for (const FileWriter& each : writers) {
    const std::string file = "full" + each.ending;
    fs::create_symlink("/dev/full", folder.path() / file);
    const auto before = folder.files();
    const Outcome outcome = run(folder, with_file(each.words, file));
    EXPECT_EQ(outcome.status, 2) << file;
    EXPECT_NE(outcome.err.find(file + ": cannot be written"), std::string::npos) << outcome.err;
    EXPECT_EQ(folder.files(), before);
    EXPECT_TRUE(fs::is_character_file(folder.path() / file)) << "it is a file now";
    EXPECT_EQ(outcome.out.find("fingerprint") != std::string::npos, each.words.front() == "run")
        << outcome.out;
  }
}

TEST(HostileFiles, ADeviceIsWrittenToAndNotReplaced) {
  const Folder folder;
  fs::create_symlink("/dev/null", folder.path() / "null.jsonl");
  const Outcome outcome = run(folder, {"run", "first-election", "--trace", "null.jsonl"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(fs::is_character_file(folder.path() / "null.jsonl"));
  EXPECT_FALSE(fs::exists(folder.path() / "null.jsonl.part"));
}

/// Refused by an estimate: the sentence comes before any node is made.
TEST(HostileFiles, NetworksThatDoNotFitIntoMemory) {
  const std::string many = "2147483647";
  const std::string smaller = "choose a smaller network";
  const auto too_large = [&](const std::string& scenario, const Arguments& settings,
                             const std::string& key) {
    for (const char* command : {"run", "compare", "motion"}) {
      const bool moves = scenario == "swarm";
      if (std::string(command) == "motion" && !moves) continue;
      Arguments words{command, scenario};
      if (std::string(command) == "motion") words.insert(words.end(), {"--out", "paths.tcl"});
      for (const std::string& each : settings) words.insert(words.end(), {"--set", each});
      refused({}, words, {key + ": ", smaller});
    }
  };
  too_large("first-election", {"network.nodes=" + many}, "network.nodes");
  too_large("swarm", {"network.nodes=" + many}, "network.nodes");
  too_large("partition-heals", {"network.nodes=0", "network.rows=46340", "network.columns=46340"},
            "network.rows");
  for (const char* topology : {"line", "star", "tree", "single"})
    too_large("partition-heals",
              {"network.rows=0", "network.columns=0", "network.nodes=" + many,
               std::string("network.topology=") + topology},
              "network.nodes");
  const std::string quadratic = "network.topology=complete";
  too_large("bully-crash", {quadratic, "network.nodes=500000"}, "network.nodes");
  too_large("dynamic-network",
            {"network.topology=erdos-renyi", "network.nodes=10000000", "network.degree=9999999"},
            "network.degree");
  too_large(
      "dynamic-network",
      {"network.topology=barabasi-albert", "network.nodes=10000000", "network.attach=5000000"},
      "network.attach");
  too_large("dynamic-network",
            {"network.topology=watts-strogatz", "network.nodes=10000000", "network.near=9999998"},
            "network.near");
  refused({}, {"run", "partition-heals", "--set", "network.spares=" + many},
          {"network.spares: ", smaller});
  refused({}, {"run", "swarm", "--set", "network.nodes=500000", "--set", "radio.range=1e9"},
          {"radio.range: ", smaller});
}

/// A short header may promise a graph of any size.
TEST(HostileFiles, GraphsThatDoNotFitIntoMemory) {
  const Folder folder;
  folder.write("large.col", "p edge 2147483647 1\ne 1 2\n");
  folder.write("large.graph", "2147483647 1\n2\n1\n");
  for (const char* file : {"large.col", "large.graph"})
    refused(folder, {"central", file}, {std::string(file) + ":1", "choose a smaller network"});
}

/// While the network is being made, here from a pipe that stays empty, SIGTERM ends the program.
TEST(HostileFiles, SetUpEndsAtOnceWhenItIsTerminated) {
  const Folder folder;
  ASSERT_EQ(mkfifo((folder.path() / "pipe.edges").c_str(), 0600), 0);
  folder.write("s.toml",
               "algorithm = \"height\"\n[network]\ntopology = \"file\"\nfile = \"pipe.edges\"\n");
  Program program(folder, {"run", "s.toml", "--trace", "run.jsonl"});
  while (!fs::exists(folder.path() / "run.jsonl.part"))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  program.signal(SIGTERM);
  EXPECT_EQ(program.wait().status, 130);
  EXPECT_EQ(folder.files(), (std::set<std::string>{"pipe.edges", "s.toml"}));
}

}  // namespace
}  // namespace bellwether::cli_test
