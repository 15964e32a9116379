// SPDX-License-Identifier: MIT
// A network by hand, move by move: the test decides which node is notified of which link when, and
// which message arrives when. Made for counterexamples, which are lists of such moves. A port has
// the number of the peer's id.
#pragma once

#include "bellwether/core/hand_host_test.hpp"

namespace bellwether::algorithms {

/// Nodes 1..n, awake and alone, without the type of their protocol.
class Moves : private core::HandHost {
 public:
  using Name = std::uint32_t;

  Moves(std::unique_ptr<core::Nodes> nodes, Name n);
  ~Moves() override;

  /// The clock of all nodes advances.
  void wait(core::Duration time);

  // The link itself. No node is notified.
  void up(Name a, Name b) { link(a, b).gone = link(b, a).gone = false; }
  void down(Name a, Name b);
  // `i` is notified of its link to `j`.
  void tell_up(Name i, Name j) { HandHost::tell_up(i - 1, core::Port{j}); }
  void tell_down(Name i, Name j) { HandHost::tell_down(i - 1, core::Port{j}); }
  // Both at once.
  void join(Name a, Name b);
  void part(Name a, Name b);
  /// No node is notified; what is in transit to and from the node is lost.
  void crash(Name i);
  void be_born(Name i);

  /// The message from one node to another that is that many behind the oldest one arrives, or is
  /// dropped.
  void deliver(Name from, Name to, std::size_t behind = 0);
  void lose(Name from, Name to, std::size_t behind = 0) { take(way(from, to), behind); }
  std::size_t transit(Name from, Name to) const;
  void set_priority(Name i, std::uint32_t priority) {
    step(i - 1, core::Call::set_priority(priority));
  }

  /// All messages that are on their way, oldest first on each way, and what they bring about.
  void drain();

 protected:
  using HandHost::alive;
  using HandHost::as;
  using HandHost::fire;
  using HandHost::is_armed;

  /// Some timer, rather this one; false where none is armed.
  bool fire_any(const core::TimerName& rather);

 private:
  static Way way(Name from, Name to) { return {from - 1, to - 1}; }
  End& link(Name i, Name j) { return end(i - 1, core::Port{j}); }
};

template <core::Protocol P>
class MoveByMove : public Moves {
 public:
  using Timer = typename P::Timer;

  explicit MoveByMove(Name n, typename P::Options options = {})
      : Moves(core::hosted<P>(std::move(options)), n) {}

  const P& operator[](Name i) const {
    core::invariant(alive(i - 1), "this node has crashed");
    return as<P>(i - 1);
  }
  /// A timer of the node expires: the first one, or another.
  void task(Name i, Timer timer = {}) { fire(i - 1, core::TimerName::of(timer)); }
  bool armed(Name i, Timer timer = {}) const { return is_armed(i - 1, core::TimerName::of(timer)); }
  /// All remaining moves, until the network is quiescent. Timers are slow.
  void settle() {
    do drain();
    while (fire_any(core::TimerName::of(Timer{})));
  }
};

/// "1 3 -": the leaders that the nodes name, or none, in the order of their ids.
template <class P>
std::string leaders(const MoveByMove<P>& world, const std::vector<std::uint32_t>& nodes) {
  std::string out;
  for (const std::uint32_t i : nodes) {
    const std::optional<core::NodeId> leader = world[i].leader();
    out += (out.empty() ? "" : " ") + (leader ? std::to_string(raw(*leader)) : "-");
  }
  return out;
}

}  // namespace bellwether::algorithms
