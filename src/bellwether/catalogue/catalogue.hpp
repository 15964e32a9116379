// SPDX-License-Identifier: MIT
// A catalogue is a list of types. Each driver folds it into plain function pointers: no macros, no
// static initialisation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bellwether/core/facts.hpp"
#include "bellwether/core/options.hpp"
#include "bellwether/core/property.hpp"

namespace bellwether::catalogue {

template <core::AnyProtocol... P>
struct Catalogue {};

struct PropertyRow {
  std::string name;
  std::string says;
};

/// What is known about one algorithm, without its type.
struct Entry {
  std::string_view name;
  core::Facts facts;
  bool rounds = false;
  std::vector<core::OptionRow> options;
  std::vector<PropertyRow> properties;
};

template <core::AnyProtocol P>
Entry entry_of() {
  Entry entry;
  entry.name = P::name;
  if constexpr (requires { P::facts; }) entry.facts = P::facts;
  entry.rounds = core::RoundProtocol<P>;
  entry.options = core::option_rows<typename P::Options>();
  if constexpr (core::Monitored<P>)
    for (const auto& monitor : P::monitors())
      entry.properties.push_back({std::string(monitor->name()), std::string(monitor->says())});
  return entry;
}

template <core::AnyProtocol... P>
std::vector<Entry> entries(Catalogue<P...>) {
  return {entry_of<P>()...};
}

}  // namespace bellwether::catalogue
