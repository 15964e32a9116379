// SPDX-License-Identifier: MIT
// TOML as plain values. Private to this module: toml++ compiles slowly, so only toml.cpp sees it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bellwether::scenario {

struct Value;
struct Entry;
using List = std::vector<Value>;
using Table = std::vector<Entry>;
struct Date {};  // no key takes one

struct Value {
  std::variant<Date, bool, std::int64_t, double, std::string, List, Table> data;
  std::size_t line = 0;  // of the key, where there is one

  template <class T>
  const T* as() const {
    return std::get_if<T>(&data);
  }
};

struct Entry {
  std::string key;
  Value value;
};

/// All of a file. Throws Problem.
std::string text_of_file(const std::filesystem::path& path);

/// The tables of a document, all in the order in which they were written. Throws Problem.
Table parse_toml(std::string_view text, const std::string& path);

/// The right side of an assignment; nothing where it is not TOML, or holds more than one value.
std::optional<Value> parse_toml_value(std::string_view text);

std::string toml_text(double number);            // "5.0", "0.25", "1e+300"
std::string toml_quoted(std::string_view text);  // with its quotes

/// A value as a complaint would show it: `"ring"`, `5`, `a list`.
std::string shown(const Value& value);

}  // namespace bellwether::scenario
