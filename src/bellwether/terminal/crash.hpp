// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace bellwether::terminal {

/// From here on a crash is reported in one sentence that names the election that crashed, its file
/// and its handler, and ends the program with status 1. Both texts must stay where they are.
void report_crashes_of(std::string_view election, std::string_view file);

}  // namespace bellwether::terminal
