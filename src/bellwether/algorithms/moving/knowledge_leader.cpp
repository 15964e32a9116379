// SPDX-License-Identifier: MIT
// The leader in a map of the network. The map becomes a graph whose nodes are numbered in the order
// of their ids: rows of bits for up to 64 nodes, a list of arcs beyond.
#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>

#include "bellwether/algorithms/moving/knowledge.hpp"
#include "bellwether/core/digest.hpp"
#include "bellwether/graph/central_node.hpp"
#include "bellwether/graph/closeness/closeness.hpp"
#include "bellwether/graph/distances.hpp"

namespace bellwether::algorithms {

namespace {
using core::NodeId;
using core::NodeIndex;
using Words = std::vector<std::uint64_t>;

constexpr NodeIndex nobody = std::numeric_limits<NodeIndex>::max();

/// From ids to indices, several times as fast as a search among sorted ids.
class IndexTable {
 public:
  explicit IndexTable(const Ids& ids)
      : ids_(ids),
        bits_(static_cast<int>(std::bit_width(2 * ids.size() | 1))),
        table_(std::size_t{1} << bits_, nobody) {
    for (NodeIndex i = 0; i < ids.size(); ++i) table_[slot(ids[i])] = i;
  }
  NodeIndex operator[](NodeId id) const { return table_[slot(id)]; }

 private:
  /// The slot of the id, or the free slot where it would be.
  std::size_t slot(NodeId id) const {
    std::size_t at = (raw(id) * 0x9E37'79B9'7F4A'7C15u) >> (64 - bits_);
    while (table_[at] != nobody && ids_[table_[at]] != id) at = (at + 1) & (table_.size() - 1);
    return at;
  }

  const Ids& ids_;
  int bits_;
  std::vector<NodeIndex> table_;
};

NodeIndex place_of(NodeId id, const Ids& ids) {
  const auto at = std::lower_bound(ids.begin(), ids.end(), id);
  return at == ids.end() || *at != id ? nobody : static_cast<NodeIndex>(at - ids.begin());
}

/// All ids that the map names. A node that only others name has no mutual links.
Ids named(const std::vector<MemberView>& known, Edges edges) {
  Ids ids;
  ids.reserve(known.size());
  for (const MemberView& view : known) ids.push_back(view.id);
  if (edges == Edges::mutual) return ids;
  Ids more;
  const IndexTable places(ids);
  for (const MemberView& view : known)
    for (const NodeId id : *view.neighbours)
      if (places[id] == nobody) more.push_back(id);
  if (more.empty()) return ids;
  ids.insert(ids.end(), more.begin(), more.end());
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

/// `see(u, v)` for each claim of u to be a neighbour of v, in ascending order.
template <class See>
void for_each_claim(const std::vector<MemberView>& known, const Ids& ids, See&& see) {
  const IndexTable places(ids);
  for (const MemberView& view : known) {
    const NodeIndex u = places[view.id];
    for (const NodeId id : *view.neighbours) {
      const NodeIndex v = places[id];
      if (v != nobody && v != u) see(u, v);
    }
  }
}

constexpr std::uint64_t bit(NodeIndex u) {
  return std::uint64_t{1} << u;
}

/// The best of some nodes; `central` returns the centrality of a node.
template <class Find>
NodeIndex best_of(const std::vector<NodeIndex>& some, Find&& central) {
  graph::Central best = central(some.front());
  for (std::size_t i = 1; i < some.size(); ++i)
    if (const graph::Central each = central(some[i]); each.beats(best)) best = each;
  return best.node;
}

/// At most 64 nodes.
struct SmallPicture {
  Ids ids;
  Words rows;

  SmallPicture(const std::vector<MemberView>& known, Ids names, Edges edges)
      : ids(std::move(names)), rows(ids.size(), 0) {
    std::array<std::uint64_t, graph::most_bit_rows> claimed_by{};
    for_each_claim(known, ids, [&](NodeIndex u, NodeIndex v) {
      rows[u] |= bit(v);
      claimed_by[v] |= bit(u);
    });
    for (NodeIndex u = 0; u < rows.size(); ++u) {
      if (edges == Edges::mutual) rows[u] &= claimed_by[u];
      if (edges == Edges::either) rows[u] |= claimed_by[u];
    }
  }

  Ids within(NodeIndex self, std::uint32_t hops) const {
    std::uint64_t seen = bit(self);
    std::uint64_t newest = seen;
    for (; newest != 0 && hops > 0; --hops) {
      std::uint64_t next = 0;
      for (; newest != 0; newest &= newest - 1)
        next |= rows[static_cast<std::size_t>(std::countr_zero(newest))];
      newest = next & ~seen;
      seen |= newest;
    }
    Ids out;
    out.reserve(static_cast<std::size_t>(std::popcount(seen)));
    for (; seen != 0; seen &= seen - 1)
      out.push_back(ids[static_cast<std::size_t>(std::countr_zero(seen))]);
    return out;
  }

  void restrict_to(Ids some) {
    std::array<NodeIndex, graph::most_bit_rows> place{};
    Words kept(some.size(), 0);
    for (NodeIndex u = 0, i = 0; u < ids.size(); ++u)
      if (i < some.size() && ids[u] == some[i]) place[u] = i++;
    std::size_t next = 0;
    for (NodeIndex u = 0; next < some.size(); ++u) {
      if (ids[u] != some[next]) continue;
      // A reachable node's neighbours are reachable.
      for (std::uint64_t rest = rows[u]; rest != 0; rest &= rest - 1)
        kept[next] |= bit(place[static_cast<std::size_t>(std::countr_zero(rest))]);
      ++next;
    }
    ids = std::move(some);
    rows = std::move(kept);
  }

  void append_key(Words& key) const { key.insert(key.end(), rows.begin(), rows.end()); }
  /// The most central of some, which are in ascending order.
  NodeIndex most_central_of(const std::vector<NodeIndex>& some) const {
    return best_of(some, [this](NodeIndex u) { return central(u); });
  }
  std::size_t degree(NodeIndex u) const { return static_cast<std::size_t>(std::popcount(rows[u])); }

 private:
  graph::Central central(NodeIndex from) const {
    graph::Central out{from, 1, 0};
    std::uint64_t seen = bit(from);
    std::uint64_t newest = seen;
    for (std::uint64_t hops = 1; newest != 0; ++hops) {
      std::uint64_t next = 0;
      for (; newest != 0; newest &= newest - 1)
        next |= rows[static_cast<std::size_t>(std::countr_zero(newest))];
      newest = next & ~seen;
      seen |= newest;
      const auto many = static_cast<NodeIndex>(std::popcount(newest));
      out.reached += many;
      out.sum += hops * many;
    }
    return out;
  }
};

/// Any number of nodes.
struct LargePicture {
  Ids ids;
  bool directed;
  std::vector<graph::Edge> arcs;  // ascending, each once
  graph::Graph graph;

  LargePicture(const std::vector<MemberView>& known, Ids names, Edges edges)
      : ids(std::move(names)), directed(edges == Edges::directed) {
    for_each_claim(known, ids, [&](NodeIndex u, NodeIndex v) { arcs.push_back({u, v}); });
    if (edges == Edges::mutual) {
      keep_mutual();
    } else if (edges == Edges::either) {
      for (std::size_t i = arcs.size(); i-- > 0;) arcs.push_back({arcs[i].b, arcs[i].a});
      std::sort(arcs.begin(), arcs.end());
      arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
    }
    build();
  }

  Ids within(NodeIndex self, std::uint32_t hops) const {
    const std::vector<std::uint32_t> far = graph::distances(graph, self);
    Ids out;
    for (NodeIndex u = 0; u < ids.size(); ++u)
      if (far[u] != graph::unreachable && far[u] <= hops) out.push_back(ids[u]);
    return out;
  }

  void restrict_to(Ids some) {
    const IndexTable places(some);
    std::vector<graph::Edge> kept;
    for (const graph::Edge& arc : arcs) {
      const NodeIndex u = places[ids[arc.a]];
      if (u != nobody) kept.push_back({u, places[ids[arc.b]]});
    }
    ids = std::move(some);
    arcs = std::move(kept);
    build();
  }

  void append_key(Words& key) const {
    for (const graph::Edge& arc : arcs) key.push_back(std::uint64_t{arc.a} << 32 | arc.b);
  }
  NodeIndex most_central_of(const std::vector<NodeIndex>& some) const;
  std::size_t degree(NodeIndex u) const { return graph.neighbours(u).size(); }

  /// Where every arc has its reverse: each pair of them once.
  std::vector<graph::Edge> links() const {
    std::vector<graph::Edge> out;
    out.reserve(arcs.size() / 2);
    for (const graph::Edge& arc : arcs)
      if (arc.a < arc.b) out.push_back(arc);
    return out;
  }

 private:
  /// Arcs come by ascending u, so the claims of v are scanned only once.
  void keep_mutual() {
    std::vector<std::size_t> next(ids.size() + 1, 0);
    for (const graph::Edge& arc : arcs) ++next[arc.a + std::size_t{1}];
    std::partial_sum(next.begin(), next.end(), next.begin());
    const std::vector<graph::Edge> claims = arcs;
    std::erase_if(arcs, [&](const graph::Edge& arc) {
      std::size_t& at = next[arc.b];
      while (at < claims.size() && claims[at] < graph::Edge{arc.b, arc.a}) ++at;
      return at == claims.size() || claims[at] != graph::Edge{arc.b, arc.a};
    });
  }

  void build() {
    const auto n = static_cast<NodeIndex>(ids.size());
    graph = directed ? graph::Graph(n, arcs, graph::Direction::one_way) : graph::Graph(n, links());
  }
};

/// Successive maps often differ by a link or two: then the answer follows from the last one.
class Followed {
 public:
  NodeIndex most_central(const SmallPicture& picture) {
    return graph::most_central(picture.rows).node;
  }
  NodeIndex most_central(const LargePicture& picture) {
    if (picture.directed) return graph::most_central(picture.graph).node;
    std::vector<graph::Edge> now = picture.links();
    std::vector<graph::Edge> come, gone;
    if (nodes_ == picture.ids.size()) {
      std::set_difference(now.begin(), now.end(), links_.begin(), links_.end(),
                          std::back_inserter(come));
      std::set_difference(links_.begin(), links_.end(), now.begin(), now.end(),
                          std::back_inserter(gone));
    }
    const bool near = nodes_ == picture.ids.size() && come.size() + gone.size() <= most_changes;
    in_a_row_ = near ? in_a_row_ + 1 : 0;
    if (in_a_row_ < worth_it) {
      nodes_ = static_cast<NodeIndex>(picture.ids.size());
      links_ = std::move(now);
      central_.reset();
      return graph::most_central(picture.graph).node;
    }
    if (!central_) central_.emplace(nodes_, links_);
    for (const graph::Edge& link : gone) central_->unlink(link.a, link.b);
    for (const graph::Edge& link : come) central_->link(link.a, link.b);
    links_ = std::move(now);
    return central_->best().node;
  }

 private:
  static constexpr std::size_t most_changes = 4;  // with more, computing anew is as fast
  static constexpr std::uint64_t worth_it = 3;    // in a row: starting has a cost
  std::uint64_t in_a_row_ = 0;
  NodeIndex nodes_ = 0;
  std::vector<graph::Edge> links_;  // ascending
  std::optional<graph::CentralNode> central_;
};

graph::Central central(const graph::Graph& graph, NodeIndex from) {
  graph::Central out{from, 0, 0};
  for (const std::uint32_t distance : graph::distances(graph, from)) {
    if (distance == graph::unreachable) continue;
    ++out.reached;
    out.sum += distance;
  }
  return out;
}

/// Where few nodes are excluded, as when one resigns, as many of the most central nodes plus one
/// are searched for at once: one of them is not excluded. Otherwise there is a search from each
/// node.
NodeIndex LargePicture::most_central_of(const std::vector<NodeIndex>& some) const {
  const std::size_t others = ids.size() - some.size();
  if (!directed && others < some.size()) {
    const auto best = graph::most_central_of_each(graph, static_cast<NodeIndex>(others + 1));
    for (const graph::Central& each : best.front())
      if (std::binary_search(some.begin(), some.end(), each.node)) return each.node;
  }
  return best_of(some, [this](NodeIndex u) { return central(graph, u); });
}

/// The indices of the eligible nodes: those with the highest priority; none, where that is 0.
template <class Picture>
std::vector<NodeIndex> eligible_in(const Picture& picture, const Known& known) {
  std::vector<NodeIndex> out;
  std::uint32_t highest = 1;
  for (NodeIndex u = 0; u < picture.ids.size(); ++u) {
    const MemberView* view = find(known, picture.ids[u]);
    const std::uint32_t priority = view ? view->effective_priority() : usual_priority;
    if (priority < highest) continue;
    if (priority > highest) out.clear();
    highest = priority;
    out.push_back(u);
  }
  return out;
}

/// The most central of the eligible nodes.
template <class Picture>
NodeId most_central(const Picture& picture, Measure measure, const std::vector<NodeIndex>& stand) {
  if (measure == Measure::closeness) return picture.ids[picture.most_central_of(stand)];
  NodeIndex best = stand.front();
  for (const NodeIndex u : stand)
    if (picture.degree(u) >= picture.degree(best)) best = u;
  return picture.ids[best];
}

template <class Picture>
NodeId most_central(const Picture& picture, Measure measure, Followed& followed) {
  if (measure == Measure::closeness) return picture.ids[followed.most_central(picture)];
  NodeIndex best = 0;
  for (NodeIndex u = 1; u < picture.ids.size(); ++u)
    if (picture.degree(u) >= picture.degree(best)) best = u;
  return picture.ids[best];
}

}  // namespace

class LeaderCache {
 public:
  Followed followed;

  /// The answer for a map; `key` is all that it depends on. `find()` computes it where it is not
  /// cached.
  template <class Find>
  NodeId answer(Words key, Find&& find) {
    std::uint64_t digest = 0;
    for (const std::uint64_t word : key) digest = core::mix(digest, word);
    CachedLeader& slot = answers_[digest % answers_.size()];
    if (slot.key != key) slot = {std::move(key), find()};
    return slot.leader;
  }

  /// The same knowledge, shared by many nodes: not even the map is converted again.
  struct CachedMap {
    Edges edges{};
    Measure measure{};
    bool by_priority = false;
    Ids component;
    std::optional<NodeId> leader;
  };
  const CachedMap* find(const Known& known, NodeId self, Edges edges, Measure measure,
                        bool by_priority) const {
    // Along directed edges, the reachable nodes are no component: each computes its own answer.
    if (edges == Edges::directed) return nullptr;
    for (std::size_t ago = 1; ago <= sight; ++ago) {
      const std::size_t i = (next_ - ago) % sight;
      if (!known_[i].same(known)) continue;
      const CachedMap& seen = seen_[i];
      if (seen.edges == edges && seen.measure == measure && seen.by_priority == by_priority &&
          contains(seen.component, self))
        return &seen;
    }
    return nullptr;
  }
  /// In place of the oldest.
  void keep(const Known& known, CachedMap seen) {
    known_[next_ % sight] = known;
    seen_[next_++ % sight] = std::move(seen);
  }

 private:
  struct CachedLeader {
    Words key;
    NodeId leader{};
  };
  static constexpr std::size_t sight = 64;
  std::array<CachedLeader, 128> answers_;
  std::array<Known, sight> known_;  // apart from the answers: searched at each step
  std::array<CachedMap, sight> seen_;
  std::size_t next_ = 0;
};

namespace {

/// `known`: the map whose priorities count; null, where all have the same.
template <class Picture>
std::optional<NodeId> leader_in(LeaderCache& cache, Picture picture, NodeId self, Measure measure,
                                const Known* known, Ids& members) {
  const NodeIndex here = place_of(self, picture.ids);
  members = {self};
  if (here == nobody) return self;
  Ids component = picture.within(here, graph::unreachable);
  members = component;
  if (component.size() < picture.ids.size()) picture.restrict_to(std::move(component));
  std::vector<NodeIndex> stand;
  if (known) {
    stand = eligible_in(picture, *known);
    if (stand.empty()) return std::nullopt;
    if (stand.size() == 1) return picture.ids[stand.front()];
  }
  const bool some = known && stand.size() < picture.ids.size();
  if (picture.ids.size() == 1) return self;

  Words key{picture.ids.size() << 2 | (some ? 2u : 0u) | static_cast<std::size_t>(measure)};
  if (some) {
    key.push_back(stand.size());
    key.insert(key.end(), stand.begin(), stand.end());
  }
  for (const NodeId id : picture.ids) key.push_back(raw(id));
  picture.append_key(key);
  return cache.answer(std::move(key), [&] {
    return some ? most_central(picture, measure, stand)
                : most_central(picture, measure, cache.followed);
  });
}

/// `look(picture)` with the representation that fits.
template <class Look>
auto look_at(const Known& known, Edges edges, Look&& look) {
  Ids ids = named(*known, edges);
  if (ids.size() <= graph::most_bit_rows) return look(SmallPicture(*known, std::move(ids), edges));
  return look(LargePicture(*known, std::move(ids), edges));
}

std::optional<NodeId> leader_seen(LeaderCache& cache, const Known& known, NodeId self, Edges edges,
                                  Measure measure, bool by_priority) {
  if (const auto* seen = cache.find(known, self, edges, measure, by_priority)) return seen->leader;
  const auto unusual = [](const MemberView& view) { return view.priority != usual_priority; };
  const bool differ = by_priority && std::any_of(known->begin(), known->end(), unusual);
  LeaderCache::CachedMap seen{edges, measure, by_priority, {}, {}};
  seen.leader = look_at(known, edges, [&](auto picture) {
    return leader_in(cache, std::move(picture), self, measure, differ ? &known : nullptr,
                     seen.component);
  });
  const std::optional<NodeId> leader = seen.leader;
  cache.keep(known, std::move(seen));
  return leader;
}

}  // namespace

NodeId leader_of(KnowledgeCache& cache, const Known& known, NodeId self, Edges edges,
                 Measure measure) {
  return *leader_seen(*cache.leaders, known, self, edges, measure, false);
}

std::optional<NodeId> priority_leader_of(KnowledgeCache& cache, const Known& known, NodeId self,
                                         Edges edges, Measure measure) {
  return leader_seen(*cache.leaders, known, self, edges, measure, true);
}

Component component_of(const Known& known, NodeId self) {
  LargePicture picture(*known, named(*known, Edges::mutual), Edges::mutual);
  const NodeIndex here = place_of(self, picture.ids);
  if (here == nobody) return {{self}, graph::Graph(1, {}), false};
  picture.restrict_to(picture.within(here, graph::unreachable));
  std::size_t claims = 0;
  for (const NodeId id : picture.ids)
    for (const NodeId other : *find(known, id)->neighbours) claims += other == id ? 0 : 1;
  const bool whole = claims == picture.arcs.size();
  return {std::move(picture.ids), std::move(picture.graph), whole};
}

void forget_beyond(Known& known, NodeId self, Edges edges, std::uint32_t hops) {
  const Ids near = look_at(known, edges, [&](const auto& picture) {
    const NodeIndex here = place_of(self, picture.ids);
    return here == nobody ? Ids{} : picture.within(here, hops);
  });
  const auto far = [&](const auto& view) { return view.id != self && !contains(near, view.id); };
  if (std::any_of(known->begin(), known->end(), far)) std::erase_if(known.edit(), far);
}

}  // namespace bellwether::algorithms
