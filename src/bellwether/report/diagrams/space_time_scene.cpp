// SPDX-License-Identifier: MIT
#include "bellwether/report/diagrams/space_time_scene.hpp"

#include <algorithm>
#include <map>

#include "bellwether/core/print.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/observe/trace/text.hpp"
#include "bellwether/report/diagrams/space_time.hpp"
#include "bellwether/report/tables/units.hpp"

namespace bellwether::report {
namespace {

using observe::Cause;
using observe::TraceStep;
using LaneOf = std::map<NodeId, std::size_t>;

constexpr std::string_view cure =
    "choose some nodes with --nodes, or a part of the time with --from and --to";

Allegiance allegiance_of(NodeId node, std::optional<NodeId> leader) {
  return !leader           ? Allegiance::no_leader
         : *leader == node ? Allegiance::leads
                           : Allegiance::follows;
}

void set_window(Scene& scene, const Trace& trace, const TraceWindow& window) {
  std::optional<Time> first, last;
  const auto see = [&](Time at) {
    first = std::min(first.value_or(at), at);
    last = std::max(last.value_or(at), at);
  };
  for (const auto& step : trace.steps) see(step.at);
  for (const auto& drop : trace.drops) see(drop.at);
  const auto clamp = [](Time at) { return std::clamp(at, Time{}, observe::latest_time); };
  const Time begin = std::min(first.value_or(Time{}), window.to.value_or(Time::max()));
  scene.from = clamp(window.from.value_or(begin));
  scene.to = clamp(window.to.value_or(std::max(last.value_or(Time{}), scene.from)));
}

/// Follows one node through the trace and writes the stretches of its life line.
class LifeLines {
 public:
  LifeLines(Scene& scene, const LaneOf& lane_of) : scene_(scene), lane_of_(lane_of) {
    since_.assign(scene.lanes.size(), scene.from);
    seen_.assign(scene.lanes.size(), false);
  }

  void step(const TraceStep& step) {
    const auto found = lane_of_.find(step.node);
    if (found == lane_of_.end() || step.at > scene_.to) return;
    const std::size_t i = found->second;
    Lane& lane = scene_.lanes[i];
    // What a node said before its first step was so from the beginning.
    if (!seen_[i]) lane.last = allegiance_of(step.node, step.leader_before);
    seen_[i] = true;
    const Allegiance now =
        step.cause == Cause::crash ? Allegiance::down : allegiance_of(step.node, step.leader_after);
    if (now != lane.last) {
      if (step.at > since_[i]) {
        lane.stretches.push_back({since_[i], step.at, lane.last});
        since_[i] = step.at;
      }
      lane.last = now;
    }
    lane.leader = step.leader_after;
  }

  void finish() {
    for (std::size_t i = 0; i < since_.size(); ++i)
      scene_.lanes[i].stretches.push_back({since_[i], scene_.edge, scene_.lanes[i].last});
  }

 private:
  Scene& scene_;
  const LaneOf& lane_of_;
  std::vector<Time> since_;
  std::vector<bool> seen_;
};

std::string id_text(std::optional<NodeId> id) {
  return id ? std::to_string(core::raw(*id)) : "?";
}

void add_marks(Scene& scene, const TraceStep& step, std::size_t lane) {
  const auto add = [&](MarkKind kind, std::string label) {
    scene.marks.push_back({lane, step.at, kind, std::move(label), &step});
  };
  switch (step.cause) {
    case Cause::start:
      add(MarkKind::start, "");
      break;
    case Cause::link_up:
      add(MarkKind::link_up, "link " + id_text(step.peer));
      break;
    case Cause::link_down:
      add(MarkKind::link_down, "link " + id_text(step.peer));
      break;
    case Cause::receive:
      break;
    case Cause::timeout:
      add(MarkKind::timeout, observe::one_line(step.timer));
      break;
    case Cause::crash:
      add(MarkKind::crash, "crash");
      break;
    case Cause::restart:
      add(MarkKind::restart, "restart");
      break;
  }
  if (step.leader_before == step.leader_after || step.cause == Cause::crash) return;
  switch (allegiance_of(step.node, step.leader_after)) {
    case Allegiance::leads:
      add(MarkKind::leads, "leads");
      break;
    case Allegiance::follows:
      add(MarkKind::follows, "follows " + id_text(step.leader_after));
      break;
    default:
      add(MarkKind::leaderless, "no leader");
  }
}

void add_arrows(Scene& scene, const Trace& trace, const LaneOf& lane_of) {
  for (const Flight& flight : flights_of(trace)) {
    if (flight.sent > scene.to || std::max(flight.ended, flight.sent) < scene.from) continue;
    const auto from = lane_of.find(flight.from);
    const auto to = lane_of.find(flight.to);
    if (from == lane_of.end() && to == lane_of.end()) continue;
    if (from == lane_of.end() || to == lane_of.end()) {
      ++scene.elsewhere;
    } else {
      scene.arrows.push_back({flight, from->second, to->second, 0});
    }
  }
  if (scene.arrows.size() > diagram_messages_max)
    throw core::Problem("the diagram would show " + grouped(scene.arrows.size()) +
                        " messages, but it holds " + grouped(diagram_messages_max) + "; " +
                        std::string(cure));
}

void set_edge(Scene& scene, const TraceWindow& window) {
  scene.edge = scene.to;
  if (window.to) return;
  for (const Arrow& arrow : scene.arrows)
    if (arrow.flight.journey == Journey::lost)
      scene.edge = std::max(scene.edge, arrow.flight.ended);
  scene.edge += (scene.edge - scene.from) / 40;
}

void sort_kinds(Scene& scene) {
  struct MessageCount {
    std::size_t messages = 0;
    std::size_t first = 0;
  };
  std::map<std::string_view, MessageCount> counts;
  for (const Arrow& arrow : scene.arrows) {
    const MessageCount fresh{0, counts.size()};
    ++counts.try_emplace(core::printed_name(arrow.flight.message), fresh).first->second.messages;
  }
  std::vector<std::pair<std::string_view, MessageCount>> sorted(counts.begin(), counts.end());
  std::sort(sorted.begin(), sorted.end(), [](const auto& x, const auto& y) {
    return x.second.messages != y.second.messages ? x.second.messages > y.second.messages
                                                  : x.second.first < y.second.first;
  });
  std::map<std::string_view, std::size_t> rank;
  for (const auto& [kind, count] : sorted) {
    rank.emplace(kind, std::min(rank.size(), kinds_max));
    if (scene.kinds.size() < kinds_max) scene.kinds.push_back(observe::one_line(kind));
  }
  if (sorted.size() > kinds_max) scene.kinds.push_back("other kinds");
  for (Arrow& arrow : scene.arrows) arrow.kind = rank[core::printed_name(arrow.flight.message)];
}

}  // namespace

Scene make_scene(const Trace& trace, const TraceWindow& window) {
  check_window(trace, window);
  Scene scene;
  set_window(scene, trace, window);
  LaneOf lane_of;
  for (const NodeId id : window.nodes.empty() ? nodes_of(trace) : window.nodes)
    if (lane_of.try_emplace(id, scene.lanes.size()).second) scene.lanes.push_back({id, {}, {}, {}});
  if (scene.lanes.size() > diagram_nodes_max)
    throw core::Problem("the diagram would show " + grouped(scene.lanes.size()) +
                        " nodes, but it holds " + grouped(diagram_nodes_max) +
                        "; choose some with --nodes");
  LifeLines lines(scene, lane_of);
  for (const TraceStep& step : trace.steps) {
    lines.step(step);
    const auto lane = lane_of.find(step.node);
    if (lane == lane_of.end() || step.at < scene.from || step.at > scene.to) continue;
    ++scene.steps;
    add_marks(scene, step, lane->second);
  }
  add_arrows(scene, trace, lane_of);
  set_edge(scene, window);
  lines.finish();
  sort_kinds(scene);
  std::stable_sort(scene.marks.begin(), scene.marks.end(),
                   [](const Mark& x, const Mark& y) { return x.kind < y.kind; });
  return scene;
}

}  // namespace bellwether::report
