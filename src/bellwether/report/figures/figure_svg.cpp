// SPDX-License-Identifier: MIT
// The data of a figure, drawn into its frame.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bellwether/report/figures/figure.hpp"
#include "bellwether/report/figures/figure_frame.hpp"
#include "bellwether/report/figures/figure_style.hpp"
#include "bellwether/report/tables/units.hpp"

namespace bellwether::report {
namespace {

constexpr double marker_room = 11;  // nearer markers would hide each other
constexpr double sparse_room = 90;
constexpr double widest_bar = 56;
constexpr double narrowest_numbered_bar = 36;

/// Neighbouring samples that can all be drawn.
using Stretch = std::vector<Sample>;

std::string words(const Figure& figure, const Curve& curve, const Sample& sample) {
  const std::string x = x_text(figure, sample.x);
  std::string out = curve.label.empty() ? x : fmt::format("{}, {}", curve.label, x);
  out += ": " + human_number(sample.mean);
  if (sample.low < sample.high)
    out += fmt::format(" ({} to {})", human_number(sample.low), human_number(sample.high));
  return out;
}

bool has_bounds(const Sample& sample) {
  return std::isfinite(sample.low) && std::isfinite(sample.high) && sample.low < sample.high;
}

class Plot {
 public:
  Plot(const Figure& figure, const SvgLook& look)
      : figure_(figure), look_(look), frame_(figure, look) {}

  std::string draw() {
    draw_right();
    frame_.draw_back(svg_);
    switch (figure_.kind) {
      case Drawing::bars:
        draw_bars();
        break;
      case Drawing::lines:
        figure_.categories.empty() ? draw_curves() : draw_dots();
        break;
      case Drawing::series:
        draw_curves();
    }
    frame_.draw_front(svg_);
    if (empty())
      svg_.text({(frame_.left() + frame_.right()) / 2, (frame_.top() + frame_.bottom()) / 2},
                "no data", "label m");
    if (!look_.standalone)
      return svg_.element(frame_.width(), frame_.height(), figure_.title, "fig");
    return svg_.finish(frame_.width(), frame_.height(), figure_.title, standalone_figure_style(),
                       "");
  }

 private:
  bool empty() const;
  std::vector<Stretch> stretches(const Curve& curve) const;
  void draw_right();
  void draw_curves();
  void draw_band(const Stretch& stretch, std::size_t curve);
  void draw_markers(const Curve& curve, std::size_t number);
  void draw_dots();
  void draw_bars();
  void draw_bar(const Sample& sample, std::size_t curve, PagePoint corner, double width,
                bool numbered);
  int decimals() const;
  void draw_whisker(const Sample& sample, double x, std::string_view look);
  std::string step_path(const Curve& curve, bool area) const;

  const Figure& figure_;
  const SvgLook& look_;
  FigureFrame frame_;
  Svg svg_;
};

void append(std::string& path, char command, PagePoint at) {
  path += fmt::format("{}{:.1f} {:.1f}", command, at.x, at.y);
}

bool Plot::empty() const {
  return std::all_of(figure_.curves.begin(), figure_.curves.end(),
                     [&](const Curve& curve) { return stretches(curve).empty(); });
}

std::vector<Stretch> Plot::stretches(const Curve& curve) const {
  std::vector<Stretch> out;
  bool open = false;
  for (const Sample& sample : curve.samples) {
    const bool shown = frame_.place(sample.x, sample.mean).has_value();
    if (shown && !open) out.emplace_back();
    if (shown) out.back().push_back(sample);
    open = shown;
  }
  return out;
}

/// A value holds for the interval that ends with it.
std::string Plot::step_path(const Curve& curve, bool area) const {
  std::string path;
  const double first = curve.samples.size() > 1
                           ? curve.samples[0].x - (curve.samples[1].x - curve.samples[0].x)
                           : 0.0;
  double from = std::max(first, 0.0);
  bool open = false;
  double last = 0;
  const auto close = [&] {
    if (open && area) path += fmt::format("L{:.1f} {:.1f}Z", last, frame_.bottom());
    open = false;
  };
  for (const Sample& sample : curve.samples) {
    const auto end = frame_.place_right(sample.x, sample.mean);
    const auto begin = frame_.place_right(from, sample.mean);
    from = sample.x;
    if (!end || !begin) {
      close();
      continue;
    }
    if (!open && area) append(path, 'M', {begin->x, frame_.bottom()});
    append(path, open || area ? 'L' : 'M', *begin);
    append(path, 'L', *end);
    open = true;
    last = end->x;
  }
  close();
  return path;
}

void Plot::draw_right() {
  // One curve is the background of all; several belong to the curves of the same place.
  const bool area = figure_.right.size() == 1;
  for (std::size_t i = 0; i < figure_.right.size(); ++i) {
    const std::string path = step_path(figure_.right[i], area);
    if (!path.empty())
      svg_.path(path, area ? "shade" : "step " + line_look(figure_.right[i].look.value_or(i)));
  }
}

void Plot::draw_curves() {
  for (std::size_t i = 0; i < figure_.curves.size(); ++i)
    for (const Stretch& stretch : stretches(figure_.curves[i]))
      draw_band(stretch, look_of(figure_, i));
  for (std::size_t i = 0; i < figure_.curves.size(); ++i) {
    std::string path;
    for (const Stretch& stretch : stretches(figure_.curves[i])) {
      for (std::size_t k = 0; k < stretch.size() && stretch.size() > 1; ++k)
        append(path, k == 0 ? 'M' : 'L', *frame_.place(stretch[k].x, stretch[k].mean));
      if (stretch.size() == 1)
        draw_whisker(stretch[0], frame_.place(stretch[0].x, stretch[0].mean)->x,
                     "whisker " + line_look(look_of(figure_, i)));
    }
    if (!path.empty()) svg_.path(path, "curve " + line_look(look_of(figure_, i)));
  }
  for (std::size_t i = 0; i < figure_.curves.size(); ++i) draw_markers(figure_.curves[i], i);
}

void Plot::draw_band(const Stretch& stretch, std::size_t curve) {
  const bool any = std::any_of(stretch.begin(), stretch.end(), has_bounds);
  if (stretch.size() < 2 || !any) return;
  // Where one run has no interval the band shrinks to the curve.
  const auto bound = [&](const Sample& sample, double value) {
    const double shown = !has_bounds(sample)            ? sample.mean
                         : frame_.y_axis().shows(value) ? value
                                                        : frame_.y_axis().low;
    return *frame_.place(sample.x, shown);
  };
  std::string path;
  for (std::size_t k = 0; k < stretch.size(); ++k)
    append(path, k == 0 ? 'M' : 'L', bound(stretch[k], stretch[k].high));
  for (std::size_t k = stretch.size(); k-- > 0;)
    append(path, 'L', bound(stretch[k], stretch[k].low));
  svg_.path(path + 'Z', band_look(curve));
}

/// All samples, where they fit; else as many as tell the curves apart.
void Plot::draw_markers(const Curve& curve, std::size_t number) {
  const auto count = static_cast<double>(std::max<std::size_t>(curve.samples.size(), 1));
  const bool fit = (frame_.right() - frame_.left()) / count >= marker_room;
  const auto curves = static_cast<double>(figure_.curves.size());
  // Curves begin their markers at different places, so that these do not meet.
  const double offset = sparse_room * (static_cast<double>(number) + 0.5) / curves;
  double next = fit ? 0 : frame_.left() + offset;
  for (const Stretch& stretch : stretches(curve))
    for (const Sample& sample : stretch) {
      const PagePoint at = *frame_.place(sample.x, sample.mean);
      // A value between gaps has no line that shows it; a lone curve needs no other marks.
      const bool alone = stretch.size() == 1;
      if (!fit && !alone && (at.x < next || figure_.curves.size() == 1)) continue;
      if (!fit && !alone) next = at.x + sparse_room;
      svg_.open("", words(figure_, curve, sample));
      draw_marker(svg_, at, look_of(figure_, number));
      svg_.close();
    }
}

void Plot::draw_whisker(const Sample& sample, double x, std::string_view look) {
  if (!has_bounds(sample)) return;
  const auto high = frame_.place(sample.x, sample.high);
  if (!high) return;
  const double low =
      frame_.y_axis().shows(sample.low) ? frame_.place(sample.x, sample.low)->y : frame_.bottom();
  svg_.path(fmt::format("M{0:.1f} {2:.1f}H{1:.1f}M{0:.1f} {3:.1f}H{1:.1f}M{4:.1f} {2:.1f}V{3:.1f}",
                        x - 4, x + 4, high->y, low, x),
            look);
}

/// Categories have no order that a line could follow: a dot each, side by side.
void Plot::draw_dots() {
  const auto count = static_cast<double>(figure_.curves.size());
  const double gap = std::min(16.0, frame_.slot() * 0.8 / count);
  for (std::size_t i = 0; i < figure_.curves.size(); ++i)
    for (const Sample& sample : figure_.curves[i].samples) {
      auto at = frame_.place(sample.x, sample.mean);
      if (!at) continue;
      at->x += gap * (static_cast<double>(i) - (count - 1) / 2);
      draw_whisker(sample, at->x, "whisker " + line_look(look_of(figure_, i)));
      svg_.open("", words(figure_, figure_.curves[i], sample));
      draw_marker(svg_, *at, look_of(figure_, i));
      svg_.close();
    }
}

void Plot::draw_bars() {
  const auto count = static_cast<double>(figure_.curves.size());
  const double width = std::min(widest_bar, frame_.slot() * 0.8 / count);
  for (std::size_t i = 0; i < figure_.curves.size(); ++i)
    for (const Sample& sample : figure_.curves[i].samples) {
      const auto at = frame_.place(sample.x, sample.mean);
      if (!at) continue;
      const double left = at->x + width * (static_cast<double>(i) - count / 2);
      svg_.open("bar", words(figure_, figure_.curves[i], sample));
      draw_bar(sample, look_of(figure_, i), {left, at->y}, width, width >= narrowest_numbered_bar);
      svg_.close();
    }
}

/// All numbers on bars have the same digits after the point; the largest shows three digits.
int Plot::decimals() const {
  const double largest = std::max(std::abs(frame_.y_axis().low), std::abs(frame_.y_axis().high));
  return std::clamp(2 - static_cast<int>(std::floor(std::log10(largest * 0.999))), 0, 9);
}

void Plot::draw_bar(const Sample& sample, std::size_t curve, PagePoint corner, double width,
                    bool numbered) {
  const PlotAxis& axis = frame_.y_axis();
  const double base = axis.log ? axis.low : std::clamp(0.0, axis.low, axis.high);
  const double ground = frame_.place(sample.x, base)->y;
  const double gap = std::min(1.5, width / 6);
  const double high = std::min(ground, corner.y), length = std::abs(ground - corner.y);
  svg_.rect({corner.x + gap, high}, width - 2 * gap, length, bar_look(curve));
  const double middle = corner.x + width / 2;
  if (figure_.curves.size() > 1 && width >= 13 && length >= 18)
    draw_bar_sign(svg_, {middle, ground + (ground > corner.y ? -9 : 9)}, curve);
  draw_whisker(sample, middle, "onbar");
  if (!numbered || corner.y > ground) return;
  double above = corner.y;
  if (has_bounds(sample))
    if (const auto top = frame_.place(sample.x, sample.high)) above = std::min(above, top->y);
  svg_.text({middle, above - 5}, with_decimals(sample.mean, decimals()), "small m halo");
}

}  // namespace

std::string x_text(const Figure& figure, double x) {
  const bool category = x >= 0 && x < static_cast<double>(figure.categories.size());
  return category ? figure.categories[static_cast<std::size_t>(x)] : human_number(x);
}

std::string figure_svg(const Figure& figure, const SvgLook& look) {
  return Plot(figure, look).draw();
}

}  // namespace bellwether::report
