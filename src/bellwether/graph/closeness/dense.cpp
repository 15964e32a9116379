// SPDX-License-Identifier: MIT
// Up to some 1000 nodes: all searches at once, each node's reach a row of bits. What u reaches in
// k + 1 hops is what its neighbours reach in k. Ends near the radius of the graph, not at its
// diameter: as soon as no node that has yet to reach all can win.
//
// In a two-way graph a node u folds into a neighbour w that has all neighbours of u and more, or
// the same ones and a higher index. Then w is nearer to all than u, or as near: u never wins. And a
// shortest way through u can go through w instead: only ways to u matter. Nodes that fold get no
// row. Among nodes in the plane that is a third of them.
#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>
#include <vector>

#include "bellwether/core/invariant.hpp"
#include "bellwether/graph/closeness/kernels.hpp"
#include "bellwether/graph/closeness/lanes.hpp"

namespace bellwether::graph {

namespace {

/// Nodes of equal degree.
struct DenseGroup {
  std::uint32_t first, last;
  std::uint32_t degree;
  std::size_t first_target;
};

/// Room for one search after the other. Loops over neighbours run in the order of degrees: then the
/// processor predicts their ends.
struct DenseGraph {
  std::size_t width = 0;               // blocks of a row
  std::vector<Block> rows;             // first of all nodes: its neighbours and itself
  std::vector<Block> next;             // as large
  std::vector<NodeIndex> by_degree;    // all nodes
  std::vector<std::uint32_t> kept;     // by node: 1, or 0 where it folds
  std::vector<std::uint32_t> degree;   // by node, itself included, among the kept
  std::vector<std::uint32_t> place;    // by node: its row
  std::vector<NodeIndex> names;        // by row
  std::vector<std::uint32_t> targets;  // where the rows of neighbours begin, and the own one
  std::vector<DenseGroup> groups;
  std::vector<std::uint32_t> reach;  // by row
  std::vector<std::uint32_t> sums;   // by row
  std::vector<std::uint32_t> begins;

  void draw(const Graph& graph, std::size_t row_width) {
    const NodeIndex n = graph.size();
    width = row_width;
    rows.assign(n * width, {});
    next.resize(n * width);
    kept.assign(n, 1);
    degree.resize(n);
    place.resize(n);
    for (NodeIndex u = 0; u < n; ++u)
      degree[u] = static_cast<std::uint32_t>(graph.neighbours(u).size()) + 1;
    names.resize(n);
    std::iota(names.begin(), names.end(), NodeIndex{0});
    sort(names, by_degree);
    for (const NodeIndex u : by_degree) {
      std::uint64_t* row = rows[u * width].words;
      set(row, u);
      for (const NodeIndex v : graph.neighbours(u)) set(row, v);
    }
  }

  /// Puts the nodes that do not fold, and their rows, in the order of their degrees.
  void order(const Graph& graph) {
    for (const NodeIndex u : by_degree) {
      std::uint32_t many = 1;
      for (const NodeIndex v : graph.neighbours(u)) many += kept[v];
      degree[u] = many;
    }
    sort(by_degree, names);
    targets.resize(graph.arcs() + graph.size() + 1);
    groups.clear();
    std::uint32_t begin = 0;
    for (std::uint32_t i = 0; i < names.size(); ++i) {
      const std::uint32_t many = degree[names[i]];
      if (groups.empty() || groups.back().degree != many) groups.push_back({i, i, many, begin});
      ++groups.back().last;
      begin += many;
    }
    std::uint32_t* to = targets.data();
    const auto wide = static_cast<std::uint32_t>(width);
    for (std::uint32_t i = 0; i < names.size(); ++i) {
      *to++ = i * wide;
      // What folds is written over by the next.
      for (const NodeIndex v : graph.neighbours(names[i])) {
        *to = place[v] * wide;
        to += kept[v];
      }
      std::copy_n(&rows[names[i] * width], width, &next[i * width]);
    }
    rows.swap(next);
  }

 private:
  static void set(std::uint64_t* row, NodeIndex v) { row[v / 64] |= std::uint64_t{1} << v % 64; }

  /// Those that are kept, by degree; of equal degree as they come.
  void sort(const std::vector<NodeIndex>& all, std::vector<NodeIndex>& out) {
    begins.assign(*std::max_element(degree.begin(), degree.end()) + std::size_t{2}, 0);
    for (const NodeIndex u : all) begins[degree[u] + 1] += kept[u];
    for (std::size_t d = 1; d < begins.size(); ++d) begins[d] += begins[d - 1];
    const std::uint32_t many = begins.back();
    out.resize(many + std::size_t{1});  // those that fold are written behind the end
    for (const NodeIndex u : all) {
      std::uint32_t& begin = begins[degree[u]];
      place[u] = kept[u] != 0 ? begin : many;
      out[place[u]] = u;
      begin += kept[u];
    }
    out.pop_back();
  }
};

thread_local DenseGraph scratch;

namespace portable {
#include "bellwether/graph/closeness/lanes.inl"
// After it.
#include "bellwether/graph/closeness/dense.inl"
}  // namespace portable

#if defined(BELLWETHER_HAS_AVX2)
BELLWETHER_AVX2_BEGIN
namespace avx2 {
#include "bellwether/graph/closeness/lanes.inl"
// After it.
#include "bellwether/graph/closeness/dense.inl"
}  // namespace avx2
BELLWETHER_AVX2_END
#endif

}  // namespace

bool dense_central(const Graph& graph, Processor processor, Central& best) {
  core::invariant(graph.size() > 0 && graph.size() <= most_dense, "rows of at most 1024 bits");
#if defined(BELLWETHER_HAS_AVX2)
  if (processor == Processor::avx2) return avx2::dense_central(graph, best);
#endif
  return portable::dense_central(graph, best);
}

}  // namespace bellwether::graph
