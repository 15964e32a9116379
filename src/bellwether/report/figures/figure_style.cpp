// SPDX-License-Identifier: MIT
#include "bellwether/report/figures/figure_style.hpp"

#include <fmt/format.h>

#include <array>

#include "bellwether/report/figures/figure.hpp"

namespace bellwether::report {
namespace {

// Okabe and Ito's, without yellow, which cannot be seen on white. Orange, sky blue and purple are a
// little darker on white; blue is lighter on black.
constexpr std::array<std::string_view, palette_size> light{
    "#0072b2", "#d55e00", "#009e73", "#b85c92", "#c98700", "#3d9bd4", "#222222"};
constexpr std::array<std::string_view, palette_size> dark{
    "#4fa8e0", "#f0803c", "#1fbf93", "#dd92bd", "#f0b429", "#9ad4f5", "#e8e8e8"};

constexpr std::array<std::string_view, 8> outlines{
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    "M-3.6 -3.6h7.2v7.2h-7.2z",
    "M0 -5L4.8 3.6H-4.8z",
    "M0 -5.2L5.2 0L0 5.2L-5.2 0z",
    "M0 5L4.8 -3.6H-4.8z",
    "M-1.6 -5h3.2v3.4h3.4v3.2h-3.4v3.4h-3.2v-3.4h-3.4v-3.2h3.4z",
    "M0 -5L4.8 -1.5L2.9 4.1H-2.9L-4.8 -1.5z",
    "M-4.7 -2.5L-2.5 -4.7L0 -2.2L2.5 -4.7L4.7 -2.5L2.2 0L4.7 2.5L2.5 4.7L0 2.2L-2.5 4.7L-4.7 2.5"
    "L-2.2 0z"};

struct Colour {
  std::string_view name;  // of the variable, without "--"
  std::string_view light;
  std::string_view dark;
};
constexpr std::array<Colour, 5> greys{{{"paper", "#ffffff", "#15181c"},
                                       {"ink", "#1c1c1e", "#e9e9ec"},
                                       {"quiet", "#5c5f66", "#a3a8b0"},
                                       {"rule", "#dfe2e6", "#333940"},
                                       {"shade", "#eceef0", "#262b31"}}};

/// The rules, with `colour("ink")` for a grey and `colour("c3")` for one of the palette.
template <class ColourOf>
std::string rules(std::string_view within, ColourOf&& colour) {
  std::string out;
  const auto rule = [&](std::string_view selector, const std::string& body) {
    out += fmt::format("{}{}{{{}}}\n", within, selector, body);
  };
  rule("text", "font-size:12px;fill:" + colour("ink"));
  rule(".tick", "fill:" + colour("quiet"));
  rule(".small", "font-size:11px;fill:" + colour("quiet"));
  rule(".title", "font-size:16px;font-weight:600");
  rule(".m", "text-anchor:middle");
  rule(".e", "text-anchor:end");
  rule(".halo",
       "paint-order:stroke;stroke-width:3px;stroke-linejoin:round;stroke:" + colour("paper"));
  rule(".grid", "stroke-width:1;stroke:" + colour("rule"));
  rule(".axis", "fill:none;stroke-width:1;stroke:" + colour("quiet"));
  rule(".shade", "stroke:none;fill:" + colour("shade"));
  rule(".curve", "fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round");
  rule(".step", "fill:none;stroke-width:1.2;stroke-dasharray:1 3");
  rule(".whisker", "fill:none;stroke-width:1.5");
  rule(".onbar", "fill:none;stroke-width:1.3;stroke:" + colour("ink"));
  rule(".leader", "stroke-width:1;stroke-dasharray:1.5 2.5");
  rule(".dash", "stroke-dasharray:7 4");
  rule(".pale", "fill-opacity:.55");
  rule(".sign", "stroke:none;fill:" + colour("paper"));
  rule(".band", "stroke:none;fill-opacity:.16");
  for (std::size_t i = 0; i < palette_size; ++i) {
    const std::string own = colour(fmt::format("c{}", i));
    rule(fmt::format(".k{}", i), "stroke:" + own);
    rule(fmt::format(".b{}", i), "fill:" + own);
    rule(fmt::format(".d{}", i), "stroke-width:1;fill:" + own + ";stroke:" + colour("paper"));
    rule(fmt::format(".h{}", i), "stroke-width:1.6;stroke:" + own + ";fill:" + colour("paper"));
  }
  return out;
}

std::string variables(bool of_dark) {
  std::string out;
  for (const Colour& grey : greys)
    out += fmt::format("--{}:{};", grey.name, of_dark ? grey.dark : grey.light);
  for (std::size_t i = 0; i < palette_size; ++i)
    out += fmt::format("--c{}:{};", i, of_dark ? dark[i] : light[i]);
  return out;
}

std::string_view outline_of(std::size_t curve) {
  return outlines[curve % outlines.size()];
}

}  // namespace

std::string line_look(std::size_t curve) {
  return fmt::format("k{}{}", curve % palette_size, curve < palette_size ? "" : " dash");
}

std::string band_look(std::size_t curve) {
  return fmt::format("band b{}", curve % palette_size);
}

std::string bar_look(std::size_t curve) {
  return fmt::format("b{}{}", curve % palette_size, curve < palette_size ? "" : " pale");
}

void draw_marker(Svg& svg, PagePoint at, std::size_t curve) {
  const char* filled = curve < outlines.size() ? "d" : "h";
  svg.shape(at, outline_of(curve), fmt::format("marker {}{}", filled, curve % palette_size));
}

void draw_bar_sign(Svg& svg, PagePoint at, std::size_t curve) {
  svg.shape(at, outline_of(curve), "sign");
}

std::string_view colour_of(std::size_t curve) {
  return light[curve % palette_size];
}

std::string figure_style() {
  std::string out = fmt::format(":root{{{}}}\n", variables(false));
  // Paper is white, whatever the screen was.
  out += fmt::format("@media screen and (prefers-color-scheme:dark){{:root{{{}}}}}\n",
                     variables(true));
  return out +
         rules("svg.fig ", [](std::string_view name) { return fmt::format("var(--{})", name); });
}

std::string standalone_figure_style() {
  const auto colour = [](std::string_view name) {
    for (const Colour& grey : greys)
      if (grey.name == name) return std::string(grey.light);
    return std::string(light[static_cast<std::size_t>(name[1] - '0')]);
  };
  return "text{font-family:system-ui,'Segoe UI','Helvetica Neue',Arial,'DejaVu "
         "Sans',sans-serif}\n" +
         rules("", colour);
}

}  // namespace bellwether::report
