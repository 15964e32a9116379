// SPDX-License-Identifier: MIT
// A network by hand, move by move: who is told of which link when, and which message arrives when,
// is for the test to say. Made for counterexamples, which are lists of such moves. A port bears the
// number of the peer's id.
#pragma once

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

  /// Nodes 1..n, awake and alone.
  explicit MoveByMove(Name n, typename P::Options options = {}) : options_(options) {
    for (Name i = 1; i <= n; ++i) be_born(i);
  }
  MoveByMove(const MoveByMove&) = delete;  // the step points back here
  MoveByMove& operator=(const MoveByMove&) = delete;

  const P& operator[](Name i) const { return nodes_.at(i); }

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
    step(to, [&](P& node) { node.receive(step_, core::Port{from}, message); });
  }
  void lose(Name from, Name to, std::size_t behind = 0) { take(from, to, behind); }
  std::size_t transit(Name from, Name to) const {
    const auto way = transit_.find({from, to});
    return way == transit_.end() ? 0 : way->second.size();
  }
  const Message& message(Name from, Name to, std::size_t behind = 0) const {
    return transit_.at({from, to}).at(behind);
  }
  /// The node's only timer expires.
  void task(Name i) {
    if (timers_.erase(i) == 0) throw std::logic_error("no timer is armed there");
    step(i, [&](P& node) { node.timeout(step_, typename P::Timer{}); });
  }
  bool armed(Name i) const { return timers_.contains(i); }

  /// All that is left, oldest first on each way, until all is at rest.
  void settle() {
    while (true) {
      if (const auto way = busy()) {
        deliver(way->first, way->second);
      } else if (!timers_.empty()) {
        task(*timers_.begin());
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
    step_.begin(ports, core::Time{});
    handler(nodes_.at(i));
    for (const auto& send : step_.sends())
      for (const core::Port port : ports)
        if (send.port == core::every_port || send.port == port)
          if (links_.contains(std::minmax(i, raw(port))))
            transit_[{i, raw(port)}].push_back(send.message);
    for (const auto& alarm : step_.alarms()) {
      if (alarm.armed)
        timers_.insert(i);
      else
        timers_.erase(i);
    }
  }

  static core::NodeId peer(void*, core::Port port) { return core::NodeId{raw(port)}; }

  typename P::Options options_;
  std::map<Name, P> nodes_;
  std::set<std::pair<Name, Name>> links_;
  std::map<Name, std::set<Name>> told_;
  std::map<std::pair<Name, Name>, std::deque<Message>> transit_;
  std::set<Name> timers_;
  core::StepOf<P> step_{core::DriverHooks{this, &MoveByMove::peer, nullptr}};
};

/// "1 3 1": whom the nodes name, in the order of their ids.
template <class P>
std::string leaders(const MoveByMove<P>& world, const std::vector<std::uint32_t>& nodes) {
  std::string out;
  for (const std::uint32_t i : nodes)
    out += (out.empty() ? "" : " ") + std::to_string(raw(*world[i].leader()));
  return out;
}

}  // namespace bellwether::algorithms
