// SPDX-License-Identifier: MIT
// Any value of a described type, drawn: the fuzz generator of the conformance tests.
#pragma once

#include "bellwether/core/fields.hpp"
#include "bellwether/core/prng.hpp"

namespace bellwether::core {

namespace detail {

/// Small numbers, round ones and full-width ones alike: bugs live at the edges.
inline std::uint64_t edgy(Prng& prng) {
  switch (prng.below(4)) {
    case 0:
      return prng.below(4);
    case 1:
      return prng.below(200);
    case 2:
      return (std::uint64_t{1} << prng.below(64)) - prng.below(2);
    default:
      return prng.next();
  }
}

template <class Variant, std::size_t... i>
Variant arbitrary_alternative(Prng& prng, std::index_sequence<i...>);

}  // namespace detail

template <class T>
T arbitrary(Prng& prng) {
  if constexpr (is_shared<T>) {
    return T(arbitrary<typename T::Inside>(prng));
  } else if constexpr (NamedEnum<T>) {
    return static_cast<T>(prng.below(names_of(T{}).size()));
  } else if constexpr (std::same_as<T, bool>) {
    return prng.below(2) == 1;
  } else if constexpr (std::integral<T> || std::is_enum_v<T>) {
    return static_cast<T>(detail::edgy(prng));
  } else if constexpr (std::floating_point<T>) {
    return static_cast<T>(prng.unit() * 1000);
  } else if constexpr (is_duration<T>) {
    return T{static_cast<typename T::rep>(detail::edgy(prng))};
  } else if constexpr (is_optional<T>) {
    if (prng.below(2) == 0) return std::nullopt;
    return arbitrary<typename T::value_type>(prng);
  } else if constexpr (is_pair<T>) {
    auto first = arbitrary<std::remove_const_t<typename T::first_type>>(prng);
    return {std::move(first), arbitrary<typename T::second_type>(prng)};
  } else if constexpr (is_variant<T>) {
    return detail::arbitrary_alternative<T>(prng,
                                            std::make_index_sequence<std::variant_size_v<T>>());
  } else if constexpr (is_array<T>) {
    T value{};
    for (auto& each : value) each = arbitrary<typename T::value_type>(prng);
    return value;
  } else if constexpr (is_sequence<T> || std::same_as<T, std::string>) {
    T value;
    for (std::uint64_t n = prng.below(5); n > 0; --n)
      value.push_back(arbitrary<typename T::value_type>(prng));
    return value;
  } else if constexpr (is_sorted_container<T>) {
    T value;
    for (std::uint64_t n = prng.below(5); n > 0; --n)
      value.insert(arbitrary<typename T::value_type>(prng));
    return value;
  } else {
    T value{};
    for_each_field_of(value, [&](const auto& f) {
      using Member = std::remove_cvref_t<decltype(value.*f.member)>;
      value.*f.member = arbitrary<Member>(prng);
    });
    return value;
  }
}

namespace detail {

template <class Variant, std::size_t... i>
Variant arbitrary_alternative(Prng& prng, std::index_sequence<i...>) {
  using Make = Variant (*)(Prng&);
  static constexpr Make make[] = {[](Prng& p) -> Variant {
    return Variant(std::in_place_index<i>, arbitrary<std::variant_alternative_t<i, Variant>>(p));
  }...};
  return make[prng.below(sizeof...(i))](prng);
}

}  // namespace detail

}  // namespace bellwether::core
