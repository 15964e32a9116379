// SPDX-License-Identifier: MIT
// What the elections in networks of any shape share: whether a port is up.
#pragma once

#include <algorithm>

#include "bellwether/algorithms/leader_news.hpp"
#include "bellwether/core/step.hpp"

namespace bellwether::algorithms {

/// Always true where links do not change; used for ports that a node has stored.
template <class Step>
bool is_up(const Step& step, core::Port port) {
  return std::binary_search(step.ports().begin(), step.ports().end(), port);
}

}  // namespace bellwether::algorithms
