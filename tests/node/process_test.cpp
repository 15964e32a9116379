// SPDX-License-Identifier: MIT
#include "node/process.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "node/bed_fixture.hpp"
#include "node/eventually.hpp"

namespace bellwether::bed {
namespace {

using namespace std::chrono_literals;

/// The letter for the state of a process; '-' if there is none.
char state_of(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  const std::size_t bracket = text.rfind(')');
  return bracket == std::string::npos ? '-' : text.at(bracket + 2);
}

class ProcessTest : public BedTest {
 protected:
  void SetUp() override {
    BedTest::SetUp();
    if (!IsSkipped()) space_.emplace();
  }
  const Namespace& space() const { return *space_; }

 private:
  std::optional<Namespace> space_;
};

TEST_F(ProcessTest, RunsInItsNamespaceWithInputFolderAndEnvironment) {
  Process process(space(), {"sh", "-c", "cat; pwd; echo $WORD >&2; cat /proc/net/dev; exit 7"},
                  {.input = "typed\n", .folder = "/usr", .environment = {{"WORD", "given"}}});
  EXPECT_EQ(process.wait(patience), 7);
  EXPECT_TRUE(process.exited());
  const auto lines = process.lines();
  ASSERT_GE(lines.size(), 6u);
  EXPECT_EQ(lines[0], "typed");
  EXPECT_EQ(lines[1], "/usr");
  EXPECT_EQ(lines[2], "given");
  EXPECT_EQ(lines.size(), 6u) << "two headings and loopback:\n" << process.log();
  EXPECT_NE(lines[5].find("lo:"), std::string::npos);
}

TEST_F(ProcessTest, SplitsItsOutputWhereAskedTo) {
  const Outcome outcome = run(space(), {"sh", "-c", "echo out; echo err >&2; exit 2"}, patience);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "out\n");
  EXPECT_EQ(outcome.err, "err\n");
}

TEST_F(ProcessTest, AppendsToALogFile) {
  const auto file =
      std::filesystem::temp_directory_path() / ("bellwether-bed-log-" + std::to_string(getpid()));
  for (const char* word : {"one", "two"}) {
    Process process(space(), {"echo", word}, {.log_file = file.string()});
    EXPECT_EQ(process.wait(patience), 0);
  }
  std::ifstream in(file);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  EXPECT_EQ(text, "one\ntwo\n");
  std::filesystem::remove(file);
}

TEST_F(ProcessTest, WhatCannotBeStartedSaysSo) {
  try {
    Process process(space(), {"/no/such/program"});
    FAIL() << "it started";
  } catch (const std::exception& trouble) {
    EXPECT_STREQ(trouble.what(), "/no/such/program cannot be started: No such file or directory");
  }
  EXPECT_THROW(Process(space(), {}), std::runtime_error);
  EXPECT_THROW(run(space(), {"sleep", "100"}, 20ms), std::runtime_error);
}

TEST_F(ProcessTest, FreezesGoesOnAndDiesOfSignals) {
  Process process(space(), {"sleep", "100"});
  EXPECT_FALSE(process.wait(10ms));
  process.stop();
  EXPECT_TRUE(eventually([&] { return state_of(process.pid()) == 'T'; }));
  process.cont();
  EXPECT_TRUE(eventually([&] { return state_of(process.pid()) == 'S'; }));
  process.kill(SIGTERM);
  EXPECT_EQ(process.wait(patience), 128 + SIGTERM);
  process.kill(SIGTERM);  // no process is left: nothing happens
  EXPECT_EQ(process.rss_kib(), 0);
}

TEST_F(ProcessTest, OwnerTakesTheWholeGroupAlong) {
  pid_t child = 0;
  {
    Process process(space(), {"sh", "-c", "sleep 100 & echo $!"});
    ASSERT_EQ(process.wait(patience), 0);  // the shell has gone, its child has not
    child = std::stoi(process.log());
    EXPECT_TRUE(eventually([&] { return state_of(child) == 'S'; }));
  }
  EXPECT_TRUE(eventually([&] {
    const char state = state_of(child);
    return state == '-' || state == 'Z' || state == 'X';
  }));
}

TEST_F(ProcessTest, MovesAndIsReplaced) {
  Process first(space(), {"sleep", "100"});
  const pid_t pid = first.pid();
  Process second = std::move(first);
  EXPECT_EQ(second.pid(), pid);
  second = Process(space(), {"sleep", "100"});
  EXPECT_NE(second.pid(), pid);
  EXPECT_EQ(state_of(pid), '-');
  EXPECT_FALSE(second.exited());
}

TEST_F(ProcessTest, TellsMemoryAndTime) {
  Process sleeper(space(), {"sleep", "100"});
  EXPECT_TRUE(eventually([&] { return sleeper.rss_kib() > 100; }));
  EXPECT_LT(sleeper.rss_kib(), 100000);
  Process spinner(space(), {"sh", "-c", "while :; do :; done"});
  EXPECT_TRUE(eventually([&] { return spinner.cpu_time() >= 50ms; }));
  // A sleeping process uses no more than at its start.
  EXPECT_TRUE(eventually([&] { return spinner.cpu_time() > 5 * sleeper.cpu_time(); }));
  spinner.kill(SIGKILL);
  EXPECT_EQ(spinner.wait(patience), 128 + SIGKILL);
  EXPECT_GE(spinner.cpu_time(), 40ms);
}

TEST_F(ProcessTest, BusyLoopsSpinUntilTheirOwnerGoes) {
  std::vector<pid_t> pids;
  {
    const BusyLoops loops = busy_loops(3);
    pids = loops.pids();
    ASSERT_EQ(pids.size(), 3u);
    for (const pid_t pid : pids) EXPECT_TRUE(eventually([&] { return state_of(pid) == 'R'; }));
  }
  for (const pid_t pid : pids) EXPECT_EQ(state_of(pid), '-');
}

TEST(EventuallyTest, AsksUntilItIsTrueOrTheTimeIsOver) {
  int asked = 0;
  EXPECT_TRUE(eventually(10s, [&] { return ++asked == 3; }));
  EXPECT_EQ(asked, 3);
  EXPECT_FALSE(eventually(5ms, [] { return false; }));
  EXPECT_TRUE(eventually(0ms, [] { return true; }));
}

}  // namespace
}  // namespace bellwether::bed
