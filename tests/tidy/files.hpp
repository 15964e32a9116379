// SPDX-License-Identifier: MIT
// Files that nothing leads to.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tree.hpp"

namespace bellwether::tidy {

/// Headers that no source includes, nor CMake names.
std::vector<std::string> dead_headers(std::span<const Source> files);

/// Headers of modules that are no tests' own and that only tests include: they are installed, and
/// what is in them is of no use to the programs.
std::vector<std::string> headers_for_tests(std::span<const Source> files);

/// Sources that no file of CMake names and no pattern of one matches.
std::vector<std::string> dead_sources(std::span<const Source> files);

/// Whether a pattern of CMake matches a path: '*' is anything but '/', "**"
/// anything.
bool matches(std::string_view pattern, std::string_view path);

}  // namespace bellwether::tidy
