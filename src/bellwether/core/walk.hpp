// SPDX-License-Identifier: MIT
// One walk over a value as a series of numbers. Three sinks use it: bytes (codec.hpp), their count,
// and the digest. What two values write is equal exactly when the values are.
#pragma once

#include <bit>

#include "bellwether/core/fields.hpp"

namespace bellwether::core {

constexpr std::uint64_t zigzag(std::int64_t v) {
  return (static_cast<std::uint64_t>(v) << 1) ^ static_cast<std::uint64_t>(v >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t v) {
  return static_cast<std::int64_t>(v >> 1) ^ -static_cast<std::int64_t>(v & 1);
}

template <class Sink, class T>
constexpr void walk(Sink& sink, const T& value) {
  if constexpr (requires { value.walk_into(sink); }) {
    value.walk_into(sink);
  } else if constexpr (is_shared<T>) {
    if constexpr (requires { sink.shared(value); })
      sink.shared(value);  // it may know already
    else
      walk(sink, *value);
  } else if constexpr (std::is_enum_v<T>) {
    walk(sink, static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::unsigned_integral<T>) {  // bool, too
    sink.number(static_cast<std::uint64_t>(value));
  } else if constexpr (std::signed_integral<T>) {
    sink.number(zigzag(static_cast<std::int64_t>(value)));
  } else if constexpr (std::floating_point<T>) {
    sink.number(std::bit_cast<std::uint64_t>(static_cast<double>(value)));
  } else if constexpr (is_duration<T>) {
    sink.number(zigzag(static_cast<std::int64_t>(value.count())));
  } else if constexpr (is_optional<T>) {
    sink.number(value.has_value() ? 1 : 0);
    if (value) walk(sink, *value);
  } else if constexpr (is_pair<T>) {
    walk(sink, value.first);
    walk(sink, value.second);
  } else if constexpr (is_array<T>) {
    for (const auto& each : value) walk(sink, each);
  } else if constexpr (std::same_as<T, std::vector<std::uint8_t>>) {
    sink.number(value.size());
    for (const std::uint8_t each : value) sink.byte(each);  // as it is, not as a number
  } else if constexpr (is_sequence<T> || is_sorted_container<T> || std::same_as<T, std::string>) {
    sink.number(value.size());
    for (const auto& each : value) walk(sink, each);
  } else if constexpr (is_variant<T>) {
    std::visit(
        [&sink](const auto& chosen) {
          sink.number(std::remove_cvref_t<decltype(chosen)>::tag);
          walk(sink, chosen);
        },
        value);
  } else if constexpr (Described<T>) {
    for_each_field_of(value, [&](const auto& f) { walk(sink, value.*f.member); });
  } else {
    static_assert(no_such_type<T>, "a field of this type cannot be walked: give it `fields`");
  }
}

}  // namespace bellwether::core
