// SPDX-License-Identifier: MIT
// bellwether lock: run a command while this node leads, and only then.
#pragma once

namespace bellwether::terminal {
class Command;
}

namespace bellwether::operate {

/// Exit status: that of the command when it ends by itself (128 + signal), 2 bad input, 3 with
/// --once when this node leads no more, 130 or 143 when lock was interrupted.
void add_lock(terminal::Command& app, int& status);

}  // namespace bellwether::operate
