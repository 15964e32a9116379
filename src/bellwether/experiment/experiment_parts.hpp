// SPDX-License-Identifier: MIT
// From the text of an experiment to its parts. Private to this module.
#pragma once

#include "bellwether/experiment/experiment.hpp"

namespace bellwether::experiment {

/// Every key is known and of the right kind; that they fit together is not checked yet.
Experiment read_parts(std::string_view toml, const std::string& path, const ScenarioNamed& base);

}  // namespace bellwether::experiment
