// SPDX-License-Identifier: MIT
// Daemons at work, for `bellwether view --live`.
#pragma once

#include <string>
#include <vector>

#include "bellwether/view/runner.hpp"

namespace bellwether::cli {

/// The group of the nodes at these addresses; none: that of the node on this machine. One is
/// enough, for each knows its component; those that are asked tell what they believe themselves.
/// Throws ClientError where none of them answers.
view::Play live_group(std::vector<std::string> addresses);

}  // namespace bellwether::cli
