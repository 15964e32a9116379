// SPDX-License-Identifier: MIT
// One tuple of fields per struct. From it follow the codec, the digest, the printer, JSON, the
// reader of options and the fuzz generator, each by the kinds of field (field_kinds.hpp). No
// macros:
//
//   struct Token {
//     static constexpr std::uint8_t tag = 1;  // a retired tag keeps its number
//
//     static constexpr std::string_view name = "token";
//
//     NodeId id{};
//
//     static constexpr auto fields = std::tuple{field("id", &Token::id)};
//
//     friend bool operator==(const Token&, const Token&) = default;
//   };
#pragma once

#include <array>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "bellwether/core/shared.hpp"

namespace bellwether::core {

template <class Owner, class T>
struct Field {
  std::string_view name;
  T Owner::*member;
  std::string_view description;  // one sentence for `bellwether describe`; empty in messages
};

template <class Owner, class T>
constexpr Field<Owner, T> field(std::string_view name, T Owner::*member,
                                std::string_view description = {}) {
  return {name, member, description};
}

/// The values that an option accepts, both ends included.
template <class T>
struct OptionRange {
  T least;
  T most;
  bool or_zero = false;  // zero as well, which then has a meaning of its own

  constexpr bool contains(const T& value) const {
    return (least <= value && value <= most) || (or_zero && value == T{});
  }
};

/// An option that is a number or a duration.
template <class Owner, class T>
struct RangedField : Field<Owner, T> {
  OptionRange<T> range;
};

template <class Owner, class T>
constexpr RangedField<Owner, T> option(std::string_view name, T Owner::*member,
                                       std::type_identity_t<OptionRange<T>> range,
                                       std::string_view description) {
  return {{name, member, description}, range};
}

/// A field that is there only under a condition, which the fields before it decide: elsewhere it is
/// not written, read, printed or drawn, and keeps its default. What is not there must not count in
/// operator== either.
template <class Owner, class T>
struct FieldWhen {
  std::string_view name;
  T Owner::*member;
  std::string_view description;
  bool (Owner::*when)() const;
};

template <class Owner, class T>
constexpr FieldWhen<Owner, T> field_when(std::string_view name, T Owner::*member,
                                         bool (Owner::*when)() const,
                                         std::string_view description = {}) {
  return {name, member, description, when};
}

template <class Owner, class T>
constexpr bool is_there(const Field<Owner, T>&, const std::type_identity_t<Owner>&) {
  return true;
}
template <class Owner, class T>
constexpr bool is_there(const FieldWhen<Owner, T>& f, const std::type_identity_t<Owner>& value) {
  return (value.*f.when)();
}

template <class T>
concept Described = requires {
  std::tuple_size<std::remove_cvref_t<decltype(T::fields)>>::value;
};

template <Described T, class Visit>
constexpr void for_each_field(Visit&& visit) {
  std::apply([&](const auto&... each) { (visit(each), ...); }, T::fields);
}

/// Those that are there in this value. Each is asked for after the one before it was visited: who
/// fills the value as it goes has filled what decides.
template <Described T, class Visit>
constexpr void for_each_field_of(const T& value, Visit&& visit) {
  std::apply([&](const auto&... each) { ((is_there(each, value) ? visit(each) : void()), ...); },
             T::fields);
}

/// One alternative of a message: described, with a number on the wire and a name for people.
template <class T>
concept MessageStruct = Described<T> && std::equality_comparable<T> && requires {
  { T::tag } -> std::convertible_to<std::uint8_t>;
  { T::name } -> std::convertible_to<std::string_view>;
};

/// An enum whose values 0..N-1 have names, given by a function found beside it:
///   constexpr auto names_of(Extremum) { return std::array<std::string_view, 2>{"max", "min"}; }
template <class E>
concept NamedEnum = std::is_enum_v<E> && requires(E e) {
  names_of(e).size();
};

template <NamedEnum E>
constexpr std::string_view name_of(E e) {
  constexpr auto names = names_of(E{});
  const auto i = static_cast<std::size_t>(e);
  return i < names.size() ? names[i] : std::string_view("?");
}

/// The reverse; nothing where no value has this name.
template <NamedEnum E>
constexpr std::optional<E> value_named(std::string_view name) {
  constexpr auto names = names_of(E{});
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<E>(i);
  return std::nullopt;
}

}  // namespace bellwether::core
