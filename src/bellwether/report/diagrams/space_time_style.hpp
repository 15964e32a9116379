// SPDX-License-Identifier: MIT
// How the space-time diagram looks: colours, shapes and the legend. The colours are those of Okabe
// and Ito, which most colour-blind people can distinguish; shapes serve all readers.
#pragma once

#include "bellwether/report/diagrams/space_time_scene.hpp"
#include "bellwether/report/svg.hpp"

namespace bellwether::report {

inline constexpr double font_size = 11;

/// The style sheet of the diagram.
std::string diagram_style();
/// The arrow heads, one per kind of message.
std::string diagram_definitions();

/// "k0" ... for the stroke and fill of a kind of message.
std::string kind_look(std::size_t kind);
/// The shape at the tail of an arrow: each kind has its own.
void draw_tail(Svg& svg, PagePoint at, std::size_t kind);
void draw_cross(Svg& svg, PagePoint at, std::string_view look);
/// The sign of a mark around `at`, within six units.
void draw_sign(Svg& svg, PagePoint at, MarkKind kind);

/// What the signs mean, only those that occur, in up to five columns. Returns how low it reaches.
inline constexpr double legend_width = 1050;
double draw_legend(Svg& svg, PagePoint corner, const Scene& scene);

}  // namespace bellwether::report
