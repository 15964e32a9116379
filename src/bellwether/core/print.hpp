// SPDX-License-Identifier: MIT
// Values as text for people (`token(id=5)`) and as JSON for programs (`{"token":{"id":5}}`).
#pragma once

#include "bellwether/core/fields.hpp"
#include "bellwether/core/time.hpp"

namespace bellwether::core {

/// Appends `text` as a JSON string, quotes included.
void append_json_string(std::string& out, std::string_view text);
/// The shortest text that reads back as the same number.
void append_number(std::string& out, double value);

/// A type that has a text of its own: `std::string text() const`.
template <class T>
concept ShowsItself = requires(const T& value) {
  { value.text() } -> std::same_as<std::string>;
};

template <class T>
void print(std::string& out, const T& value);
/// Without a name in front.
template <class T>
void print_fields(std::string& out, const T& value);
template <class T>
void write_json(std::string& out, const T& value);

namespace detail {

template <class T>
void print_scalar(std::string& out, const T& value) {
  if constexpr (std::same_as<T, bool>) {
    out += value ? "true" : "false";
  } else if constexpr (std::floating_point<T>) {
    append_number(out, static_cast<double>(value));
  } else if constexpr (std::is_enum_v<T>) {
    out += std::to_string(static_cast<std::underlying_type_t<T>>(value));
  } else {
    out += std::to_string(value);
  }
}

/// `each(out, element)` for every element, with commas between.
template <class Range, class Each>
void join(std::string& out, const Range& range, Each&& each) {
  bool first = true;
  for (const auto& element : range) {
    if (!first) out += ',';
    first = false;
    each(out, element);
  }
}

}  // namespace detail

template <class T>
void print(std::string& out, const T& value) {
  const auto each = [](std::string& o, const auto& e) { print(o, e); };
  if constexpr (requires { value.print_into(out); }) {
    value.print_into(out);
  } else if constexpr (is_shared<T>) {
    print(out, *value);
  } else if constexpr (ShowsItself<T>) {
    out += value.text();
  } else if constexpr (NamedEnum<T>) {
    out += name_of(value);
  } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    detail::print_scalar(out, value);
  } else if constexpr (std::convertible_to<const T&, std::string_view>) {
    out += std::string_view(value);
  } else if constexpr (is_duration<T>) {
    out += to_text(value);
  } else if constexpr (is_optional<T>) {
    value ? print(out, *value) : void(out += "none");
  } else if constexpr (is_pair<T>) {
    print(out, value.first);
    out += ':';
    print(out, value.second);
  } else if constexpr (is_sequence<T> || is_array<T> || is_sorted_container<T>) {
    out += is_sorted_container<T> ? '{' : '[';
    detail::join(out, value, each);
    out += is_sorted_container<T> ? '}' : ']';
  } else if constexpr (is_variant<T>) {
    std::visit([&](const auto& chosen) { print(out, chosen); }, value);
  } else {
    if constexpr (requires { T::name; }) out += T::name;
    print_fields(out, value);
  }
}

template <class T>
void print_fields(std::string& out, const T& value) {
  out += '(';
  bool first = true;
  for_each_field_of(value, [&](const auto& f) {
    out += first ? "" : " ";
    first = false;
    out += f.name;
    out += '=';
    print(out, value.*f.member);
  });
  out += ')';
}

template <class T>
void write_json(std::string& out, const T& value) {
  const auto each = [](std::string& o, const auto& e) { write_json(o, e); };
  if constexpr (requires { value.json_into(out); }) {
    value.json_into(out);
  } else if constexpr (is_shared<T>) {
    write_json(out, *value);
  } else if constexpr (ShowsItself<T>) {
    append_json_string(out, value.text());
  } else if constexpr (NamedEnum<T>) {
    append_json_string(out, name_of(value));
  } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    detail::print_scalar(out, value);
  } else if constexpr (std::convertible_to<const T&, std::string_view>) {
    append_json_string(out, value);
  } else if constexpr (is_duration<T>) {
    out += std::to_string(value.count());
  } else if constexpr (is_optional<T>) {
    value ? write_json(out, *value) : void(out += "null");
  } else if constexpr (is_pair<T>) {
    out += '[';
    write_json(out, value.first);
    out += ',';
    write_json(out, value.second);
    out += ']';
  } else if constexpr (is_sequence<T> || is_array<T> || is_sorted_container<T>) {
    out += '[';
    detail::join(out, value, each);
    out += ']';
  } else if constexpr (is_variant<T>) {
    std::visit(
        [&](const auto& chosen) {
          out += '{';
          append_json_string(out, std::remove_cvref_t<decltype(chosen)>::name);
          out += ':';
          write_json(out, chosen);
          out += '}';
        },
        value);
  } else {
    out += '{';
    bool first = true;
    for_each_field_of(value, [&](const auto& f) {
      if (!first) out += ',';
      first = false;
      append_json_string(out, f.name);
      out += ':';
      write_json(out, value.*f.member);
    });
    out += '}';
  }
}

template <class T>
std::string text_of(const T& value) {
  std::string out;
  print(out, value);
  return out;
}

template <class T>
std::string json_of(const T& value) {
  std::string out;
  write_json(out, value);
  return out;
}

}  // namespace bellwether::core
