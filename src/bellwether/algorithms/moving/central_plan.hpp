// SPDX-License-Identifier: MIT
// The hierarchy of a component that follows from a map of it: what CentralHierarchy computes.
#pragma once

#include <memory>

#include "bellwether/algorithms/moving/knowledge.hpp"
#include "bellwether/algorithms/moving/remoteness.hpp"
#include "bellwether/graph/placement.hpp"

namespace bellwether::algorithms {

/// A component and the hierarchy in it.
struct CentralPlan {
  Component component;
  graph::Placement placement;

  CentralPlan(Component whole, core::NodeId root, const Remoteness& remoteness);
  core::NodeIndex index(core::NodeId id) const;
  core::NodeId id(core::NodeIndex u) const { return component.ids[u]; }
};

/// None, while the map is incomplete.
std::shared_ptr<const CentralPlan> plan_of(const Known& known, core::NodeId self, core::NodeId root,
                                           const Remoteness& remoteness);
/// The same, from the cache if another node has computed it already.
std::shared_ptr<const CentralPlan> plan_of(KnowledgeCache& cache, const Known& known,
                                           core::NodeId self, core::NodeId root,
                                           const Remoteness& remoteness);

/// The index of an id in a sorted list.
core::NodeIndex index_of(core::NodeId id, const Ids& ids);

}  // namespace bellwether::algorithms
