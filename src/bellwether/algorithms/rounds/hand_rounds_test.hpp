// SPDX-License-Identifier: MIT
// Rounds by hand, for the unit tests of synchronous algorithms: what is sent in one round is read
// in the next. Not the simulator: written to be obviously right.
#pragma once

#include <stdexcept>

#include "bellwether/algorithms/rounds/inbox_test.hpp"
#include "bellwether/core/hand_host_test.hpp"
#include "bellwether/core/prng.hpp"

namespace bellwether::algorithms {

/// From, to. A node's ports count up in the order of the arcs that leave it; those that only come
/// in have ports behind them.
using Arcs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

inline Arcs ring_arcs(std::uint32_t n) {  // clockwise
  Arcs arcs;
  for (std::uint32_t i = 0; n > 1 && i < n; ++i) arcs.emplace_back(i, (i + 1) % n);
  return arcs;
}
inline Arcs line_arcs(std::uint32_t n) {
  Arcs arcs;
  for (std::uint32_t i = 0; i + 1 < n; ++i) arcs.emplace_back(i, i + 1);
  return arcs;
}
inline Arcs star_arcs(std::uint32_t n) {
  Arcs arcs;
  for (std::uint32_t i = 1; i < n; ++i) arcs.emplace_back(0, i);
  return arcs;
}
inline Arcs complete_arcs(std::uint32_t n) {
  Arcs arcs;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < i; ++j) arcs.emplace_back(j, i);
  return arcs;
}
/// Each arc, and then each the other way round: on a ring the first port leads clockwise.
inline Arcs both_ways(Arcs arcs) {
  const std::size_t n = arcs.size();
  for (std::size_t i = 0; i < n; ++i) arcs.emplace_back(arcs[i].second, arcs[i].first);
  return arcs;
}

/// A run without the type of its protocol.
class RoundsRun : public core::HandHost {
 public:
  RoundsRun(std::unique_ptr<core::Nodes> nodes, const std::vector<core::NodeId>& ids,
            const Arcs& arcs, std::uint64_t seed)
      : HandHost(std::move(nodes)), inboxes_(ids.size()), next_(ids.size()), prng_(seed) {
    for (const core::NodeId id : ids) add(id);
    std::map<std::pair<std::uint32_t, std::uint32_t>, core::Port> port;
    for (const auto& [from, to] : arcs) port[{from, to}] = open(from, {to, {}, true});
    for (const auto& [from, to] : arcs)
      if (!port.contains({to, from})) port[{to, from}] = open(to, {from, {}, true, false});
    for (const auto& [way, at] : port) end(way.first, at).far_port = port[{way.second, way.first}];
  }

  /// One round of everybody; false when all have halted and nothing was sent.
  bool round() {
    const std::size_t before = sent_;
    bool halted = true;
    for (core::NodeIndex i = 0; i < size(); ++i) {
      if (inboxes_[i].empty() && sleeps(i)) {
        halted = false;
        continue;
      }
      std::vector<core::Incoming> inbox;
      for (const auto& [port, message] : inboxes_[i]) inbox.push_back({port, message.value()});
      const std::span<const core::Incoming> read(inbox);
      halted = step(i, core::Call::round(read)).halted && halted;
    }
    for (auto& inbox : next_)
      std::stable_sort(inbox.begin(), inbox.end(),
                       [](const auto& a, const auto& b) { return a.port < b.port; });
    inboxes_ = std::exchange(next_, std::vector<Mail>(size()));
    ++rounds_;
    return !halted || sent_ > before;
  }
  /// Until it is over.
  void run(std::uint64_t most = 1'000'000) {
    while (round())
      if (rounds_ > most) throw std::runtime_error("this run does not end");
  }

  std::size_t sent() const { return sent_; }
  /// Rounds so far; the last one of a finished run found nothing left to do.
  std::uint64_t rounds() const { return rounds_; }

 private:
  /// Until something reaches it.
  virtual bool sleeps(core::NodeIndex) const { return false; }

  using Mail = std::vector<core::Outcome::Send>;  // by the port that it comes in on

  void on_send(core::NodeIndex i, core::Port port, const core::AnyMessage& message) override {
    next_[end(i, port).far].push_back({end(i, port).far_port, message});
    ++sent_;
  }
  std::uint64_t choose(std::uint64_t n) override { return prng_.below(n); }

  std::vector<Mail> inboxes_;
  std::vector<Mail> next_;
  core::Prng prng_;
  std::size_t sent_ = 0;
  std::uint64_t rounds_ = 0;
};

template <core::RoundProtocol P>
class HandRounds : public RoundsRun {
 public:
  HandRounds(const std::vector<core::NodeId>& ids, const Arcs& arcs, typename P::Options options,
             std::uint64_t seed = 0)
      : RoundsRun(core::nodes_of<P>(std::move(options)), ids, arcs, seed) {}

  const P& node(core::NodeIndex i) const { return as<P>(i); }
};

}  // namespace bellwether::algorithms
