// SPDX-License-Identifier: MIT
// Networks from files. The ending of the path tells the format, else the contents do.
//
//   edge list   "a b" on each line, separated by blanks or a comma; a third column is ignored, so
//               is what follows # or %. Names are words or non-negative integers. Two-way.
//   GraphML     .graphml, .xml; one graph, edgedefault "directed" makes it one-way.
//   DIMACS      .col, .clq, .dimacs, .gr: "p edge N M" and "e u v", "p sp N M" and "a u v w".
//               Two-way; the arcs of a "sp" file merge with each other, since such files list both
//               directions of a link.
//
// Nodes are numbered in the order of their first appearance or, where all their names are integers,
// in ascending order. A loop, and otherwise a link that is there already, is refused.
#pragma once

#include <string>
#include <string_view>

#include "bellwether/world/bad_spec.hpp"
#include "bellwether/world/network.hpp"

namespace bellwether::world {

/// Throws BadFile.
Network read_graph_file(const std::string& path);

/// The same for text at hand; the path tells the format and appears in errors.
Network parse_graph(std::string_view text, std::string_view path);

}  // namespace bellwether::world
