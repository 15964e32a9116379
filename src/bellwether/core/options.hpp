// SPDX-License-Identifier: MIT
// Options of an algorithm from text, by the same `fields` that print them.
#pragma once

#include <charconv>
#include <cmath>
#include <string>

#include "bellwether/core/fields.hpp"
#include "bellwether/core/ids.hpp"
#include "bellwether/core/option_rows.hpp"
#include "bellwether/core/print.hpp"
#include "bellwether/core/time.hpp"

namespace bellwether::core {

/// A type that reads itself: `static bool read(text, value)`, `static std::string kind()`.
template <class T>
concept ReadsItself = requires(std::string_view text, T& value) {
  { T::read(text, value) } -> std::same_as<bool>;
  { T::kind() } -> std::same_as<std::string>;
};

/// What a field accepts, for help and errors: "true or false", "one of max, min", ...
template <class T>
std::string kind_of() {
  if constexpr (ReadsItself<T>) {
    return T::kind();
  } else if constexpr (std::same_as<T, bool>) {
    return "true or false";
  } else if constexpr (NamedEnum<T>) {
    std::string out = "one of ";
    bool first = true;
    for (const std::string_view name : names_of(T{})) {
      out += first ? "" : ", ";
      out += name;
      first = false;
    }
    return out;
  } else if constexpr (is_duration<T>) {
    return "a duration such as \"250 ms\"";
  } else if constexpr (std::unsigned_integral<T> || std::is_enum_v<T>) {
    return "a whole number from 0";
  } else if constexpr (std::integral<T>) {
    return "a whole number";
  } else if constexpr (std::floating_point<T>) {
    return "a number";
  } else {
    static_assert(no_such_type<T>, "an option of this type cannot be read from text");
  }
}

/// False when the text is not of the field's kind; the value is then untouched.
template <class T>
bool read_option(std::string_view text, T& value) {
  if constexpr (ReadsItself<T>) {
    return T::read(text, value);
  } else if constexpr (std::same_as<T, bool>) {
    if (text != "true" && text != "false") return false;
    value = text == "true";
    return true;
  } else if constexpr (NamedEnum<T>) {
    constexpr auto names = names_of(T{});
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] != text) continue;
      value = static_cast<T>(i);
      return true;
    }
    return false;
  } else if constexpr (is_duration<T>) {
    const auto d = parse_duration(text);
    if (!d || *d < Duration{0}) return false;
    value = *d;
    return true;
  } else if constexpr (std::is_enum_v<T>) {
    std::underlying_type_t<T> v{};
    if (!read_option(text, v)) return false;
    value = static_cast<T>(v);
    return true;
  } else {
    T v{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
    if (error != std::errc{} || end != text.data() + text.size()) return false;
    if constexpr (std::floating_point<T>) {
      if (!std::isfinite(v)) return false;
    }
    value = v;
    return true;
  }
}

template <Described Options>
std::vector<OptionRow> option_rows() {
  std::vector<OptionRow> rows;
  const Options standard{};
  for_each_field<Options>([&](const auto& f) {
    using T = std::remove_cvref_t<decltype(standard.*f.member)>;
    rows.push_back(
        {std::string(f.name), text_of(standard.*f.member), kind_of<T>(), std::string(f.about)});
  });
  return rows;
}

template <Described Options>
OptionOutcome set_option(Options& options, std::string_view name, std::string_view text) {
  auto outcome = OptionOutcome::unknown_name;
  for_each_field<Options>([&](const auto& f) {
    if (f.name != name) return;
    outcome = read_option(text, options.*f.member) ? OptionOutcome::set : OptionOutcome::wrong_kind;
  });
  return outcome;
}

}  // namespace bellwether::core
