// SPDX-License-Identifier: MIT
// One loop, which waits for four things at once: signals, the node's events, the reply to "do you
// lead, and may I have the lock?", and time. The command starts on a fresh reply that says that
// this node has led for longer than any former leader's lease lasts, and that no other lock of this
// node has a lease. Each such reply renews the lease (lease.hpp). The lock stops the command at the
// first sign to the contrary, and when replies stay away.
#include "bellwether/operate/lock.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <random>

#include "bellwether/client/decode.hpp"
#include "bellwether/client/http.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/core/time.hpp"
#include "bellwether/operate/lease.hpp"
#include "bellwether/operate/process_group.hpp"
#include "bellwether/operate/signal_queue.hpp"
#include "bellwether/operate/talk_text.hpp"
#include "bellwether/terminal/command.hpp"
#include "bellwether/terminal/program.hpp"

namespace bellwether::operate {
namespace {

using client::ClientError;
using client::Clock;
using client::Exchange;
using client::Leadership;
using client::Milliseconds;
using namespace std::chrono_literals;

constexpr Milliseconds silence = 40s;  // the node says something every 15 s
constexpr int lost_status = 3;

struct LockOptions {
  std::string socket;
  std::string name = "default";
  std::string lease = "3s";
  std::string settle = "1s";
  std::string grace;  // empty: a third of the lease
  bool once = false;
  bool quiet = false;
  bool renew = false;
  std::vector<std::string> command;
};

Milliseconds time_of(const std::string& flag, const std::string& text, Milliseconds least = 0ms) {
  const auto time = core::parse_duration(text);
  if (!time || *time < least || *time > core::Duration(std::chrono::hours(24)))
    throw core::Problem(
        flag, {},
        fmt::format("\"{}\" is not a time from {} to 24 h; write \"5s\" or \"500ms\"", text,
                    least == 0ms ? "0" : core::to_text(least)));
  return std::chrono::ceil<Milliseconds>(*time);
}

LeaseTimes lease_of(const LockOptions& options) {
  return {time_of("--lease", options.lease, 300ms), time_of("--settle", options.settle)};
}

Milliseconds grace_of(const LockOptions& options, Milliseconds lease) {
  if (options.grace.empty()) return lease / 3;
  const Milliseconds grace = time_of("--grace", options.grace);
  if (grace > lease / 3)
    throw core::Problem(
        "--grace", {},
        fmt::format("must be at most a third of --lease = {}; write --lease {} on all nodes",
                    core::to_text(lease), core::to_text(3 * grace)));
  return grace;
}

/// What a node takes as the name of a lock.
void check_name(const std::string& name) {
  constexpr auto allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
  if (name.empty() || name.size() > 64 || name.find_first_not_of(allowed) != name.npos)
    throw core::Problem("--name", {},
                        "\"" + name + "\" is not a name; write 1 to 64 letters, digits, -, _ or .");
}

/// No two locks have the same.
std::string new_holder() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

class Lock {
 public:
  explicit Lock(LockOptions options)
      : options_(std::move(options)),
        lease_(lease_of(options_)),
        grace_(grace_of(options_, lease_.length)),
        address_(options_.socket.empty() ? client::default_address() : options_.socket),
        parsed_(client::parse_address(address_)) {
    check_name(options_.name);
  }

  /// The exit status, in the end.
  int run() {
    for (;;) {
      take_signals();
      group_.reap();
      if (phase_ != LockPhase::stopping) follow();
      if (phase_ == LockPhase::running || may_start()) ask();
      if (const auto status = decide()) {
        release();
        return *status;
      }
      wait();
    }
  }

 private:
  enum class LockPhase : unsigned char { waiting, running, stopping };

  void say(const std::string& sentence) const {
    if (!options_.quiet) fmt::print(stderr, "bellwether: {}\n", harmless(sentence));
  }

  void take_signals() {
    while (const int number = signals_.next()) {
      if (number == SIGCHLD || number == SIGTSTP) continue;
      if (interrupted_) kill_at_ = Clock::now();  // the second one does not wait
      interrupted_ = number;
    }
  }

  /// The stream of events: connects, and takes all that is there.
  void follow() {
    try {
      if (!stream_) {
        if (Clock::now() < next_try_) return;
        stream_ = std::make_unique<client::EventStream>(address_, lease_.stop_after());
      }
      while (const auto event = stream_->next(0ms)) {
        if (event->leadership) learn_from_stream(*event->leadership);
        if (!stream_) return;  // that was the end of it
      }
      if (stream_->closed()) return lose_stream(address_ + ": the node has ended the stream");
      if (Clock::now() >= stream_->last_sign() + silence)
        lose_stream(address_ + ": no event for 40 s; is the daemon stopped?");
    } catch (const ClientError& error) {
      lose_stream(error.what());
    }
  }

  void learn_from_stream(const Leadership& now) {
    pause_ = 100ms;
    complained_ = false;
    const bool whole = newest_.has_value();
    newest_ = now;
    answer_may_be_older_ = true;
    if (phase_ == LockPhase::waiting) wait_to_lead(now);
    if (phase_ != LockPhase::running) return;
    // Had this node stopped leading in between, the stream would have said so: it was lifted.
    if (now.is_leader && whole && !options_.renew) held_epoch_ = now.epoch;
    compare(now, false);
  }

  /// While the command runs, this alone is no reason to stop it: the node may have cut off a slow
  /// listener. But now is the time to ask.
  void lose_stream(const std::string& why) {
    stream_.reset();
    newest_.reset();
    next_try_ = Clock::now() + pause_;
    pause_ = std::min<Milliseconds>(pause_ * 2, 1s);
    if (phase_ == LockPhase::running) next_call_ = Clock::now();
    if (phase_ == LockPhase::waiting && !std::exchange(complained_, true))
      say("waiting for the node: " + why);
  }

  /// The next question is due when this node has led for long enough.
  void wait_to_lead(const Leadership& now) {
    call_.reset();
    next_call_ = Clock::now() + std::max(lease_.start_after() - now.since, Milliseconds(0));
  }
  bool may_start() const {
    return phase_ == LockPhase::waiting && newest_ && newest_->is_leader && !interrupted_;
  }

  std::string lock_request(Milliseconds lease) const {
    return fmt::format(R"({{"name":"{}","holder":"{}","lease_ms":{}}})", options_.name, holder_,
                       lease.count());
  }
  std::string taken() const {
    return fmt::format("another lock named \"{}\" on this node has the lease", options_.name);
  }

  /// No command of this lock is left: another one on this node need not wait for the end of the
  /// lease. Where the daemon does not reply soon, it waits.
  void release() {
    if (!std::exchange(granted_, false)) return;
    try {
      client::Client(address_, 250ms).post("/v1/lock", lock_request(0ms));
    } catch (const ClientError&) {
    }
  }

  /// Asks the node whether it leads and grants the lock, and handles the reply.
  void ask() {
    try {
      if (!call_ && Clock::now() >= next_call_) {
        asked_at_ = Clock::now();
        asked_at_boot_time_ = boot_time();
        next_call_ = asked_at_ + lease_.ask_every();
        answer_may_be_older_ = false;
        call_ = std::make_unique<Exchange>(
            parsed_, client::post_request("/v1/lock", lock_request(lease_.length)),
            lease_.stop_after());
      }
      if (!call_) return;
      while (call_->advance()) {
      }
      if (!call_->done()) return;
      const std::string json = client::checked_body(*call_);
      call_.reset();
      const std::string place = address_ + ", POST /v1/lock";
      const Leadership now = client::read_leadership(json, place);
      const bool granted = client::read_granted(json, place);
      granted_ = granted_ || granted;
      if (phase_ == LockPhase::waiting) return start_if_due(now, granted);
      compare(now, newest_.has_value() && !options_.renew);
      if (phase_ == LockPhase::running && !granted) stop(taken());
      if (phase_ == LockPhase::running && now.epoch >= held_epoch_) renew();
    } catch (const ClientError& error) {
      call_.reset();
      stop(error.what());
    }
  }

  /// Does this node still lead as it did when the command started? `may_be_lifted`: a higher epoch
  /// alone says nothing; the stream will. Nor does a lower one in an answer that may be older than
  /// the stream's last event: then the node is asked again.
  void compare(const Leadership& now, bool may_be_lifted) {
    if (!now.is_leader)
      stop(leader_line(now));
    else if (now.epoch < held_epoch_ && answer_may_be_older_)
      next_call_ = Clock::now();
    else if (now.epoch < held_epoch_ || (now.epoch > held_epoch_ && !may_be_lifted))
      stop(fmt::format("the epoch is {}, no longer {}", now.epoch, held_epoch_));
  }

  /// The command may run for a lease from when the question was asked.
  void renew() {
    proof_ = asked_at_;
    switch_.set(asked_at_boot_time_ + lease_.die_after());
  }

  void start_if_due(const Leadership& now, bool granted) {
    if (!now.is_leader || now.since < lease_.start_after()) return wait_to_lead(now);
    if (!granted) {
      if (!std::exchange(refused_, true)) say("waiting: " + taken());
      return;
    }
    refused_ = false;
    // By the clock that counts a suspension, too.
    if (boot_time() < asked_at_boot_time_ + lease_.stop_after()) start(now);
  }

  void start(const Leadership& now) {
    say("starting " + options_.command.front() + ": " + leader_line(now));
    renew();  // first: whatever happens to this process from now on
    const std::string id = std::to_string(now.id);
    group_.start(options_.command,
                 {{"BELLWETHER_EPOCH", std::to_string(now.epoch)},
                  {"BELLWETHER_ID", id},
                  {"BELLWETHER_LEADER", id}},
                 signals_.before());
    phase_ = LockPhase::running;
    held_epoch_ = now.epoch;
  }

  /// What was known is not to be acted upon again: only a new stream tells whether to start.
  void stop(const std::string& why) {
    if (phase_ != LockPhase::running) return;
    say("stopping " + options_.command.front() + ": " + why);
    phase_ = LockPhase::stopping;
    kill_at_ = std::min(Clock::now() + grace_, proof_ + lease_.kill_after());
    group_.signal(SIGTERM);
    group_.signal(SIGCONT);  // a stopped process would not handle it
    call_.reset();
    stream_.reset();
    newest_.reset();
  }

  /// The exit status, if it is time.
  std::optional<int> decide() {
    if (phase_ == LockPhase::running) {
      if (group_.status()) {
        ended_ = group_.status();
        if (!group_.alive()) return ended_;
        stop("it has ended, and what it left behind has not");
      } else if (interrupted_) {
        stop("interrupted");
      } else if (Clock::now() >= proof_ + lease_.stop_after()) {
        stop(
            fmt::format("{}: no complete reply within {}; is the daemon stopped or the machine "
                        "overloaded?",
                        address_, core::to_text(lease_.stop_after())));
      }
    }
    if (phase_ == LockPhase::stopping) {
      if (!group_.alive()) {
        if (ended_) return ended_;
        if (options_.once && !interrupted_) return lost_status;
        switch_.disarm();
        release();
        kill_at_.reset();
        phase_ = LockPhase::waiting;
        next_try_ = Clock::now();
      } else if (kill_at_ && Clock::now() >= *kill_at_) {
        group_.signal(SIGKILL);
        kill_at_.reset();
      }
    }
    if (phase_ != LockPhase::waiting) return std::nullopt;
    if (interrupted_) return 128 + *interrupted_;
    return std::nullopt;
  }

  void wait() {
    std::array<pollfd, 3> ready{{{signals_.descriptor(), POLLIN, 0}, {-1, 0, 0}, {-1, 0, 0}}};
    auto until = kill_at_.value_or(Clock::time_point::max());
    const auto add = [&](pollfd& to, const client::Waiting& waiting) {
      to = {waiting.descriptor, waiting.events, 0};
      until = std::min(until, waiting.until);
    };
    if (stream_) {
      add(ready[1], stream_->waiting());
      until = std::min(until, stream_->last_sign() + silence);
    } else if (phase_ != LockPhase::stopping) {
      until = std::min(until, next_try_);
    }
    if (phase_ == LockPhase::running) until = std::min(until, proof_ + lease_.stop_after());
    if (call_)
      add(ready[2], call_->waiting());
    else if (phase_ == LockPhase::running || may_start())
      until = std::min(until, next_call_);
    const auto left = std::chrono::ceil<Milliseconds>(until - Clock::now()).count();
    ::poll(ready.data(), ready.size(), static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000)));
  }

  LockOptions options_;
  LeaseTimes lease_;
  Milliseconds grace_;
  std::string address_;
  client::Address parsed_;
  const std::string holder_ = new_holder();
  SignalQueue signals_;
  DeadMansSwitch switch_;
  ProcessGroup group_;

  LockPhase phase_ = LockPhase::waiting;
  std::optional<int> interrupted_;            // by this signal
  std::optional<int> ended_;                  // the command, by itself, with this status
  std::optional<Clock::time_point> kill_at_;  // what has not stopped by then
  std::uint64_t held_epoch_ = 0;

  std::unique_ptr<client::EventStream> stream_;
  std::optional<Leadership> newest_;  // of this stream
  Clock::time_point next_try_ = Clock::now();
  Milliseconds pause_ = 100ms;
  bool complained_ = false;
  std::unique_ptr<Exchange> call_;
  Clock::time_point next_call_{};
  Clock::time_point asked_at_{};
  std::chrono::nanoseconds asked_at_boot_time_{};
  Clock::time_point proof_{};         // when the question was asked that renewed the lease last
  bool answer_may_be_older_ = false;  // than the last event of the stream
  bool granted_ = false;              // the lock, by the node, since it was released last
  bool refused_ = false;              // and said so
};

/// CLI11 splits words like [a,b] of a list of arguments, and so the command is taken from what it
/// leaves over: "--" and all that follows it, but for the first word.
std::vector<std::string> command_of(const terminal::Command& sub, const std::string& first) {
  std::vector<std::string> rest = sub.remaining();
  if (!rest.empty() && rest.front() != "--")
    throw core::Problem(
        "lock", {},
        rest.front().starts_with("-")
            ? "unknown option \"" + rest.front() +
                  "\"; write the command after --, see bellwether lock --help"
            : "write -- before the command: bellwether lock -- " + first + " " + rest.front());
  if (!rest.empty()) rest.erase(rest.begin());
  rest.insert(rest.begin(), first);
  if (!program_exists(first))
    throw core::Problem("lock", {},
                        "there is no program \"" + first + "\"; check its path, or $PATH");
  return rest;
}

constexpr const char* footer =
    R"(Across partitions a lock cannot exclude: each component has a leader and runs the command
(split brain). Fence what must never happen twice with BELLWETHER_EPOCH, the fencing token.

Within one component no two commands run at once (mutual exclusion), whatever daemon or lock is
frozen, killed or slow: the lock is a lease. Give --lease and --settle the same values on all nodes.
A command is killed at the latest 11/12 of --lease after its node last proved that it leads, and a
node starts its command only when it has led for --lease + --settle. So the next command starts at
least 1/12 of --lease after the former one has ended, and a failover takes at most
  --lease + --settle + 2 timeouts of the nodes = 4.6 s (defaults) without any command.
A machine that is overloaded, or was frozen a moment ago, stretches its timers (slack in `status`):
up to 12 timeouts more, 8.2 s. Measured in 240 handovers with stopped and killed daemons and locks,
six busy loops, set clocks and a suspension: 1.3 s to 6.6 s without any command, never two at once.
--settle must be longer than two nodes of one component can both claim to lead: the time that news
takes to travel. When two components merge, the node that loses the lead stops its command as soon
as it hears of the other leader, within --grace.
Two locks of one node with the same --name exclude each other, too: the second one waits.

COMMAND runs in a process group of its own, with BELLWETHER_EPOCH, BELLWETHER_ID and
BELLWETHER_LEADER in its environment. The lock sends SIGTERM to the group, and SIGKILL after
--grace, when this node no longer leads, when its daemon cannot be reached, or when the daemon gives
no proof for half of --lease. Then it waits to lead again. When COMMAND ends by itself, the lock
ends, and stops what COMMAND left behind in its group. When two components merge, the leader that
stays gets a higher epoch. The command goes on; with --renew it is restarted with that epoch.
Exit status: that of COMMAND (128 + signal); 2 bad input; 3 with --once, when the lead was lost;
130 or 143 when the lock was interrupted; 137 when the kernel killed a frozen lock.
Examples:
  bellwether lock -- ./collect-reports
  bellwether lock --lease 15s --grace 5s -- ./slow-to-stop
  bellwether lock --grace 500ms --once -- sh -c 'exec ./writer --token "$BELLWETHER_EPOCH"')";

}  // namespace

void add_lock(terminal::Command& app, int& status) {
  const auto options = std::make_shared<LockOptions>();
  const auto first = std::make_shared<std::string>();
  terminal::Command* sub =
      app.add_subcommand("lock", "Run a command while this node leads: a lock with a lease");
  sub->add_option("--socket", options->socket,
                  "Talk to the node at this address: the path of its socket, 127.0.0.1:7746 or "
                  "[::1]:7746 (default: $BELLWETHER_SOCKET, or the default socket of a node)");
  sub->add_option(
      "--name", options->name,
      "Exclude other locks of this node with this name: 1 to 64 letters, digits, -, _ or "
      ". (default \"default\")");
  sub->add_option("--lease", options->lease,
                  "Let the command run for this time on one proof of leadership, 300ms to 24h; the "
                  "same on all nodes (default 3s)");
  sub->add_option("--settle", options->settle,
                  "Wait this time longer than a lease before the command starts, 0 to 24h; the "
                  "same on all nodes (default 1s)");
  sub->add_option("--grace", options->grace,
                  "Wait this time from SIGTERM to SIGKILL, 0 to a third of --lease (default: that "
                  "third)");
  sub->add_flag("--once", options->once, "Exit with status 3 when the lead is lost");
  sub->add_flag("--renew", options->renew, "Restart the command when the epoch grows");
  sub->add_flag("--quiet", options->quiet, "Print nothing on standard error");
  sub->add_option("command", *first, "Run this program; write it and its arguments after --")
      ->required();
  sub->allow_extras();
  sub->footer(footer);
  sub->callback([=, &status] {
    LockOptions chosen = *options;
    chosen.command = command_of(*sub, *first);
    status = Lock(std::move(chosen)).run();
  });
}

}  // namespace bellwether::operate
