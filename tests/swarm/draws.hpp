// SPDX-License-Identifier: MIT
// What all families draw with.
#pragma once

#include <initializer_list>

#include "bellwether/core/prng.hpp"

namespace bellwether::swarm {

template <class T>
T one_of(core::Prng& draw, std::initializer_list<T> list) {
  return list.begin()[draw.below(list.size())];
}

inline bool one_in(core::Prng& draw, std::uint64_t n) {
  return draw.below(n) == 0;
}

}  // namespace bellwether::swarm
