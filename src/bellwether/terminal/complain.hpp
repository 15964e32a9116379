// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace bellwether::terminal {

/// Prints a sentence as one line, whatever the user's input has brought into it. Returns the status
/// for bad input.
int complain(std::string sentence);

}  // namespace bellwether::terminal
