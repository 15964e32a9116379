// SPDX-License-Identifier: MIT
// The result of a run, as a value: printers, plots, tests and the viewer read this.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bellwether/core/ids.hpp"
#include "bellwether/core/time.hpp"
#include "bellwether/graph/graph.hpp"

namespace bellwether::observe {

using core::NodeId;
using core::NodeIndex;

enum class Ended : unsigned char { quiescent, deadline, event_limit, violation, interrupted };
constexpr auto names_of(Ended) {
  return std::array<std::string_view, 5>{"quiescent", "deadline", "event-limit", "violation",
                                         "interrupted"};
}

/// Who leads one connected component, if its nodes agree.
struct ComponentLeader {
  std::uint32_t component = 0;   // numbered by their smallest node
  NodeIndex size = 0;            // nodes that are alive
  std::optional<NodeId> leader;  // what most of them say; ties: the smallest id
  bool agreed = false;           // all say so, and the leader is one of them
};

struct Metric {
  std::string name;
  double value = 0;
};

/// Means over each interval of a run. What has no value in an interval is not a number.
struct Series {
  core::Duration interval{};
  std::vector<std::string> columns;  // time_s, the end of the interval, comes first
  std::vector<std::vector<double>> rows;
};

/// How a replay compares with the recorded run. Without a difference both lines are empty.
struct ReplayComparison {
  std::uint64_t steps = 0;    // of the recorded run
  std::uint64_t same = 0;     // how many of them, from the first, the replay has taken
  std::string recorded = {};  // the first that differs; empty: the recording ended before
  std::string taken = {};     // what was done instead; empty: the replay ended before
  bool as_recorded() const { return recorded.empty() && taken.empty(); }
  friend bool operator==(const ReplayComparison&, const ReplayComparison&) = default;
};

struct RunReport {
  std::string algorithm;
  std::string scenario;
  std::uint64_t seed = 0;
  NodeIndex nodes = 0;
  std::size_t links = 0;
  std::uint64_t events = 0;
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  core::Time time{};
  Ended ended = Ended::quiescent;
  bool agreed = false;  // in every component
  std::vector<ComponentLeader> leaders;
  std::vector<Metric> metrics;
  std::optional<Series> series;
  std::string fingerprint;
  std::string violation;                // the property and its sentence, when one was broken
  std::vector<std::string> last_steps;  // the tail of the trace, when one was broken
  std::optional<ReplayComparison> replay = std::nullopt;  // of a replay
};

/// What one node says at the end.
struct NodeResult {
  bool alive = true;
  std::optional<NodeId> leader;
  bool leads = false;  // says that it is the one itself; asked where nodes have no ids
};

/// Compares what the nodes of each component say. `links` are the links that are up.
std::vector<ComponentLeader> component_leaders(const std::vector<NodeId>& ids,
                                               const std::vector<NodeResult>& verdicts,
                                               std::vector<graph::Edge> links);

}  // namespace bellwether::observe
