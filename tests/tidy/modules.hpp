// SPDX-License-Identifier: MIT
// The modules: what src/bellwether/modules.txt says, and what the includes say.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tree.hpp"

namespace bellwether::tidy {

/// From the name of a module to those that it includes.
using Edges = std::map<std::string, std::set<std::string>>;

struct ModuleTable {
  std::vector<std::string> order;  // as they stand
  Edges code;
  Edges tests;  // what only its tests include
};

ModuleTable read_modules(std::string_view text);

/// The same from the includes: modules in the order of their names.
ModuleTable used_modules(std::span<const Source> files);

/// An include of one module by another that makes an edge, "path:line: ", or "".
std::string example_of(std::span<const Source> files, const std::string& from,
                       const std::string& to);

/// The table in a page: rows "| `name/` | what it is | `other`, `other` |".
Edges table_in_page(std::string_view page);

}  // namespace bellwether::tidy
