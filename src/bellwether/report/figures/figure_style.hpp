// SPDX-License-Identifier: MIT
// How curves are distinguished: by a colour of the palette of Okabe and Ito, which colour-blind
// people see, and by the shape of the marker, for readers without colour vision or colour print.
#pragma once

#include "bellwether/report/figures/figure.hpp"
#include "bellwether/report/svg.hpp"

namespace bellwether::report {

/// By what the i-th curve of a figure is known. Those that differ by the size of the palette have
/// one colour: the second is dashed, or pale where it is a bar, and has another marker.
inline std::size_t look_of(const Figure& figure, std::size_t i) {
  return figure.curves[i].look.value_or(i);
}

/// "k3": the class for strokes in the colour of a curve; its line is dashed when the colours have
/// all been used.
std::string line_look(std::size_t curve);
/// For areas in the colour of a curve: a band behind it, and a bar.
std::string band_look(std::size_t curve);
std::string bar_look(std::size_t curve);

/// The marker of a curve.
void draw_marker(Svg& svg, PagePoint at, std::size_t curve);
/// Its shape in the colour of the paper, for bars.
void draw_bar_sign(Svg& svg, PagePoint at, std::size_t curve);

/// "#0072b2": for papers, on white.
std::string_view colour_of(std::size_t curve);
constexpr std::size_t palette_size = 7;

/// CSS for a picture of its own: colours as they are, since not every viewer knows variables.
std::string standalone_figure_style();

}  // namespace bellwether::report
