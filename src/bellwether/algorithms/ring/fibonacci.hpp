// SPDX-License-Identifier: MIT
// Fibonacci numbers: how fast the number of candidates falls in an election that compares one
// neighbour in each phase.
#pragma once

#include <cstdint>

namespace bellwether::algorithms {

/// F(1) = F(2) = 1. From F(47), the last in 32 bits, on it stays there: no ring is as large.
constexpr std::uint32_t fibonacci(unsigned i) {
  constexpr unsigned last = 47;
  std::uint32_t before = 0, now = 1;
  for (unsigned k = 1; k < i && k < last; ++k) {
    const std::uint32_t next = before + now;
    before = now;
    now = next;
  }
  return i == 0 ? 0 : now;
}

}  // namespace bellwether::algorithms
