// SPDX-License-Identifier: MIT
// The elections that are fuzzed, in place of the whole catalogue: one that keeps a map itself, one
// beside a map over ordered links, and one beside a list of members.
#include "bellwether/algorithms/moving/cel_2.hpp"
#include "bellwether/algorithms/moving/drumbeat.hpp"
#include "bellwether/algorithms/moving/hierarchy.hpp"
#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/core/algorithm_of.hpp"

namespace bellwether::catalogue {

const Algorithms& all() {
  static const Algorithms list{core::algorithm_of<algorithms::Cel2>(),
                               core::algorithm_of<algorithms::Drumbeat>(),
                               core::algorithm_of<algorithms::Hierarchy>()};
  return list;
}

}  // namespace bellwether::catalogue
