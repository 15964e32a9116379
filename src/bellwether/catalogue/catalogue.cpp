// SPDX-License-Identifier: MIT
#include "bellwether/catalogue/catalogue.hpp"

#include <algorithm>

#include "bellwether/core/invariant.hpp"

namespace bellwether::catalogue {

const core::Algorithm* find(const Algorithms& algorithms, std::string_view name) {
  const auto at = std::find_if(algorithms.begin(), algorithms.end(),
                               [&](const core::Algorithm& each) { return each.name == name; });
  return at == algorithms.end() ? nullptr : &*at;
}

const core::Algorithm& algorithm(std::string_view name) {
  const core::Algorithm* found = find(all(), name);
  core::invariant(found != nullptr, "there is no algorithm of this name");
  return *found;
}

Algorithms with_all(Algorithms own) {
  own.insert(own.end(), all().begin(), all().end());
  return own;
}

}  // namespace bellwether::catalogue
