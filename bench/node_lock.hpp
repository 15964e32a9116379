// SPDX-License-Identifier: MIT
// `bellwether lock` under faults: how long no command runs when the lead changes, and that no two
// commands run at once.
#pragma once

#include <string>

#include "bounds.hpp"

namespace bench {

/// Repeats each fault twice with a command that ends on SIGTERM and twice with one that ignores it.
void measure_lock(Bounds& bounds);

/// The command that the locks run: it writes the times of its begin and end to a new file in the
/// folder, until it is killed.
int leave_marks(const std::string& prefix, bool stubborn);

}  // namespace bench
