// SPDX-License-Identifier: MIT
// What is wrong with a description of the world, said so that its author can mend it.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace bellwether::world {

/// A key whose value cannot be used; what() is a sentence that names the cure.
class BadSpec : public std::runtime_error {
 public:
  BadSpec(std::string at, const std::string& sentence)
      : std::runtime_error(sentence), key(std::move(at)) {}

  std::string key;
};

/// A file that cannot be used; what() is "path:line: sentence", or "path: sentence" where no line
/// is at fault (line 0).
class BadFile : public std::runtime_error {
 public:
  BadFile(std::string in, std::size_t at, const std::string& sentence)
      : std::runtime_error(in + (at ? ":" + std::to_string(at) : "") + ": " + sentence),
        path(std::move(in)),
        line(at) {}

  std::string path;
  std::size_t line;
};

}  // namespace bellwether::world
