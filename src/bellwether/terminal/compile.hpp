// SPDX-License-Identifier: MIT
// From one source file to a shared library that the program can load.
#pragma once

#include <filesystem>
#include <string>

namespace bellwether::terminal {

struct Compiled {
  std::filesystem::path library;
  std::string digest;               // of all that it was compiled from
  std::filesystem::path temporary;  // a folder to remove once the library is loaded; may be empty
};

/// Compiles the file, or finds what was made of the same content before: a cache below
/// $XDG_CACHE_HOME or ~/.cache knows it by the content of the file and of all that it includes, by
/// the compiler and by the version of this program. Throws core::Problem with the compiler's first
/// error.
Compiled compile_plugin(const std::string& file);

/// For a library that was compiled elsewhere.
std::string digest_of_file(const std::string& file);

/// What is wrong with a file, in the words of its compiler: "FILE:LINE: message".
std::string first_error(const std::string& said, const std::string& file);

}  // namespace bellwether::terminal
