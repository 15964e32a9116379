// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/central_hierarchy.hpp"

#include <algorithm>
#include <memory>

#include "bellwether/core/digest.hpp"
#include "bellwether/graph/distances.hpp"
#include "bellwether/graph/placement.hpp"

namespace bellwether::algorithms {

static_assert(core::Protocol<CentralHierarchy> && core::Described<CentralHierarchy>);
static_assert(core::Hierarchical<CentralHierarchy>);

namespace {

using core::NodeId;
using core::NodeIndex;
using core::Port;

std::vector<std::uint32_t> numbers(const Remoteness& remoteness) {
  std::vector<std::uint32_t> out;
  for (std::size_t level = 1; level <= Remoteness::most_levels; ++level)
    out.push_back(remoteness.of(level));
  return out;
}

NodeIndex place_of(NodeId id, const Ids& ids) {
  return static_cast<NodeIndex>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
}

/// A component and the hierarchy in it.
struct Plan {
  Component component;
  graph::Placement placement;

  Plan(Component whole, NodeId root, const Remoteness& remoteness)
      : component(std::move(whole)),
        placement(component.graph, place_of(root, component.ids), numbers(remoteness)) {}
  NodeIndex place(NodeId id) const { return place_of(id, component.ids); }
  NodeId id(NodeIndex u) const { return component.ids[u]; }
};

/// One change reaches all nodes, and all of them make the same plan from the same map: one of them
/// works it out. A pure function all the same: what is found here is what would be computed.
struct Made {
  Known known;
  NodeId root{};
  Remoteness remoteness;
  std::shared_ptr<const Plan> plan;
};
constexpr std::size_t memory = 32;
thread_local std::array<Made, memory> made;

/// Nothing, while something is missing in the map.
std::shared_ptr<const Plan> plan_of(const Known& known, NodeId self, NodeId root,
                                    const Remoteness& remoteness) {
  const auto fits = [&](const Made& each) {
    return each.plan && each.root == root && each.remoteness == remoteness && each.known == known &&
           contains(each.plan->component.ids, self);
  };
  // Where it is kept decides nothing but the time it takes.
  Made& slot = made[core::digest(known) % memory];
  if (fits(slot)) {
    slot.known = known;  // the same object next time
    return slot.plan;
  }
  Component component = component_of(known, self);
  if (!component.whole || !contains(component.ids, root)) return nullptr;
  slot = {known, root, remoteness,
          std::make_shared<const Plan>(std::move(component), root, remoteness)};
  return slot.plan;
}

}  // namespace

CentralHierarchy::CentralHierarchy(NodeId id, Options options)
    : id_(id),
      election_(id, heart(options)),
      leaders_{id},
      rank_(1),
      remoteness_(options.remoteness) {}

void CentralHierarchy::start(Step& step) {
  step_election(step, {}, [&] { election_.start(step); });
}

void CentralHierarchy::link_up(Step& step, Port port) {
  step_election(step, {}, [&] { election_.link_up(step, port); });
}

void CentralHierarchy::link_down(Step& step, Port port) {
  step_election(step, port, [&] { election_.link_down(step, port); });
}

void CentralHierarchy::receive(Step& step, Port port, const Message& message) {
  step_election(step, {}, [&] { election_.receive(step, port, message); });
}

void CentralHierarchy::timeout(Step& step, Timer timer) {
  step_election(step, {}, [&] { election_.timeout(step, timer); });
}

template <class Act>
void CentralHierarchy::step_election(const Step& step, std::optional<Port> lost, Act&& act) {
  const Known before = known();
  act();
  if (lost || neighbours_.size() != step.ports().size()) {
    neighbours_.clear();
    for (const Port port : step.ports())
      if (port != lost) neighbours_.push_back({step.peer(port), port});
    std::sort(neighbours_.begin(), neighbours_.end());
  }
  if (!known().same(before)) place();
}

/// Everybody's place follows from the map. While something is missing there, the old one is kept,
/// as far as it is one below the leader.
void CentralHierarchy::place() {
  const NodeId root = *leader();
  if (const auto plan = plan_of(known(), id_, root, remoteness_)) {
    const NodeIndex self = plan->place(id_);
    rank_ = plan->placement.rank(self);
    leaders_.clear();
    for (std::size_t level = 1; level <= plan->placement.levels(); ++level)
      leaders_.push_back(plan->id(plan->placement.leader(self, level)));
  } else if (leaders_.back() != root) {
    rank_ = root == id_ ? 1 : 0;
    leaders_ = {root};
  }
}

Ids CentralHierarchy::children(std::uint32_t level) const {
  Ids out;
  const auto plan = plan_of(known(), id_, *leader(), remoteness_);
  if (!plan) return out;
  for (const NodeIndex u : plan->placement.children(plan->place(id_), level))
    out.push_back(plan->id(u));
  return out;
}

/// The neighbour that is nearest to it; ties: the lowest.
std::optional<Port> CentralHierarchy::next_hop(NodeId id) const {
  const Component component = component_of(known(), id_);
  if (id == id_ || !contains(component.ids, id)) return std::nullopt;
  const auto far = graph::distances(component.graph, place_of(id, component.ids));
  std::optional<Port> best;
  std::uint32_t least = far[place_of(id_, component.ids)];
  for (const Neighbour& each : neighbours_) {
    if (!contains(component.ids, each.id)) continue;
    const std::uint32_t theirs = far[place_of(each.id, component.ids)];
    if (theirs >= least) continue;
    least = theirs;
    best = each.port;
  }
  return best;
}

}  // namespace bellwether::algorithms
