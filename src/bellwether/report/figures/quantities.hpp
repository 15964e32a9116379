// SPDX-License-Identifier: MIT
// Labels of an axis as numbers, where they are numbers: "30", "90 m", "400ms".
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bellwether::report {

struct Quantities {
  std::vector<double> values;
  std::string unit;
};

/// Nothing unless all are numbers of one unit. Times of different units are shown in seconds.
std::optional<Quantities> quantities(std::span<const std::string> labels);

}  // namespace bellwether::report
