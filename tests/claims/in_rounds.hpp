// SPDX-License-Identifier: MIT
// Synchronous runs with ids that a scenario cannot ask for.
#pragma once

#include "claims/claims.hpp"

namespace bellwether::claims {

/// A scenario whose nodes have other ids; options as they are, with nothing filled in.
template <class P>
RunReport in_rounds(const Scenario& scenario, std::vector<NodeId> ids,
                    typename P::Options options) {
  sim::RunSetup setup = sim::make_setup(scenario);
  setup.ids = std::move(ids);
  return sim::RoundSimulationOf<P>(core::hosted<P>(options), std::move(setup), scenario).run();
}

/// One id per node from `least` on, in the order of the scenario.
inline std::vector<NodeId> ids_from(const Scenario& s, std::uint64_t least) {
  std::vector<NodeId> ids = world::assign_ids(s.network, s.network.nodes, s.seed);
  for (NodeId& id : ids) id = NodeId{core::raw(id) - 1 + least};
  return ids;
}

}  // namespace bellwether::claims
