// SPDX-License-Identifier: MIT
// From the text of an experiment to its parts. Private to this room.
#pragma once

#include "bellwether/scenario/experiment.hpp"

namespace bellwether::scenario {

/// Every key is known and of the right kind; that they fit together is not looked at yet.
Experiment read_parts(std::string_view toml, const std::string& path, std::optional<Scenario> base);

}  // namespace bellwether::scenario
