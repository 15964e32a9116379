// SPDX-License-Identifier: MIT
// Files that are part of the program: the page, the scenarios and the published
// experiments. Made by cmake/embed.cmake.
#pragma once

#include <span>
#include <string_view>

namespace bellwether::embedded {

struct File {
  std::string_view name;  // "index.html", "scenarios/first-election.toml", ...
  std::string_view content;
};
std::span<const File> files();

}  // namespace bellwether::embedded
