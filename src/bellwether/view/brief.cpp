// SPDX-License-Identifier: MIT
#include "bellwether/view/brief.hpp"

#include <set>
#include <sstream>

namespace bellwether::view {
namespace {

/// "[network]\nnodes = 0": a line with the table that it stands in.
std::set<std::string> lines_of(const std::string& text) {
  std::set<std::string> out;
  std::istringstream in(text);
  std::string table;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('[')) table = line;
    out.insert(table + '\n' + line);
  }
  return out;
}

}  // namespace

std::string brief(const scenario::Scenario& scenario) {
  static const std::set<std::string> standard =
      lines_of(scenario::print_scenario(scenario::Scenario{}));
  std::istringstream in(scenario::print_scenario(scenario));
  std::string out, table, heading;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('[')) {
      table = line;
      heading = (out.empty() ? "" : "\n") + line + '\n';
      continue;
    }
    // What stands above is always said: it is what a reader looks for first.
    const bool essential = line.starts_with("algorithm = ") || line.starts_with("topology = ");
    if (line.empty() || (!essential && standard.contains(table + '\n' + line))) continue;
    out += heading + line + '\n';
    heading.clear();
  }
  return out;
}

}  // namespace bellwether::view
