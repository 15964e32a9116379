// SPDX-License-Identifier: MIT
#include "bellwether/scenario/toml.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "bellwether/core/input_file.hpp"
#include "bellwether/core/print.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/core/utf8.hpp"
#include "bellwether/scenario/scenario.hpp"
#include "bellwether/scenario/toml_depth.hpp"

namespace bellwether::scenario {
namespace {

Value value_of(const toml::node& node);

/// toml++ sorts its tables by key; complaints should come in the order of the file.
Table table_of(const toml::table& table) {
  std::vector<std::pair<toml::source_position, Entry>> found;
  for (const auto& [key, node] : table) {
    Entry entry{std::string(key.str()), value_of(node)};
    const toml::source_position at = key.source().begin;
    if (at.line > 0) entry.value.line = at.line;
    found.emplace_back(at, std::move(entry));
  }
  std::ranges::stable_sort(found, [](const auto& x, const auto& y) { return x.first < y.first; });
  Table out;
  for (auto& [at, entry] : found) out.push_back(std::move(entry));
  return out;
}

Value value_of(const toml::node& node) {
  Value out;
  out.line = node.source().begin.line;
  if (const auto* flag = node.as_boolean()) {
    out.data = flag->get();
  } else if (const auto* whole = node.as_integer()) {
    out.data = whole->get();
  } else if (const auto* number = node.as_floating_point()) {
    out.data = number->get();
  } else if (const auto* text = node.as_string()) {
    out.data = text->get();
  } else if (const auto* array = node.as_array()) {
    List list;
    for (const auto& each : *array) list.push_back(value_of(each));
    out.data = std::move(list);
  } else if (const auto* table = node.as_table()) {
    out.data = table_of(*table);
  }
  return out;
}

std::string syntax_sentence(std::string_view description) {
  std::string out(description);
  std::ranges::replace(out, '\n', ' ');
  if (!out.empty()) out[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(out[0])));
  // What toml++ says of `topology = ring` and of `time = 5 s`, the likeliest slips.
  const bool bare = out.ends_with("could not determine value type") ||
                    out.find("expected a comment or whitespace") != std::string::npos;
  return bare ? out + "; put text and durations in quotes" : out;
}

/// From 1; 0 where all of them are text. Text holds no zero bytes.
std::size_t line_that_is_no_text(std::string_view text) {
  std::size_t line = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view one = text.substr(begin, end - begin);
    ++line;
    if (!core::is_utf8(one) || one.find('\0') != std::string_view::npos) return line;
    begin = end + 1;
  }
  return 0;
}

}  // namespace

std::string text_of_file(const std::filesystem::path& path) {
  constexpr std::uint64_t limit = 256'000'000;  // a list of ten million ids fits
  return core::read_file(path.string(), limit);
}

Table parse_toml(std::string_view text, const std::string& path) {
  if (const std::size_t line = line_that_is_no_text(text); line > 0)
    throw core::Problem({path, line}, {}, "is not text (UTF-8); name a TOML file");
  if (const TooDeep place = find_too_deep(text); place.line > 0)
    throw core::Problem({path, place.line}, {}, place.sentence);
  try {
    return table_of(toml::parse(text));
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    throw core::Problem({path, at.line, at.column}, {}, syntax_sentence(error.description()));
  }
}

std::optional<Value> parse_toml_value(std::string_view text) {
  if (find_too_deep(text).line > 0) return std::nullopt;
  try {
    Table table = table_of(toml::parse("value = " + std::string(text)));
    if (table.size() != 1) return std::nullopt;
    return std::move(table.front().value);
  } catch (const toml::parse_error&) {
    return std::nullopt;
  }
}

std::string toml_text(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  std::string out;
  core::append_number(out, number);
  if (out.find_first_of(".e") == std::string::npos) out += ".0";
  return out;
}

std::string toml_quoted(std::string_view text) {
  std::string json;
  core::append_json_string(json, text);
  // TOML's basic strings are JSON's, but for one control character that JSON lets pass.
  std::string out;
  for (const char c : json) c == '\x7F' ? out += "\\u007f" : out += c;
  return out;
}

std::string shown(const Value& value) {
  if (const auto* flag = value.as<bool>()) return *flag ? "true" : "false";
  if (const auto* whole = value.as<std::int64_t>()) return std::to_string(*whole);
  if (const auto* number = value.as<double>()) return toml_text(*number);
  if (const auto* text = value.as<std::string>()) return toml_quoted(*text);
  if (const auto* list = value.as<List>()) return list->empty() ? "an empty list" : "a list";
  return value.as<Table>() ? "a table" : "a date";
}

}  // namespace bellwether::scenario
