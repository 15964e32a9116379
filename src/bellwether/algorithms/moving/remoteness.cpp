// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/remoteness.hpp"

#include <charconv>
#include <limits>

namespace bellwether::algorithms {

std::uint32_t Remoteness::of(std::size_t level) const {
  const Levels& levels = *levels_;
  std::size_t named = 1;
  while (named < most_levels && levels[named] > 0) ++named;
  return std::max<std::uint32_t>(levels[std::clamp<std::size_t>(level, 1, named) - 1], 1);
}

std::uint64_t Remoteness::hops(std::size_t level) const {
  std::uint64_t product = 1;
  for (std::size_t k = 1; k <= level; ++k)
    if (__builtin_mul_overflow(product, std::uint64_t{of(k)} + 1, &product))
      return std::numeric_limits<std::uint64_t>::max();
  return product - 1;
}

std::string Remoteness::kind() {
  return "a whole number from 1 to " + std::to_string(most) + ", or up to " +
         std::to_string(most_levels) +
         " of them, one per level, such as [3, 2]; with 0 every node would lead itself";
}

bool Remoteness::read(std::string_view text, Remoteness& value) {
  const auto trim = [](std::string_view& t) {
    while (!t.empty() && t.front() == ' ') t.remove_prefix(1);
    while (!t.empty() && t.back() == ' ') t.remove_suffix(1);
  };
  trim(text);
  const bool bracket = text.starts_with('[');
  if (bracket != text.ends_with(']')) return false;
  if (bracket) text = text.substr(1, text.size() - 2);
  Levels out{};
  for (std::size_t k = 0; k < most_levels; ++k) {
    const std::size_t comma = text.find(',');
    std::string_view each = text.substr(0, comma);
    trim(each);
    std::uint16_t r = 0;
    const auto [end, error] = std::from_chars(each.data(), each.data() + each.size(), r);
    if (error != std::errc{} || end != each.data() + each.size() || r == 0) return false;
    out[k] = r;
    if (comma == text.npos) {
      value.levels_ = core::Shared(out);
      return true;
    }
    text.remove_prefix(comma + 1);
  }
  return false;
}

std::string Remoteness::text() const {
  const Levels& levels = *levels_;
  std::string out = std::to_string(levels[0]);
  for (std::size_t k = 1; k < most_levels && levels[k] > 0; ++k)
    out += ", " + std::to_string(levels[k]);
  return levels[1] > 0 ? '[' + out + ']' : out;
}

}  // namespace bellwether::algorithms
