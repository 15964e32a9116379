// SPDX-License-Identifier: MIT
// Networks from files. The file extension gives the format, else the contents do.
//
//   edge list   "a b" on each line, separated by blanks or a comma; a third column may be a weight;
//               what follows # or % is ignored. Names are words or non-negative integers. Two-way.
//   GraphML     .graphml, .xml; one graph, edgedefault "directed" makes it one-way. The edge
//               attribute with attr.name="weight" is the weight.
//   DIMACS      .col, .clq, .dimacs, .gr: "p edge N M" and "e u v", "p sp N M" and "a u v w".
//               Two-way; the arcs of a "sp" file merge with each other, since such files list both
//               directions of a link. There are M such lines, or 2 M.
//   METIS       .graph, .metis: "N M [FMT [NCON]]", then a line for each node with its neighbours;
//               lines that begin with % are comments, an empty line is a node without links. FMT 1
//               has weights of links; sizes and weights of nodes are skipped. Two-way: each link is
//               listed at both of its ends.
//
// Nodes are numbered in the order of their first appearance or, where all their names are integers,
// in ascending order.
//
// There are two ways to make a network of what a file lists. A scenario is strict: a loop, and
// otherwise a link that is there already, is refused; it knows no weights. A caller that only
// measures is lenient: loops and repetitions are left out and counted.
#pragma once

#include <array>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bellwether/core/problem.hpp"
#include "bellwether/world/network.hpp"

namespace bellwether::world {

/// Throws Problem.
Network read_graph_file(const std::string& path);

/// The same for text at hand; the path gives the format and appears in errors.
Network parse_graph(std::string_view text, std::string_view path);

enum class GraphFormat : unsigned char { edges, graphml, dimacs, metis };
constexpr auto names_of(GraphFormat) {
  return std::array<std::string_view, 4>{"edges", "graphml", "dimacs", "metis"};
}

struct GraphReading {
  std::optional<GraphFormat> format{};  // else the ending or the contents tell
  bool weights = false;                 // every link must have one: a whole number from 1 to 2^32-1
  bool two_way = false;                 // the links of a directed graph lead back, too
};

/// The names of nodes, stored compactly.
class NodeNames {
 public:
  void add(std::string_view name) {
    characters_ += name;
    ends_.push_back(characters_.size());
  }
  /// Where the format numbers the nodes itself, it does so from 1.
  std::string operator[](NodeIndex u) const {
    if (ends_.empty()) return std::to_string(std::uint64_t{u} + 1);
    const std::size_t begin = u == 0 ? 0 : ends_[u - 1];
    return characters_.substr(begin, ends_[u] - begin);
  }

 private:
  std::string characters_;
  std::vector<std::size_t> ends_;
};

/// A graph to be measured. Links are distinct and between different nodes, in the order of the
/// file.
struct MeasuredGraph {
  NodeIndex nodes = 0;
  graph::Direction direction = graph::Direction::both_ways;
  std::vector<graph::Edge> links;
  std::vector<std::uint32_t>
      weights;  // one for each link if asked for; of repetitions the smallest
  NodeNames names;
  std::size_t loops = 0;     // left out: links from a node to itself
  std::size_t repeated = 0;  // left out: links that were there already
};

/// The whole file as it is. Throws Problem.
std::string file_text(const std::string& path);
/// The same for a stream at hand; the path appears in errors.
std::string stream_text(std::istream& in, const std::string& path);

/// Throws Problem.
MeasuredGraph parse_measured_graph(std::string_view text, std::string_view path,
                                   const GraphReading& reading = {});

}  // namespace bellwether::world
