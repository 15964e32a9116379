// SPDX-License-Identifier: MIT
// Any value of a described type, drawn: the fuzz generator of the conformance tests.
#pragma once

#include "bellwether/core/field_kinds.hpp"
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

}  // namespace detail

template <class T>
T arbitrary(Prng& prng);

namespace detail {

/// Any field of each kind.
struct AnyValue {
  template <class T>
  using Type = std::type_identity<T>;

  template <class T>
  static T any(SharedField, Prng& prng, Type<T>) {
    return T(arbitrary<typename T::Content>(prng));
  }
  template <class T>
  static T any(NamedField, Prng& prng, Type<T>) {
    return static_cast<T>(prng.below(names_of(T{}).size()));
  }
  template <class T>
  static T any(LabelField, Prng& prng, Type<T>) {
    return static_cast<T>(edgy(prng));
  }
  static bool any(FlagField, Prng& prng, Type<bool>) { return prng.below(2) == 1; }
  template <class T>
  static T any(NumberField, Prng& prng, Type<T>) {
    return static_cast<T>(edgy(prng));
  }
  template <class T>
  static T any(RealField, Prng& prng, Type<T>) {
    return static_cast<T>(prng.unit() * 1000);
  }
  template <class T>
  static T any(DurationField, Prng& prng, Type<T>) {
    return T{static_cast<typename T::rep>(edgy(prng))};
  }
  template <class T>
  static T any(OptionalField, Prng& prng, Type<T>) {
    if (prng.below(2) == 0) return std::nullopt;
    return arbitrary<typename T::value_type>(prng);
  }
  template <class T>
  static T any(PairField, Prng& prng, Type<T>) {
    auto first = arbitrary<std::remove_const_t<typename T::first_type>>(prng);
    return {std::move(first), arbitrary<typename T::second_type>(prng)};
  }
  template <class T>
  static T any(VariantField, Prng& prng, Type<T>) {
    return any_alternative<T>(prng, std::make_index_sequence<std::variant_size_v<T>>());
  }
  template <class T>
  static T any(ArrayField, Prng& prng, Type<T>) {
    T value{};
    for (auto& each : value) each = arbitrary<typename T::value_type>(prng);
    return value;
  }
  template <class T>
  static T any(SequenceField, Prng& prng, Type<T>) {
    T value;
    for (std::uint64_t n = prng.below(5); n > 0; --n)
      value.push_back(arbitrary<typename T::value_type>(prng));
    return value;
  }
  template <class T>
  static T any(TextField, Prng& prng, Type<T> type) {
    return any(SequenceField{}, prng, type);
  }
  template <class T>
  static T any(SortedField, Prng& prng, Type<T>) {
    T value;
    for (std::uint64_t n = prng.below(5); n > 0; --n)
      value.insert(arbitrary<typename T::value_type>(prng));
    return value;
  }
  template <class T>
  static T any(StructField, Prng& prng, Type<T>) {
    T value{};
    for_each_field_of(value, [&](const auto& f) {
      using Member = std::remove_cvref_t<decltype(value.*f.member)>;
      value.*f.member = arbitrary<Member>(prng);
    });
    return value;
  }

 private:
  template <class Variant, std::size_t... i>
  static Variant any_alternative(Prng& prng, std::index_sequence<i...>) {
    using Make = Variant (*)(Prng&);
    static constexpr Make make[] = {[](Prng& p) -> Variant {
      return Variant(std::in_place_index<i>, arbitrary<std::variant_alternative_t<i, Variant>>(p));
    }...};
    return make[prng.below(sizeof...(i))](prng);
  }
};

}  // namespace detail

template <class T>
T arbitrary(Prng& prng) {
  return detail::AnyValue::any(FieldKind<T>{}, prng, std::type_identity<T>{});
}

}  // namespace bellwether::core
