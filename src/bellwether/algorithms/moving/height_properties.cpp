// SPDX-License-Identifier: MIT
// Properties A to J and Theorem 1 of the sources, with their misprints corrected (C: t > 0).
//
// The sources assume reliable nodes. After a crash, properties about a node's past are no longer
// claimed, and their monitors retire; so do they with `rejoin = yield`, which deliberately gives up
// the order of leader pairs. C, I and Theorem 1 hold nevertheless.
#include <algorithm>
#include <map>

#include "bellwether/algorithms/moving/height.hpp"
#include "bellwether/algorithms/stated_property.hpp"

namespace bellwether::algorithms {
namespace {

using core::Cause;
using core::Happening;
using core::NodeIndex;
using All = core::Snapshot<Height>;

const HeightTuple& height_in(const Height::Message& message) {
  return std::get<Height::Update>(message).height;
}

using Property = StatedProperty<Height>;

/// A property about the past, of nodes that keep their memory.
class PastProperty : public Property {
 public:
  using Property::Property;
  void after(const All& all, const Happening& event) final {
    retired_ = retired_ || event.cause == Cause::crash ||
               all.node(event.node).options().rejoin == Height::Rejoin::yield;
    if (!retired_) check(all, event);
  }

 private:
  virtual void check(const All&, const Happening&) = 0;

 protected:
  bool retired_ = false;

 public:
  static constexpr auto fields = std::tuple{core::field("retired", &PastProperty::retired_)};
};
template <class Self, class Base = PastProperty>
using Past = core::Remembers<Self, Base>;

/// Every token that the node itself holds: its own height and its views of others.
template <class Visit>
void for_each_token(const All& all, NodeIndex u, Visit&& visit) {
  visit(all.node(u).height());
  for (const auto& channel : all.channels(u))
    if (const HeightTuple* view = all.node(u).view(channel.port)) visit(*view);
}

bool topology_change(Cause cause) {
  return cause == Cause::link_up || cause == Cause::link_down || cause == Cause::crash ||
         cause == Cause::restart || cause == Cause::start;
}

class A final : public Past<A> {
 public:
  A() : Past<A>("A", "no height that a node holds has a time later than its clock") {}

 private:
  void check(const All& all, const Happening& event) override {
    const NodeIndex u = event.node;
    const std::uint64_t t = all.node(u).time_at(all.clock(u));
    for_each_token(all, u, [&](const HeightTuple& h) {
      demand(h.lp.nlts <= 0 && static_cast<std::uint64_t>(-h.lp.nlts) <= t && h.rl.tau >= 0 &&
                 static_cast<std::uint64_t>(h.rl.tau) <= t,
             all, u, "the height " + to_text(h) + " is from after time " + std::to_string(t));
    });
  }
};

/// The (u, v) height sequence: u's height, what is in transit from the newest, v's view of u.
std::vector<HeightTuple> height_sequence(const All& all, NodeIndex u,
                                         const core::ChannelView<Height::Message>& channel) {
  std::vector<HeightTuple> sequence{all.node(u).height()};
  for (auto m = channel.transit.rbegin(); m != channel.transit.rend(); ++m)
    sequence.push_back(height_in(**m));
  if (channel.far_port)
    if (const HeightTuple* view = all.node(channel.to).view(*channel.far_port))
      sequence.push_back(*view);
  return sequence;
}

class B final : public Past<B> {
 public:
  B()
      : Past<B>("B",
                "on each channel the newest height on its way, or known, is the sender's; "
                "leader pairs come in decreasing order and, for one pair, reference levels in "
                "increasing order") {}

 private:
  void check(const All& all, const Happening& event) override {
    const NodeIndex u = event.node;
    for (const auto& channel : all.channels(u)) {
      check_channel(all, u, channel);
      for (const auto& back : all.channels(channel.to))
        if (back.to == u) check_channel(all, channel.to, back);
    }
  }
  static void check_channel(const All& all, NodeIndex u,
                            const core::ChannelView<Height::Message>& channel) {
    const auto h = height_sequence(all, u, channel);
    if (h.size() < 2) return;
    const std::string to = " towards node " + std::to_string(core::raw(all.id(channel.to)));
    demand(h[0] == h[1], all, u,
           "the last height sent is " + to_text(h[1]) + ", not " + to_text(h[0]) + to);
    for (std::size_t i = 0; i + 1 < h.size(); ++i) {
      demand(h[i].lp <= h[i + 1].lp, all, u,
             "an older leader pair was adopted: " + to_text(h[i]) + " after " + to_text(h[i + 1]) +
                 to);
      demand(h[i].lp != h[i + 1].lp || h[i].rl >= h[i + 1].rl, all, u,
             "a smaller reference level was adopted: " + to_text(h[i]) + " after " +
                 to_text(h[i + 1]) + to);
    }
  }
};

class C final : public Property {
 public:
  C() : Property("C", "a reference level is all zero, or has a positive time, a node and a bit") {}
  void after(const All& all, const Happening& event) override {
    for_each_token(all, event.node, [&](const HeightTuple& h) {
      const ReferenceLevel& rl = h.rl;
      demand(rl == ReferenceLevel{} || (rl.tau > 0 && core::raw(rl.oid) > 0 && rl.r <= 1), all,
             event.node, "the reference level of " + to_text(h) + " makes no sense");
    });
  }
};

class D final : public Past<D> {
 public:
  D()
      : Past<D>("D",
                "while nothing changes after an election, every node that follows that leader has "
                "reference level zero, and delta is its distance in the tree of adoption") {}

 private:
  void check(const All& all, const Happening& event) override {
    if (topology_change(event.cause)) fresh_.clear();
    const NodeIndex u = event.node;
    const HeightTuple& h = all.node(u).height();
    const bool changed = !last_.contains(u) || last_[u] != h.lp;
    last_[u] = h.lp;
    if (changed && h.lp.lid == h.id && h.lp.nlts < 0) fresh_[h.lp][u] = 0;
    const auto tree = fresh_.find(h.lp);
    if (tree == fresh_.end()) return;
    auto& depth = tree->second;
    if (!depth.contains(u)) {
      demand(event.peer && depth.contains(*event.peer), all, u,
             "the leader pair of " + to_text(h) + " came from nowhere");
      depth[u] = depth[*event.peer] + 1;
    }
    demand(h.rl == ReferenceLevel{} && h.delta == depth[u], all, u,
           "the height " + to_text(h) + " does not fit distance " + std::to_string(depth[u]) +
               " in the tree of adoption");
  }
  std::map<LeaderPair, std::map<NodeIndex, std::int64_t>> fresh_;
  std::map<NodeIndex, LeaderPair> last_;

 public:
  static constexpr auto fields =
      std::tuple{core::field("retired", &D::retired_), core::field("fresh", &D::fresh_),
                 core::field("last", &D::last_)};
};

class E final : public Past<E> {
 public:
  E() : Past<E>("E", "a node's delta changes only with its reference level or leader pair") {}

 private:
  void check(const All& all, const Happening& event) override {
    const HeightTuple& h = all.node(event.node).height();
    const auto [seen, fresh] = deltas_[event.node].emplace(std::pair(h.lp, h.rl), h.delta);
    demand(
        seen->second == h.delta, all, event.node,
        "delta was " + std::to_string(seen->second) + " for the pair and level of " + to_text(h));
  }
  std::map<NodeIndex, std::map<std::pair<LeaderPair, ReferenceLevel>, std::int32_t>> deltas_;

 public:
  static constexpr auto fields =
      std::tuple{core::field("retired", &E::retired_), core::field("deltas", &E::deltas_)};
};

/// RD(t, p): the nodes that joined the search (t, p), and their predecessors; for searches since
/// the last change.
class SearchProperty : public PastProperty {
 public:
  using PastProperty::PastProperty;

 protected:
  using Prefix = std::pair<std::int64_t, NodeId>;
  /// The participants, in the order of joining: of two neighbours, the earlier one precedes.
  using Participants = std::map<NodeIndex, std::size_t>;
  static Prefix prefix(const HeightTuple& h) { return {h.rl.tau, h.rl.oid}; }
  Participants* search(const HeightTuple& h) {
    const auto found = searches_.find(prefix(h));
    return h.rl.tau > 0 && found != searches_.end() ? &found->second : nullptr;
  }

 private:
  void check(const All& all, const Happening& event) final {
    if (topology_change(event.cause)) searches_.clear();
    const NodeIndex u = event.node;
    const HeightTuple& h = all.node(u).height();
    const auto [last, first_time] = last_.emplace(u, h);
    const HeightTuple before = last->second;
    last->second = h;
    if (!first_time && h != before && h.rl.tau > 0) {
      if (h.rl.r == 0 && h.rl.oid == h.id && prefix(h) != prefix(before) && h.delta == 0)
        begin(all, u);
      else if (Participants* joined = search(h); joined && h.lp == before.lp)
        joined->emplace(u, joined->size());
    }
    judge(all, u);
  }
  /// Claimed only for searches after the last change: both ends of every link know of it.
  void begin(const All& all, NodeIndex u) {
    for (NodeIndex v = 0; v < all.size(); ++v)
      for (const auto& channel : all.channels(v))
        if (!channel.far_port) return;
    searches_[prefix(all.node(u).height())].emplace(u, 0);
  }
  virtual void judge(const All& all, NodeIndex u) = 0;

  std::map<Prefix, Participants> searches_;
  std::map<NodeIndex, HeightTuple> last_;

 public:
  static constexpr auto fields = std::tuple{core::field("retired", &SearchProperty::retired_),
                                            core::field("searches", &SearchProperty::searches_),
                                            core::field("last", &SearchProperty::last_)};
};

class F final : public Past<F, SearchProperty> {
 public:
  F()
      : Past<F, SearchProperty>(
            "F", "while nothing changes, a search spreads only to nodes that take part in it") {}

 private:
  void judge(const All& all, NodeIndex u) override {
    const HeightTuple& h = all.node(u).height();
    if (const Participants* s = search(h))
      demand(s->contains(u), all, u, "the search of " + to_text(h) + " came with a leader pair");
  }
};

class G final : public Past<G, SearchProperty> {
 public:
  G()
      : Past<G, SearchProperty>(
            "G",
            "while nothing changes, all neighbours of a node with a reflected search take "
            "part in that search") {}

 private:
  void judge(const All& all, NodeIndex u) override {
    const HeightTuple& h = all.node(u).height();
    const Participants* s = search(h);
    if (!s || h.rl.r == 0) return;
    for (const auto& channel : all.channels(u))
      if (all.node(u).view(channel.port))
        demand(s->contains(channel.to), all, u,
               "neighbour " + std::to_string(core::raw(all.id(channel.to))) +
                   " takes no part in the reflected search of " + to_text(h));
  }
};

class H final : public Past<H, SearchProperty> {
 public:
  H()
      : Past<H, SearchProperty>("H",
                                "while nothing changes, a search runs downhill from predecessor to "
                                "successor, and its reflection back up") {}

 private:
  void judge(const All& all, NodeIndex u) override {
    const HeightTuple& mine = all.node(u).height();
    const Participants* s = search(mine);
    if (!s) return;
    for (const auto& channel : all.channels(u)) {
      const HeightTuple* theirs = all.node(u).view(channel.port);
      const bool mutual = channel.far_port && all.node(channel.to).view(*channel.far_port);
      if (!theirs || !mutual || prefix(*theirs) != prefix(mine)) continue;
      if (!s->contains(u) || !s->contains(channel.to)) continue;  // that is property F
      const bool before = s->at(u) < s->at(channel.to);
      const bool behind = !before;
      const std::string pair = to_text(mine) + " and " + to_text(*theirs);
      if (mine.rl.r < theirs->rl.r)
        demand(before, all, u, pair + ": reflected ahead of its search");
      if (mine.rl.r > theirs->rl.r)
        demand(behind, all, u, pair + ": reflected ahead of its search");
      if (mine.rl.r != theirs->rl.r) continue;
      const bool downhill = mine.delta > theirs->delta;
      demand(downhill == (mine.rl.r == 0 ? before : behind), all, u,
             pair + ": the link between them leads the wrong way");
    }
  }
};

class I final : public Property {
 public:
  I() : Property("I", "a node is never a sink in its own view") {}
  void after(const All& all, const Happening& event) override {
    if (!all.alive(event.node)) return;
    demand(!all.node(event.node).sink(), all, event.node,
           "there is no downhill link from " + to_text(all.node(event.node).height()));
  }
};

class J final : public Past<J> {
 public:
  J()
      : Past<J>("J",
                "where the reference level is zero, delta is not negative, and it is zero at "
                "leaders and nowhere else") {}

 private:
  void check(const All& all, const Happening& event) override {
    for_each_token(all, event.node, [&](const HeightTuple& h) {
      if (h.rl != ReferenceLevel{}) return;
      demand(h.delta >= 0 && (h.delta == 0) == (h.lp.lid == h.id), all, event.node,
             "delta does not fit in " + to_text(h));
    });
  }
};

class Theorem1 final : public Property {
 public:
  Theorem1()
      : Property("theorem-1",
                 "when quiescent, each component is leader-oriented: views are exact, all name one "
                 "leader in the component, and every other node has a downhill link") {}
  void at_rest(const All& all) override {
    for (NodeIndex u = 0; u < all.size(); ++u) {
      if (!all.alive(u)) continue;
      const HeightTuple& mine = all.node(u).height();
      bool way_down = false;
      for (const auto& channel : all.channels(u)) {
        if (!channel.far_port) continue;
        const HeightTuple& theirs = all.node(channel.to).height();
        const HeightTuple* view = all.node(u).view(channel.port);
        demand(!view || *view == theirs, all, u,
               "the view of node " + std::to_string(core::raw(all.id(channel.to))) + " is wrong");
        demand(theirs.lp == mine.lp, all, u, "neighbours follow different leaders");
        way_down = way_down || theirs < mine;
      }
      // With one leader pair per component and a downhill link at every node but the leader,
      // following the links downhill must end at the leader: heights have no cycles.
      demand(way_down == (mine.lp.lid != mine.id), all, u,
             way_down ? "the leader is not the lowest" : "there is no downhill link");
    }
  }
};

/// Theorem 2. True with perfect clocks and `hello`; false as published (H-3), and false of a leader
/// that is left alone (H-4), which is therefore not judged.
class Theorem2 final : public core::Remembers<Theorem2, Property> {
 public:
  Theorem2()
      : core::Remembers<Theorem2, Property>(
            "theorem-2",
            "between two quiescent states, if one link has failed and nothing else has changed, "
            "nodes that are still connected to their leader keep it") {}
  void after(const All& all, const Happening& event) override {
    if (event.cause == Cause::link_down && event.peer) {
      const std::pair link{std::min(event.node, *event.peer), std::max(event.node, *event.peer)};
      if (!failed_) failed_ = link;
      other_ = other_ || *failed_ != link;
    } else if (topology_change(event.cause)) {
      other_ = true;
    }
    (void)all;
  }
  void at_rest(const All& all) override {
    std::vector<LeaderPair> now;
    for (NodeIndex u = 0; u < all.size(); ++u) now.push_back(all.node(u).height().lp);
    if (failed_ && !other_ && before_.size() == now.size())
      for (NodeIndex u = 0; u < all.size(); ++u)
        demand(before_[u] == now[u] || !meets(all, u, before_[u].lid), all, u,
               "a new leader, though the old one is still connected,");
    before_ = std::move(now);
    failed_.reset();
    other_ = false;
  }

 private:
  /// Whether `wanted` is another node in the component of u.
  static bool meets(const All& all, NodeIndex u, NodeId wanted) {
    std::vector<NodeIndex> queue{u};
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (const auto& channel : all.channels(queue[i]))
        if (channel.far_port && std::find(queue.begin(), queue.end(), channel.to) == queue.end())
          queue.push_back(channel.to);
    return queue.size() > 1 && std::any_of(queue.begin(), queue.end(),
                                           [&](NodeIndex v) { return all.id(v) == wanted; });
  }
  std::vector<LeaderPair> before_;
  std::optional<std::pair<NodeIndex, NodeIndex>> failed_;
  bool other_ = false;

 public:
  static constexpr auto fields = std::tuple{core::field("before", &Theorem2::before_),
                                            core::field("failed", &Theorem2::failed_),
                                            core::field("other", &Theorem2::other_)};
};

}  // namespace

core::Monitors<Height> Height::monitors_on_request() {
  core::Monitors<Height> all;
  all.push_back(std::make_unique<Theorem2>());
  return all;
}

core::Monitors<Height> Height::monitors() {
  core::Monitors<Height> all;
  all.push_back(std::make_unique<A>());
  all.push_back(std::make_unique<B>());
  all.push_back(std::make_unique<C>());
  all.push_back(std::make_unique<D>());
  all.push_back(std::make_unique<E>());
  all.push_back(std::make_unique<F>());
  all.push_back(std::make_unique<G>());
  all.push_back(std::make_unique<H>());
  all.push_back(std::make_unique<I>());
  all.push_back(std::make_unique<J>());
  all.push_back(std::make_unique<Theorem1>());
  return all;
}

}  // namespace bellwether::algorithms
