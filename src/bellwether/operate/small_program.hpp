// SPDX-License-Identifier: MIT
#pragma once

namespace bellwether::operate {

/// A node runs for months. Where the small program stands beside this one, `bellwether node` is
/// that program from here on: same process, same words, half the memory. Returns where there is
/// none, and for every other command.
void prefer_small_program(int argc, char** argv);

}  // namespace bellwether::operate
