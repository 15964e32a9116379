// SPDX-License-Identifier: MIT
// A space-time diagram of a trace as SVG: one horizontal life line per node, time runs to the
// right, messages are arrows. So the labels along the arrows lie flat, since messages take longer
// than the lines are apart. Everything is shown by shape and label as well as by colour.
#pragma once

#include <string>

#include "bellwether/report/diagrams/trace_window.hpp"

namespace bellwether::report {

inline constexpr std::size_t diagram_nodes_max = 200;
inline constexpr std::size_t diagram_messages_max = 20'000;
/// Above this no message has a label; pointing at an arrow still shows it.
inline constexpr std::size_t diagram_labels_max = 800;

/// The nodes stand in the order of the window, or of the trace. Throws Problem when
/// the window does not fit the trace or there is too much to draw.
std::string space_time_svg(const Trace& trace, const TraceWindow& window = {});

}  // namespace bellwether::report
