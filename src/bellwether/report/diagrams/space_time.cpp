// SPDX-License-Identifier: MIT
#include "bellwether/report/diagrams/space_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "bellwether/observe/trace/text.hpp"
#include "bellwether/report/diagrams/space_time_style.hpp"
#include "bellwether/report/diagrams/time_scale.hpp"
#include "bellwether/report/labels.hpp"
#include "bellwether/report/tables/units.hpp"

namespace bellwether::report {
namespace {

constexpr double margin = 20;
constexpr double legend_top = 100;
constexpr double axis_height = 44;  // between the axis and the nearest life line
constexpr double name_every = 900;
constexpr double line_half = 4;  // arrow heads stop beside the thickest life line

std::string node_name(const Lane& lane) {
  return "node " + std::to_string(core::raw(lane.id));
}

double name_width(const Scene& scene) {
  double widest = 0;
  for (const Lane& lane : scene.lanes)
    widest = std::max(widest, text_width(node_name(lane), font_size));
  return widest;
}

/// The page grows with the nodes downwards and with the events to the right.
double lane_gap(const Scene& scene) {
  const auto lanes = static_cast<double>(std::max<std::size_t>(scene.lanes.size(), 1));
  return std::clamp(1100 / lanes, 54.0, 84.0);
}

TimeScale make_scale(const Scene& scene, double left) {
  std::vector<Time> moments;
  const auto add = [&](Time at) {
    if (at >= scene.from && at <= scene.edge) moments.push_back(at);
  };
  for (const Mark& mark : scene.marks) add(mark.at);
  for (const Arrow& arrow : scene.arrows) {
    add(arrow.flight.sent);
    add(arrow.flight.ended);
  }
  std::sort(moments.begin(), moments.end());
  moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
  const double rows =
      std::max(static_cast<double>(moments.size()), static_cast<double>(scene.arrows.size()));
  const double least = std::clamp(9 * rows, 1100.0, 8000.0);
  return {std::move(moments),
          scene.from,
          scene.edge,
          left,
          least,
          std::max(std::clamp(26 * rows, 1300.0, 4500.0), least)};
}

struct Drawn {
  PagePoint a;
  PagePoint b;
  bool tail;  // on the page, not before it
  bool end;   // on the page, not behind it
};

class Diagram {
 public:
  Diagram(const Trace& trace, const Scene& scene)
      : trace_(trace),
        scene_(scene),
        left_(margin + name_width(scene) + 34),
        gap_(lane_gap(scene)),
        scale_(make_scale(scene, left_)) {}

  std::string draw() {
    top_ = draw_legend(svg_, {margin, legend_top}, scene_) + 34;
    room_ = FreeSpace(width(), bottom());
    draw_axis();
    draw_life_lines();
    for (const Arrow& arrow : scene_.arrows) draw_arrow(arrow);
    draw_names();
    for (const Mark& mark : scene_.marks) draw_mark(mark);
    draw_labels();
    for (std::size_t i = 0; i < scene_.lanes.size(); ++i) draw_ends(i);
    const std::string title = draw_title();
    return svg_.finish(width(), bottom() + 46, title, diagram_style(), diagram_definitions());
  }

 private:
  double y(std::size_t lane) const { return top_ + axis_height + static_cast<double>(lane) * gap_; }
  double bottom() const { return y(scene_.lanes.size()) - gap_ + axis_height; }
  double width() const { return std::max(scale_.end() + left_ + 30, legend_width) + margin; }

  void draw_axis();
  void draw_life_lines();
  void draw_names();
  void draw_ends(std::size_t lane);
  Drawn place(const Arrow& arrow) const;
  void draw_arrow(const Arrow& arrow);
  void draw_mark(const Mark& mark);
  bool label_mark(const Mark& mark, PagePoint sign);
  void draw_labels();
  bool label_arrow(const Arrow& arrow);
  std::string draw_title();

  const Trace& trace_;
  const Scene& scene_;
  double left_;  // where time begins
  double gap_;
  double top_ = 0;
  TimeScale scale_;
  FreeSpace room_{0, 0};
  Svg svg_;
  std::size_t hidden_ = 0;  // messages without a label
  std::size_t hidden_marks_ = 0;
};

void Diagram::draw_axis() {
  for (const TimeScale::TimeTick& tick : scale_.ticks()) {
    svg_.line({tick.place, top_}, {tick.place, bottom()}, "grid");
    svg_.text({tick.place, top_ - 8}, tick.label, "s m");
    svg_.text({tick.place, bottom() + 18}, tick.label, "s m");
  }
  for (const TimeScale::Cut& cut : scale_.cuts()) {
    svg_.rect({cut.begin, top_}, cut.end - cut.begin, bottom() - top_, "cut");
    const double middle = (cut.begin + cut.end) / 2;
    const TimeUnit unit = unit_for(cut.to - cut.from);
    const int decimals = decimals_needed(cut.to - cut.from, unit, 3);
    const std::string number = in_unit(cut.to - cut.from, unit, decimals);
    svg_.text({middle, top_ + 16}, fmt::format("{} {}", number, unit.name), "s m");
    svg_.text({middle, top_ + 29}, "of silence", "s m");
    room_.take(Rectangle{{cut.begin, top_}, {cut.end, top_ + 32}});
  }
  for (const double edge : {top_, bottom()}) {
    svg_.line({left_, edge}, {scale_.end(), edge}, "axis");
    svg_.text({margin, edge + (edge == top_ ? -8 : 18)}, "time", "s");
  }
}

void Diagram::draw_life_lines() {
  for (std::size_t i = 0; i < scene_.lanes.size(); ++i) {
    for (const Stretch& part : scene_.lanes[i].stretches)
      svg_.line({scale_.place(part.from), y(i)}, {scale_.place(part.to), y(i)},
                fmt::format("l{}", static_cast<int>(part.standing)));
  }
}

/// On a wide page the names have left the screen, so they are repeated along the life lines.
void Diagram::draw_names() {
  if (scale_.end() - left_ < 2 * name_every) return;
  for (std::size_t i = 0; i < scene_.lanes.size(); ++i) {
    const std::string name = node_name(scene_.lanes[i]);
    const double half = text_width(name, font_size - 1) / 2;
    for (double at = left_ + name_every; at + name_every / 2 < scale_.end(); at += name_every) {
      svg_.text({at, y(i) - 6}, name, "s o m");
      room_.take(Rectangle{{at - half, y(i) - 15}, {at + half, y(i) - 4}});
    }
  }
}

/// The name of a node before its life line, and what it says in the end behind it.
void Diagram::draw_ends(std::size_t lane) {
  const Lane& node = scene_.lanes[lane];
  const std::string name = node_name(node);
  const double wide = left_ - margin - 14;
  svg_.rect({margin, y(lane) - 12}, wide, 24, "box");
  svg_.text({margin + wide / 2, y(lane) + 4}, name, "t b m");
  const PagePoint at{scale_.end() + 12, y(lane) + 4};
  switch (node.last) {
    case Allegiance::leads:
      draw_sign(svg_, {at.x + 7, at.y - 4}, MarkKind::leads);
      return svg_.text({at.x + 19, at.y}, "leads", "t b");
    case Allegiance::follows:
      return svg_.text(at, fmt::format("follows {}", core::raw(*node.leader)), "t");
    case Allegiance::no_leader:
      return svg_.text(at, "no leader", "t");
    case Allegiance::down:
      return svg_.text(at, "down", "t");
  }
}

Drawn Diagram::place(const Arrow& arrow) const {
  const Flight& f = arrow.flight;
  const double y_a = y(arrow.from);
  const double toward = arrow.to > arrow.from ? 1 : -1;
  const double x_a = scale_.place(f.sent);
  if (f.journey == Journey::no_link) return {{x_a, y_a}, {x_a + 7, y_a + 18 * toward}, true, true};
  const double y_b = y_a + (y(arrow.to) - line_half * toward - y_a) * f.way;
  const Time end = std::max(f.sent, f.ended);
  Drawn out{{x_a, y_a}, {scale_.place(end), y_b}, f.sent >= scene_.from, end <= scene_.edge};
  const auto portion = [&](Time at) {
    return static_cast<double>((at - f.sent).count()) / static_cast<double>((end - f.sent).count());
  };
  if (!out.tail) out.a.y = y_a + (y_b - y_a) * portion(scene_.from);
  if (!out.end) out.b.y = y_a + (y_b - y_a) * portion(scene_.edge);
  return out;
}

void Diagram::draw_arrow(const Arrow& arrow) {
  const Flight& f = arrow.flight;
  const Drawn at = place(arrow);
  const std::string look = kind_look(arrow.kind);
  const bool broken = f.journey == Journey::lost || f.journey == Journey::dropped;
  const bool arrives = f.journey == Journey::delivered && at.end;
  std::string tip = fmt::format("{} from {} to {}: sent {}, {}", f.message, core::raw(f.from),
                                core::raw(f.to), core::to_text(f.sent), core::name_of(f.journey));
  if (f.journey == Journey::delivered || f.journey == Journey::dropped)
    tip += ' ' + core::to_text(f.ended);
  if (!f.why.empty()) tip += fmt::format(" ({})", f.why);
  if (f.copy) tip += " (a second copy)";
  svg_.open("", tip);
  svg_.line(at.a, at.b,
            "a " + look + (broken || f.journey == Journey::under_way ? " f" : "") +
                (arrives ? " h" + look : ""));
  if (at.tail) draw_tail(svg_, at.a, arrow.kind);
  if ((broken || f.journey == Journey::no_link) && at.end) {
    draw_cross(svg_, at.b, look);
    room_.take(Rectangle{{at.b.x - 5, at.b.y - 5}, {at.b.x + 5, at.b.y + 5}});
  }
  svg_.close();
}

/// Leaders stand above a life line, causes below, crashes and restarts on it.
void Diagram::draw_mark(const Mark& mark) {
  const bool leader = mark.kind <= MarkKind::leaderless;
  const bool on_line = mark.kind == MarkKind::crash || mark.kind == MarkKind::restart;
  const double side = leader ? -1 : 1;
  PagePoint at{scale_.place(mark.at), y(mark.lane) + (on_line ? 0 : 14 * side)};
  const auto box = [&] { return Rectangle{{at.x - 6.5, at.y - 6}, {at.x + 6.5, at.y + 6}}; };
  for (int tries = 0; tries < 2 && !on_line; ++tries) {
    const Rectangle taken = box();
    if (room_.free({&taken, 1})) break;
    at.y += 13 * side;
  }
  room_.take(box());
  svg_.open("", observe::step_line(*mark.step));
  draw_sign(svg_, at, mark.kind);
  if (on_line) at.y += 14;  // the label of a crash stands below the line
  if (!mark.label.empty() && !label_mark(mark, at)) ++hidden_marks_;
  svg_.close();
}

bool Diagram::label_mark(const Mark& mark, PagePoint sign) {
  std::vector<std::string> words = shorter_and_shorter(mark.label);
  if (const auto space = mark.label.rfind(' '); space != std::string::npos)
    words.push_back(mark.label.substr(space + 1));  // "follows 5": "5"
  for (const std::string& label : words) {
    const double wide = text_width(label, font_size);
    for (const double from : {sign.x + 10, sign.x - 10 - wide}) {
      const Rectangle box{{from, sign.y - 6}, {from + wide, sign.y + 6}};
      if (from < left_ - 10 || box.high.x > scale_.end() + 10 || !room_.free({&box, 1})) continue;
      room_.take(box);
      svg_.text({from, sign.y + 4}, label, mark.kind == MarkKind::leads ? "t o b" : "t o");
      return true;
    }
  }
  return false;
}

void Diagram::draw_labels() {
  if (scene_.arrows.size() > diagram_labels_max) {
    hidden_ = scene_.arrows.size();
    return;
  }
  for (const Arrow& arrow : scene_.arrows)
    if (!label_arrow(arrow)) ++hidden_;
}

/// The longest wording that fits somewhere along the arrow.
bool Diagram::label_arrow(const Arrow& arrow) {
  Drawn at = place(arrow);
  if (at.b.x < at.a.x) std::swap(at.a, at.b);  // text runs from left to right
  const double dx = at.b.x - at.a.x, dy = at.b.y - at.a.y;
  const double length = std::hypot(dx, dy), angle = std::atan2(dy, dx);
  constexpr double size = font_size - 1, lift = 7;
  for (const std::string& label : shorter_and_shorter(arrow.flight.message)) {
    const double wide = text_width(label, size);
    for (const double part : {0.5, 0.36, 0.64, 0.24, 0.76}) {
      if (wide / 2 + 9 > std::min(part, 1 - part) * length) continue;
      const PagePoint middle{at.a.x + dx * part + lift * std::sin(angle),
                             at.a.y + dy * part - lift * std::cos(angle)};
      const auto boxes = slanted(middle, wide, size, angle);
      if (!room_.free(boxes)) continue;
      room_.take(boxes);
      const PagePoint base{middle.x - 3.5 * std::sin(angle), middle.y + 3.5 * std::cos(angle)};
      svg_.text(base, label, "s o m", angle * 180 / std::numbers::pi);
      return true;
    }
  }
  return false;
}

std::string Diagram::draw_title() {
  const std::string title = fmt::format("{} on {}, seed {}", trace_.header.algorithm,
                                        trace_.header.scenario, trace_.header.seed);
  const auto fit = static_cast<std::size_t>((width() - 40) / 12);
  svg_.text({20, 34}, observe::shortened(observe::one_line(title), fit), "title");
  svg_.text({20, 55},
            fmt::format("{}, {}, {}, from {} to {}. Time runs to the right; arrows lead from "
                        "sender to receiver.",
                        counted(scene_.lanes.size(), "node"), counted(scene_.steps, "step"),
                        counted(scene_.arrows.size(), "message"), core::to_text(scene_.from),
                        core::to_text(scene_.to)),
            "t");
  std::vector<std::string> notes;
  if (hidden_ != 0)
    notes.push_back(fmt::format("labels hidden: {}{}", counted(hidden_, "message"),
                                hidden_marks_ == 0 ? "" : ", " + counted(hidden_marks_, "mark")));
  if (hidden_ == 0 && hidden_marks_ != 0)
    notes.push_back("labels hidden: " + counted(hidden_marks_, "mark"));
  if (!notes.empty()) notes.back() += "; in a browser, point at one to read it";
  if (scene_.elsewhere != 0)
    notes.push_back("not shown: " + counted(scene_.elsewhere, "message") + " with other nodes");
  if (!trace_.complete) notes.push_back("the trace ends early");
  svg_.text({20, 74}, fmt::format("{}", fmt::join(notes, ".  ")), "n");
  return title;
}

}  // namespace

std::string space_time_svg(const Trace& trace, const TraceWindow& window) {
  const Scene scene = make_scene(trace, window);
  return Diagram(trace, scene).draw();
}

}  // namespace bellwether::report
