// SPDX-License-Identifier: MIT
// Engines in a network that a test makes up: who hears whom is a list, time is a number.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <set>

#include "bellwether/node/engine.hpp"
#include "bellwether/node/replay.hpp"

namespace bellwether::node {

using namespace std::chrono_literals;

class Air {
 public:
  explicit Air(const std::string& algorithm, std::size_t nodes, core::OptionTexts options = {}) {
    for (std::size_t i = 0; i < nodes; ++i) {
      EngineSpec spec;
      spec.algorithm = algorithm;
      spec.self = NodeId{i + 1};
      spec.seed = i + 1;
      spec.options = options;
      spec.probes =
          layers::deployed_probes(catalogue::algorithm(algorithm), options, 100ms, 300ms, 300);
      specs.push_back(spec);
      nodes_.push_back(make_engine(catalogue::all(), spec));
      tapes.push_back(header_line(spec) + "\n");
      tell_node(i, {now, CallKind::start, {}, 0, {}});
    }
  }
  void link(std::size_t a, std::size_t b, bool up = true) {
    for (const auto& way : {std::pair{a, b}, std::pair{b, a}})
      if (up)
        hears.insert(way);
      else
        hears.erase(way);
  }
  void tell_node(std::size_t i, const EngineCall& call) {
    const CallResult answer = answer_to(call, *nodes_[i]);
    tapes[i] += call_line(call, answer) + "\n";
    std::vector<core::Bytes> bodies;
    bodies.swap(nodes_[i]->outgoing());
    sent += bodies.size();
    for (const auto& body : bodies) {
      EXPECT_LE(body.size(), 300u) << "longer than a frame";
      flying.push_back({i, body});
    }
  }
  /// `time` passes; what is sent arrives at once.
  void pass(Duration time) {
    const Time end = now + time;
    for (;;) {
      while (!flying.empty()) {
        const auto [from, body] = flying.front();
        flying.pop_front();
        for (std::size_t to = 0; to < nodes_.size(); ++to)
          if (hears.contains({from, to}))
            tell_node(to, {now, CallKind::hear, NodeId{from + 1}, 0, body});
      }
      std::optional<Time> first;
      for (const auto& node : nodes_)
        if (const auto at = node->next_alarm(); at && (!first || *at < *first)) first = at;
      if (!first || *first > end) break;
      now = std::max(now, *first);
      for (std::size_t i = 0; i < nodes_.size(); ++i)
        if (const auto at = nodes_[i]->next_alarm(); at && *at <= now)
          tell_node(i, {now, CallKind::alarm, {}, 0, {}});
    }
    now = end;
  }
  Engine& node(std::size_t i) { return *nodes_[i]; }
  bool agree(std::uint64_t leader) {
    for (const auto& node : nodes_)
      if (node->leader() != NodeId{leader}) return false;
    return true;
  }

  Time now = 1000s;
  std::vector<EngineSpec> specs;
  std::vector<std::string> tapes;
  std::set<std::pair<std::size_t, std::size_t>> hears;
  std::deque<std::pair<std::size_t, core::Bytes>> flying;
  std::size_t sent = 0;

 private:
  std::vector<std::unique_ptr<Engine>> nodes_;
};

inline void make_line(Air& air, std::size_t nodes) {
  for (std::size_t i = 0; i + 1 < nodes; ++i) air.link(i, i + 1);
}

}  // namespace bellwether::node
