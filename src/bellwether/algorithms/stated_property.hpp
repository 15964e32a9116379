// SPDX-License-Identifier: MIT
// A property with its name and statement, and the violation message that names the node.
#pragma once

#include <string>

#include "bellwether/core/property.hpp"

namespace bellwether::algorithms {

template <class P>
class StatedProperty : public core::Monitor<P> {
 public:
  StatedProperty(std::string_view name, std::string_view says) : name_(name), says_(says) {}
  std::string_view name() const override { return name_; }
  std::string_view says() const override { return says_; }

 private:
  std::string_view name_;
  std::string_view says_;
};

template <class P>
void demand(bool holds, const core::Snapshot<P>& all, core::NodeIndex u,
            const std::string& sentence) {
  if (!holds) throw core::Violation(sentence + " at node " + std::to_string(core::raw(all.id(u))));
}

}  // namespace bellwether::algorithms
