// SPDX-License-Identifier: MIT
#include "bellwether/scenario/kinds.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "bellwether/core/nearest.hpp"
#include "bellwether/core/problem.hpp"

namespace bellwether::scenario {
namespace {

/// Whole numbers will do where any number does.
std::optional<double> number_of(const Value& value) {
  if (const auto* whole = value.as<std::int64_t>()) return static_cast<double>(*whole);
  if (const auto* number = value.as<double>()) return *number;
  return std::nullopt;
}

std::optional<double> bare_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string not_of(const std::string& kind, const Value& value) {
  return "must be " + kind + ", not " + shown(value);
}

}  // namespace

void refuse(const std::string& kind, const Value& value) {
  throw core::Problem(not_of(kind, value));
}

void refuse_name(std::string_view what, std::string_view word,
                 std::span<const std::string_view> known) {
  throw core::Problem(
      core::unknown_name(what, word, std::vector<std::string>(known.begin(), known.end())));
}

bool FlagKind::read(const Value& value) const {
  const auto* flag = value.as<bool>();
  if (!flag) refuse(kind(), value);
  return *flag;
}

std::string TextKind::read(const Value& value) const {
  const auto* text = value.as<std::string>();
  if (!text) throw core::Problem("must be text in quotes, not " + shown(value));
  return *text;
}

std::uint64_t WholeKind::read(const Value& value) const {
  const auto* whole = value.as<std::int64_t>();
  if (!whole || *whole < 0 || static_cast<std::uint64_t>(*whole) >> bits != 0)
    refuse(kind(), value);
  return static_cast<std::uint64_t>(*whole);
}

double ShareKind::read(const Value& value) const {
  const auto number = number_of(value);
  if (!number || !(*number >= 0 && *number <= 1)) refuse(kind(), value);
  return *number;
}

double AmountKind::read(const Value& value) const {
  const auto number = number_of(value);
  if (!number || !(*number >= 0) || !std::isfinite(*number)) refuse(kind(), value);
  return *number;
}

double CoordinateKind::read(const Value& value) const {
  const auto number = number_of(value);
  if (!number || !std::isfinite(*number)) refuse(kind(), value);
  return *number;
}

std::string DurationKind::kind() const {
  return positive ? "a duration above 0, such as \"250 ms\"" : core::kind_of<Duration>();
}

Duration DurationKind::read(const Value& value) const {
  const auto* text = value.as<std::string>();
  const auto bare = text ? bare_number(*text) : number_of(value);
  if (!text && !bare) refuse(kind(), value);
  if (bare && *bare != 0) {
    const std::string number = text ? *text : shown(value);
    throw core::Problem(number + " has no unit; write for instance \"" + number + " ms\"");
  }
  const auto duration = bare ? Duration{0} : core::parse_duration(*text);
  if (!duration)
    throw core::Problem(not_of(kind(), value) + "; units are ns, us, ms, s, min and h");
  if (*duration < Duration{0}) throw core::Problem(shown(value) + " is negative; write " + kind());
  if (positive && *duration == Duration{0}) refuse(kind(), value);
  return *duration;
}

std::string WordKind::kind() const {
  std::string out = "one of ";
  for (std::size_t i = 0; i < known.size(); ++i) out.append(i ? ", " : "").append(known[i]);
  return out;
}

std::string WordKind::read(const Value& value) const {
  const auto* text = value.as<std::string>();
  if (!text) refuse(kind(), value);
  if (std::ranges::find(known, *text) == known.end()) refuse_name(what, *text, known);
  return *text;
}

std::uint64_t CountKind::read(const Value& value) const {
  if (const auto* text = value.as<std::string>(); text && *text == "all") return 0;
  const auto* whole = value.as<std::int64_t>();
  if (!whole || *whole < 1 || *whole >> 31 != 0) refuse(kind(), value);
  return static_cast<std::uint64_t>(*whole);
}

NodeId read_node(const Value& value) {
  const auto* whole = value.as<std::int64_t>();
  if (!whole || *whole < 1)
    throw core::Problem("a node id must be a whole number from 1, not " + shown(value));
  return NodeId{static_cast<std::uint64_t>(*whole)};
}

std::vector<NodeId> NodeIdsKind::read(const Value& value) const {
  const auto* list = value.as<List>();
  if (!list) refuse(kind(), value);
  std::vector<NodeId> out;
  std::set<NodeId> seen;
  for (const Value& each : *list) {
    const NodeId id = read_node(each);
    if (!seen.insert(id).second)
      throw core::Problem("node " + std::to_string(core::raw(id)) +
                          " is named twice; name it once");
    out.push_back(id);
  }
  return out;
}

std::string NodeIdsKind::print(const std::vector<NodeId>& nodes) const {
  std::string out = "[";
  for (std::size_t i = 0; i < nodes.size(); ++i)
    out.append(i ? ", " : "").append(std::to_string(core::raw(nodes[i])));
  return out + ']';
}

std::vector<std::string> NamesKind::read(const Value& value) const {
  if (const auto* text = value.as<std::string>())
    return *text == "none" ? std::vector<std::string>{} : std::vector{TextKind{}.read(value)};
  const auto* list = value.as<List>();
  if (!list) refuse(kind(), value);
  std::vector<std::string> out;
  for (const Value& each : *list) {
    const std::string name = TextKind{}.read(each);
    if (name == "all" || name == "none")
      throw core::Problem('"' + name + "\" does not go into a list; write properties = \"" + name +
                          '"');
    out.push_back(name);
  }
  return out;
}

std::string NamesKind::print(const std::vector<std::string>& names) const {
  if (names.empty()) return "\"none\"";
  if (names == std::vector<std::string>{"all"}) return "\"all\"";
  std::string out = "[";
  for (std::size_t i = 0; i < names.size(); ++i)
    out.append(i ? ", " : "").append(toml_quoted(names[i]));
  return out + ']';
}

}  // namespace bellwether::scenario
