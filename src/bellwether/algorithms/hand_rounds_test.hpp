// SPDX-License-Identifier: MIT
// Rounds by hand, for the unit tests of synchronous algorithms: what is sent in one round is read
// in the next. Not the simulator: written to be obviously right.
#pragma once

#include <algorithm>
#include <map>
#include <stdexcept>

#include "bellwether/algorithms/inbox_test.hpp"
#include "bellwether/core/prng.hpp"
#include "bellwether/core/protocol.hpp"

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

template <core::RoundProtocol P>
class HandRounds {
 public:
  using Message = typename P::Message;

  HandRounds(std::vector<core::NodeId> ids, const Arcs& arcs, typename P::Options options,
             std::uint64_t seed = 0)
      : ids_(std::move(ids)),
        ports_(ids_.size()),
        out_(ids_.size()),
        inboxes_(ids_.size()),
        prng_(seed) {
    for (const core::NodeId id : ids_) nodes_.emplace_back(id, options);
    std::map<std::pair<std::uint32_t, std::uint32_t>, core::Port> port;
    std::vector<std::uint32_t> next(ids_.size(), 0);
    for (const auto& [from, to] : arcs) {
      port[{from, to}] = core::Port{next[from]++};
      ports_[from].push_back(port[{from, to}]);
    }
    for (const auto& [from, to] : arcs)
      if (!port.contains({to, from})) port[{to, from}] = core::Port{next[to]++};
    for (const auto& [from, to] : arcs)
      out_[from].push_back({port[{from, to}], to, port[{to, from}]});
  }

  /// One round of everybody; false when all have halted and nothing was sent.
  bool round() {
    std::vector<Letters<Message>> next(ids_.size());
    const std::size_t before = sent_;
    bool halted = true;
    for (std::uint32_t i = 0; i < ids_.size(); ++i) {
      stepping_ = i;
      step_.begin(ports_[i], {});
      nodes_[i].round(step_, inboxes_[i]);
      halted = halted && nodes_[i].halted();
      for (const auto& send : step_.sends())
        for (const Way& way : out_[i]) {
          if (send.port != core::every_port && send.port != way.port) continue;
          next[way.to].push_back({way.there, send.message});
          ++sent_;
        }
    }
    for (auto& inbox : next)
      std::stable_sort(inbox.begin(), inbox.end(),
                       [](const auto& a, const auto& b) { return a.port < b.port; });
    inboxes_ = std::move(next);
    ++rounds_;
    return !halted || sent_ > before;
  }
  /// Until it is over.
  void run(std::uint64_t most = 1'000'000) {
    while (round())
      if (rounds_ > most) throw std::runtime_error("this run does not end");
  }

  const P& node(std::uint32_t i) const { return nodes_[i]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }
  std::size_t sent() const { return sent_; }
  /// Rounds so far; the last one of a finished run found nothing left to do.
  std::uint64_t rounds() const { return rounds_; }
  std::size_t leaders_named(core::NodeId leader) const {
    return static_cast<std::size_t>(std::count_if(
        nodes_.begin(), nodes_.end(), [&](const P& p) { return p.leader() == leader; }));
  }

 private:
  struct Way {
    core::Port port;
    std::uint32_t to;
    core::Port there;
  };
  static core::NodeId peer(void* self, core::Port port) {
    const auto& h = *static_cast<HandRounds*>(self);
    for (const Way& way : h.out_[h.stepping_])
      if (way.port == port) return h.ids_[way.to];
    throw std::runtime_error("a port that leads nowhere");
  }
  static std::uint64_t choose(void* self, std::uint64_t n) {
    return static_cast<HandRounds*>(self)->prng_.below(n);
  }

  std::vector<core::NodeId> ids_;
  std::vector<P> nodes_;
  std::vector<std::vector<core::Port>> ports_;
  std::vector<std::vector<Way>> out_;
  std::vector<Letters<Message>> inboxes_;
  core::Prng prng_;
  core::RoundStepOf<P> step_{core::DriverHooks{this, &HandRounds::peer, &HandRounds::choose}};
  std::uint32_t stepping_ = 0;
  std::size_t sent_ = 0;
  std::uint64_t rounds_ = 0;
};

}  // namespace bellwether::algorithms
