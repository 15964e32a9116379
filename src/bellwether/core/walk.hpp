// SPDX-License-Identifier: MIT
// One walk over a value as a series of numbers. Three sinks use it: bytes (codec.hpp), their count,
// and the digest. What two values write is equal exactly when the values are.
#pragma once

#include <bit>

#include "bellwether/core/field_kinds.hpp"

namespace bellwether::core {

constexpr std::uint64_t zigzag(std::int64_t v) {
  return (static_cast<std::uint64_t>(v) << 1) ^ static_cast<std::uint64_t>(v >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t v) {
  return static_cast<std::int64_t>(v >> 1) ^ -static_cast<std::int64_t>(v & 1);
}

template <class Sink, class T>
constexpr void walk(Sink& sink, const T& value);

namespace detail {

/// What a field of each kind writes.
struct Walk {
  template <class Sink, class T>
  static constexpr void put(OpaqueField, Sink& sink, const T& value) {
    static_assert(
        requires { value.walk_into(sink); },
        "a field of this type cannot be walked: give it `fields`");
    value.walk_into(sink);
  }
  template <class Sink, class T>
  static constexpr void put(SharedField, Sink& sink, const T& value) {
    if constexpr (requires { sink.shared(value); })
      sink.shared(value);  // it may know already
    else
      walk(sink, *value);
  }
  template <class Sink, class T>
  static constexpr void put(EnumField, Sink& sink, T value) {
    using Number = std::underlying_type_t<T>;
    put(FieldKind<Number>{}, sink, static_cast<Number>(value));
  }
  template <class Sink>
  static constexpr void put(FlagField, Sink& sink, bool value) {
    sink.number(value ? 1 : 0);
  }
  template <class Sink>
  static constexpr void put(UnsignedField, Sink& sink, std::uint64_t value) {
    sink.number(value);
  }
  template <class Sink>
  static constexpr void put(SignedField, Sink& sink, std::int64_t value) {
    sink.number(zigzag(value));
  }
  template <class Sink>
  static constexpr void put(RealField, Sink& sink, double value) {
    sink.number(std::bit_cast<std::uint64_t>(value));
  }
  template <class Sink, class T>
  static constexpr void put(DurationField, Sink& sink, T value) {
    sink.number(zigzag(static_cast<std::int64_t>(value.count())));
  }
  template <class Sink, class T>
  static constexpr void put(OptionalField, Sink& sink, const T& value) {
    sink.number(value.has_value() ? 1 : 0);
    if (value) walk(sink, *value);
  }
  template <class Sink, class T>
  static constexpr void put(PairField, Sink& sink, const T& value) {
    walk(sink, value.first);
    walk(sink, value.second);
  }
  template <class Sink, class T>
  static constexpr void put(ArrayField, Sink& sink, const T& value) {
    for (const auto& each : value) walk(sink, each);
  }
  template <class Sink>
  static constexpr void put(BytesField, Sink& sink, const std::vector<std::uint8_t>& value) {
    sink.number(value.size());
    for (const std::uint8_t each : value) sink.byte(each);  // as it is, not as a number
  }
  template <class Sink, class T>
  static constexpr void put(SequenceField, Sink& sink, const T& value) {
    put_sized(sink, value);
  }
  template <class Sink, class T>
  static constexpr void put(SortedField, Sink& sink, const T& value) {
    put_sized(sink, value);
  }
  template <class Sink, class T>
  static constexpr void put(TextField, Sink& sink, const T& value) {
    put_sized(sink, value);
  }
  template <class Sink, class T>
  static constexpr void put(VariantField, Sink& sink, const T& value) {
    std::visit(
        [&sink](const auto& chosen) {
          sink.number(std::remove_cvref_t<decltype(chosen)>::tag);
          walk(sink, chosen);
        },
        value);
  }
  template <class Sink, class T>
  static constexpr void put(StructField, Sink& sink, const T& value) {
    for_each_field_of(value, [&](const auto& f) { walk(sink, value.*f.member); });
  }

 private:
  template <class Sink, class T>
  static constexpr void put_sized(Sink& sink, const T& value) {
    sink.number(value.size());
    for (const auto& each : value) walk(sink, each);
  }
};

}  // namespace detail

template <class Sink, class T>
constexpr void walk(Sink& sink, const T& value) {
  detail::Walk::put(FieldKind<T>{}, sink, value);
}

}  // namespace bellwether::core
