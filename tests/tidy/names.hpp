// SPDX-License-Identifier: MIT
// Names across all files: which are unused, and which mean several things.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "tree.hpp"

namespace bellwether::tidy {

struct DeadName {
  std::string name;
  std::string place;  // "path:line: "
};

/// What a header declares and no other word of any file is: names are counted, and those that
/// declare or define are taken off. What overrides a function of others is called by them. A name
/// that is used for something else counts as used, so this finds less than there is.
std::vector<DeadName> dead_declarations(std::span<const Source> files);

/// Types that are defined in two or more modules, outside of tests: the modules of each name.
/// Elections and layers count as one module: their messages and states keep the names of papers.
std::map<std::string, std::set<std::string>> shared_type_names(std::span<const Source> files);

}  // namespace bellwether::tidy
