// SPDX-License-Identifier: MIT
// One atomic step of one node. A handler reads its surroundings and writes effects; it does
// nothing else. What a driver owes a protocol, in order:
//
//   1. Construct it with its id and options. Nothing happens in a constructor.
//   2. `start` once at each node that initiates. A node that does not initiate is woken by what
//      reaches it. Links that are up at the beginning are in `ports()` from the first step on.
//   3. `link_up` when this node is notified of a new link, `link_down` of its loss. The
//      two ends are notified independently, at different times. A link that comes back has a new
//      port.
//   4. `receive` for each message, on a port that is up at the receiver. What was sent before the
//      sender's end went down dies in the driver, and so does what arrives where the end is down;
//      but a protocol that hears strangers may get the latter on the port `stranger`.
//   5. `timeout` when an armed timer expires, once. Arming an armed timer moves it.
//   6. After each handler: drain the effects in order, compare `leader()`, clear the step.
#pragma once

#include <concepts>
#include <span>
#include <utility>
#include <vector>

#include "bellwether/core/fields.hpp"
#include "bellwether/core/ids.hpp"
#include "bellwether/core/invariant.hpp"
#include "bellwether/core/time.hpp"

namespace bellwether::core {

/// For protocols without timers.
struct NoTimer {
  static constexpr std::tuple<> fields{};
  friend bool operator==(const NoTimer&, const NoTimer&) = default;
};

/// For protocols that keep no cache.
struct NoCache {};

/// The driver behind a step: set once, asked when a handler asks.
struct DriverHooks {
  void* driver = nullptr;                             // handed back to the two functions
  NodeId (*peer)(void* driver, Port port) = nullptr;  // null in anonymous networks
  std::uint64_t (*choose)(void* driver, std::uint64_t n) = nullptr;
};

template <class Message, class Timer, class Cache = NoCache>
class Step {
 public:
  struct Send {
    template <class M>
    Send(Port p, M&& m) : port(p), message(std::forward<M>(m)) {}
    Port port;  // every_port for a broadcast
    Message message;
  };
  struct Alarm {
    template <class T>
    Alarm(const T& t, bool on, Duration from, Duration to)
        : timer(t), armed(on), min(from), max(to) {}
    Timer timer;
    bool armed;  // false: disarm
    Duration min;
    Duration max;
  };

  // For protocols.
  /// `message` may be one alternative of Message: it is then built where it will lie.
  template <std::convertible_to<Message> M>
  void send(Port port, M&& message) {
    sends_.emplace_back(port, std::forward<M>(message));
  }
  template <std::convertible_to<Message> M>
  void broadcast(M&& message) {
    sends_.emplace_back(every_port, std::forward<M>(message));
  }
  /// Expires after a duration between min and max; which one is the driver's choice.
  template <std::convertible_to<Timer> T = Timer>
  void arm(const T& timer, Duration min, Duration max) {
    alarms_.emplace_back(timer, true, min, max);
  }
  template <std::convertible_to<Timer> T = Timer>
  void disarm(const T& timer) {
    alarms_.emplace_back(timer, false, Duration{}, Duration{});
  }

  std::span<const Port> ports() const { return ports_; }
  /// Who is behind a port that is up, or behind the one that this step is about.
  NodeId peer(Port port) const {
    invariant(hooks_.peer != nullptr, "nodes of an anonymous network have no ids");
    return hooks_.peer(hooks_.driver, port);
  }
  Time now() const { return now_; }
  /// One of 0..n-1: the only randomness there is. The simulator draws, the checker tries all.
  std::uint64_t choose(std::uint64_t n) {
    invariant(n > 0, "a choice needs at least one outcome");
    return n == 1 ? 0 : hooks_.choose(hooks_.driver, n);
  }
  /// What the driver keeps for all its nodes from one step to the next. It may save time and
  /// decides nothing else: whatever a handler finds there is what it would compute.
  Cache& cache() { return cache_; }

  // For drivers.
  Step() = default;
  explicit Step(const DriverHooks& hooks) : hooks_(hooks) {}
  void rebind(const DriverHooks& hooks) { hooks_ = hooks; }
  /// `ports` are those that are up now, ascending; `now` is this node's clock.
  void begin(std::span<const Port> ports, Time now) {
    ports_ = ports;
    now_ = now;
    sends_.clear();
    if constexpr (!std::is_same_v<Timer, NoTimer>) alarms_.clear();
  }
  void begin(const DriverHooks& hooks, std::span<const Port> ports, Time now) {
    hooks_ = hooks;
    begin(ports, now);
  }
  std::vector<Send>& sends() { return sends_; }
  const std::vector<Send>& sends() const { return sends_; }
  const std::vector<Alarm>& alarms() const { return alarms_; }

 private:
  DriverHooks hooks_;
  std::span<const Port> ports_;
  Time now_{};
  std::vector<Send> sends_;
  std::vector<Alarm> alarms_;
  [[no_unique_address]] Cache cache_;
};

}  // namespace bellwether::core
