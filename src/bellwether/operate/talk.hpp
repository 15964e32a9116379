// SPDX-License-Identifier: MIT
// The commands for people and scripts that talk to a running node: leader, status, members, watch,
// resign, pause, resume, priority, send, inbox.
#pragma once

namespace bellwether::terminal {
class Command;
}

namespace bellwether::operate {

/// Exit status of all of them: 0 done (leader: there is one; with --is-me: this node leads), 1 no
/// (no leader, not this node, the node refused), 2 bad input or no node to talk to.
void add_talk(terminal::Command& app, int& status);

}  // namespace bellwether::operate
