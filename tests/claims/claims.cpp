// SPDX-License-Identifier: MIT
#include "claims/claims.hpp"

#include <cstdio>

namespace bellwether::claims {

Scenario on(std::string topology, NodeIndex nodes, std::uint64_t seed) {
  Scenario s;
  s.network.topology = std::move(topology);
  s.network.nodes = nodes;
  s.seed = seed;
  return s;
}

Scenario one_way_ring(NodeIndex nodes, std::string ids, std::uint64_t seed) {
  Scenario s = on("ring", nodes, seed);
  s.network.one_way = nodes > 1;
  s.network.ids = std::move(ids);
  return s;
}

void set_option(Scenario& s, const std::string& name, const std::string& text) {
  s.options[name] = {text, "claims"};
}

void random_delays(Scenario& s, Duration min, Duration max) {
  s.channel.delay = world::Delay::uniform;
  s.channel.min = min;
  s.channel.max = max;
}

double metric(const RunReport& report, std::string_view name) {
  for (const auto& each : report.metrics)
    if (each.name == name) return each.value;
  ADD_FAILURE() << "there is no metric " << name;
  return -1;
}

std::string rounded(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::uint64_t seed_with_starts(const Scenario& s, const std::vector<NodeId>& ids,
                               const std::vector<Time>& starts) {
  for (std::uint64_t seed = 0; seed < 100'000; ++seed) {
    const auto drawn = sim::start_times(s.start, ids, seed);
    bool same = true;
    for (std::size_t i = 0; i < starts.size(); ++i)
      for (std::size_t u = 0; u < ids.size(); ++u)
        if (ids[u] == s.start.nodes[i]) same = same && drawn[u] == starts[i];
    if (same) return seed;
  }
  ADD_FAILURE() << "no seed starts the initiators at these times";
  return 0;
}

std::vector<NodeId> counting_ids(NodeIndex n) {
  std::vector<NodeId> ids;
  for (NodeIndex i = 1; i <= n; ++i) ids.push_back(NodeId{i});
  return ids;
}

void Play::change(Time at, world::ChangeKind kind, NodeIndex a, NodeIndex b) {
  scenario.changes.script.push_back({at, kind, names()[a], names()[b], false});
}

sim::RunSetup stage_of(const Play& play) {
  sim::RunSetup setup;
  setup.network = play.network;
  setup.ids = play.names();
  const world::ChangeSpec changes = scenario::effective_changes(play.scenario);
  setup.has_changes = changes.any();
  setup.changes = world::make_changes(changes, setup.network, setup.ids, play.scenario.seed);
  return setup;
}

Play play_of(const Scenario& scenario) {
  return {scenario, world::build_network(scenario.network, scenario.seed), {}};
}

}  // namespace bellwether::claims
