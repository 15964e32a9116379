// SPDX-License-Identifier: MIT
// The messages of a trace, each from its send to its end.
#pragma once

#include <string_view>
#include <vector>

#include "bellwether/observe/trace/trace.hpp"

namespace bellwether::report {

using observe::NodeId;
using observe::Time;
using observe::Trace;

enum class Journey : unsigned char { delivered, lost, dropped, no_link, under_way };
constexpr auto names_of(Journey) {
  return std::array<std::string_view, 5>{"delivered", "lost", "dropped", "no link", "under way"};
}

/// The views point into the trace.
struct Flight {
  NodeId from{};
  NodeId to{};
  Time sent{};
  Time ended{};    // delivered, dropped: when; under way: when it is due; lost: a guess
  double way = 1;  // how much of the way it made
  Journey journey = Journey::under_way;
  bool copy = false;  // the second of a duplicated message
  std::string_view message;
  std::string_view why;  // dropped
};

/// In the order of sending; copies at the end. A message that the trace receives but never sends
/// is left out.
std::vector<Flight> flights_of(const Trace& trace);

}  // namespace bellwether::report
