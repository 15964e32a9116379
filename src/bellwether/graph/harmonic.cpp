// SPDX-License-Identifier: MIT
#include "bellwether/graph/harmonic.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "bellwether/core/invariant.hpp"
#include "bellwether/graph/best.hpp"
#include "bellwether/graph/harmonic_sum.hpp"
#include "bellwether/graph/parts.hpp"

namespace bellwether::graph {

namespace {

struct Ranked {
  NodeIndex node = 0;
  HarmonicSum sum;

  bool beats(const Ranked& other) const {
    const auto order = sum <=> other.sum;
    return order != 0 ? order > 0 : node > other.node;
  }
};

/// Searches from nodes of one component, and gives up on those that cannot be among the best.
class Search {
 public:
  Search(const Graph& graph, const std::vector<NodeIndex>& names)
      : graph_(graph), names_(names), seen_(graph.size(), 0) {}

  void run(NodeIndex from, Best<Ranked>& best) {
    HarmonicSum sum;
    found_.assign(1, from);
    seen_[from] = ++round_;
    std::size_t level = 0;  // where the newest distance begins in found_
    std::size_t arcs = graph_.neighbours(from).size();
    const auto all = names_.size();
    while (found_.size() < all) {
      const std::uint32_t distance = sum.levels() + 1;
      const std::size_t left = all - found_.size();
      const std::size_t next = std::min(left, arcs);  // at most so many at the next distance
      const Units bound =
          sum.at_most() + next * above(distance) + (left - next) * above(distance + 1);
      if (hopeless(names_[from], bound, best)) return;
      const std::size_t end = found_.size();
      arcs = 0;
      for (; level < end && found_.size() < all; ++level)
        for (const NodeIndex v : graph_.neighbours(found_[level])) {
          if (seen_[v] == round_) continue;
          seen_[v] = round_;
          found_.push_back(v);
          arcs += graph_.neighbours(v).size() - 1;
        }
      level = end;
      sum.add_level(static_cast<std::uint32_t>(found_.size() - end), shares_[distance]);
    }
    best.offer({names_[from], std::move(sum)});
  }

 private:
  /// 1/d in units, rounded up.
  Units above(std::uint32_t d) {
    while (shares_.size() <= d)
      shares_.push_back(HarmonicSum::share(static_cast<std::uint32_t>(shares_.size())));
    return shares_[d] + (d > HarmonicSum::last_whole ? 1 : 0);
  }

  static bool hopeless(NodeIndex node, Units bound, const Best<Ranked>& best) {
    if (!best.full()) return false;
    const Units least = best.last().sum.at_least();
    return bound < least || (bound == least && node < best.last().node);
  }

  const Graph& graph_;
  const std::vector<NodeIndex>& names_;
  std::vector<std::uint32_t> seen_;  // in which round
  std::uint32_t round_ = 0;
  std::vector<NodeIndex> found_;
  std::vector<Units> shares_{0};
};

/// A component with numbers of its own, each link once in each direction, no loops.
Graph extract(const Graph& graph, const std::vector<NodeIndex>& members,
              const std::vector<NodeIndex>& place) {
  std::vector<Edge> arcs;
  for (NodeIndex i = 0; i < members.size(); ++i)
    for (const NodeIndex v : graph.neighbours(members[i]))
      if (place[v] != i) arcs.push_back({i, place[v]});
  std::sort(arcs.begin(), arcs.end());
  arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
  return Graph(static_cast<NodeIndex>(members.size()), arcs, Direction::one_way);
}

void add_best(const Graph& part, const std::vector<NodeIndex>& names, Best<Ranked>& best) {
  std::vector<NodeIndex> order(part.size());
  std::iota(order.begin(), order.end(), NodeIndex{0});
  std::sort(order.begin(), order.end(), [&](NodeIndex a, NodeIndex b) {
    const auto links = [&](NodeIndex u) { return part.neighbours(u).size(); };
    return links(a) != links(b) ? links(a) > links(b) : names[a] > names[b];
  });
  Search search(part, names);
  for (const NodeIndex u : order) search.run(u, best);
}

/// `use(part, names)` for each component.
template <class Use>
void for_each_extract(const Graph& graph, Use&& use) {
  if (!graph.two_way()) {
    std::vector<Edge> links;
    links.reserve(graph.arcs());
    for (NodeIndex u = 0; u < graph.size(); ++u)
      for (const NodeIndex v : graph.neighbours(u)) links.push_back({u, v});
    return for_each_extract(Graph(graph.size(), links), use);
  }
  for_each_part(graph, [&](const auto& members, const auto& place) {
    use(extract(graph, members, place), members);
  });
}

std::vector<HarmonicCentral> rounded(const std::vector<Ranked>& ranked) {
  std::vector<HarmonicCentral> out;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    const bool tied = i > 0 && ranked[i].sum == ranked[i - 1].sum;
    out.push_back({ranked[i].node, tied ? out.back().value : ranked[i].sum.value()});
    // Units are rounded down beyond some distance: let that not turn the order around.
    if (i > 0) out[i].value = std::min(out[i].value, out[i - 1].value);
  }
  return out;
}

}  // namespace

std::vector<std::vector<HarmonicCentral>> most_harmonic_of_each(const Graph& graph,
                                                                NodeIndex count) {
  std::vector<std::vector<HarmonicCentral>> out;
  for_each_extract(graph, [&](const Graph& part, const std::vector<NodeIndex>& names) {
    Best<Ranked> best(count);
    if (count > 0) add_best(part, names, best);
    out.push_back(rounded(best.take()));
  });
  return out;
}

HarmonicCentral most_harmonic(const Graph& graph) {
  core::invariant(graph.size() > 0, "nobody is central where nobody is");
  Best<Ranked> best(1);
  for_each_extract(graph, [&](const Graph& part, const std::vector<NodeIndex>& names) {
    add_best(part, names, best);
  });
  return rounded(best.take()).front();
}

}  // namespace bellwether::graph
