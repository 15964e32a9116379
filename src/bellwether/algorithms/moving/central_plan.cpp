// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/central_plan.hpp"

#include <algorithm>
#include <array>

#include "bellwether/core/digest.hpp"

namespace bellwether::algorithms {

using core::NodeId;
using core::NodeIndex;

class PlanCache {
 public:
  struct Made {
    Known known;
    NodeId root{};
    Remoteness remoteness;
    std::shared_ptr<const CentralPlan> plan;
  };
  /// The slot that holds the plans of such a map.
  Made& slot(const Known& known) { return made_[core::digest(known) % made_.size()]; }

 private:
  std::array<Made, 32> made_;
};

namespace {

std::vector<std::uint32_t> numbers(const Remoteness& remoteness) {
  std::vector<std::uint32_t> out;
  for (std::size_t level = 1; level <= Remoteness::most_levels; ++level)
    out.push_back(remoteness.of(level));
  return out;
}

}  // namespace

NodeIndex index_of(NodeId id, const Ids& ids) {
  return static_cast<NodeIndex>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
}

CentralPlan::CentralPlan(Component whole, NodeId root, const Remoteness& remoteness)
    : component(std::move(whole)),
      placement(component.graph, index_of(root, component.ids), numbers(remoteness)) {}

NodeIndex CentralPlan::index(NodeId id) const {
  return index_of(id, component.ids);
}

std::shared_ptr<const CentralPlan> plan_of(const Known& known, NodeId self, NodeId root,
                                           const Remoteness& remoteness) {
  Component component = component_of(known, self);
  if (!component.whole || !contains(component.ids, root)) return nullptr;
  return std::make_shared<const CentralPlan>(std::move(component), root, remoteness);
}

std::shared_ptr<const CentralPlan> plan_of(KnowledgeCache& cache, const Known& known, NodeId self,
                                           NodeId root, const Remoteness& remoteness) {
  PlanCache::Made& slot = (*cache.plans).slot(known);
  if (slot.plan && slot.root == root && slot.remoteness == remoteness && slot.known == known &&
      contains(slot.plan->component.ids, self)) {
    slot.known = known;  // the same object next time
    return slot.plan;
  }
  auto plan = plan_of(known, self, root, remoteness);
  if (plan) slot = {known, root, remoteness, plan};
  return plan;
}

}  // namespace bellwether::algorithms
