// SPDX-License-Identifier: MIT
// Figures for papers: pgfplots.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "bellwether/observe/text.hpp"
#include "bellwether/report/figure.hpp"
#include "bellwether/report/figure_style.hpp"

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
  out += "\\definecolor{bwshade}{HTML}{DDE0E4}\n\\begin{document}\n\\begin{tikzpicture}\n";
}

/// Where x is a category or time: both axes of the figure need the same bounds.
std::string x_bounds(const Figure& figure) {
  if (!figure.categories.empty())
    return fmt::format("xmin=-0.6, xmax={}", static_cast<double>(figure.categories.size()) - 0.4);
  if (figure.kind != Drawing::series || figure.x.log) return "enlarge x limits=0.04";
  double last = 0;
  for (const auto* curves : {&figure.curves, &figure.right})
    for (const Curve& curve : *curves)
      for (const Sample& sample : curve.samples) last = std::max(last, sample.x);
  return fmt::format("xmin=0, xmax={}", last > 0 ? last : 1);
}

/// What holds for both axes.
std::string shared_keys(const Figure& figure) {
  return fmt::format(
      "  width=12cm, height=7cm, scale only axis, {}, unbounded coords=jump,\n"
      "  xmode={},\n",
      x_bounds(figure), figure.x.log ? "log" : "linear");
}

void add_right_axis(std::string& out, const Figure& figure) {
  if (figure.right.empty()) return;
  out += "\\begin{axis}[\n" + shared_keys(figure);
  add(out, "  axis x line=none, axis y line*=right, ymin=0, ylabel={{{}}}]\n",
      escaped(figure.y2.label));
  const bool area = figure.right.size() == 1;
  for (std::size_t i = 0; i < figure.right.size(); ++i) {
    const std::string look = area ? "draw=none, fill=bwshade" : fmt::format("bw{}, dotted", i % 7);
    add(out, "\\addplot[const plot mark right, {}] coordinates {{", look);
    for (const Sample& sample : figure.right[i].samples)
      if (std::isfinite(sample.mean)) add(out, "({},{}) ", sample.x, sample.mean);
    out += area ? "} \\closedcycle;\n" : "};\n";
  }
  out += "\\end{axis}\n";
}

void add_axis(std::string& out, const Figure& figure) {
  out += "\\begin{axis}[\n" + shared_keys(figure);
  add(out, "  title={{{}}},\n  xlabel={{{}}},\n  ylabel={{{}}},\n", escaped(figure.title),
      escaped(figure.x.label), escaped(figure.y.label));
  add(out,
      "  ymode={}, ymajorgrids, grid style={{gray!20}}, axis y line*=left, axis x line*=bottom,\n",
      figure.y.log ? "log" : "linear");
  out += "  scaled ticks=false, tick label style={/pgf/number format/1000 sep={,}},\n";
  if (figure.kind == Drawing::bars) {
    const auto count = static_cast<double>(std::max<std::size_t>(figure.curves.size(), 1));
    const auto slots = static_cast<double>(std::max<std::size_t>(figure.categories.size(), 1));
    add(out, "  ybar=0pt, bar width={:.2f}cm,\n", std::min(1.0, 0.8 * 12 / count / (slots + 0.2)));
    if (!figure.y.log) out += "  ymin=0,\n";
  }
  if (!figure.categories.empty()) {
    out += "  xtick={";
    for (std::size_t i = 0; i < figure.categories.size(); ++i)
      add(out, "{}{}", i == 0 ? "" : ",", i);
    out += "},\n  xticklabels={";
    for (const std::string& name : figure.categories)
      add(out, "{}{{{}}}", &name == figure.categories.data() ? "" : ",", escaped(name));
    out += "},\n";
    if (figure.categories.size() > 5) out += "  x tick label style={rotate=30, anchor=east},\n";
  }
  out +=
      "  legend style={at={(0.5,-0.2)}, anchor=north, draw=none, /tikz/every even column/.append "
      "style={column sep=1em}},\n  legend columns=3, legend cell align=left]\n";
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
    const double bound = figure.y.log && sample.low <= 0 ? sample.mean : sample.low;
    high += fmt::format("({},{}) ", sample.x, sample.high);
    low = fmt::format("({},{}) ", sample.x, bound) + low;
    ++length;
  }
  flush();
}

void add_curve(std::string& out, const Figure& figure, std::size_t i) {
  const Curve& curve = figure.curves[i];
  const std::size_t colour = i % palette_size;
  const bool bars = figure.kind == Drawing::bars;
  const bool dots = figure.kind == Drawing::lines && !figure.categories.empty();
  const bool whiskers = bars || dots || curve.samples.size() == 1;
  if (!whiskers) add_band(out, figure, curve, colour);
  std::string look = bars   ? fmt::format("fill=bw{}, draw=none", colour)
                     : dots ? fmt::format("only marks, bw{0}, mark={1}", colour, marks[i % 8])
                            : fmt::format("bw{0}, thick, mark={1}", colour, marks[i % 8]);
  if (!bars && i % 8 == 4) look += ", mark options={rotate=180}";
  if (!bars && !dots && i >= palette_size) look += ", dashed, mark options={solid}";
  if (!bars && !dots && curve.samples.size() > 30)
    look += fmt::format(", mark repeat={}", curve.samples.size() / 10);
  if (whiskers) look += ", error bars/.cd, y dir=both, y explicit, error bar style={black}";
  add(out, "\\addplot[{}] coordinates {{", look);
  for (const Sample& sample : curve.samples) {
    add(out, "({},{})", sample.x, number(sample.mean, figure.y.log));
    if (whiskers && drawable(sample, figure.y.log) && has_bounds(sample))
      add(out, " += (0,{}) -= (0,{})", sample.high - sample.mean, sample.mean - sample.low);
    out += ' ';
  }
  out += "};\n";
  if (!curve.label.empty()) add(out, "\\addlegendentry{{{}}}\n", escaped(curve.label));
}

}  // namespace

std::string figure_tikz(const Figure& figure) {
  std::string out;
  add_header(out, figure);
  add_right_axis(out, figure);
  add_axis(out, figure);
  for (std::size_t i = 0; i < figure.curves.size(); ++i) add_curve(out, figure, i);
  if (figure.right.size() == 1 && !figure.right[0].label.empty())
    add(out, "\\addlegendimage{{area legend, draw=none, fill=bwshade}}\n\\addlegendentry{{{}}}\n",
        escaped(figure.right[0].label));
  return out + "\\end{axis}\n\\end{tikzpicture}\n\\end{document}\n";
}

}  // namespace bellwether::report
