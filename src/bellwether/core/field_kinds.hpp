// SPDX-License-Identifier: MIT
// The kinds of field. `FieldKind<T>` is the one place that distinguishes types; code that does
// something with every field (codec, digest, printers, options, fuzz ...) has one function for each
// kind, and takes the kind in front:
//
//   template <class T>
//   static void put(OptionalField, std::string& out, const T& value);
//
// Kinds that are alike have one above them (FlagField is a NumberField), and a function for that
// one serves them all. A new kind is a struct and a line below. What has no function for it yet
// does not compile where such a field is met, and the error names kind and type.
#pragma once

#include "bellwether/core/fields.hpp"

namespace bellwether::core {

struct NumberField {};
struct FlagField : NumberField {};
struct UnsignedField : NumberField {};
struct SignedField : NumberField {};
struct RealField : NumberField {};

struct EnumField {};
struct NamedField : EnumField {};  // its values have names
struct LabelField : EnumField {};  // a number with a type of its own: an id, a port

struct DurationField {};
struct TextField {};

/// Containers whose order is part of their value. Hash containers are absent on purpose.
struct ListField {};
struct ArrayField : ListField {};
struct SequenceField : ListField {};
struct BytesField : SequenceField {};
struct SortedField {};
struct SetField : SortedField {};
struct MapField : SortedField {};

struct OptionalField {};
struct PairField {};
struct VariantField {};
struct SharedField {};

struct StructField {};                // it has `fields`
struct WordedField : StructField {};  // and a text of its own: `std::string text() const`
struct OpaqueField {};                // it does everything itself: `walk_into`, `print_into` ...

namespace detail {

template <class T>
constexpr auto plain_kind() {
  if constexpr (std::same_as<T, bool>)
    return FlagField{};
  else if constexpr (std::unsigned_integral<T>)
    return UnsignedField{};
  else if constexpr (std::integral<T>)
    return SignedField{};
  else if constexpr (std::floating_point<T>)
    return RealField{};
  else if constexpr (NamedEnum<T>)
    return NamedField{};
  else if constexpr (std::is_enum_v<T>)
    return LabelField{};
  else if constexpr (!Described<T>)
    return OpaqueField{};
  else if constexpr (requires(const T& value) { value.text(); })
    return WordedField{};
  else
    return StructField{};
}

template <class T>
struct KindOf : std::type_identity<decltype(plain_kind<T>())> {};
template <class Rep, class Period>
struct KindOf<std::chrono::duration<Rep, Period>> : std::type_identity<DurationField> {};
template <>
struct KindOf<std::string> : std::type_identity<TextField> {};
template <>
struct KindOf<std::string_view> : std::type_identity<TextField> {};
template <class T, std::size_t n>
struct KindOf<std::array<T, n>> : std::type_identity<ArrayField> {};
template <class T>
struct KindOf<std::vector<T>> : std::type_identity<SequenceField> {};
template <>
struct KindOf<std::vector<std::uint8_t>> : std::type_identity<BytesField> {};
template <class K>
struct KindOf<std::set<K>> : std::type_identity<SetField> {};
template <class K, class V>
struct KindOf<std::map<K, V>> : std::type_identity<MapField> {};
template <class T>
struct KindOf<std::optional<T>> : std::type_identity<OptionalField> {};
template <class A, class B>
struct KindOf<std::pair<A, B>> : std::type_identity<PairField> {};
template <class... T>
struct KindOf<std::variant<T...>> : std::type_identity<VariantField> {};
template <class T>
struct KindOf<Shared<T>> : std::type_identity<SharedField> {};

}  // namespace detail

template <class T>
using FieldKind = typename detail::KindOf<T>::type;

}  // namespace bellwether::core
