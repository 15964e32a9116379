// SPDX-License-Identifier: MIT
// Other names for the same: every id and port in a described value replaced. Only for protocols
// that say so (`static constexpr bool symmetric = true`): ids and ports are compared for equality
// only, and stand in plain fields, optionals, pairs, sets and the keys or values of maps.
#pragma once

#include "bellwether/core/fields.hpp"
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
void relabel(const Relabelling& names, T& value) {
  if constexpr (std::same_as<T, NodeId>) {
    value = names.id(value);
  } else if constexpr (std::same_as<T, Port>) {
    value = names.port(value);
  } else if constexpr (is_optional<T>) {
    if (value) relabel(names, *value);
  } else if constexpr (is_pair<T>) {
    relabel(names, value.first);
    relabel(names, value.second);
  } else if constexpr (is_sequence<T> || is_array<T>) {
    for (auto& each : value) relabel(names, each);
  } else if constexpr (is_sorted_container<T>) {
    T out;
    for (const auto& each : value) {
      if constexpr (requires { typename T::mapped_type; }) {
        std::pair<typename T::key_type, typename T::mapped_type> copy(each);
        relabel(names, copy);
        out.insert(std::move(copy));
      } else {
        auto copy = each;
        relabel(names, copy);
        out.insert(std::move(copy));
      }
    }
    value = std::move(out);
  } else if constexpr (is_shared<T>) {
    relabel(names, value.edit());
  } else if constexpr (is_variant<T>) {
    std::visit([&](auto& chosen) { relabel(names, chosen); }, value);
  } else if constexpr (Described<T>) {
    for_each_field<T>([&](const auto& f) { relabel(names, value.*f.member); });
  }
}

}  // namespace bellwether::core
