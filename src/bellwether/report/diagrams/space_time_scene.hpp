// SPDX-License-Identifier: MIT
// What a space-time diagram shows, before anything has a place on the page.
#pragma once

#include "bellwether/report/diagrams/flights.hpp"
#include "bellwether/report/diagrams/trace_window.hpp"

namespace bellwether::report {

enum class Allegiance : unsigned char { no_leader, follows, leads, down };

/// A part of a life line.
struct Stretch {
  Time from{};
  Time to{};
  Allegiance standing{};
};

struct Lane {
  NodeId id{};
  std::vector<Stretch> stretches;  // from the beginning of the window to the edge
  Allegiance last{};
  std::optional<NodeId> leader;  // at the end of the window
};

enum class MarkKind : unsigned char {
  leads,
  follows,
  leaderless,
  crash,
  restart,
  link_up,
  link_down,
  timeout,
  start
};
inline constexpr std::size_t mark_kinds = 9;

struct Mark {
  std::size_t lane = 0;
  Time at{};
  MarkKind kind{};
  std::string label;
  const observe::TraceStep* step = nullptr;
};

struct Arrow {
  Flight flight;
  std::size_t from = 0;  // lanes
  std::size_t to = 0;
  std::size_t kind = 0;  // in Scene::kinds
};

struct Scene {
  Time from{};
  Time to{};    // the end of the window, or of the last event
  Time edge{};  // where the picture ends: a little later, so that the last events have room
  std::vector<Lane> lanes;
  std::vector<Mark> marks;  // the important kinds first
  std::vector<Arrow> arrows;
  std::vector<std::string> kinds;  // of messages, the most frequent first; the last may be "other"
  std::size_t steps = 0;           // in the window
  std::size_t elsewhere = 0;       // messages between a node that is shown and one that is not
};

/// How many kinds of messages are distinguished.
inline constexpr std::size_t kinds_max = 7;

/// Points into the trace. Throws Problem when there is too much to draw.
Scene make_scene(const Trace& trace, const TraceWindow& window);

}  // namespace bellwether::report
