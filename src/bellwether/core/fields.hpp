// SPDX-License-Identifier: MIT
// One tuple of fields per struct. From it follow the codec, the digest, the printer, JSON, the
// reader of options and the fuzz generator. No macros:
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
  std::string_view about;  // one sentence for `bellwether describe`; empty in messages
};

template <class Owner, class T>
constexpr Field<Owner, T> field(std::string_view name, T Owner::*member,
                                std::string_view about = {}) {
  return {name, member, about};
}

template <class T>
concept Described = requires {
  std::tuple_size<std::remove_cvref_t<decltype(T::fields)>>::value;
};

template <Described T, class Visit>
constexpr void for_each_field(Visit&& visit) {
  std::apply([&](const auto&... each) { (visit(each), ...); }, T::fields);
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

// What the walkers over fields tell apart.
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class T>
inline constexpr bool is_variant = false;
template <class... T>
inline constexpr bool is_variant<std::variant<T...>> = true;

template <class T>
inline constexpr bool is_pair = false;
template <class A, class B>
inline constexpr bool is_pair<std::pair<A, B>> = true;

template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t n>
inline constexpr bool is_array<std::array<T, n>> = true;

/// Containers whose order is part of their value. Hash containers are absent on purpose.
template <class T>
inline constexpr bool is_sequence = false;
template <class T>
inline constexpr bool is_sequence<std::vector<T>> = true;

template <class T>
inline constexpr bool is_sorted_container = false;
template <class K>
inline constexpr bool is_sorted_container<std::set<K>> = true;
template <class K, class V>
inline constexpr bool is_sorted_container<std::map<K, V>> = true;

template <class T>
inline constexpr bool is_duration = false;
template <class Rep, class Period>
inline constexpr bool is_duration<std::chrono::duration<Rep, Period>> = true;

template <class>
inline constexpr bool no_such_type = false;

}  // namespace bellwether::core
