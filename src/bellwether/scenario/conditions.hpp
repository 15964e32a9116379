// SPDX-License-Identifier: MIT
// When a key has an effect: one table for the check, `bellwether list keys` and the reference.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bellwether/core/facts.hpp"
#include "bellwether/scenario/scenario.hpp"

namespace bellwether::scenario {

/// Something that must hold for a key to have an effect.
struct Condition {
  std::string text;                  // `mobility.model = "levy-walk"`
  std::string cure;                  // `set mobility.model = "levy-walk"`
  std::vector<std::string> decides;  // the keys that it depends on; a refusal shows the first
  /// Without a model, what depends on the algorithm is taken to hold.
  std::function<bool(const Scenario&, const core::Model*)> holds;
};

/// All of them must hold; none: the key always has an effect.
std::vector<Condition> conditions_of(std::string_view key);

/// "A and B"; empty where the key always has an effect.
std::string applies_text(const std::vector<Condition>& conditions);

}  // namespace bellwether::scenario
