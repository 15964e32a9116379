// SPDX-License-Identifier: MIT
// Figures for papers: pgfplots.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "bellwether/observe/trace/text.hpp"
#include "bellwether/report/figures/figure.hpp"
#include "bellwether/report/figures/figure_axes.hpp"
#include "bellwether/report/figures/figure_style.hpp"

namespace bellwether::report {
namespace {

template <class... Args>
void add(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : observe::one_line(text)) {
    switch (c) {
      case '\\':
        out += "\\textbackslash{}";
        break;
      case '~':
        out += "\\textasciitilde{}";
        break;
      case '^':
        out += "\\textasciicircum{}";
        break;
      case '<':
        out += "\\textless{}";
        break;
      case '>':
        out += "\\textgreater{}";
        break;
      case '|':
        out += "\\textbar{}";
        break;
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}':
        out += '\\';
        [[fallthrough]];
      default:
        out += c;
    }
  }
  return out;
}

constexpr std::array<std::string_view, 8> marks{"*",         "square*", "triangle*", "diamond*",
                                                "triangle*", "otimes*", "pentagon*", "x"};

bool drawable(const Sample& sample, bool log) {
  return std::isfinite(sample.mean) && (!log || sample.mean > 0);
}

/// Curves stop at nan and go on behind it.
std::string number(double value, bool log) {
  return std::isfinite(value) && (!log || value > 0) ? fmt::format("{}", value) : "nan";
}

bool has_bounds(const Sample& sample) {
  return std::isfinite(sample.low) && std::isfinite(sample.high);
}

void add_header(std::string& out, const Figure& figure) {
  add(out, "% {}\n", observe::one_line(figure.title));
  for (const std::string* words : {&figure.note, &figure.band})
    if (!words->empty()) add(out, "% {}\n", observe::one_line(*words));
  out +=
      "\\documentclass{standalone}\n\\usepackage[T1]{fontenc}\n\\usepackage[utf8]{inputenc}\n"
      "\\usepackage{textcomp}\n\\usepackage{pgfplots}\n\\pgfplotsset{compat=1.15}\n";
  for (std::size_t i = 0; i < palette_size; ++i)
    add(out, "\\definecolor{{bw{}}}{{HTML}}{{{}}}\n", i, colour_of(i).substr(1));
  out += "\\definecolor{bwshade}{HTML}{ECEEF0}\n\\begin{document}\n\\begin{tikzpicture}\n";
}

/// "ymin=0, ymax=50, ytick={0,10,...}": the axis as on the screen.
std::string bounds(char letter, const PlotAxis& axis, bool ticks) {
  std::string out = fmt::format("{0}mode={1}, {0}min={2}, {0}max={3}", letter,
                                axis.log ? "log" : "linear", axis.low, axis.high);
  if (!ticks) return out;
  out += fmt::format(", {}tick={{", letter);
  for (const AxisTick& tick : axis.ticks)
    out += fmt::format("{}{}", &tick == axis.ticks.data() ? "" : ",", tick.value);
  return out + '}';
}

/// What holds for both axes.
std::string shared_keys(const Figure& figure, const FigureAxes& axes) {
  const auto count = static_cast<double>(figure.categories.size());
  const bool lines = figure.kind == Drawing::lines;
  const std::string x = count > 0
                            ? fmt::format("xmin=-0.6, xmax={}", count - 0.4)
                            : bounds('x', axes.x, lines) + (lines ? ", enlarge x limits=0.03" : "");
  return "  width=12cm, height=7cm, scale only axis, unbounded coords=jump, clip=false,\n  " + x +
         ",\n";
}

void add_right_axis(std::string& out, const Figure& figure, const FigureAxes& axes) {
  if (figure.right.empty()) return;
  out += "\\begin{axis}[\n" + shared_keys(figure, axes);
  add(out, "  {}, axis x line=none, axis y line*=right, ylabel={{{}}}]\n",
      bounds('y', axes.y2, true), escaped(figure.y2.label));
  const bool area = figure.right.size() == 1;
  for (std::size_t i = 0; i < figure.right.size(); ++i) {
    const std::string look =
        area ? "draw=none, fill=bwshade" : fmt::format("bw{}, dotted", i % palette_size);
    add(out, "\\addplot[const plot mark right, {}] coordinates {{", look);
    for (const Sample& sample : figure.right[i].samples)
      if (std::isfinite(sample.mean)) add(out, "({},{}) ", sample.x, sample.mean);
    out += area ? "} \\closedcycle;\n" : "};\n";
  }
  out += "\\end{axis}\n";
}

void add_categories(std::string& out, const Figure& figure) {
  std::string places, names;
  std::size_t longest = 0;
  // About twenty slanted names fit beside each other.
  const std::size_t every = figure.categories.size() / 21 + 1;
  for (std::size_t i = 0; i < figure.categories.size(); i += every) {
    add(places, "{}{}", i == 0 ? "" : ",", i);
    add(names, "{}{{{}}}", i == 0 ? "" : ",", escaped(figure.categories[i]));
    longest = std::max(longest, observe::columns(figure.categories[i]));
  }
  add(out, "  xtick={{{}}},\n  xticklabels={{{}}},\n", places, names);
  // About sixty characters fit beside each other.
  if (longest * figure.categories.size() > 60)
    out += "  x tick label style={rotate=35, anchor=north east, font=\\small},\n";
}

void add_axis(std::string& out, const Figure& figure, const FigureAxes& axes) {
  out += "\\begin{axis}[\n" + shared_keys(figure, axes);
  add(out, "  title={{{}}},\n  xlabel={{{}}},\n  ylabel={{{}}},\n  {},\n", escaped(figure.title),
      escaped(figure.x.label), escaped(figure.y.label), bounds('y', axes.y, true));
  out +=
      "  ymajorgrids, grid style={gray!20}, axis y line*=left, axis x line*=bottom,\n"
      "  log ticks with fixed point, scaled ticks=false,\n"
      "  tick label style={/pgf/number format/1000 sep={,}},\n";
  if (figure.kind == Drawing::bars) {
    const auto count = static_cast<double>(std::max<std::size_t>(figure.curves.size(), 1));
    const auto slots = static_cast<double>(std::max<std::size_t>(figure.categories.size(), 1));
    add(out, "  ybar=0pt, bar width={:.2f}cm, area legend,\n",
        std::min(1.0, 0.8 * 12 / count / (slots + 0.2)));
  }
  if (!figure.categories.empty()) add_categories(out, figure);
  out +=
      "  legend style={at={(axis description cs:0.5,1.12)}, anchor=south, draw=none,\n"
      "    /tikz/every even column/.append style={column sep=1em}},\n"
      "  title style={at={(0.5,1.02)}}, legend columns=3, legend cell align=left]\n";
}

/// A closed line around each stretch without gaps.
void add_band(std::string& out, const Figure& figure, const Curve& curve, std::size_t colour) {
  std::string high, low;
  std::size_t length = 0;
  const auto flush = [&] {
    if (length > 1)
      add(out,
          "\\addplot[draw=none, mark=none, fill=bw{}, fill opacity=0.16, forget plot] coordinates "
          "{{{}{}}} -- cycle;\n",
          colour, high, low);
    high.clear();
    low.clear();
    length = 0;
  };
  for (const Sample& sample : curve.samples) {
    const bool shown = drawable(sample, figure.y.log) && has_bounds(sample);
    if (!shown) {
      flush();
      continue;
    }
    // There is no logarithm of zero; the mean is the next best that is sure to be on the page.
    const double bound =
        figure.y.log && sample.low <= 0 ? sample.mean : std::max(sample.low, figure.y.least);
    high += fmt::format("({},{}) ", sample.x, std::min(sample.high, figure.y.most));
    low = fmt::format("({},{}) ", sample.x, bound) + low;
    ++length;
  }
  flush();
}

void add_curve(std::string& out, const Figure& figure, std::size_t i) {
  const Curve& curve = figure.curves[i];
  const std::size_t as = look_of(figure, i);
  const std::size_t colour = as % palette_size;
  const bool second = as >= palette_size;
  const bool bars = figure.kind == Drawing::bars;
  const bool dots = figure.kind == Drawing::lines && !figure.categories.empty();
  const bool whiskers = bars || dots || curve.samples.size() == 1;
  if (!whiskers) add_band(out, figure, curve, colour);
  std::string look = bars   ? fmt::format("fill=bw{}{}, draw=none", colour, second ? "!55" : "")
                     : dots ? fmt::format("only marks, bw{0}, mark={1}", colour, marks[as % 8])
                            : fmt::format("bw{0}, thick, mark={1}", colour, marks[as % 8]);
  if (!bars && as % 8 == 4) look += ", mark options={rotate=180}";
  if (!bars && !dots && second) look += ", dashed, mark options={solid}";
  if (!bars && !dots && curve.samples.size() > 30)
    look += fmt::format(", mark repeat={}", curve.samples.size() / 10);
  if (whiskers)
    look += fmt::format(", error bars/.cd, y dir=both, y explicit, error bar style={{{}}}",
                        bars ? "black" : fmt::format("bw{}", colour));
  add(out, "\\addplot[{}] coordinates {{", look);
  // Dots of one category stand side by side; bars do so by themselves.
  const double middle = (static_cast<double>(figure.curves.size()) - 1) / 2;
  const double aside = dots ? 0.7 * (static_cast<double>(i) - middle) / (2 * middle + 2) : 0;
  for (const Sample& sample : curve.samples) {
    add(out, "({},{})", sample.x + aside, number(sample.mean, figure.y.log));
    if (whiskers && drawable(sample, figure.y.log) && has_bounds(sample))
      add(out, " += (0,{}) -= (0,{})", std::min(sample.high, figure.y.most) - sample.mean,
          sample.mean - std::max(sample.low, figure.y.least));
    out += ' ';
  }
  out += "};\n";
  if (!curve.label.empty()) add(out, "\\addlegendentry{{{}}}\n", escaped(curve.label));
}

}  // namespace

std::string figure_tikz(const Figure& figure) {
  std::string out;
  add_header(out, figure);
  FigureAxes axes = figure_axes(figure, 7);
  if (std::vector<AxisTick> own = ticks_at(all_x(figure)); !own.empty() && own.size() <= 12)
    axes.x.ticks = std::move(own);
  add_right_axis(out, figure, axes);
  add_axis(out, figure, axes);
  for (std::size_t i = 0; i < figure.curves.size(); ++i) add_curve(out, figure, i);
  if (figure.right.size() == 1 && !figure.right[0].label.empty())
    add(out, "\\addlegendimage{{bwshade, line width=6pt}}\n\\addlegendentry{{{}}}\n",
        escaped(figure.right[0].label));
  return out + "\\end{axis}\n\\end{tikzpicture}\n\\end{document}\n";
}

}  // namespace bellwether::report
