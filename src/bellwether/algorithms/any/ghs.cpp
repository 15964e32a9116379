// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/any/ghs.hpp"

#include "bellwether/algorithms/stated_property.hpp"
#include "bellwether/core/prng.hpp"

namespace bellwether::algorithms {

static_assert(core::Protocol<Ghs> && core::Described<Ghs>);
static_assert(std::is_trivially_copyable_v<Ghs::Message>);

bool Ghs::lighter(Weights weights, const Weight& a, const Weight& b) {
  if (weights == Weights::ids) return a < b;
  const auto hashed = [](const Weight& w) {
    return core::splitmix(core::splitmix(core::raw(w.low)) ^ core::raw(w.high));
  };
  return std::pair{hashed(a), a} < std::pair{hashed(b), b};
}

/// None is infinitely heavy.
bool Ghs::lighter(const std::optional<Weight>& a, const std::optional<Weight>& b) const {
  return a && (!b || lighter(weights_, *a, *b));
}

void Ghs::start(Step& step) {
  if (state_ != State::sleeping) return;
  wake_up(step);
  if (edges_.empty() && !leader_) leader_ = id_;  // there is no other node
}

void Ghs::receive(Step& step, core::Port port, const Message& message) {
  if (state_ == State::sleeping) {
    if (!std::holds_alternative<Connect>(message) && !std::holds_alternative<Test>(message)) return;
    wake_up(step);
  }
  // A deferred message has changed nothing, so the others need not be tried again.
  if (respond(step, port, message))
    retry(step);
  else
    pending_.emplace_back(port, message);
}

bool Ghs::respond(Step& step, core::Port port, const Message& message) {
  IncidentEdge* edge = edge_of(port);
  // A link that came up after the node woke, or has gone down since, does not belong to this tree.
  if (!edge || !is_up(step, port)) return true;
  return std::visit([&](const auto& chosen) { return take(step, *edge, chosen); }, message);
}

/// Handles the deferred messages, in their order, until none of them can be handled.
void Ghs::retry(Step& step) {
  for (std::size_t before = pending_.size() + 1; pending_.size() < before;) {
    before = pending_.size();
    for (const auto& [port, message] : std::exchange(pending_, {}))
      if (!respond(step, port, message)) pending_.emplace_back(port, message);
  }
}

void Ghs::wake_up(Step& step) {
  for (const core::Port port : step.ports()) edges_.push_back({port, EdgeState::basic});
  state_ = State::found;
  IncidentEdge* lightest = lightest_basic(step);
  if (!lightest) return;
  lightest->state = EdgeState::branch;
  send(step, lightest->port, Connect{0});
}

bool Ghs::take(Step& step, IncidentEdge& edge, const Connect& m) {
  if (m.level < level_) {  // absorb
    edge.state = EdgeState::branch;
    send(step, edge.port, Initiate{level_, fragment_, state_ == State::find});
    if (state_ == State::find) ++find_count_;
    return true;
  }
  if (edge.state == EdgeState::basic) return false;  // their level must wait for ours
  send(step, edge.port, Initiate{level_ + 1, weight_of(id_, step.peer(edge.port)), true});  // merge
  return true;
}

bool Ghs::take(Step& step, IncidentEdge& edge, const Initiate& m) {
  if (m.level <= level_) return true;
  level_ = m.level;
  fragment_ = m.fragment;
  state_ = m.find ? State::find : State::found;
  in_branch_ = edge.port;
  best_edge_.reset();
  best_.reset();
  const auto children = send_down(step, edge.port, m);
  if (!m.find) return true;
  find_count_ += children;
  test(step);
  return true;
}

void Ghs::test(Step& step) {
  if (const IncidentEdge* edge = lightest_basic(step)) {
    test_edge_ = edge->port;
    send(step, edge->port, Test{level_, fragment_});
  } else {
    test_edge_.reset();
    report(step);
  }
}

bool Ghs::take(Step& step, IncidentEdge& edge, const Test& m) {
  if (m.level > level_) return false;  // we may belong to another fragment by then
  if (m.fragment != fragment_) {
    send(step, edge.port, Accept{});
    return true;
  }
  if (edge.state == EdgeState::basic) edge.state = EdgeState::rejected;
  if (test_edge_ == edge.port)
    test(step);  // both ends have sent a test, and need no answer
  else
    send(step, edge.port, Reject{});
  return true;
}

bool Ghs::take(Step& step, IncidentEdge& edge, const Accept&) {
  if (test_edge_ != edge.port) return true;
  test_edge_.reset();
  const Weight weight = weight_of(id_, step.peer(edge.port));
  if (lighter(weight, best_)) {
    best_edge_ = edge.port;
    best_ = weight;
  }
  report(step);
  return true;
}

bool Ghs::take(Step& step, IncidentEdge& edge, const Reject&) {
  if (test_edge_ != edge.port) return true;
  if (edge.state == EdgeState::basic) edge.state = EdgeState::rejected;
  test(step);
  return true;
}

void Ghs::report(Step& step) {
  if (find_count_ > 0 || test_edge_ || !in_branch_) return;
  state_ = State::found;
  send(step, *in_branch_, Report{best_});
}

bool Ghs::take(Step& step, IncidentEdge& edge, const Report& m) {
  if (edge.port != in_branch_) {
    if (find_count_ == 0) return true;
    --find_count_;
    if (lighter(m.best, best_)) {
      best_edge_ = edge.port;
      best_ = m.best;
    }
    report(step);
    return true;
  }
  // From the other end of the core: the two compare what they have found.
  if (state_ == State::find) return false;
  if (lighter(best_, m.best))
    change_root(step);
  else if (!best_ && !m.best && id_ > step.peer(edge.port))
    lead(step);
  return true;
}

void Ghs::change_root(Step& step) {
  const auto best_edge = std::exchange(best_edge_, std::nullopt);
  IncidentEdge* edge = best_edge ? edge_of(*best_edge) : nullptr;
  if (!edge) return;
  if (edge->state == EdgeState::branch) return send(step, edge->port, ChangeRoot{});
  edge->state = EdgeState::branch;
  send(step, edge->port, Connect{level_});
}

bool Ghs::take(Step& step, IncidentEdge&, const ChangeRoot&) {
  change_root(step);
  return true;
}

void Ghs::lead(Step& step) {
  if (leader_) return;
  leader_ = id_;
  send_down(step, std::nullopt, Leader{id_});
}

bool Ghs::take(Step& step, IncidentEdge& edge, const Leader& m) {
  if (leader_) return true;
  leader_ = m.id;
  send_down(step, edge.port, m);
  return true;
}

/// Sends to all branches but one; returns their number.
template <class M>
std::uint32_t Ghs::send_down(Step& step, std::optional<core::Port> but, const M& message) {
  std::uint32_t count = 0;
  for (const IncidentEdge& each : edges_) {
    if (each.state != EdgeState::branch || each.port == but) continue;
    send(step, each.port, message);
    ++count;
  }
  return count;
}

Ghs::IncidentEdge* Ghs::edge_of(core::Port port) {
  const auto found =
      std::lower_bound(edges_.begin(), edges_.end(), port,
                       [](const IncidentEdge& e, core::Port p) { return e.port < p; });
  return found != edges_.end() && found->port == port ? &*found : nullptr;
}

Ghs::IncidentEdge* Ghs::lightest_basic(const Step& step) {
  IncidentEdge* lightest = nullptr;
  Weight least;
  for (IncidentEdge& each : edges_) {
    if (each.state != EdgeState::basic || !is_up(step, each.port)) continue;
    const Weight weight = weight_of(id_, step.peer(each.port));
    if (lightest && !lighter(weights_, weight, least)) continue;
    lightest = &each;
    least = weight;
  }
  return lightest;
}

std::vector<core::Port> Ghs::branches() const {
  std::vector<core::Port> ports;
  for (const IncidentEdge& each : edges_)
    if (each.state == EdgeState::branch) ports.push_back(each.port);
  return ports;
}

namespace {

using All = core::Snapshot<Ghs>;

/// Constant work in each step: only the node that has just stepped can have changed.
class CoreLeads final : public StatedProperty<Ghs> {
 public:
  CoreLeads()
      : StatedProperty("core-leads",
                       "a node that names a leader names the larger end of its core") {}
  void after(const All& all, const core::Happening& what) override {
    const Ghs& node = all.node(what.node);
    const bool alone = node.level() == 0;
    const core::NodeId larger = alone ? all.id(what.node) : node.fragment().high;
    demand(!node.leader() || node.leader() == larger, all, what.node, std::string(says()));
  }
};

class LevelsAreLow final : public StatedProperty<Ghs> {
 public:
  LevelsAreLow() : StatedProperty("levels", "a fragment of level L has at least 2^L nodes") {}
  void after(const All& all, const core::Happening& what) override {
    const auto highest = static_cast<std::uint32_t>(std::bit_width(all.size()) - 1);
    demand(all.node(what.node).level() <= highest, all, what.node, std::string(says()));
  }
};

/// Kruskal's algorithm, with global knowledge.
class MinimumTree final : public StatedProperty<Ghs> {
 public:
  MinimumTree()
      : StatedProperty("minimum-tree",
                       "when quiescent, the branches are the minimum spanning tree of all nodes "
                       "that are awake") {}
  void at_rest(const All& all) override {
    std::vector<OutgoingEdge> ways;
    for (core::NodeIndex u = 0; u < all.size(); ++u)
      for (const auto& channel : all.channels(u))
        ways.push_back(
            {Ghs::weight_of(all.id(u), all.id(channel.to)), u, channel.to, channel.port});
    const Ghs::Weights weights = all.size() > 0 ? all.node(0).weights() : Ghs::Weights::ids;
    std::sort(ways.begin(), ways.end(), [&](const OutgoingEdge& a, const OutgoingEdge& b) {
      return Ghs::lighter(weights, a.weight, b.weight);
    });
    std::vector<std::vector<core::Port>> tree(all.size());
    std::vector<core::NodeIndex> part(all.size());
    for (core::NodeIndex u = 0; u < all.size(); ++u) part[u] = u;
    // The two directions of a link are adjacent: both are in the tree, or neither is.
    for (std::size_t i = 0; i < ways.size();) {
      const Ghs::Weight weight = ways[i].weight;
      const core::NodeIndex here = part[ways[i].from], there = part[ways[i].to];
      for (; i < ways.size() && ways[i].weight == weight; ++i)
        if (here != there) tree[ways[i].from].push_back(ways[i].port);
      std::replace(part.begin(), part.end(), there, here);
    }
    compare(all, ways, tree);
  }

 private:
  struct OutgoingEdge {
    Ghs::Weight weight;
    core::NodeIndex from;
    core::NodeIndex to;
    core::Port port;
  };
  void compare(const All& all, const std::vector<OutgoingEdge>& ways,
               std::vector<std::vector<core::Port>>& tree) const {
    const auto asleep = [&](core::NodeIndex u) {
      return all.node(u).state() == Ghs::State::sleeping;
    };
    for (const OutgoingEdge& way : ways)
      demand(asleep(way.from) == asleep(way.to), all, way.from, "a neighbour was not woken");
    for (core::NodeIndex u = 0; u < all.size(); ++u) {
      if (asleep(u)) continue;
      std::sort(tree[u].begin(), tree[u].end());
      demand(all.node(u).branches() == tree[u], all, u, std::string(says()));
      demand(all.node(u).leader().has_value(), all, u,
             "when quiescent, all nodes that are awake know the leader");
    }
  }
};

}  // namespace

core::Monitors<Ghs> Ghs::monitors() {
  core::Monitors<Ghs> all;
  all.push_back(std::make_unique<CoreLeads>());
  all.push_back(std::make_unique<LevelsAreLow>());
  all.push_back(std::make_unique<MinimumTree>());
  return all;
}

}  // namespace bellwether::algorithms
