// SPDX-License-Identifier: MIT
#include "bellwether/graph/harmonic.hpp"

#include <algorithm>
#include <numeric>

#include "bellwether/core/prng.hpp"
#include "bellwether/graph/closeness/landmarks.hpp"
#include "bellwether/graph/closeness/parts.hpp"
#include "bellwether/graph/closeness/top_k.hpp"
#include "bellwether/graph/distances.hpp"
#include "bellwether/graph/harmonic_sum.hpp"

namespace bellwether::graph {

namespace {

struct RankedNode {
  NodeIndex node = 0;
  HarmonicSum sum;

  bool beats(const RankedNode& other) const {
    const auto order = sum <=> other.sum;
    return order != 0 ? order > 0 : node > other.node;
  }
};

/// 1/d in units, each worked out once.
class Shares {
 public:
  Units below(std::size_t d) {
    while (shares_.size() <= d)
      shares_.push_back(HarmonicSum::share(static_cast<std::uint32_t>(shares_.size())));
    return shares_[d];
  }
  Units above(std::size_t d) { return below(d) + (d > HarmonicSum::last_whole ? 1 : 0); }

 private:
  std::vector<Units> shares_{0};
};

/// What is known of how many nodes can be near one, before all is searched.
class Profile {
 public:
  explicit Profile(NodeIndex nodes) : others_(nodes - 1), counts_{0, others_} {}

  /// Nothing is known: all others may be neighbours.
  void forget() { counts_ = {0, others_}; }

  /// The others are at least as far as they are from the landmarks' sight.
  void look(const Landmarks<std::uint32_t>& landmarks, NodeIndex u) {
    counts_.assign(2, 0);
    for (NodeIndex v = 0; v < landmarks.nodes(); ++v) {
      const std::uint32_t d = std::max(landmarks.apart(u, v), 1u);
      if (d >= counts_.size()) counts_.resize(std::size_t{d} + 1, 0);
      ++counts_[d];
    }
    --counts_[1];  // u itself
  }

  /// What a search has found of the first distances.
  void learn(const std::vector<std::uint32_t>& found) {
    std::uint32_t more = 0;  // may be near, but is not
    if (counts_.size() < found.size() + 2) counts_.resize(found.size() + 2, 0);
    for (std::size_t d = 1; d <= found.size(); ++d) {
      more += counts_[d] - found[d - 1];
      counts_[d] = found[d - 1];
    }
    counts_[found.size() + 1] += more;
  }

  /// Bounds for a node that is `away` from the one that all this is known of: a node within d of
  /// it is within d + away of that one.
  void prepare(std::uint32_t away, Shares& shares) {
    const std::size_t far = counts_.size() - 1;
    within_.assign(1, 0);
    std::uint32_t sum = 0;
    for (std::size_t d = 1; d <= far; ++d) {
      sum += counts_[d];
      if (d > away) within_.push_back(sum);
    }
    beyond_.assign(within_.size() + 1, 0);
    for (std::size_t d = within_.size(); d-- > 1;)
      beyond_[d] = beyond_[d + 1] + (d > 1 ? counts_[d + away] * shares.above(d) : 0);
  }

  /// How many others can be within d, at most.
  std::size_t within(std::size_t d) const { return d < within_.size() ? within_[d] : others_; }
  /// What those can add, at most, that are at least at d.
  Units beyond(std::size_t d) const { return d < beyond_.size() ? beyond_[d] : 0; }

 private:
  std::uint32_t others_;
  std::vector<std::uint32_t> counts_;  // [d]: how many more can be within d than within d - 1
  std::vector<std::uint32_t> within_;
  std::vector<Units> beyond_;
};

/// How many nodes were looked at to be done with how many.
struct Tally {
  std::uint64_t work = 0;
  std::uint64_t nodes = 0;

  Tally& operator+=(const Tally& other) {
    work += other.work;
    nodes += other.nodes;
    return *this;
  }
  bool cheaper_than(const Tally& other) const {
    return static_cast<double>(work) * static_cast<double>(other.nodes) <
           static_cast<double>(other.work) * static_cast<double>(nodes);
  }
};

/// Finds the best of one component. Searches are given up when even these would not be enough:
///  - at the next distance, as many as there are links that lead on;
///  - at each distance after that, as many as the profile allows.
/// The profile of a node comes from landmarks. It also holds for the nodes around, if distances are
/// taken less by the way between them: so most nodes are ruled out after a look at their vicinity.
class Finder {
 public:
  Finder(const Graph& graph, const std::vector<NodeIndex>& names, TopK<RankedNode>& best)
      : graph_(graph),
        names_(names),
        best_(best),
        profile_(graph.size()),
        seen_(graph.size(), 0),
        around_seen_(graph.size(), 0),
        done_(graph.size(), false) {}

  void run() {
    if (graph_.size() < few) {
      profile_.prepare(0, shares_);
      for (NodeIndex u = 0; u < graph_.size(); ++u) finish(u);
      return;
    }
    const Landmarks<std::uint32_t> landmarks(graph_.size(),
                                             [&](NodeIndex u) { return distances(graph_, u); });
    // Which of the two ways is shorter depends on the graph: it is tried, then gone.
    Tally alone;
    Tally together;
    std::size_t middle = first();
    for (const NodeIndex u : order(landmarks)) {
      if (done_[u]) continue;
      if (middle > 0) {
        --middle;  // not like the others
        search_alone(u);
      } else if (alone.nodes < few || (together.nodes >= few && alone.cheaper_than(together))) {
        alone += search_alone(u);
      } else {
        together += search_with_those_around(u, landmarks);
      }
    }
  }

 private:
  enum class BoundResult : unsigned char { found, hopeless, open };

  /// Below, landmarks cost more than they save.
  static constexpr NodeIndex few = 32;

  /// How many to begin with.
  std::size_t first() const { return std::min<std::size_t>(graph_.size(), best_.count() + few); }

  /// First those that seem to be in the middle, so that the best known is soon a good one. Then all
  /// others in any order: a node next to one that was ruled out is often ruled out with it.
  std::vector<NodeIndex> order(const Landmarks<std::uint32_t>& landmarks) const {
    std::vector<NodeIndex> nodes(graph_.size());
    std::iota(nodes.begin(), nodes.end(), NodeIndex{0});
    core::Prng prng(0);
    core::shuffle(nodes, prng);
    std::partial_sort(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(first()),
                      nodes.end(), [&](NodeIndex a, NodeIndex b) {
                        const std::uint64_t far_a = landmarks.sum(a);
                        const std::uint64_t far_b = landmarks.sum(b);
                        return far_a != far_b ? far_a < far_b : names_[a] > names_[b];
                      });
    return nodes;
  }

  Tally search_alone(NodeIndex u) {
    profile_.forget();
    profile_.prepare(0, shares_);
    finish(u);
    return {found_.size(), 1};
  }

  Tally search_with_those_around(NodeIndex u, const Landmarks<std::uint32_t>& landmarks) {
    profile_.look(landmarks, u);
    profile_.prepare(0, shares_);
    finish(u);
    Tally tally{graph_.size() + found_.size(), 1};
    profile_.learn(sum_.counts());
    tally += rule_out_around(u);
    return tally;
  }

  void finish(NodeIndex u) {
    done_[u] = true;
    if (search(u, graph_.size()) == BoundResult::found) best_.offer({names_[u], sum_});
  }

  /// Leaves it open when more than `most` nodes would have to be looked at.
  BoundResult search(NodeIndex from, std::size_t most) {
    sum_.clear();
    found_.assign(1, from);
    if (++round_ == 0) {  // after 2^32 searches
      std::fill(seen_.begin(), seen_.end(), 0);
      round_ = 1;
    }
    seen_[from] = round_;
    std::size_t level = 0;  // where the newest distance begins in found_
    std::size_t arcs = graph_.neighbours(from).size();
    const std::size_t all = graph_.size();
    while (found_.size() < all) {
      const std::uint32_t d = sum_.levels() + 1;
      const std::size_t left = profile_.within(d) - (found_.size() - 1);
      const std::size_t next = std::min(left, arcs);
      const Units bound = sum_.at_most() + next * shares_.above(d) +
                          (left - next) * shares_.above(d + 1) + profile_.beyond(d + 1);
      if (hopeless(from, bound)) return BoundResult::hopeless;
      if (found_.size() > most) return BoundResult::open;
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
      sum_.add_level(static_cast<std::uint32_t>(found_.size() - end), shares_.below(d));
    }
    return BoundResult::found;
  }

  /// Those that the profile of u and a look at their vicinity are enough for.
  Tally rule_out_around(NodeIndex u) {
    if (!best_.full()) return {};
    const std::size_t most = graph_.size() / few;
    Tally tally;
    around_.assign(1, u);
    around_seen_[u] = ++around_round_;
    std::size_t level = 0;
    for (std::uint32_t away = 1; level < around_.size(); ++away) {
      const std::size_t end = around_.size();
      for (; level < end; ++level)
        for (const NodeIndex v : graph_.neighbours(around_[level])) {
          if (around_seen_[v] == around_round_) continue;
          around_seen_[v] = around_round_;
          around_.push_back(v);
        }
      std::size_t tried = 0;
      std::size_t ruled_out = 0;
      for (std::size_t i = end; i < around_.size(); ++i) {
        const NodeIndex v = around_[i];
        if (done_[v]) continue;
        if (tried++ == 0) profile_.prepare(away, shares_);
        const bool out = search(v, most) == BoundResult::hopeless;
        tally.work += found_.size();
        if (!out) continue;
        done_[v] = true;
        ++ruled_out;
      }
      tally.nodes += ruled_out;
      if (2 * ruled_out < tried) break;
    }
    tally.work += around_.size();
    return tally;
  }

  /// Whether a node with at most this sum cannot be among the best.
  bool hopeless(NodeIndex u, Units most) const {
    if (!best_.full()) return false;
    const Units least = best_.last().sum.at_least();
    return most < least || (most == least && names_[u] < best_.last().node);
  }

  const Graph& graph_;
  const std::vector<NodeIndex>& names_;
  TopK<RankedNode>& best_;
  Shares shares_;
  Profile profile_;
  HarmonicSum sum_;                  // of the search
  std::vector<NodeIndex> found_;     // by the search
  std::vector<std::uint32_t> seen_;  // in which round
  std::uint32_t round_ = 0;
  std::vector<NodeIndex> around_;
  std::vector<std::uint32_t> around_seen_;
  std::uint32_t around_round_ = 0;
  std::vector<bool> done_;
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

std::vector<HarmonicCentral> rounded(const std::vector<RankedNode>& ranked) {
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
    TopK<RankedNode> best(count);
    if (count > 0) Finder(part, names, best).run();
    out.push_back(rounded(best.take()));
  });
  return out;
}

}  // namespace bellwether::graph
