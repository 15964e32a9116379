// SPDX-License-Identifier: MIT
// The ways to play rounds in a network that has none.
#pragma once

#include <array>
#include <string_view>

namespace bellwether::core {

/// None: rounds of their own, as if there were a common clock.
enum class Synchronizer : unsigned char { none, abd, simple, alpha, beta, gamma };
constexpr auto names_of(Synchronizer) {
  return std::array<std::string_view, 6>{"none", "abd", "simple", "alpha", "beta", "gamma"};
}

}  // namespace bellwether::core
