// SPDX-License-Identifier: MIT
// For tests: holds all methods of graph/closeness/kernels.hpp against the sums of all nodes. Each
// check says in words what is wrong, or nothing.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "bellwether/graph/closeness/blocks.hpp"
#include "bellwether/graph/closeness/kernels.hpp"
#include "bellwether/graph/closeness/local_graph.hpp"
#include "bellwether/graph/plain_oracles_test.hpp"

namespace bellwether::graph::checks {

/// Those that this machine can run.
inline std::span<const Processor> processors() {
  static constexpr Processor all[] = {Processor::portable, Processor::avx2};
  return std::span(all).first(this_processor() == Processor::avx2 ? 2 : 1);
}

inline std::string text(const Central& each) {
  return std::to_string(each.node) + " (reaches " + std::to_string(each.reached) + ", sum " +
         std::to_string(each.sum) + ")";
}

inline std::string unlike(const char* method, Processor processor, const Central& found,
                          const Central& expected) {
  if (found == expected) return {};
  return std::string(method) + (processor == Processor::avx2 ? " with avx2" : "") + " says " +
         text(found) + " instead of " + text(expected);
}

inline std::string unlike(const char* method, Processor processor,
                          const std::vector<Central>& found, const std::vector<Central>& expected) {
  if (found.size() != expected.size())
    return std::string(method) + " has " + std::to_string(found.size()) + " ranks";
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!(found[i] == expected[i])) return unlike(method, processor, found[i], expected[i]);
  return {};
}

inline Central best_of(const std::vector<Central>& all) {
  return *std::min_element(all.begin(), all.end(), plain::beats);
}

inline std::vector<std::uint64_t> rows_of(const Graph& graph) {
  std::vector<std::uint64_t> rows(graph.size(), 0);
  for (NodeIndex u = 0; u < graph.size(); ++u)
    for (const NodeIndex v : graph.neighbours(u)) rows[u] |= std::uint64_t{1} << v;
  return rows;
}

/// Methods that answer only where some node reaches all.
inline std::string small_and_dense(const Graph& graph, Processor processor, const Central& best) {
  const bool somebody = best.reached == graph.size();
  std::string bad;
  const auto hold = [&](const char* method, bool answers, const Central& found) {
    if (answers != somebody)
      bad = std::string(method) + (answers ? " answers" : " gives no answer");
    else if (answers)
      bad = unlike(method, processor, found, best);
  };
  Central found;
  if (graph.size() <= most_bit_rows)
    hold("small_central", small_central(rows_of(graph), processor, found), found);
  if (bad.empty() && graph.size() <= most_dense)
    hold("dense_central", dense_central(graph, processor, found), found);
  return bad;
}

/// On a connected two-way graph.
inline std::string plane(const LocalGraph& local, Processor processor,
                         const std::vector<Central>& ranks) {
  const std::vector<std::uint8_t> everybody(local.size(), 1);
  Podium all(ranks.size());
  plane_central(local, everybody, everybody, processor, all);
  std::string bad = unlike("plane_central", processor, all.take(), ranks);
  if (!bad.empty()) return bad;
  const std::vector<std::uint8_t> kept = unfolded(local);
  Podium folded(1);
  plane_central(local, kept, kept, processor, folded);
  return unlike("plane_central without those that fold", processor, folded.take().front(),
                ranks.front());
}

inline std::string walk(const LocalGraph& local, Processor processor,
                        const std::vector<Central>& ranks) {
  const std::vector<std::uint8_t> everybody(local.size(), 1);
  Podium podium(ranks.size());
  walk_central(local, everybody, processor, podium);
  return unlike("walk_central", processor, podium.take(), ranks);
}

inline std::string blocks(const LocalGraph& local, const std::vector<Central>& all) {
  const Central best = best_of(all);
  const std::vector<std::uint8_t> allowed = centroid_block(local);
  const auto winner = static_cast<std::size_t>(
      std::find(local.names.begin(), local.names.end(), best.node) - local.names.begin());
  if (allowed[winner] == 0) return "centroid_block leaves out " + text(best);
  const auto central = central_of_cycle(local, allowed);
  return central ? unlike("central_of_cycle", Processor::portable, *central, best) : "";
}

/// All that there is. `all` are the sums of all nodes, in their order; `places` at least 1.
inline std::string closeness(const Graph& graph, const std::vector<Central>& all,
                             NodeIndex places) {
  const Central best = best_of(all);
  const Components parts = components(graph);
  std::vector<std::vector<Central>> ranks;
  if (graph.two_way()) ranks = plain::ranked(parts, all, places);
  for (const Processor processor : processors()) {
    std::string bad = unlike("most_central", processor, most_central(graph, processor), best);
    if (bad.empty()) bad = small_and_dense(graph, processor, best);
    if (graph.two_way() && bad.empty()) {
      const auto found = most_central_of_each(graph, places, processor);
      if (found.size() != ranks.size()) return std::to_string(found.size()) + " components";
      for (std::size_t i = 0; i < ranks.size() && bad.empty(); ++i)
        bad = unlike("most_central_of_each", processor, found[i], ranks[i]);
    }
    if (!bad.empty()) return bad;
  }
  if (!graph.two_way() || parts.count > 1) return {};
  const LocalGraph local(graph);
  for (const Processor processor : processors()) {
    std::string bad = plane(local, processor, ranks.front());
    // Where ways are long, it searches all nodes.
    if (bad.empty() && (local.size() <= most_dense || local.first_eccentricity < 20))
      bad = walk(local, processor, ranks.front());
    if (!bad.empty()) return bad;
  }
  return blocks(local, all);
}

}  // namespace bellwether::graph::checks
