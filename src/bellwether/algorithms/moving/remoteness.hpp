// SPDX-License-Identifier: MIT
// Largest distance from a node to its leader: R, or R1, R2, ... by level.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "bellwether/core/fields.hpp"
#include "bellwether/core/shared.hpp"

namespace bellwether::algorithms {

class Remoteness {
 public:
  static constexpr std::size_t most_levels = 8;
  static constexpr std::uint32_t most = 65535;

  Remoteness() = default;
  explicit Remoteness(std::uint16_t r) : levels_(Levels{r}) {}

  /// Of level 1, 2, ...; the last one given applies to all higher levels.
  std::uint32_t of(std::size_t level) const;
  /// The most hops between a node and its leader of that level: (R1 + 1) ... (Rk + 1) - 1.
  std::uint64_t hops(std::size_t level) const;

  // An option that is read and shown as text: "3" or "[3, 2]".
  static std::string kind();
  static bool read(std::string_view text, Remoteness& value);
  std::string text() const;

  friend bool operator==(const Remoteness&, const Remoteness&) = default;

 private:
  using Levels = std::array<std::uint16_t, most_levels>;  // 0: none was given
  core::Shared<Levels> levels_{Levels{3}};                // all nodes of a network hold the same

 public:
  static constexpr auto fields = std::tuple{core::field("levels", &Remoteness::levels_)};
};

}  // namespace bellwether::algorithms
