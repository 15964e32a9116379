// SPDX-License-Identifier: MIT
// Included once for each kind of processor, inside a namespace of its own: see
// closeness_dense.cpp.

/// Whether all bits of a are in b.
template <int width>
__attribute__((always_inline)) inline bool within(const Lanes* a, const Lanes* b) {
  Lanes more = a[0] & ~b[0];
  for (int i = 1; i < width; ++i) more |= a[i] & ~b[i];
  return is_zero(more);
}

/// Marks whom somebody else makes superfluous: see closeness_dense.cpp.
template <int width>
void fold(const Graph& graph, DenseGraph& dense) {
  const auto* rows = reinterpret_cast<const Lanes*>(dense.rows.data());
  for (const NodeIndex u : dense.by_degree) {
    Lanes own[width];
    for (int i = 0; i < width; ++i) own[i] = rows[u * width + i];
    for (const NodeIndex w : graph.neighbours(u)) {
      if (!within<width>(own, rows + w * width) || w == u) continue;
      // Equals fold into the highest of them.
      if (w > u || !within<width>(rows + w * width, own)) {
        dense.kept[u] = 0;
        break;
      }
    }
  }
}

template <int width>
__attribute__((always_inline)) inline std::uint32_t count(const Lanes* row) {
  const auto* words = reinterpret_cast<const std::uint64_t*>(row);
  std::uint32_t ones = 0;
  for (int i = 0; i < 4 * width; ++i) ones += static_cast<std::uint32_t>(std::popcount(words[i]));
  return ones;
}

/// One more hop, for all nodes of one degree; says how many each of them reaches then. A degree
/// known in advance leaves the loop no end to guess.
template <int width, int degree>
void step(const DenseGroup& group, const std::uint32_t* targets, const Lanes* from, Lanes* to,
          std::uint32_t* reach) {
  const std::uint32_t* around = targets + group.first_target;
  const int many = degree > 0 ? degree : static_cast<int>(group.degree);
  for (std::uint32_t u = group.first; u < group.last; ++u, around += many) {
    Lanes sum[width];
    for (int i = 0; i < width; ++i) sum[i] = from[around[0] + i];
    for (int d = 1; d < many; ++d)
      for (int i = 0; i < width; ++i) sum[i] |= from[around[d] + i];
    for (int i = 0; i < width; ++i) to[u * width + i] = sum[i];
    reach[u] = count<width>(to + u * width);
  }
}

template <int width, int... degrees>
constexpr auto steps_for(std::integer_sequence<int, degrees...>) {
  return std::array{step<width, degrees>...};
}

/// Adds up distances, one hop at a time: the sum of the distances from a node is the sum over all k
/// of how many it has not reached in k hops.
struct Tally {
  std::uint32_t nodes;
  std::uint32_t least = none;  // of those who have come to all
  std::uint64_t reached = 0;
  static constexpr std::uint32_t none = 0xFFFF'FFFF;

  /// Whether it must go on: somebody can still win, and somebody comes farther.
  bool add(const std::vector<std::uint32_t>& reach, std::vector<std::uint32_t>& sums) {
    std::uint32_t open = none;
    std::uint32_t now = 0;
    for (std::size_t i = 0; i < reach.size(); ++i) {
      const std::uint32_t missing = nodes - reach[i];
      const std::uint32_t sum = sums[i] + missing;
      sums[i] = sum;
      now += reach[i];
      least = std::min(least, missing == 0 ? sum : none);
      open = std::min(open, missing == 0 ? none : sum);
    }
    const bool farther = now != reached;
    reached = now;
    return farther && open <= least && open != none;
  }
};

template <int width>
bool search(const Graph& graph, Central& best) {
  constexpr auto steps = steps_for<width>(std::make_integer_sequence<int, 21>{});
  DenseGraph& dense = scratch;
  dense.draw(graph, width);
  if (graph.two_way()) fold<width>(graph, dense);
  dense.order(graph);
  auto* from = reinterpret_cast<Lanes*>(dense.rows.data());
  auto* to = reinterpret_cast<Lanes*>(dense.next.data());
  Tally tally{graph.size()};
  dense.sums.assign(dense.names.size(), graph.size() - 1);
  dense.reach.resize(dense.names.size());
  for (NodeIndex i = 0; i < dense.reach.size(); ++i)
    dense.reach[i] = count<width>(from + i * width);
  while (tally.add(dense.reach, dense.sums)) {
    for (const DenseGroup& group : dense.groups)
      steps[group.degree < steps.size() ? group.degree : 0](group, dense.targets.data(), from, to,
                                                            dense.reach.data());
    std::swap(from, to);
  }
  if (tally.least == Tally::none) return false;
  best = {0, graph.size(), tally.least};
  for (std::size_t i = 0; i < dense.names.size(); ++i)
    if (dense.reach[i] == graph.size() && dense.sums[i] == tally.least)
      best.node = std::max(best.node, dense.names[i]);
  return true;
}

inline bool dense_central(const Graph& graph, Central& best) {
  switch ((graph.size() + 255) / 256) {
    case 1:
      return search<1>(graph, best);
    case 2:
      return search<2>(graph, best);
    case 3:
      return search<3>(graph, best);
    default:
      return search<4>(graph, best);
  }
}
