// SPDX-License-Identifier: MIT
// Labels where there is room.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bellwether/report/svg.hpp"

namespace bellwether::report {

struct Rectangle {
  PagePoint low;
  PagePoint high;
};

/// Which parts of the page are taken.
class FreeSpace {
 public:
  FreeSpace(double width, double height);
  bool free(std::span<const Rectangle> boxes) const;
  void take(std::span<const Rectangle> boxes);
  void take(const Rectangle& box) { take(std::span<const Rectangle>(&box, 1)); }

 private:
  template <class Visit>
  void cells(const Rectangle& box, Visit&& visit) const;

  std::size_t wide_;
  std::size_t high_;
  std::vector<std::vector<Rectangle>> taken_;  // by cells of a coarse grid
};

/// About how wide `text` is in the fonts that browsers take for sans-serif.
double text_width(std::string_view text, double font_size);

/// The area of a label of this width that runs through `centre` at an angle, as a row of boxes.
std::vector<Rectangle> slanted(PagePoint centre, double width, double height, double radians);

/// A message from long to short: "token(id=5)", "token 5", "token".
std::vector<std::string> shorter_and_shorter(std::string_view message);

}  // namespace bellwether::report
