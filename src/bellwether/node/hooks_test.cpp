// SPDX-License-Identifier: MIT
#include "bellwether/node/hooks.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

namespace bellwether::node {
namespace {

using namespace std::chrono_literals;

constexpr NodeId self{3};

LeaderState led_by(std::optional<NodeId> leader, std::uint64_t epoch = 1) {
  LeaderState result;
  result.self = self;
  result.leader = leader;
  result.epoch = epoch;
  return result;
}

/// Of hooks that may take as long as they like: on a busy machine any of them may.
HookOptions unhurried() {
  HookOptions options;
  options.limit = 1h;
  return options;
}

/// Whether a process is there and not only waits to be buried. An orphan's grave may take a moment.
bool is_alive(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::size_t name_end = text.rfind(')');
  return name_end != std::string::npos && text.at(name_end + 2) != 'Z';
}

bool ends_soon(pid_t pid) {
  for (int i = 0; i < 12000; ++i) {
    if (!is_alive(pid)) return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

class HooksTest : public testing::Test {
 protected:
  HooksTest() {
    std::string name = "/tmp/bellwether-hooks-XXXXXX";
    folder = ::mkdtemp(name.data());
  }
  ~HooksTest() override { std::filesystem::remove_all(folder); }

  void make(const HookOptions& options) {
    hooks.emplace(io, options, [this](const HookResult& result) { results.push_back(result); });
  }

  /// Until nothing runs any more.
  void run() {
    const auto too_late = std::chrono::steady_clock::now() + 120s;
    while (!hooks->idle() && std::chrono::steady_clock::now() < too_late) {
      io.restart();
      io.run_one_for(100ms);
    }
    ASSERT_TRUE(hooks->idle());
  }

  std::string path(const std::string& name) const { return folder + "/" + name; }
  std::string read(const std::string& name) const {
    std::ifstream file(path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// What stands in a file, once something does.
  std::string await(const std::string& name) const {
    for (int i = 0; i < 12000 && !read(name).ends_with('\n'); ++i)
      std::this_thread::sleep_for(10ms);
    return read(name);
  }

  std::string folder;
  boost::asio::io_context io;
  std::vector<HookResult> results;
  std::optional<Hooks> hooks;
};

TEST_F(HooksTest, WhichHooksRun) {
  HookOptions options = unhurried();
  options.on_elected = "echo elected >> " + path("log");
  options.on_deposed = "echo deposed >> " + path("log");
  options.on_change = "echo change >> " + path("log");
  make(options);
  EXPECT_TRUE(hooks->idle());
  hooks->changed(led_by(std::nullopt), led_by(NodeId{7}), "g");
  EXPECT_FALSE(hooks->idle());
  hooks->changed(led_by(NodeId{7}), led_by(self), "g");
  hooks->changed(led_by(self), led_by(self), "g");
  hooks->changed(led_by(self), led_by(std::nullopt), "g");
  run();
  EXPECT_EQ(read("log"), "change\nelected\nchange\ndeposed\nchange\n");
  EXPECT_EQ(hooks->runs(), 5u);
  EXPECT_EQ(hooks->dropped(), 0u);
  ASSERT_EQ(results.size(), 5u);
  EXPECT_EQ(results[1].hook, "on_elected");
  EXPECT_EQ(results[1].command, options.on_elected);
  EXPECT_EQ(results[1].status, 0);
  EXPECT_FALSE(results[1].killed);
  EXPECT_GT(results[1].took, Duration{});
}

/// What a merge of two groups looks like: the wrong one leads for a moment, the right one loses the
/// lead for a moment.
TEST_F(HooksTest, AMomentRunsNothing) {
  HookOptions options = unhurried();
  options.on_elected = "echo elected-$BELLWETHER_EPOCH >> " + path("log");
  options.on_deposed = "echo deposed-$BELLWETHER_EPOCH >> " + path("log");
  options.on_change = "echo $BELLWETHER_PREVIOUS-$BELLWETHER_LEADER >> " + path("log");
  options.settle = 1h;
  make(options);
  hooks->changed(led_by(NodeId{7}), led_by(self, 11), "g");
  hooks->changed(led_by(self, 11), led_by(NodeId{7}, 12), "g");
  EXPECT_FALSE(hooks->idle()) << "it has not settled";
  hooks->settle_now();
  EXPECT_TRUE(hooks->idle());
  EXPECT_EQ(hooks->runs(), 0u);
  options.settle = 20ms;
  hooks->configure(options);
  hooks->changed(led_by(NodeId{7}, 12), led_by(std::nullopt, 12), "g");
  hooks->changed(led_by(std::nullopt, 12), led_by(self, 13), "g");
  EXPECT_EQ(hooks->runs(), 0u);
  run();
  EXPECT_EQ(read("log"), "elected-13\n7-3\n");
}

TEST_F(HooksTest, NoneIsNone) {
  make({});
  hooks->changed(led_by(std::nullopt), led_by(self), "g");
  EXPECT_TRUE(hooks->idle());
  EXPECT_EQ(hooks->runs(), 0u);
}

TEST_F(HooksTest, NeverTwoAtOnceAndInOrder) {
  HookOptions options = unhurried();
  const std::string pause = "; sleep 0.03; ";
  const auto around = [&](const std::string& name) {
    return "echo start-" + name + "-$BELLWETHER_EPOCH >> " + path("log") + pause + "echo end-" +
           name + "-$BELLWETHER_EPOCH >> " + path("log");
  };
  options.on_elected = around("elected");
  options.on_deposed = around("deposed");
  options.on_change = around("change");
  make(options);
  std::string expected;
  for (std::uint64_t epoch = 1; epoch <= 6; ++epoch) {
    const bool elected = epoch % 2 == 1;
    hooks->changed(led_by(elected ? NodeId{7} : self), led_by(elected ? self : NodeId{7}, epoch),
                   "g");
    for (const std::string name : {elected ? "elected" : "deposed", "change"}) {
      const std::string tail = name + "-" + std::to_string(epoch) + "\n";
      expected += "start-" + tail + "end-" + tail;
    }
  }
  run();
  EXPECT_EQ(read("log"), expected);
}

TEST_F(HooksTest, Environment) {
  ::setenv("BELLWETHER_TEST_KEPT", "kept", 1);
  ::setenv("BELLWETHER_LEADER", "wrong", 1);
  HookOptions options = unhurried();
  options.on_elected = options.on_change = "env | grep ^BELLWETHER | sort >> " + path("log");
  make(options);
  hooks->changed(led_by(NodeId{7}, 4), led_by(self, 5), "two words; $(x) 'y'");
  hooks->changed(led_by(self, 5), led_by(std::nullopt, 6), "");
  run();
  ::unsetenv("BELLWETHER_TEST_KEPT");
  ::unsetenv("BELLWETHER_LEADER");
  const std::string first =
      "BELLWETHER_GROUP=two words; $(x) 'y'\nBELLWETHER_ID=3\nBELLWETHER_IS_LEADER=1\n"
      "BELLWETHER_LEADER=3\nBELLWETHER_PREVIOUS=7\nBELLWETHER_TEST_KEPT=kept\n";
  EXPECT_EQ(read("log"), "BELLWETHER_EPOCH=5\nBELLWETHER_EVENT=elected\n" + first +
                             "BELLWETHER_EPOCH=5\nBELLWETHER_EVENT=change\n" + first +
                             "BELLWETHER_EPOCH=6\nBELLWETHER_EVENT=change\nBELLWETHER_GROUP=\n"
                             "BELLWETHER_ID=3\nBELLWETHER_IS_LEADER=0\nBELLWETHER_LEADER=\n"
                             "BELLWETHER_PREVIOUS=3\nBELLWETHER_TEST_KEPT=kept\n");
}

TEST_F(HooksTest, KilledAtTheLimitWithAllItStarted) {
  HookOptions options = unhurried();
  options.on_change = "sh -c 'sleep 300 & echo $! > " + path("grandchild") +
                      "; wait' & echo $! > " + path("child") + "; trap '' TERM; wait";
  options.on_elected = "echo before >> " + path("log");
  options.limit = 300ms;
  make(options);
  hooks->changed(led_by(NodeId{7}), led_by(NodeId{8}), "g");
  const pid_t grandchild = std::stoi(await("grandchild"));
  const pid_t child = std::stoi(await("child"));
  EXPECT_TRUE(is_alive(grandchild));
  run();
  ASSERT_EQ(results.size(), 1u);
  EXPECT_TRUE(results[0].killed);
  EXPECT_EQ(results[0].status, 128 + SIGKILL);
  EXPECT_GE(results[0].took, options.limit);
  EXPECT_TRUE(ends_soon(child));
  EXPECT_TRUE(ends_soon(grandchild));
}

TEST_F(HooksTest, GoesOnAfterAKill) {
  HookOptions options = unhurried();
  options.on_elected = "sleep 300";
  options.on_change = "echo change >> " + path("log");
  options.limit = 50ms;
  make(options);
  hooks->changed(led_by(NodeId{7}), led_by(self), "g");
  options.limit = 1h;  // for the second
  hooks->configure(options);
  run();
  ASSERT_EQ(results.size(), 2u);
  EXPECT_TRUE(results[0].killed);
  EXPECT_FALSE(results[1].killed);
  EXPECT_EQ(read("log"), "change\n");
}

TEST_F(HooksTest, FailuresAreReported) {
  HookOptions options = unhurried();
  options.on_elected = "exit 7";
  options.on_deposed = "/nonexistent/command 2> /dev/null";
  options.on_change = "kill -USR1 $$";
  make(options);
  hooks->changed(led_by(NodeId{7}), led_by(self), "g");
  hooks->changed(led_by(self), led_by(NodeId{7}), "g");
  run();
  ASSERT_EQ(results.size(), 4u);
  EXPECT_EQ(results[0].status, 7);
  EXPECT_EQ(results[1].status, 128 + SIGUSR1);
  EXPECT_EQ(results[2].status, 127);
  EXPECT_EQ(results[2].hook, "on_deposed");
  for (const HookResult& result : results) EXPECT_FALSE(result.killed);
}

TEST_F(HooksTest, TooLongForTheSystem) {
  HookOptions options = unhurried();
  options.on_change = "true " + std::string(1 << 20, 'x');
  options.on_elected = "true";
  make(options);
  hooks->changed(led_by(NodeId{7}), led_by(self), "g");
  run();
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].status, 0);
  EXPECT_EQ(results[1].status, 127) << "could not even be started";
}

TEST_F(HooksTest, TheOldestThatWaitAreDropped) {
  HookOptions options = unhurried();
  const std::string gate = path("gate");
  ASSERT_EQ(::mkfifo(gate.c_str(), 0600), 0);
  options.on_change = "echo $BELLWETHER_EPOCH >> " + path("log") +
                      "; test $BELLWETHER_EPOCH = 1 && read line < " + gate + "; true";
  options.most_waiting = 3;
  make(options);
  for (std::uint64_t epoch = 1; epoch <= 8; ++epoch) {
    hooks->changed(led_by(NodeId{7}), led_by(NodeId{8}, epoch), "g");
  }
  EXPECT_EQ(hooks->runs(), 1u);
  EXPECT_EQ(hooks->dropped(), 4u);
  std::ofstream(gate) << "go\n";
  run();
  EXPECT_EQ(read("log"), "1\n6\n7\n8\n");
  EXPECT_EQ(hooks->runs(), 4u);
  EXPECT_EQ(hooks->dropped(), 4u);
}

TEST_F(HooksTest, NewOptionsAreForThoseThatBeginLater) {
  HookOptions options = unhurried();
  options.on_elected = "echo old-elected >> " + path("log");
  options.on_change = "echo old-change >> " + path("log");
  make(options);
  hooks->changed(led_by(NodeId{7}), led_by(self), "g");
  options.on_change = "echo new-change >> " + path("log");
  hooks->configure(options);
  run();
  EXPECT_EQ(read("log"), "old-elected\nnew-change\n");
  hooks->changed(led_by(NodeId{7}), led_by(self), "g");
  options.on_change.clear();
  hooks->configure(options);
  run();
  EXPECT_EQ(read("log"), "old-elected\nnew-change\nold-elected\n");
}

TEST_F(HooksTest, EndsWhatRunsWithItself) {
  HookOptions options = unhurried();
  options.on_change =
      "sleep 300 & echo $! > " + path("grandchild") + "; echo $$ > " + path("child") + "; wait";
  options.on_elected = "true";
  make(options);
  hooks->changed(led_by(NodeId{7}), led_by(NodeId{8}), "g");
  hooks->changed(led_by(NodeId{8}), led_by(NodeId{9}), "g");
  const pid_t grandchild = std::stoi(await("grandchild"));
  const pid_t child = std::stoi(await("child"));
  hooks.reset();
  EXPECT_EQ(::kill(child, 0), -1) << "buried, too";
  EXPECT_EQ(errno, ESRCH);
  EXPECT_TRUE(ends_soon(grandchild));
  EXPECT_TRUE(results.empty());
  io.run();  // what is left over does no harm, and nothing keeps it running
}

TEST_F(HooksTest, WhatRunsOnInTheBackgroundIsLeftAlone) {
  HookOptions options = unhurried();
  options.on_change = "sleep 300 & echo $! > " + path("service");
  make(options);
  hooks->changed(led_by(NodeId{7}), led_by(NodeId{8}), "g");
  run();
  const pid_t service = std::stoi(read("service"));
  hooks.reset();
  EXPECT_TRUE(is_alive(service));
  ::kill(service, SIGKILL);
}

TEST_F(HooksTest, InheritsNothing) {
  const int leak = ::open("/dev/null", O_RDONLY);  // not close-on-exec
  const int far = ::fcntl(leak, F_DUPFD, 200);
  const int input = ::dup(STDIN_FILENO);
  const int other = ::open("/dev/zero", O_RDONLY);
  ::dup2(other, STDIN_FILENO);  // where the tests run, it may be /dev/null already
  sigset_t blocked;
  sigset_t before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  sigaddset(&blocked, SIGUSR1);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
  const auto old = ::signal(SIGPIPE, SIG_IGN);
  HookOptions options = unhurried();
  // Signals first, and by the shell's own means: once it has started a program, it has blocked and
  // unblocked them all itself.
  options.on_change =
      "while read -r name value; do case $name in SigBlk:|SigIgn:) echo $name $value;; esac; done "
      "< /proc/$$/status > " +
      path("signals") + "; ls /proc/$$/fd > " + path("files") + "; readlink /proc/$$/fd/0 > " +
      path("input");
  make(options);
  hooks->changed(led_by(NodeId{7}), led_by(NodeId{8}), "g");
  run();
  ::signal(SIGPIPE, old);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (input >= 0) ::dup2(input, STDIN_FILENO);
  for (const int descriptor : {leak, far, input, other}) ::close(descriptor);
  std::istringstream files(read("files"));
  for (std::string file; files >> file;) {
    // A shell may keep its own descriptors from 10 on while it redirects.
    EXPECT_TRUE(std::stoi(file) <= 2 || std::stoi(file) == 10) << read("files");
  }
  const std::string signals = read("signals");
  EXPECT_TRUE(signals.starts_with("SigBlk: 0000000000000000\nSigIgn: ")) << signals;
  // Above are two that the C library keeps to itself.
  EXPECT_TRUE(signals.ends_with("0000000\n")) << signals;
  EXPECT_EQ(read("input"), "/dev/null\n");
}

TEST_F(HooksTest, ManyInARow) {
  HookOptions options = unhurried();
  options.on_change = "echo $BELLWETHER_EPOCH >> " + path("log");
  options.most_waiting = 1000;
  make(options);
  std::string expected;
  for (std::uint64_t epoch = 1; epoch <= 100; ++epoch) {
    hooks->changed(led_by(NodeId{7}), led_by(NodeId{8}, epoch), "g");
    expected += std::to_string(epoch) + "\n";
  }
  run();
  EXPECT_EQ(read("log"), expected);
  // Each descriptor of a process is closed again.
  const auto open_files = std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  EXPECT_LT(open_files, 60);
}

}  // namespace
}  // namespace bellwether::node
