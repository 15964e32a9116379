// SPDX-License-Identifier: MIT
#include "bellwether/graph/closeness/blocks.hpp"

#include <algorithm>

namespace bellwether::graph {

namespace {

constexpr std::uint32_t none = 0xFFFF'FFFF;

/// Depth-first search: nodes in the order of their discovery, so that each subtree is one range.
struct DepthFirst {
  std::vector<std::uint32_t> order;   // nodes by time of discovery
  std::vector<std::uint32_t> time;    // by node
  std::vector<std::uint32_t> parent;  // by node
  std::vector<std::uint32_t> low;     // by node: the earliest time that its subtree has a link to
  std::vector<std::uint32_t> size;    // by node: of its subtree

  explicit DepthFirst(const LocalGraph& graph)
      : time(graph.size(), none),
        parent(graph.size(), none),
        low(graph.size()),
        size(graph.size(), 1) {
    std::vector<std::uint32_t> next(graph.offsets.begin(), graph.offsets.end() - 1);
    discover(0);
    for (std::uint32_t u = 0; u != none;) {
      if (next[u] == graph.offsets[u + 1]) {
        const std::uint32_t above = parent[u];
        if (above != none) {
          low[above] = std::min(low[above], low[u]);
          size[above] += size[u];
        }
        u = above;
        continue;
      }
      const std::uint32_t v = graph.targets[next[u]++];
      if (time[v] == none) {
        parent[v] = u;
        discover(v);
        u = v;
      } else if (v != parent[u]) {
        low[u] = std::min(low[u], time[v]);
      }
    }
  }

  void discover(std::uint32_t u) {
    time[u] = low[u] = static_cast<std::uint32_t>(order.size());
    order.push_back(u);
  }
};

}  // namespace

std::vector<std::uint8_t> centroid_block(const LocalGraph& graph) {
  const std::uint32_t n = graph.size();
  const DepthFirst tree(graph);
  // How many small parts each node is in, as differences along the order.
  std::vector<std::int64_t> small(std::size_t{n} + 1, 0);
  const auto add = [&](std::uint32_t first, std::uint32_t last, std::int64_t much) {
    small[first] += much;
    small[last] -= much;
  };
  std::vector<std::uint32_t> below(n, 0);  // by node: how many it cuts off from the root
  const auto for_each_cut_off = [&](const auto& use) {
    for (std::uint32_t x = 1; x < n; ++x) {
      const std::uint32_t child = tree.order[x];
      const std::uint32_t above = tree.parent[child];
      if (tree.low[child] >= tree.time[above]) use(above, x, x + tree.size[child]);
    }
  };
  for_each_cut_off([&](std::uint32_t above, std::uint32_t first, std::uint32_t last) {
    below[above] += last - first;
    if (2 * std::uint64_t{last - first} < n) add(first, last, 1);
  });
  // The part with the root: all nodes but `above` and those that it cuts off.
  const auto rest_is_small = [&](std::uint32_t above) {
    return below[above] > 0 && 2 * std::uint64_t{n - 1 - below[above]} < n;
  };
  for_each_cut_off([&](std::uint32_t above, std::uint32_t first, std::uint32_t last) {
    if (rest_is_small(above)) add(first, last, -1);
  });
  for (std::uint32_t u = 0; u < n; ++u) {
    if (!rest_is_small(u)) continue;
    add(0, n, 1);
    add(tree.time[u], tree.time[u] + 1, -1);
  }
  std::vector<std::uint8_t> allowed(n);
  std::int64_t parts = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    parts += small[i];
    allowed[tree.order[i]] = parts == 0 ? 1 : 0;
  }
  return allowed;
}

namespace {

/// The cycle that the allowed nodes form, in its order; empty if they do not.
std::vector<std::uint32_t> cycle_of(const LocalGraph& graph,
                                    const std::vector<std::uint8_t>& allowed) {
  const auto first = std::find(allowed.begin(), allowed.end(), 1);
  if (first == allowed.end()) return {};
  const auto start = static_cast<std::uint32_t>(first - allowed.begin());
  const auto all = static_cast<std::size_t>(std::count(allowed.begin(), allowed.end(), 1));
  std::vector<std::uint32_t> cycle;
  std::uint32_t last = none;
  for (std::uint32_t u = start; u != start || cycle.empty();) {
    cycle.push_back(u);
    std::uint32_t onward = none;
    std::size_t many = 0;
    for (const std::uint32_t v : graph.neighbours(u)) {
      if (allowed[v] == 0) continue;
      ++many;
      if (v != last && (onward == none || last != none)) onward = v;
    }
    if (many != 2 || cycle.size() > all) return {};
    last = u;
    u = onward;
  }
  return cycle.size() == all && all > 2 ? cycle : std::vector<std::uint32_t>{};
}

/// What hangs on each node of the cycle, itself included; nothing where something hangs on two.
struct Hanging {
  std::vector<std::uint64_t> weights;  // by place on the cycle
  std::uint64_t depths = 0;            // the sum of the distances to the cycle
};

std::optional<Hanging> hanging(const LocalGraph& graph, const std::vector<std::uint32_t>& cycle,
                               const std::vector<std::uint8_t>& allowed) {
  Hanging out{std::vector<std::uint64_t>(cycle.size(), 1), 0};
  std::vector<std::uint32_t> root(graph.size(), none);
  std::vector<std::uint32_t> depth(graph.size(), 0);
  std::vector<std::uint32_t> queue = cycle;
  for (std::uint32_t i = 0; i < cycle.size(); ++i) root[cycle[i]] = i;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const std::uint32_t u = queue[i];
    for (const std::uint32_t v : graph.neighbours(u)) {
      if (allowed[u] != 0 && allowed[v] != 0) continue;  // along the cycle
      if (root[v] == none) {
        root[v] = root[u];
        depth[v] = depth[u] + 1;
        ++out.weights[root[u]];
        out.depths += depth[v];
        queue.push_back(v);
      } else if (root[v] != root[u]) {
        return std::nullopt;
      }
    }
  }
  return out;
}

}  // namespace

std::optional<Central> central_of_cycle(const LocalGraph& graph,
                                        const std::vector<std::uint8_t>& allowed) {
  const std::vector<std::uint32_t> cycle = cycle_of(graph, allowed);
  if (cycle.empty()) return std::nullopt;
  const std::optional<Hanging> what = hanging(graph, cycle, allowed);
  if (!what) return std::nullopt;
  const std::size_t k = cycle.size();
  const auto weight = [&](std::size_t i) { return what->weights[i % k]; };
  // The sum at place 0, and the weight of the half ahead: from i + 1 to i + k / 2.
  std::uint64_t sum = what->depths;
  std::uint64_t ahead = 0;
  for (std::size_t i = 0; i < k; ++i) sum += weight(i) * std::min(i, k - i);
  for (std::size_t i = 1; i <= k / 2; ++i) ahead += weight(i);
  Central best{graph.names[cycle[0]], graph.size(), sum};
  for (std::size_t i = 0; i + 1 < k; ++i) {
    // One step on: what is ahead comes nearer. All else goes farther, but for the node right
    // opposite on an odd cycle, which is as far from i as from i + 1.
    const std::uint64_t still = k % 2 == 0 ? 0 : weight(i + k / 2 + 1);
    sum = sum - ahead + (graph.size() - ahead - still);
    ahead = ahead - weight(i + 1) + weight(i + 1 + k / 2);
    const Central each{graph.names[cycle[i + 1]], graph.size(), sum};
    if (each.beats(best)) best = each;
  }
  return best;
}

}  // namespace bellwether::graph
