// SPDX-License-Identifier: MIT
// What is common to all refusals: status 2, one sentence, nothing left behind.
#pragma once

#include <string>
#include <vector>

#include "cli/program.hpp"

namespace bellwether::cli_test {

using Parts = std::vector<std::string>;

/// Runs the program, which must refuse; `parts` are pieces of its sentence.
void refused(const Folder& folder, const Arguments& arguments, const Parts& parts);

}  // namespace bellwether::cli_test
