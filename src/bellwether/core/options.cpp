// SPDX-License-Identifier: MIT
#include "bellwether/core/options.hpp"

#include <charconv>
#include <cmath>

#include "bellwether/core/time.hpp"

namespace bellwether::core::detail {
namespace {

/// All of the text, or nothing.
template <class Number>
bool read_all(std::string_view text, Number& value) {
  Number v{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
  if (error != std::errc{} || end != text.data() + text.size()) return false;
  value = v;
  return true;
}

/// "24 h", which says more than "86400 s".
std::string in_hours(const std::string& duration) {
  const Duration all = parse_duration(duration).value_or(Duration{});
  const auto whole = std::chrono::floor<std::chrono::hours>(all);
  return whole > Duration{} && whole == all ? std::to_string(whole.count()) + " h" : duration;
}

}  // namespace

std::string OptionReader::one_of(std::span<const std::string_view> names) {
  std::string out = "one of ";
  bool first = true;
  for (const std::string_view name : names) {
    out += first ? "" : ", ";
    out += name;
    first = false;
  }
  return out;
}

std::string OptionReader::between(std::string what, const std::string& least,
                                  const std::string& most, bool or_zero) {
  return std::move(what) + (or_zero ? ": 0, or from " : " from ") + least + " to " + most;
}

std::string OptionReader::ranged(DurationField, const std::string& least, const std::string& most,
                                 bool or_zero) {
  return between("a duration", in_hours(least), in_hours(most), or_zero);
}
std::string OptionReader::ranged(UnsignedField, const std::string& least, const std::string& most,
                                 bool or_zero) {
  return between("a whole number", least, most, or_zero);
}
std::string OptionReader::ranged(RealField, const std::string& least, const std::string& most,
                                 bool or_zero) {
  return between("a number", least, most, or_zero);
}

bool OptionReader::whole(std::string_view text, std::uint64_t& value) {
  return read_all(text, value);
}
bool OptionReader::whole(std::string_view text, std::int64_t& value) {
  return read_all(text, value);
}

bool OptionReader::read(FlagField, std::string_view text, bool& value) {
  if (text != "true" && text != "false") return false;
  value = text == "true";
  return true;
}

bool OptionReader::read(DurationField, std::string_view text, Duration& value) {
  const auto d = parse_duration(text);
  if (!d || *d < Duration{0}) return false;
  value = *d;
  return true;
}

bool OptionReader::read(RealField, std::string_view text, double& value) {
  double v = 0;
  if (!read_all(text, v) || !std::isfinite(v)) return false;
  value = v;
  return true;
}

}  // namespace bellwether::core::detail
