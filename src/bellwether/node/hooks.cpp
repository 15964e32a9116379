// SPDX-License-Identifier: MIT
#include "bellwether/node/hooks.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace bellwether::node {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

/// How often a command is looked at where the kernel gives no descriptor for it.
constexpr Duration glance = std::chrono::milliseconds(20);
/// How long a killed command may take to be gone before the daemon ends without it.
constexpr int mourning_ms = 1000;
/// What a shell says of a command that cannot be run.
constexpr int cannot_run = 127;

using HookVariables = std::vector<std::pair<std::string, std::string>>;

/// One command that waits. Its text is looked up when it begins: it may be another one by then.
struct Job {
  std::string HookOptions::*command;
  std::string hook;
  HookVariables variables;
};

/// From what the hooks were run for last to the present.
struct HookTrigger {
  LeaderState before, now;
  std::string group;
};

std::string text_of(const std::optional<NodeId>& id) {
  return id ? std::to_string(core::raw(*id)) : std::string();
}

HookVariables variables_of(const LeaderState& before, const LeaderState& now,
                           const std::string& group) {
  return {{"BELLWETHER_ID", std::to_string(core::raw(now.self))},
          {"BELLWETHER_LEADER", text_of(now.leader)},
          {"BELLWETHER_PREVIOUS", text_of(before.leader)},
          {"BELLWETHER_IS_LEADER", now.leader == now.self ? "1" : "0"},
          {"BELLWETHER_EPOCH", std::to_string(now.epoch)},
          {"BELLWETHER_GROUP", group}};
}

/// The daemon's environment with these variables in it.
std::vector<std::string> environment(const HookVariables& variables) {
  std::vector<std::string> result;
  for (const auto& [name, value] : variables) result.push_back(name + "=" + value);
  const std::size_t own = result.size();
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const auto same = [&](const std::string& mine) {
      return text.substr(0, text.find('=')) == std::string_view(mine).substr(0, mine.find('='));
    };
    bool replaced = false;
    for (std::size_t i = 0; i < own; ++i) replaced = replaced || same(result[i]);
    if (!replaced) result.emplace_back(text);
  }
  return result;
}

/// What a command begins with: nothing to read, no descriptor of ours but the two it may write to,
/// no signal blocked or ignored, and a process group of its own, so that all of it can be killed.
class HookEnvironment {
 public:
  HookEnvironment() {
    posix_spawn_file_actions_init(&files_);
    posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&files_, STDERR_FILENO + 1);
    posix_spawnattr_init(&attributes_);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  HookEnvironment(const HookEnvironment&) = delete;
  HookEnvironment& operator=(const HookEnvironment&) = delete;
  ~HookEnvironment() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&files_);
  }

  /// The process, or -1.
  pid_t run(std::string command, std::vector<std::string> variables) const {
    std::string shell = "/bin/sh";
    std::string flag = "-c";
    char* arguments[] = {shell.data(), flag.data(), command.data(), nullptr};
    std::vector<char*> entries;
    for (std::string& variable : variables) entries.push_back(variable.data());
    entries.push_back(nullptr);
    pid_t pid = -1;
    const int error =
        posix_spawn(&pid, shell.c_str(), &files_, &attributes_, arguments, entries.data());
    return error == 0 ? pid : -1;
  }

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

int open_process(pid_t pid) {
  return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0U));
}

int status_of(int wait_status) {
  if (WIFSIGNALED(wait_status)) return 128 + WTERMSIG(wait_status);
  return WEXITSTATUS(wait_status);
}

}  // namespace

struct Hooks::Impl : std::enable_shared_from_this<Hooks::Impl> {
  Impl(asio::io_context& io, HookOptions given, OnResult reported)
      : options(std::move(given)),
        report(std::move(reported)),
        process(io),
        limit(io),
        look(io),
        settling(io) {}

  void wait_until_settled();
  void settle();
  void add(std::string HookOptions::*command, const std::string& hook, const std::string& event,
           HookVariables variables);
  void next();
  bool begin(const Job& job);
  void kill_late();
  void watch();
  void ended();
  void finish(int status);
  void end_all();

  HookOptions options;
  OnResult report;
  std::optional<HookTrigger> unsettled;
  std::deque<Job> waiting;
  pid_t pid = -1;      // of what runs; -1: nothing does
  HookResult current;  // what is known of it already
  std::chrono::steady_clock::time_point since;
  asio::posix::stream_descriptor process;  // readable when what runs has ended
  asio::steady_timer limit, look, settling;
  std::uint64_t runs = 0;
  std::uint64_t dropped = 0;
};

void Hooks::Impl::wait_until_settled() {
  settling.expires_after(options.settle);
  settling.async_wait([weak = weak_from_this()](error_code stopped) {
    const auto self = weak.lock();
    if (!stopped && self) self->settle();
  });
}

void Hooks::Impl::settle() {
  const auto change = std::exchange(unsettled, std::nullopt);
  if (!change || change->before.leader == change->now.leader) return;
  const auto& [before, now, group] = *change;
  const HookVariables variables = variables_of(before, now, group);
  const bool led = before.leader == before.self;
  const bool leads = now.leader == now.self;
  if (leads && !led) add(&HookOptions::on_elected, "on_elected", "elected", variables);
  if (led && !leads) add(&HookOptions::on_deposed, "on_deposed", "deposed", variables);
  add(&HookOptions::on_change, "on_change", "change", variables);
  next();
}

void Hooks::Impl::add(std::string HookOptions::*command, const std::string& hook,
                      const std::string& event, HookVariables variables) {
  if ((options.*command).empty()) return;
  variables.emplace_back("BELLWETHER_EVENT", event);
  waiting.push_back({command, hook, std::move(variables)});
}

void Hooks::Impl::next() {
  while (pid < 0 && !waiting.empty()) {
    const Job job = std::move(waiting.front());
    waiting.pop_front();
    if ((options.*job.command).empty()) continue;  // taken away while it waited
    if (!begin(job)) finish(cannot_run);
  }
  while (waiting.size() > options.most_waiting) {
    waiting.pop_front();
    ++dropped;
  }
}

bool Hooks::Impl::begin(const Job& job) {
  static const HookEnvironment hook_environment;
  ++runs;
  current = {job.hook, options.*job.command, 0, false, {}};
  since = std::chrono::steady_clock::now();
  pid = hook_environment.run(current.command, environment(job.variables));
  if (pid < 0) return false;
  const int descriptor = open_process(pid);
  error_code error;
  if (descriptor >= 0) process.assign(descriptor, error);
  if (descriptor >= 0 && error) ::close(descriptor);
  limit.expires_after(options.limit);
  limit.async_wait([weak = weak_from_this(), mine = runs](error_code stopped) {
    const auto self = weak.lock();
    if (!stopped && self && self->runs == mine) self->kill_late();
  });
  watch();
  return true;
}

void Hooks::Impl::kill_late() {
  if (pid < 0) return;
  siginfo_t found{};
  const bool ended_by_itself =
      ::waitid(P_PID, static_cast<id_t>(pid), &found, WEXITED | WNOHANG | WNOWAIT) == 0 &&
      found.si_pid == pid;
  if (ended_by_itself) return;  // in this very moment; what watches it says so
  // It has not been waited for, so the number is still its own.
  current.killed = ::kill(-pid, SIGKILL) == 0;
}

void Hooks::Impl::watch() {
  const auto then = [weak = weak_from_this(), mine = runs](error_code stopped) {
    const auto self = weak.lock();
    if (!stopped && self && self->pid > 0 && self->runs == mine) self->ended();
  };
  if (process.is_open()) {
    process.async_wait(asio::posix::stream_descriptor::wait_read, then);
  } else {
    look.expires_after(glance);
    look.async_wait(then);
  }
}

void Hooks::Impl::ended() {
  int status = 0;
  const pid_t got = ::waitpid(pid, &status, WNOHANG);
  if (got == 0 || (got < 0 && errno == EINTR)) return watch();
  limit.cancel();
  error_code ignored;
  process.close(ignored);
  // Another part of the process waited for our child: how it ended is not known, but it did.
  finish(got < 0 ? cannot_run : status_of(status));
  next();
}

void Hooks::Impl::finish(int status) {
  pid = -1;
  current.status = status;
  current.took = std::chrono::steady_clock::now() - since;
  if (report) report(std::exchange(current, {}));
}

void Hooks::Impl::end_all() {
  unsettled.reset();
  settling.cancel();
  waiting.clear();
  report = nullptr;
  if (pid < 0) return;
  ::kill(-pid, SIGKILL);
  if (process.is_open()) {
    pollfd gone{process.native_handle(), POLLIN, 0};
    while (::poll(&gone, 1, mourning_ms) < 0 && errno == EINTR) {
    }
    ::waitpid(pid, nullptr, WNOHANG);
  } else {
    ::waitpid(pid, nullptr, 0);
  }
  pid = -1;
  limit.cancel();
  look.cancel();
  error_code ignored;
  process.close(ignored);
}

Hooks::Hooks(asio::io_context& io, HookOptions options, OnResult report)
    : state_(std::make_shared<Impl>(io, std::move(options), std::move(report))) {}

Hooks::~Hooks() {
  state_->end_all();
}

void Hooks::changed(const LeaderState& before, const LeaderState& now, const std::string& group) {
  if (state_->unsettled)
    state_->unsettled->now = now;
  else
    state_->unsettled = HookTrigger{before, now, group};
  if (state_->options.settle > Duration{0})
    state_->wait_until_settled();
  else
    state_->settle();
}

void Hooks::settle_now() {
  state_->settling.cancel();
  state_->settle();
}

void Hooks::configure(HookOptions options) {
  state_->options = std::move(options);
}

std::uint64_t Hooks::runs() const {
  return state_->runs;
}

std::uint64_t Hooks::dropped() const {
  return state_->dropped;
}

bool Hooks::idle() const {
  return state_->pid < 0 && state_->waiting.empty() && !state_->unsettled;
}

}  // namespace bellwether::node
