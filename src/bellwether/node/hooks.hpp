// SPDX-License-Identifier: MIT
// Commands that run when the leader changes. They never block the protocol, never run twice at
// once, run in the order of what happened, and are killed at a time limit, with all that they
// started.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>

#include "bellwether/node/control.hpp"

namespace bellwether::node {

struct HookOptions {
  std::string on_elected;  // commands for /bin/sh -c; empty: none
  std::string on_deposed;
  std::string on_change;
  Duration limit = std::chrono::seconds(10);
  // How long the leader must be the same: who leads for a moment while groups meet runs nothing.
  Duration settle{};
  std::size_t most_waiting = 16;  // more: the oldest that wait are dropped, and counted
};

/// How a hook ended, for the log.
struct HookResult {
  std::string hook;  // "on_elected"
  std::string command;
  int status = 0;       // exit status, or 128 + signal
  bool killed = false;  // at the time limit
  Duration took{};
};

class Hooks {
 public:
  using OnResult = std::function<void(const HookResult&)>;

  Hooks(boost::asio::io_context& io, HookOptions options, OnResult report);
  ~Hooks();  // ends what runs
  Hooks(const Hooks&) = delete;
  Hooks& operator=(const Hooks&) = delete;

  /// Who led before, and who leads now. Once that has settled, runs on_elected if this node leads
  /// now and did not, on_deposed if it did and does not, then on_change; nothing, if the leader is
  /// the one of before again. Environment: BELLWETHER_EVENT (elected,
  /// deposed, change), BELLWETHER_ID, BELLWETHER_LEADER and BELLWETHER_PREVIOUS (empty: none),
  /// BELLWETHER_IS_LEADER (1 or 0), BELLWETHER_EPOCH, BELLWETHER_GROUP.
  void changed(const LeaderState& before, const LeaderState& now, const std::string& group);
  /// Nothing will change any more: runs what waits to settle.
  void settle_now();
  void configure(HookOptions options);  // for those that begin later
  std::uint64_t runs() const;
  std::uint64_t dropped() const;
  bool idle() const;  // nothing runs or waits

 private:
  struct Impl;
  std::shared_ptr<Impl> state_;
};

}  // namespace bellwether::node
