// SPDX-License-Identifier: MIT
// Files that people name, opened and read in one place: all commands refuse the same things with
// the same words.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

namespace bellwether::core {

/// Refuses what is missing, folders, devices (/dev/zero never ends) and what may not be read.
/// Pipes are files here: /dev/stdin, or <(command) of a shell. Throws Problem.
std::ifstream open_file(const std::string& path);

/// All of a file of at most `limit` bytes. Throws Problem.
std::string read_file(const std::string& path, std::uint64_t limit);

}  // namespace bellwether::core
