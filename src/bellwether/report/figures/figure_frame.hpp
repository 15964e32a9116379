// SPDX-License-Identifier: MIT
// What stands around the data of a figure: title, names of the curves, axes and their numbers. It
// decides how much room the data get, and where each value lies.
#pragma once

#include <optional>

#include "bellwether/report/figures/figure.hpp"
#include "bellwether/report/figures/plot_axis.hpp"
#include "bellwether/report/svg.hpp"

namespace bellwether::report {

class FigureFrame {
 public:
  FigureFrame(const Figure& figure, const SvgLook& look);

  /// What lies behind the data, and what lies in front of them.
  void draw_back(Svg& svg) const;
  void draw_front(Svg& svg) const;

  double width() const { return look_.width; }
  double height() const { return height_; }
  double left() const { return left_; }
  double right() const { return right_; }
  double top() const { return top_; }
  double bottom() const { return bottom_; }
  /// The width of a category.
  double slot() const;

  /// Nothing where the axes cannot show it.
  std::optional<PagePoint> place(double x, double value) const;
  std::optional<PagePoint> place_right(double x, double value) const;
  const PlotAxis& y_axis() const { return y_; }

 private:
  struct LegendEntry {
    std::string label;
    std::size_t curve;
    bool grey;  // the area of the right axis
    PagePoint at;
  };
  void choose_axes();
  void choose_x_ticks();
  void lay_out_head();
  void lay_out_legend(double& at);
  void lay_out_foot();
  double x_at(double x) const;
  bool direct_labels() const;
  bool labels_collide() const;
  std::string right_label() const;
  double tick_room(const PlotAxis& axis) const;
  double category_width() const;

  void draw_values(Svg& svg) const;
  void draw_arguments(Svg& svg) const;
  void draw_categories(Svg& svg) const;
  void draw_direct_labels(Svg& svg) const;
  void draw_legend(Svg& svg) const;

  const Figure& figure_;
  SvgLook look_;
  PlotAxis x_;
  PlotAxis y_;
  PlotAxis y2_;
  bool slanted_ = false;  // the names of the categories
  std::vector<std::string> title_;
  std::vector<std::string> foot_;
  std::vector<LegendEntry> legend_;
  double left_ = 0;
  double right_ = 0;
  double top_ = 0;
  double bottom_ = 0;
  double height_ = 0;
};

/// Lines of whole words, each at most `columns` wide; a longer word stands alone.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

/// `wanted` moved apart so that neighbours are at least `gap` away, as little as can be, within the
/// bounds while there is room. The order stays.
std::vector<double> spread(std::vector<double> wanted, double gap, double low, double high);

}  // namespace bellwether::report
