// SPDX-License-Identifier: MIT
#include "bellwether/report/diagrams/space_time_style.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bellwether/observe/trace/text.hpp"

namespace bellwether::report {
namespace {

// One more than kinds_max: the last is for all other kinds.
constexpr std::array<std::string_view, kinds_max + 1> colours{
    "#0072b2", "#d55e00", "#007a59", "#b0508a", "#a06a00", "#2b8cc4", "#000000", "#777777"};

struct Tail {
  std::string_view outline;
  bool hollow;
};
constexpr std::string_view disc = "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z";
constexpr std::string_view square = "M-3.2 -3.2h6.4v6.4h-6.4z";
constexpr std::string_view diamond = "M0 -4.6L4.6 0L0 4.6L-4.6 0z";
constexpr std::string_view triangle = "M0 -4.2L4.2 3.4H-4.2z";
constexpr std::array<Tail, kinds_max + 1> tails{{{disc, false},
                                                 {square, false},
                                                 {diamond, false},
                                                 {triangle, false},
                                                 {disc, true},
                                                 {square, true},
                                                 {diamond, true},
                                                 {"M-4 0H4", true}}};

struct Meaning {
  MarkKind kind;
  std::string_view words;
};
constexpr std::array<Meaning, mark_kinds> meanings{{{MarkKind::leads, "leads from now on"},
                                                    {MarkKind::follows, "follows another"},
                                                    {MarkKind::leaderless, "knows no leader"},
                                                    {MarkKind::crash, "crash"},
                                                    {MarkKind::restart, "restart"},
                                                    {MarkKind::link_up, "learns: link is up"},
                                                    {MarkKind::link_down, "learns: link is down"},
                                                    {MarkKind::timeout, "a timer expires"},
                                                    {MarkKind::start, "start"}}};

constexpr double row_height = 19;
constexpr double legend_column = 212;

/// Writes the legend column by column.
class Legend {
 public:
  Legend(Svg& svg, PagePoint corner)
      : svg_(svg), at_{corner.x - legend_column, corner.y}, top_(corner.y) {}

  void column(std::string_view heading) {
    at_ = {at_.x + legend_column, top_};
    svg_.text({at_.x, at_.y + 4}, heading, "t b");
    at_.y += row_height;
  }
  /// `draw` gets the middle of a sample 34 units wide.
  template <class Draw>
  void row(std::string_view words, Draw&& draw) {
    draw(PagePoint{at_.x + 17, at_.y});
    svg_.text({at_.x + 42, at_.y + 4}, words, "t");
    at_.y += row_height;
    bottom_ = std::max(bottom_, at_.y);
  }
  double bottom() const { return bottom_; }

 private:
  Svg& svg_;
  PagePoint at_;
  double top_;
  double bottom_ = 0;
};

void add_kinds(Legend& legend, Svg& svg, const Scene& scene) {
  if (scene.kinds.empty()) return;
  legend.column("messages");
  for (std::size_t k = 0; k < scene.kinds.size(); ++k)
    legend.row(observe::shortened(scene.kinds[k], 26), [&](PagePoint at) {
      svg.line({at.x - 15, at.y}, {at.x + 15, at.y}, "a h" + kind_look(k) + ' ' + kind_look(k));
      draw_tail(svg, {at.x - 15, at.y}, k);
    });
}

void add_journeys(Legend& legend, Svg& svg, const Scene& scene) {
  const auto occurs = [&](Journey journey) {
    return std::any_of(scene.arrows.begin(), scene.arrows.end(),
                       [=](const Arrow& a) { return a.flight.journey == journey; });
  };
  const auto sample = [&](std::string_view look, bool cross) {
    return [&svg, look, cross](PagePoint at) {
      svg.line({at.x - 15, at.y}, {at.x + (cross ? 9 : 15), at.y}, look);
      if (cross) draw_cross(svg, {at.x + 9, at.y}, "k7");
    };
  };
  if (scene.arrows.empty()) return;
  legend.column("what became of them");
  if (occurs(Journey::delivered)) legend.row("received", sample("a k7 hk7", false));
  if (occurs(Journey::lost)) legend.row("lost on the way", sample("a f k7", true));
  if (occurs(Journey::dropped)) legend.row("dropped: link or node gone", sample("a f k7", true));
  if (occurs(Journey::no_link)) legend.row("sent where no link was", sample("a k7", true));
  if (occurs(Journey::under_way)) legend.row("not received yet", sample("a f k7", false));
}

/// Some of the meanings, under a heading of their own.
void add_marks(Legend& legend, Svg& svg, const Scene& scene, std::string_view heading,
               std::size_t first, std::size_t last) {
  bool any = false;
  for (std::size_t i = first; i < last; ++i) {
    const MarkKind kind = meanings[i].kind;
    if (std::none_of(scene.marks.begin(), scene.marks.end(),
                     [=](const Mark& m) { return m.kind == kind; }))
      continue;
    if (!any) legend.column(heading);
    any = true;
    legend.row(meanings[i].words, [&](PagePoint at) { draw_sign(svg, at, kind); });
  }
}

void add_lines(Legend& legend, Svg& svg, const Scene& scene) {
  constexpr std::array<std::pair<Allegiance, std::string_view>, 4> lines{
      {{Allegiance::leads, "the node leads"},
       {Allegiance::follows, "the node follows another"},
       {Allegiance::no_leader, "the node knows no leader"},
       {Allegiance::down, "the node is down"}}};
  legend.column("life lines");
  for (const auto& [standing, words] : lines) {
    const auto same = [s = standing](const Stretch& stretch) { return stretch.standing == s; };
    const bool occurs = std::any_of(scene.lanes.begin(), scene.lanes.end(), [&](const Lane& lane) {
      return std::any_of(lane.stretches.begin(), lane.stretches.end(), same);
    });
    const std::string look = fmt::format("l{}", static_cast<int>(standing));
    if (occurs)
      legend.row(words, [&](PagePoint at) {
        svg.line({at.x - 15, at.y}, {at.x + 15, at.y}, look);
      });
  }
}

}  // namespace

std::string diagram_style() {
  std::string out =
      "text{font-family:'DejaVu Sans',Verdana,Helvetica,Arial,sans-serif;fill:#222}\n"
      ".t{font-size:11px}.s{font-size:10px;fill:#555}.b{font-weight:bold}.m{text-anchor:middle}"
      ".e{text-anchor:end}.title{font-size:18px;font-weight:bold}.n{font-size:11px;fill:#8a3800}\n"
      ".o{paint-order:stroke;stroke:#fff;stroke-width:3.5px;stroke-linejoin:round}\n"
      ".grid{stroke:#e6e6e6;stroke-width:1}.axis{stroke:#888;stroke-width:1}\n"
      ".cut{fill:#f3f3f3;stroke:#aaa;stroke-dasharray:6 4}.box{fill:#fff;stroke:#333}\n"
      ".l0{stroke:#666;stroke-width:2;stroke-dasharray:1.5 5}.l1{stroke:#666;stroke-width:1.6}"
      ".l2{stroke:#222;stroke-width:6}.l3{stroke:#c4c4c4;stroke-width:1;stroke-dasharray:12 8}\n"
      ".a{fill:none;stroke-width:1.4}.f{stroke-dasharray:5 3.5}.x{fill:none;stroke-width:2.2}\n"
      ".w{fill:#fff}.sign{fill:#fff;stroke:#222;stroke-width:1.3;stroke-linejoin:round}"
      ".gold{fill:#f0c400;stroke:#222;stroke-width:1.3;stroke-linejoin:round}"
      ".dark{fill:#222;stroke:#222;stroke-width:1.3;stroke-linejoin:round}"
      ".bar{fill:none;stroke:#222;stroke-width:3.2}\n";
  for (std::size_t k = 0; k < colours.size(); ++k)
    out += fmt::format(
        ".k{0}{{stroke:{1}}}.d{0}{{fill:{1};stroke:{1}}}.hk{0}{{marker-end:url(#k{0})}}\n", k,
        colours[k]);
  return out;
}

std::string diagram_definitions() {
  std::string out;
  for (std::size_t k = 0; k < colours.size(); ++k)
    out += fmt::format(
        "<marker id=\"k{}\" viewBox=\"0 0 10 8\" refX=\"9.5\" refY=\"4\" markerWidth=\"10\" "
        "markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
        "<path d=\"M0 0L10 4L0 8L2.5 4z\" fill=\"{}\"/></marker>\n",
        k, colours[k]);
  return out;
}

std::string kind_look(std::size_t kind) {
  return fmt::format("k{}", kind);
}

void draw_tail(Svg& svg, PagePoint at, std::size_t kind) {
  const Tail& tail = tails[kind];
  svg.shape(
      at, tail.outline,
      (tail.hollow ? "w a " : "") + std::string(tail.hollow ? "k" : "d") + std::to_string(kind));
}

void draw_cross(Svg& svg, PagePoint at, std::string_view look) {
  svg.shape(at, "M-4.5 -4.5L4.5 4.5M4.5 -4.5L-4.5 4.5", "x " + std::string(look));
}

void draw_sign(Svg& svg, PagePoint at, MarkKind kind) {
  switch (kind) {
    case MarkKind::leads:
      return svg.shape(at, "M-6.5 5V-4.5L-3 0L0 -6L3 0L6.5 -4.5V5z", "gold");
    case MarkKind::follows:
      return svg.shape(at, "M-4 6V-6L5.5 -2.8L-4 0.8", "dark");
    case MarkKind::leaderless:
      return svg.shape(at, "M-4 6V-6L5.5 -2.8L-4 0.8", "sign");
    case MarkKind::crash:
      return svg.shape(at, "M-6 -6L6 6M6 -6L-6 6", "bar");
    case MarkKind::restart:
      svg.circle(at, 6, "sign");
      return svg.circle(at, 2, "dark");
    case MarkKind::link_up:
      return svg.shape(at, "M-5 -5h10v10h-10zM-3 0H3M0 -3V3", "sign");
    case MarkKind::link_down:
      return svg.shape(at, "M-5 -5h10v10h-10zM-3 0H3", "sign");
    case MarkKind::timeout:
      svg.circle(at, 5.2, "sign");
      return svg.shape(at, "M0 -3.6V0H2.8", "sign");
    case MarkKind::start:
      return svg.shape(at, "M-3.5 -4.5L4.5 0L-3.5 4.5z", "sign");
  }
}

double draw_legend(Svg& svg, PagePoint corner, const Scene& scene) {
  Legend legend(svg, corner);
  add_kinds(legend, svg, scene);
  add_journeys(legend, svg, scene);
  add_marks(legend, svg, scene, "leader changes", 0, 3);
  add_marks(legend, svg, scene, "other events", 3, mark_kinds);
  add_lines(legend, svg, scene);
  return legend.bottom();
}

}  // namespace bellwether::report
