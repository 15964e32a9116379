// SPDX-License-Identifier: MIT
// Other names for the same: every id and port in a described value replaced. Only for protocols
// that say so (`static constexpr bool symmetric = true`): ids and ports are compared for equality
// only, and stand in plain fields, optionals, pairs, sets and the keys or values of maps.
#pragma once

#include "bellwether/core/field_kinds.hpp"
#include "bellwether/core/ids.hpp"

namespace bellwether::core {

/// What ids and ports are called instead.
class Relabelling {
 public:
  virtual ~Relabelling() = default;
  virtual NodeId id(NodeId old) const = 0;
  virtual Port port(Port old) const = 0;
};

template <class T>
void relabel(const Relabelling& names, T& value);

namespace detail {

/// What other names do to a field of each kind.
struct Relabel {
  static void edit(LabelField, const Relabelling& names, NodeId& value) { value = names.id(value); }
  static void edit(LabelField, const Relabelling& names, Port& value) { value = names.port(value); }
  static void edit(NumberField, const Relabelling&, const auto&) {}
  static void edit(NamedField, const Relabelling&, const auto&) {}
  static void edit(DurationField, const Relabelling&, const auto&) {}
  static void edit(TextField, const Relabelling&, const auto&) {}
  static void edit(OptionalField, const Relabelling& names, auto& value) {
    if (value) relabel(names, *value);
  }
  static void edit(PairField, const Relabelling& names, auto& value) {
    relabel(names, value.first);
    relabel(names, value.second);
  }
  static void edit(ListField, const Relabelling& names, auto& value) {
    for (auto& each : value) relabel(names, each);
  }
  template <class T>
  static void edit(SetField, const Relabelling& names, T& value) {
    edit_elements<typename T::key_type>(names, value);
  }
  template <class T>
  static void edit(MapField, const Relabelling& names, T& value) {
    edit_elements<std::pair<typename T::key_type, typename T::mapped_type>>(names, value);
  }
  static void edit(SharedField, const Relabelling& names, auto& value) {
    relabel(names, value.edit());
  }
  static void edit(VariantField, const Relabelling& names, auto& value) {
    std::visit([&](auto& chosen) { relabel(names, chosen); }, value);
  }
  template <class T>
  static void edit(StructField, const Relabelling& names, T& value) {
    for_each_field<T>([&](const auto& f) { relabel(names, value.*f.member); });
  }

 private:
  template <class Element, class T>
  static void edit_elements(const Relabelling& names, T& value) {
    T out;
    for (const auto& each : value) {
      Element copy(each);
      relabel(names, copy);
      out.insert(std::move(copy));
    }
    value = std::move(out);
  }
};

}  // namespace detail

template <class T>
void relabel(const Relabelling& names, T& value) {
  detail::Relabel::edit(FieldKind<T>{}, names, value);
}

}  // namespace bellwether::core
