// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/central_hierarchy.hpp"

#include <algorithm>

#include "bellwether/algorithms/moving/central_plan.hpp"
#include "bellwether/graph/distances.hpp"

namespace bellwether::algorithms {

static_assert(core::Protocol<CentralHierarchy> && core::Described<CentralHierarchy>);
static_assert(core::Hierarchical<CentralHierarchy>);

using core::NodeId;
using core::NodeIndex;
using core::Port;

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
void CentralHierarchy::step_election(Step& step, std::optional<Port> lost, Act&& act) {
  const Known before = known();
  act();
  if (lost || neighbours_.size() != step.ports().size()) {
    neighbours_.clear();
    for (const Port port : step.ports())
      if (port != lost) neighbours_.push_back({step.peer(port), port});
    std::sort(neighbours_.begin(), neighbours_.end());
  }
  if (!known().same(before)) place(step.cache());
}

/// Every node's position follows from the map. While the map is incomplete, the old position is
/// kept, if it is still below the leader.
void CentralHierarchy::place(KnowledgeCache& cache) {
  const NodeId root = *leader();
  if (const auto plan = plan_of(cache, known(), id_, root, remoteness_)) {
    const NodeIndex self = plan->index(id_);
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
  for (const NodeIndex u : plan->placement.children(plan->index(id_), level))
    out.push_back(plan->id(u));
  return out;
}

/// The neighbour that is nearest to it; ties: the lowest.
std::optional<Port> CentralHierarchy::next_hop(NodeId id) const {
  const Component component = component_of(known(), id_);
  if (id == id_ || !contains(component.ids, id)) return std::nullopt;
  const auto far = graph::distances(component.graph, index_of(id, component.ids));
  std::optional<Port> best;
  std::uint32_t least = far[index_of(id_, component.ids)];
  for (const NeighbourPort& each : neighbours_) {
    if (!contains(component.ids, each.id)) continue;
    const std::uint32_t theirs = far[index_of(each.id, component.ids)];
    if (theirs >= least) continue;
    least = theirs;
    best = each.port;
  }
  return best;
}

}  // namespace bellwether::algorithms
