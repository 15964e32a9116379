// SPDX-License-Identifier: MIT
// A network by hand, move by move: who is told of which link when, and which message arrives when,
// is for the test to say. Made for counterexamples, which are lists of such moves. A port bears the
// number of the peer's id.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <stdexcept>

#include "bellwether/core/protocol.hpp"

namespace bellwether::algorithms {

template <core::Protocol P>
class MoveByMove {
 public:
  using Name = std::uint32_t;
  using Message = typename P::Message;
  using Timer = typename P::Timer;

  /// Nodes 1..n, awake and alone.
  explicit MoveByMove(Name n, typename P::Options options = {}) : options_(options) {
    for (Name i = 1; i <= n; ++i) be_born(i);
  }
  MoveByMove(const MoveByMove&) = delete;  // the step points back here
  MoveByMove& operator=(const MoveByMove&) = delete;

  const P& operator[](Name i) const { return nodes_.at(i); }

  /// The clock of all nodes goes on.
  void wait(core::Duration time) { now_ += time; }

  // The link itself. Nobody is told.
  void up(Name a, Name b) { links_.insert(std::minmax(a, b)); }
  void down(Name a, Name b) {
    links_.erase(std::minmax(a, b));
    transit_.erase({a, b});
    transit_.erase({b, a});
  }
  // `i` is told of its link to `j`.
  void tell_up(Name i, Name j) {
    told_[i].insert(j);
    step(i, [&](P& node) { node.link_up(step_, core::Port{j}); });
  }
  void tell_down(Name i, Name j) {
    told_[i].erase(j);
    step(i, [&](P& node) { node.link_down(step_, core::Port{j}); });
  }
  // Both at once.
  void join(Name a, Name b) {
    up(a, b);
    tell_up(a, b);
    tell_up(b, a);
  }
  void part(Name a, Name b) {
    down(a, b);
    tell_down(a, b);
    tell_down(b, a);
  }
  /// Nobody is told; what is on its way to and from the node is lost.
  void crash(Name i) {
    for (const auto& [a, b] : std::set(links_))
      if (a == i || b == i) down(a, b);
    told_[i].clear();
    timers_.erase(i);
    nodes_.erase(i);
  }
  void be_born(Name i) {
    nodes_.insert_or_assign(i, P(core::NodeId{i}, options_));
    step(i, [&](P& node) { node.start(step_); });
  }

  /// The message from one node to another that is that many behind the oldest one arrives, is
  /// dropped, or is looked at.
  void deliver(Name from, Name to, std::size_t behind = 0) {
    const Message message = take(from, to, behind);
    const bool told = !P::facts.model.hears_strangers || told_[to].contains(from);
    const core::Port port = told ? core::Port{from} : core::stranger;
    step(to, [&](P& node) { node.receive(step_, port, message); });
  }
  void lose(Name from, Name to, std::size_t behind = 0) { take(from, to, behind); }
  std::size_t transit(Name from, Name to) const {
    const auto way = transit_.find({from, to});
    return way == transit_.end() ? 0 : way->second.size();
  }
  const Message& message(Name from, Name to, std::size_t behind = 0) const {
    return transit_.at({from, to}).at(behind);
  }
  /// A timer of the node expires: the first one, or another.
  void task(Name i, Timer timer = {}) {
    if (std::erase(timers_[i], timer) == 0) throw std::logic_error("no such timer is armed there");
    step(i, [&](P& node) { node.timeout(step_, timer); });
  }
  bool armed(Name i, Timer timer = {}) const {
    const auto set = timers_.find(i);
    return set != timers_.end() &&
           std::find(set->second.begin(), set->second.end(), timer) != set->second.end();
  }

  /// `ask(node, step)`: something that is asked of the node itself.
  template <class Ask>
  void let(Name i, Ask&& ask) {
    step(i, [&](P& node) { ask(node, step_); });
  }

  /// All messages that are on their way, oldest first on each way, and what they bring about.
  void drain() {
    while (const auto way = busy()) deliver(way->first, way->second);
  }
  /// All that is left, until all is at rest. Timers are slow.
  void settle() {
    while (true) {
      if (const auto way = busy()) {
        deliver(way->first, way->second);
      } else if (const auto due = armed()) {
        task(due->first, due->second);
      } else {
        return;
      }
    }
  }

 private:
  std::optional<std::pair<Name, Name>> busy() const {
    for (const auto& [way, messages] : transit_)
      if (!messages.empty()) return way;
    return std::nullopt;
  }

  /// Some timer, rather a first one.
  std::optional<std::pair<Name, Timer>> armed() const {
    std::optional<std::pair<Name, Timer>> other;
    for (const auto& [i, timers] : timers_)
      for (const Timer timer : timers) {
        if (timer == Timer{}) return std::pair{i, timer};
        if (!other) other = std::pair{i, timer};
      }
    return other;
  }

  Message take(Name from, Name to, std::size_t behind) {
    auto& messages = transit_[{from, to}];
    if (behind >= messages.size()) throw std::logic_error("no such message is on its way");
    Message message = messages[behind];
    messages.erase(messages.begin() + static_cast<std::ptrdiff_t>(behind));
    return message;
  }

  template <class Handler>
  void step(Name i, Handler&& handler) {
    std::vector<core::Port> ports;
    for (const Name j : told_[i]) ports.push_back(core::Port{j});
    step_.begin(ports, now_);
    handler(nodes_.at(i));
    for (const auto& send : step_.sends())
      for (const core::Port port : ports)
        if (send.port == core::every_port || send.port == port)
          if (links_.contains(std::minmax(i, raw(port))))
            transit_[{i, raw(port)}].push_back(send.message);
    for (const auto& alarm : step_.alarms()) {
      std::erase(timers_[i], alarm.timer);
      if (alarm.armed) timers_[i].push_back(alarm.timer);
    }
  }

  static core::NodeId peer(void*, core::Port port) { return core::NodeId{raw(port)}; }

  typename P::Options options_;
  std::map<Name, P> nodes_;
  std::set<std::pair<Name, Name>> links_;
  std::map<Name, std::set<Name>> told_;
  std::map<std::pair<Name, Name>, std::deque<Message>> transit_;
  std::map<Name, std::vector<Timer>> timers_;
  core::Time now_{};
  core::StepOf<P> step_{core::DriverHooks{this, &MoveByMove::peer, nullptr}};
};

/// "1 3 -": whom the nodes name, or nobody, in the order of their ids.
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
