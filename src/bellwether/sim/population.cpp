// SPDX-License-Identifier: MIT
#include "bellwether/sim/population.hpp"

#include <map>

namespace bellwether::sim {

Population::Population(RunSetup& setup, const scenario::Scenario& scenario,
                       std::unique_ptr<core::Nodes> made)
    : nodes(std::move(made)),
      can(nodes->can()),
      ids(std::move(setup.ids)),
      alive(setup.network.nodes, 1),
      offsets(clock_offsets(scenario.clock_skew, setup.network.nodes, scenario.seed)),
      clock_jumps(scenario.clock_jumps ? scenario.clock_skew : Duration{0}),
      seed(scenario.seed),
      absent(setup.absent) {
  const NodeIndex n = setup.network.nodes;
  nodes->reserve(n);
  for (NodeIndex u = 0; u < n; ++u) nodes->add(ids[u]);
  if (setup.has_changes) starts.resize(n, StartState::awaited);
  for (NodeIndex u = n - absent; u < n; ++u) {
    alive[u] = 0;
    starts[u] = StartState::missed;
  }
}

std::optional<NodeIndex> Population::most_named() const {
  std::map<NodeId, std::pair<std::size_t, NodeIndex>> votes;  // by candidate
  for (NodeIndex u = 0; u < size(); ++u)
    if (is_alive(u)) votes[ids[u]] = {0, u};
  for (NodeIndex u = 0; u < size(); ++u) {
    const auto named = is_alive(u) ? leader(u) : std::nullopt;
    const auto found = named ? votes.find(*named) : votes.end();
    if (found != votes.end()) ++found->second.first;
  }
  std::optional<NodeIndex> most;
  std::size_t best = 1;
  for (const auto& [id, vote] : votes)
    if (vote.first >= best) {
      best = vote.first;
      most = vote.second;
    }
  return most;
}

}  // namespace bellwether::sim
