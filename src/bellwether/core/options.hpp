// SPDX-License-Identifier: MIT
// Options of an algorithm from text, by the same `fields` that print them. A struct with a text of
// its own reads it, too: `static bool read(text, value)`, `static std::string kind()`.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <utility>

#include "bellwether/core/field_kinds.hpp"
#include "bellwether/core/ids.hpp"
#include "bellwether/core/option_rows.hpp"
#include "bellwether/core/print.hpp"
#include "bellwether/core/time.hpp"

namespace bellwether::core {

namespace detail {

/// What an option of each kind accepts, and how it is read: false when the text is not of this
/// kind, and then the value is untouched.
struct OptionReader {
  static std::string kind(FlagField, auto) { return "true or false"; }
  template <class T>
  static std::string kind(NamedField, std::type_identity<T>) {
    constexpr auto names = names_of(T{});
    return one_of(names);
  }
  static std::string kind(DurationField, auto) { return "a duration such as \"250 ms\""; }
  static std::string kind(UnsignedField, auto) { return "a whole number from 0"; }
  static std::string kind(LabelField, auto) { return "a whole number from 0"; }
  static std::string kind(SignedField, auto) { return "a whole number"; }
  static std::string kind(RealField, auto) { return "a number"; }
  template <class T>
  static std::string kind(WordedField, std::type_identity<T>) {
    return T::kind();
  }

  static std::string ranged(DurationField, const std::string& least, const std::string& most,
                            bool or_zero);
  static std::string ranged(UnsignedField, const std::string& least, const std::string& most,
                            bool or_zero);
  static std::string ranged(RealField, const std::string& least, const std::string& most,
                            bool or_zero);

  static bool read(FlagField, std::string_view text, bool& value);
  template <class T>
  static bool read(NamedField, std::string_view text, T& value) {
    const auto named = value_named<T>(text);
    if (named) value = *named;
    return named.has_value();
  }
  static bool read(DurationField, std::string_view text, Duration& value);
  template <class T>
  static bool read(UnsignedField, std::string_view text, T& value) {
    std::uint64_t v = 0;
    if (!whole(text, v) || v > std::numeric_limits<T>::max()) return false;
    value = static_cast<T>(v);
    return true;
  }
  template <class T>
  static bool read(LabelField, std::string_view text, T& value) {
    std::underlying_type_t<T> v{};
    if (!read(UnsignedField{}, text, v)) return false;
    value = static_cast<T>(v);
    return true;
  }
  template <class T>
  static bool read(SignedField, std::string_view text, T& value) {
    std::int64_t v = 0;
    if (!whole(text, v) || !std::in_range<T>(v)) return false;
    value = static_cast<T>(v);
    return true;
  }
  static bool read(RealField, std::string_view text, double& value);
  template <class T>
  static bool read(WordedField, std::string_view text, T& value) {
    return T::read(text, value);
  }

 private:
  static std::string between(std::string what, const std::string& least, const std::string& most,
                             bool or_zero);
  static std::string one_of(std::span<const std::string_view> names);
  static bool whole(std::string_view text, std::uint64_t& value);
  static bool whole(std::string_view text, std::int64_t& value);
};

}  // namespace detail

/// What a type accepts, for help and errors: "true or false", "one of max, min", ...
template <class T>
std::string kind_of() {
  return detail::OptionReader::kind(FieldKind<T>{}, std::type_identity<T>{});
}

/// What a field accepts.
template <class Owner, class T>
std::string kind_of_field(const Field<Owner, T>&) {
  return kind_of<T>();
}
template <class Owner, class T>
std::string kind_of_field(const RangedField<Owner, T>& f) {
  return detail::OptionReader::ranged(FieldKind<T>{}, text_of(f.range.least), text_of(f.range.most),
                                      f.range.or_zero);
}

/// False when the text is not of the field's kind; the value is then untouched.
template <class T>
bool read_option(std::string_view text, T& value) {
  return detail::OptionReader::read(FieldKind<T>{}, text, value);
}

template <class Owner, class T>
constexpr bool accepts(const Field<Owner, T>&, const T&) {
  return true;
}
template <class Owner, class T>
constexpr bool accepts(const RangedField<Owner, T>& f, const T& value) {
  return f.range.contains(value);
}

template <Described Options>
std::vector<OptionRow> option_rows() {
  std::vector<OptionRow> rows;
  const Options defaults{};
  for_each_field<Options>([&](const auto& f) {
    using T = std::remove_cvref_t<decltype(defaults.*f.member)>;
    rows.push_back({std::string(f.name), text_of(defaults.*f.member), kind_of_field(f),
                    std::string(f.description), std::same_as<T, Duration>});
  });
  return rows;
}

template <Described Options>
OptionOutcome set_option(Options& options, std::string_view name, std::string_view text) {
  auto outcome = OptionOutcome::unknown_name;
  for_each_field<Options>([&](const auto& f) {
    if (f.name != name) return;
    auto value = options.*f.member;
    const bool fits = read_option(text, value) && accepts(f, value);
    outcome = fits ? OptionOutcome::set : OptionOutcome::wrong_kind;
    if (fits) options.*f.member = std::move(value);
  });
  return outcome;
}

}  // namespace bellwether::core
