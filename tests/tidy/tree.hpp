// SPDX-License-Identifier: MIT
// All files of ours that tidy reads, once.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "outline.hpp"
#include "tokens.hpp"

namespace bellwether::tidy {

inline const std::filesystem::path root = BELLWETHER_SOURCE_DIR;

/// A file that is compiled or included, or one of CMake or Python.
struct Source {
  std::string path;  // from the root
  std::string text;
  std::vector<std::string_view> lines;
  Tokens tokens;    // of C++ only
  Outline outline;  // of C++ only

  bool is_cmake() const;
  bool is_python() const;
  bool is_cpp() const;     // or C
  bool is_header() const;  // or an .inl: what others include
  bool is_test() const;    // beside the code of a module, or below tests/
};

/// By path. Everything but build folders.
const std::vector<Source>& sources();

/// The same of files that are somewhere else: paths and texts.
std::vector<Source> sources_of(std::map<std::string, std::string> files);

/// "core" for src/bellwether/core/...; empty elsewhere.
std::string module_of(std::string_view path);

/// "path:line: ", which begins what tidy has to say.
std::string place(const Source& source, int line);

std::string read_file(const std::filesystem::path& path);

std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace bellwether::tidy
