// SPDX-License-Identifier: MIT
#include "bellwether/node/engine.hpp"

#include <stdexcept>

#include "bellwether/core/nearest.hpp"

namespace bellwether::node {

std::string why_not(const core::Model& model, bool rounds) {
  if (rounds) return "it proceeds in rounds of a common clock, which real machines do not have";
  if (model.shape != core::Shape::any)
    return "it is for a " + std::string(core::name_of(model.shape)) +
           ", and nobody knows the shape of a real network";
  if (!model.bears_changes) return "it is for networks that stay as they are";
  if (model.knows != core::Knows::nothing)
    return "its nodes know the number of " + std::string(core::name_of(model.knows)) +
           " beforehand, which nobody does here";
  return {};
}

void refuse_option(std::string_view algorithm, const std::string& name, const std::string& text,
                   const std::vector<core::OptionRow>& rows, core::OptionOutcome outcome) {
  const std::string place = "options." + name + ": ";
  if (outcome == core::OptionOutcome::unknown_name) {
    std::vector<std::string> known;
    for (const auto& row : rows) known.push_back(row.name);
    if (known.empty())
      throw std::invalid_argument(place + std::string(algorithm) + " has no options");
    throw std::invalid_argument(
        place + core::unknown_name("option of " + std::string(algorithm), name, known));
  }
  for (const auto& row : rows)
    if (row.name == name)
      throw std::invalid_argument(place + "\"" + text + "\" is not " + row.kind);
  throw std::invalid_argument(place + "\"" + text + "\" does not fit");
}

}  // namespace bellwether::node
