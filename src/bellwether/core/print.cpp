// SPDX-License-Identifier: MIT
#include "bellwether/core/print.hpp"

#include <charconv>
#include <cmath>

namespace bellwether::core {
namespace {

template <class Number>
void append_digits(std::string& out, Number value) {
  char buffer[32];
  out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  static constexpr char hex[] = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20) {
      out += "\\u00";
      out += hex[byte >> 4];
      out += hex[byte & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

std::string_view printed_name(std::string_view text) {
  return text.substr(0, text.find('('));
}

void append_number(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";  // JSON has no infinity
    return;
  }
  // Whole numbers as people write them: 1000000, not 1e+06.
  if (value == std::floor(value) && std::abs(value) < 1e15)
    append_digits(out, static_cast<std::int64_t>(value));
  else
    append_digits(out, value);
}

namespace detail {

void NumberPrinter::put(FlagField, std::string& out, bool value) {
  out += value ? "true" : "false";
}
void NumberPrinter::put(UnsignedField, std::string& out, std::uint64_t value) {
  append_digits(out, value);
}
void NumberPrinter::put(SignedField, std::string& out, std::int64_t value) {
  append_digits(out, value);
}

}  // namespace detail

}  // namespace bellwether::core
