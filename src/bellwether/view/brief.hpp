// SPDX-License-Identifier: MIT
// A scenario as people write it: only what is not the default. Reading it back gives the same
// value.
#pragma once

#include "bellwether/scenario/scenario.hpp"

namespace bellwether::view {

std::string brief(const scenario::Scenario& scenario);

}  // namespace bellwether::view
