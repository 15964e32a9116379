// SPDX-License-Identifier: MIT
// The properties that an algorithm brings, over the states of a search: what they remember is kept
// by number, so that it can be part of a state.
#pragma once

#include <map>

#include "bellwether/check/plan.hpp"
#include "bellwether/core/configuration.hpp"

namespace bellwether::check {

class Watcher {
 public:
  explicit Watcher(core::PropertyMonitors monitors);
  bool watches() const { return watches_; }

  /// What is remembered after a step, or in a quiescent state, by those who remembered `memory`
  /// before. Throws Breach.
  Number after(Number memory, const core::Configuration& seen, const core::Happening& what);
  Number at_rest(Number memory, const core::Configuration& seen);

 private:
  template <class Look>
  Number watched(Number memory, Look&& look);
  Number number_of(core::PropertyMonitors monitors);

  const bool watches_;
  std::vector<core::PropertyMonitors> memories_;
  std::map<std::vector<core::Bytes>, Number> numbers_;
};

}  // namespace bellwether::check
