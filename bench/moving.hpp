// SPDX-License-Identifier: MIT
// Networks that move: cases and table, beside those of bench.cpp.
#pragma once

#include <map>
#include <string>

#include "bounds.hpp"

namespace bench {

void add_moving_cases(int times);

/// `seconds` and `counted` (what a case counts) by the name of the case.
void print_moving_table(const std::map<std::string, double>& seconds,
                        const std::map<std::string, std::map<std::string, double>>& counted,
                        Bounds& bounds);

}  // namespace bench
