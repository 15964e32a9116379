// SPDX-License-Identifier: MIT
#include "bellwether/sim/population.hpp"

#include <map>

namespace bellwether::sim {

Population::Population(Stage& stage, const scenario::Scenario& scenario,
                       std::unique_ptr<core::Nodes> made)
    : nodes(std::move(made)),
      can(nodes->can()),
      ids(std::move(stage.ids)),
      alive(stage.network.nodes, 1),
      offsets(clock_offsets(scenario.clock_skew, stage.network.nodes, scenario.seed)),
      seed(scenario.seed),
      absent(stage.absent) {
  const NodeIndex n = stage.network.nodes;
  nodes->reserve(n);
  for (NodeIndex u = 0; u < n; ++u) nodes->add(ids[u]);
  if (stage.has_changes) starts.resize(n, Start::awaited);
  for (NodeIndex u = n - absent; u < n; ++u) {
    alive[u] = 0;
    starts[u] = Start::missed;
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
