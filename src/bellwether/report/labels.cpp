// SPDX-License-Identifier: MIT
#include "bellwether/report/labels.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "bellwether/observe/trace/text.hpp"

namespace bellwether::report {
namespace {

constexpr double cell = 64;

bool overlap(const Rectangle& a, const Rectangle& b) {
  return a.low.x < b.high.x && b.low.x < a.high.x && a.low.y < b.high.y && b.low.y < a.high.y;
}

std::size_t cell_of(double at, std::size_t count) {
  return static_cast<std::size_t>(std::clamp(at / cell, 0.0, static_cast<double>(count - 1)));
}

/// Values without their names: "id=5 hops=2" becomes "5 2".
std::string without_names(std::string_view text) {
  std::string out;
  std::size_t word = 0;  // where the word under way begins
  for (const char c : text) {
    if (c == '=') {
      out.resize(word);
    } else {
      out += c;
      if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '-')
        word = out.size();
    }
  }
  return out;
}

}  // namespace

FreeSpace::FreeSpace(double width, double height)
    : wide_(static_cast<std::size_t>(width / cell) + 1),
      high_(static_cast<std::size_t>(height / cell) + 1),
      taken_(wide_ * high_) {}

template <class Visit>
void FreeSpace::cells(const Rectangle& box, Visit&& visit) const {
  const std::size_t right = cell_of(box.high.x, wide_), below = cell_of(box.high.y, high_);
  for (std::size_t y = cell_of(box.low.y, high_); y <= below; ++y)
    for (std::size_t x = cell_of(box.low.x, wide_); x <= right; ++x) visit(y * wide_ + x);
}

bool FreeSpace::free(std::span<const Rectangle> boxes) const {
  bool out = true;
  for (const Rectangle& box : boxes)
    cells(box, [&](std::size_t i) {
      out = out && std::none_of(taken_[i].begin(), taken_[i].end(),
                                [&](const Rectangle& other) { return overlap(box, other); });
    });
  return out;
}

void FreeSpace::take(std::span<const Rectangle> boxes) {
  for (const Rectangle& box : boxes) cells(box, [&](std::size_t i) { taken_[i].push_back(box); });
}

double text_width(std::string_view text, double font_size) {
  return 0.6 * font_size * static_cast<double>(observe::columns(text));
}

std::vector<Rectangle> slanted(PagePoint centre, double width, double height, double radians) {
  const auto count = static_cast<std::size_t>(width / height) + 1;
  const double part = width / static_cast<double>(count);
  const double cos = std::abs(std::cos(radians)), sin = std::abs(std::sin(radians));
  const double half_x = (part * cos + height * sin) / 2;
  const double half_y = (part * sin + height * cos) / 2;
  std::vector<Rectangle> out;
  for (std::size_t i = 0; i < count; ++i) {
    const double along = (static_cast<double>(i) + 0.5) * part - width / 2;
    const PagePoint at{centre.x + along * std::cos(radians), centre.y + along * std::sin(radians)};
    out.push_back({{at.x - half_x, at.y - half_y}, {at.x + half_x, at.y + half_y}});
  }
  return out;
}

std::vector<std::string> shorter_and_shorter(std::string_view message) {
  const std::string all = observe::one_line(message);
  std::vector<std::string> out{all};
  const std::size_t open = all.find('(');
  if (open == std::string::npos || all.back() != ')') return out;
  const std::string kind = all.substr(0, open);
  const std::string values = without_names(all.substr(open + 1, all.size() - open - 2));
  out[0] = values.empty() ? kind : all;
  if (!values.empty()) out.push_back(kind + ' ' + values);
  if (!values.empty() && !kind.empty()) out.push_back(kind);
  return out;
}

}  // namespace bellwether::report
