// SPDX-License-Identifier: MIT
#include "bellwether/report/figures/figure_frame.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bellwether/observe/trace/text.hpp"
#include "bellwether/report/figures/figure_axes.hpp"
#include "bellwether/report/figures/figure_style.hpp"
#include "bellwether/report/labels.hpp"

namespace bellwether::report {
namespace {

constexpr double font = 12;
constexpr double row = 19;    // of the legend
constexpr double inset = 14;  // between the first value and the edge of the plot
constexpr double widest_name = 190;
constexpr std::size_t longest_category = 24;
constexpr double slant = 32;  // degrees

bool narrow(const SvgLook& look) {
  return look.width < 560;
}

double label_width(std::string_view text) {
  return text_width(text, font);
}

/// As many columns as fit.
std::string fitting(std::string_view text, double width) {
  return observe::shortened(observe::one_line(text),
                            static_cast<std::size_t>(std::max(3.0, width / (0.6 * font))));
}

/// Whether labels in the middle of their places leave a gap between each other.
bool apart(const std::vector<AxisTick>& ticks, const auto& place) {
  for (std::size_t i = 1; i < ticks.size(); ++i) {
    const double needed = (label_width(ticks[i - 1].label) + label_width(ticks[i].label)) / 2 + 8;
    if (place(ticks[i].value) - place(ticks[i - 1].value) < needed) return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
  const std::string line = observe::one_line(text);
  std::vector<std::string> out;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    const std::string word = line.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    if (out.empty() || observe::columns(out.back()) + 1 + observe::columns(word) > columns)
      out.push_back(word);
    else
      out.back() += ' ' + word;
  }
  return out;
}

std::vector<double> spread(std::vector<double> wanted, double gap, double low, double high) {
  // Neighbours that are too close become a block, which stands where its members want to be on
  // average; blocks that come too close become one.
  struct LabelCluster {
    double middle;
    std::size_t count;
  };
  std::vector<LabelCluster> blocks;
  const auto half = [&](const LabelCluster& block) {
    return gap * static_cast<double>(block.count) / 2;
  };
  for (const double at : wanted) {
    blocks.push_back({at, 1});
    while (blocks.size() > 1) {
      const LabelCluster last = blocks.back(), before = blocks[blocks.size() - 2];
      if (before.middle + half(before) <= last.middle - half(last)) break;
      const auto n = static_cast<double>(before.count), m = static_cast<double>(last.count);
      blocks.pop_back();
      blocks.back() = {(before.middle * n + last.middle * m) / (n + m), before.count + last.count};
    }
  }
  std::vector<double> out;
  for (const LabelCluster& block : blocks)
    for (std::size_t i = 0; i < block.count; ++i)
      out.push_back(block.middle - half(block) + gap * (static_cast<double>(i) + 0.5));
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = std::max(out[i], i == 0 ? low : out[i - 1] + gap);
  for (std::size_t i = out.size(); i-- > 0;)
    out[i] = std::min(out[i], i + 1 == out.size() ? high : out[i + 1] - gap);
  return out;
}

FigureFrame::FigureFrame(const Figure& figure, const SvgLook& look) : figure_(figure), look_(look) {
  choose_axes();
  lay_out_head();
  bottom_ = top_ + (narrow(look_) ? 240 : 300);
  choose_x_ticks();
  lay_out_foot();
}

bool FigureFrame::direct_labels() const {
  const std::size_t count = figure_.curves.size();
  const bool all_named = std::all_of(figure_.curves.begin(), figure_.curves.end(), [](auto& curve) {
    const auto& samples = curve.samples;
    return !curve.label.empty() && label_width(curve.label) <= widest_name &&
           std::any_of(samples.begin(), samples.end(),
                       [](const Sample& sample) { return std::isfinite(sample.mean); });
  });
  return figure_.kind == Drawing::lines && figure_.categories.empty() && figure_.right.empty() &&
         count >= 2 && count <= 7 && all_named && !narrow(look_);
}

double FigureFrame::tick_room(const PlotAxis& axis) const {
  double widest = 0;
  for (const AxisTick& tick : axis.ticks) widest = std::max(widest, label_width(tick.label));
  return widest + 12;
}

void FigureFrame::choose_axes() {
  FigureAxes axes = figure_axes(figure_, narrow(look_) ? 6 : 7);
  x_ = std::move(axes.x);
  y_ = std::move(axes.y);
  y2_ = std::move(axes.y2);
  left_ = tick_room(y_) + 2;
  right_ = look_.width - (figure_.right.empty() ? inset : tick_room(y2_) + 2);
  if (!direct_labels()) return;
  double widest = 0;
  for (const Curve& curve : figure_.curves) widest = std::max(widest, label_width(curve.label));
  right_ = look_.width - widest - 34;
}

std::string FigureFrame::right_label() const {
  return figure_.y2.label + (figure_.right.size() > 1 ? ", dotted" : "");
}

bool FigureFrame::labels_collide() const {
  return !figure_.right.empty() &&
         label_width(figure_.y.label) + 16 + label_width(right_label()) > look_.width;
}

void FigureFrame::lay_out_head() {
  double at = 6;
  const auto columns = static_cast<std::size_t>((look_.width - 8) / (0.56 * 16));
  if (look_.standalone) title_ = wrapped(figure_.title, columns);
  at += 22 * static_cast<double>(title_.size()) + (title_.empty() ? 0 : 6);
  if (!direct_labels()) lay_out_legend(at);
  if (!figure_.y.label.empty() || !figure_.right.empty()) at += 22;
  top_ = at + (labels_collide() ? 18 : 0) + 10;
}

void FigureFrame::lay_out_legend(double& at) {
  const auto add = [&](const Curve& curve, std::size_t number, bool grey) {
    if (!curve.label.empty())
      legend_.push_back({curve.label, curve.look.value_or(number), grey, {}});
  };
  for (std::size_t i = 0; i < figure_.curves.size(); ++i) add(figure_.curves[i], i, false);
  if (figure_.right.size() == 1) add(figure_.right[0], 0, true);
  if (legend_.empty()) return;
  double x = 2;
  for (LegendEntry& entry : legend_) {
    entry.label = fitting(entry.label, look_.width - 40);
    const double needed = 32 + label_width(entry.label) + 12;
    if (x > 2 && x + needed - 12 > look_.width) {
      x = 2;
      at += row;
    }
    entry.at = {x, at + row / 2};
    x += needed;
  }
  at += row + 4;
}

double FigureFrame::slot() const {
  return (right_ - left_) /
         static_cast<double>(std::max<std::size_t>(figure_.categories.size(), 1));
}

double FigureFrame::category_width() const {
  double widest = 0;
  for (const std::string& name : figure_.categories)
    widest = std::max(widest,
                      label_width(observe::shortened(observe::one_line(name), longest_category)));
  return widest;
}

void FigureFrame::choose_x_ticks() {
  if (!figure_.categories.empty()) {
    slanted_ = category_width() > slot() - 6;
    // Slanted names begin to the left of their place.
    if (slanted_) {
      const double reach = category_width() * std::cos(slant * std::numbers::pi / 180);
      left_ = std::max(left_, std::min(reach - slot() / 2, look_.width / 4));
    }
    return;
  }
  const auto place = [&](double x) { return x_at(x); };
  std::vector<AxisTick> own = ticks_at(all_x(figure_));
  std::erase_if(own, [&](const AxisTick& tick) { return !x_.shows(tick.value); });
  if (figure_.kind == Drawing::lines && !own.empty() && own.size() <= 12 && apart(own, place)) {
    x_.ticks = std::move(own);
    return;
  }
  for (std::size_t most = 11; most >= 2; --most) {
    x_.ticks = round_ticks(x_, most);
    if (apart(x_.ticks, place)) return;
  }
}

void FigureFrame::lay_out_foot() {
  double at = bottom_ + 22;
  if (slanted_) at += category_width() * std::sin(slant * std::numbers::pi / 180);
  if (!figure_.x.label.empty()) at += 20;
  if (look_.standalone) {
    const auto columns = static_cast<std::size_t>((look_.width - 4) / (0.56 * 11));
    for (const std::string& text : {figure_.note, figure_.band + ' ' + axis_remark(figure_)})
      for (std::string& line : wrapped(text, columns)) foot_.push_back(std::move(line));
  }
  height_ = at + 16 * static_cast<double>(foot_.size()) + (foot_.empty() ? 4 : 12);
}

double FigureFrame::x_at(double x) const {
  if (!figure_.categories.empty()) return left_ + (x + 0.5) * slot();
  // Time fills the plot; measured values stand free of its edges.
  const double edge = figure_.kind == Drawing::series ? 0 : inset;
  return left_ + edge + x_.share(x) * (right_ - left_ - 2 * edge);
}

std::optional<PagePoint> FigureFrame::place(double x, double value) const {
  const bool shown = figure_.categories.empty() ? x_.shows(x) : std::isfinite(x);
  if (!shown || !y_.shows(value)) return {};
  return PagePoint{x_at(x), bottom_ - y_.share(value) * (bottom_ - top_)};
}

std::optional<PagePoint> FigureFrame::place_right(double x, double value) const {
  if (!y2_.shows(value) || (figure_.categories.empty() && !x_.shows(x))) return {};
  return PagePoint{x_at(x), bottom_ - y2_.share(value) * (bottom_ - top_)};
}

void FigureFrame::draw_back(Svg& svg) const {
  for (std::size_t i = 0; i < title_.size(); ++i)
    svg.text({2, 22 + 22 * static_cast<double>(i)}, title_[i], "title");
  for (const AxisTick& tick : y_.ticks) {
    const double y = bottom_ - y_.share(tick.value) * (bottom_ - top_);
    svg.line({left_, y}, {right_, y}, "grid");
  }
}

void FigureFrame::draw_front(Svg& svg) const {
  draw_values(svg);
  figure_.categories.empty() ? draw_arguments(svg) : draw_categories(svg);
  direct_labels() ? draw_direct_labels(svg) : draw_legend(svg);
  if (!figure_.x.label.empty()) {
    const double below = foot_.empty() ? 9 : 17 + 16 * static_cast<double>(foot_.size());
    svg.text({(left_ + right_) / 2, height_ - below}, fitting(figure_.x.label, look_.width),
             "label m");
  }
  for (std::size_t i = 0; i < foot_.size(); ++i)
    svg.text({2, height_ - 8 - 16 * static_cast<double>(foot_.size() - 1 - i)}, foot_[i], "small");
}

void FigureFrame::draw_values(Svg& svg) const {
  const auto middle = [&](const PlotAxis& axis, double value) {
    return bottom_ - axis.share(value) * (bottom_ - top_) + 4;
  };
  for (const AxisTick& tick : y_.ticks)
    svg.text({left_ - 8, middle(y_, tick.value)}, tick.label, "tick e");
  svg.text({2, top_ - 14 - (labels_collide() ? 18 : 0)}, fitting(figure_.y.label, look_.width),
           "label");
  if (figure_.right.empty()) return;
  for (const AxisTick& tick : y2_.ticks)
    svg.text({right_ + 8, middle(y2_, tick.value)}, tick.label, "tick");
  svg.text({look_.width - 2, top_ - 14}, fitting(right_label(), look_.width), "tick e");
}

void FigureFrame::draw_arguments(Svg& svg) const {
  svg.line({left_, bottom_}, {right_, bottom_}, "axis");
  for (const AxisTick& tick : x_.ticks) {
    const double x = x_at(tick.value);
    svg.line({x, bottom_}, {x, bottom_ + 4}, "axis");
    // The last number of a full axis would leave the page.
    const double half = label_width(tick.label) / 2;
    const double middle = std::clamp(x, half, std::max(half, look_.width - half));
    svg.text({middle, bottom_ + 18}, tick.label, "tick m");
  }
}

void FigureFrame::draw_categories(Svg& svg) const {
  // Bars stand on zero.
  const double base = y_.log ? y_.low : std::clamp(0.0, y_.low, y_.high);
  const double ground =
      figure_.kind == Drawing::bars ? bottom_ - y_.share(base) * (bottom_ - top_) : bottom_;
  svg.line({left_, ground}, {right_, ground}, "axis");
  // Slanted lines of text are nearer to each other than their beginnings.
  const double needed = slanted_ ? 14 / std::sin(slant * std::numbers::pi / 180) : 0;
  const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil(needed / slot())));
  for (std::size_t i = 0; i < figure_.categories.size(); i += every) {
    const std::string name =
        observe::shortened(observe::one_line(figure_.categories[i]), longest_category);
    const double x = x_at(static_cast<double>(i));
    slanted_ ? svg.text({x + 4, bottom_ + 15}, name, "tick e", -slant)
             : svg.text({x, bottom_ + 18}, name, "tick m");
  }
}

void FigureFrame::draw_direct_labels(Svg& svg) const {
  struct CurveEnd {
    PagePoint at;
    std::size_t curve;
  };
  std::vector<CurveEnd> ends;
  for (std::size_t i = 0; i < figure_.curves.size(); ++i) {
    std::optional<PagePoint> last;
    for (const Sample& sample : figure_.curves[i].samples)
      if (const auto at = place(sample.x, sample.mean); at && (!last || at->x >= last->x))
        last = at;
    ends.push_back({last.value_or(PagePoint{right_, bottom_}), i});
  }
  std::stable_sort(ends.begin(), ends.end(),
                   [](const CurveEnd& a, const CurveEnd& b) { return a.at.y < b.at.y; });
  std::vector<double> wanted;
  for (const CurveEnd& end : ends) wanted.push_back(end.at.y);
  const std::vector<double> places = spread(wanted, 18, top_ + 6, bottom_ - 6);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const PagePoint sign{right_ + 14, places[i]};
    svg.line({ends[i].at.x + 7, ends[i].at.y}, {sign.x - 7, sign.y},
             "leader k" + std::to_string(look_of(figure_, ends[i].curve) % palette_size));
    draw_marker(svg, sign, look_of(figure_, ends[i].curve));
    svg.text({sign.x + 10, sign.y + 4}, figure_.curves[ends[i].curve].label, "name");
  }
}

void FigureFrame::draw_legend(Svg& svg) const {
  for (const LegendEntry& entry : legend_) {
    const PagePoint at = entry.at;
    if (entry.grey) {
      svg.rect({at.x, at.y - 6}, 24, 12, "shade");
    } else if (figure_.kind == Drawing::bars) {
      svg.rect({at.x + 3, at.y - 7}, 18, 14, bar_look(entry.curve));
      if (figure_.curves.size() > 1) draw_bar_sign(svg, {at.x + 12, at.y}, entry.curve);
    } else {
      svg.line({at.x, at.y}, {at.x + 24, at.y}, "curve " + line_look(entry.curve));
      draw_marker(svg, {at.x + 12, at.y}, entry.curve);
    }
    svg.text({at.x + 31, at.y + 4}, entry.label, "name");
  }
}

}  // namespace bellwether::report
