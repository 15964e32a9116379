// SPDX-License-Identifier: MIT
#include "judge.hpp"

#include <algorithm>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/graph/centrality.hpp"
#include "bellwether/graph/components.hpp"
#include "bellwether/graph/plain_oracles_test.hpp"
#include "bellwether/sim/simulate.hpp"

namespace bellwether::swarm {
namespace {

using core::NodeId;
using core::NodeIndex;

/// The node that each election must find; of equals the one with the highest id.
core::Criterion criterion_of(const Scenario& s) {
  if (s.algorithm == "vasudevan") return core::Criterion::highest_id;
  if (s.algorithm == "flooding") return core::Criterion::degree;
  const auto option = s.options.find("criterion");
  const bool degree = option != s.options.end() && option->second.text == "degree";
  return degree ? core::Criterion::degree : core::Criterion::closeness;
}

/// For each component the one to elect, in the network of the beginning: all has healed.
std::vector<NodeId> to_elect(const sim::RunSetup& setup, core::Criterion criterion) {
  const graph::Graph graph(setup.network.nodes, setup.network.links);
  const auto degrees = graph::degrees(graph);
  const auto sums = graph::plain::distance_sums(graph);
  const auto rank = [&](NodeIndex u) {
    const std::int64_t value = criterion == core::Criterion::degree ? std::int64_t{degrees[u]}
                               : criterion == core::Criterion::closeness
                                   ? -static_cast<std::int64_t>(sums[u])
                                   : 0;
    return std::pair{value, setup.ids[u]};
  };
  const graph::Components parts = graph::components(graph);
  std::vector<NodeIndex> best(parts.count, setup.network.nodes);
  for (NodeIndex u = 0; u < setup.network.nodes; ++u) {
    NodeIndex& first = best[parts.of[u]];
    if (first == setup.network.nodes || rank(u) > rank(first)) first = u;
  }
  std::vector<NodeId> ids;
  for (const NodeIndex u : best) ids.push_back(setup.ids[u]);
  return ids;
}

std::string name_of(std::optional<NodeId> id) {
  return id ? std::to_string(core::raw(*id)) : "nobody";
}

std::string wrong_leader(const Trial& trial, const observe::RunReport& r) {
  const sim::RunSetup setup = sim::make_setup(trial.scenario);
  if (r.links != setup.network.links.size()) return "links got lost";
  const auto wanted = to_elect(setup, criterion_of(trial.scenario));
  if (r.leaders.size() != wanted.size()) return "components got lost";
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (r.leaders[i].leader != wanted[i])
      return "wrong leader: " + name_of(r.leaders[i].leader) + ", not " + name_of(wanted[i]);
  return {};
}

std::string unsteady(const Trial& trial, const observe::RunReport& r) {
  const auto found = std::ranges::find(r.metrics, "instability", &observe::Metric::name);
  if (found == r.metrics.end()) return "no metrics";
  if (found->value <= trial.may_be_wrong) return {};
  return "wrong for " + std::to_string(found->value) + " of the time";
}

}  // namespace

observe::RunReport run(const Scenario& s, observe::Observer* observer) {
  sim::Attachments attachments;
  if (observer != nullptr) attachments.observers.push_back(observer);
  return sim::simulate(catalogue::algorithm(s.algorithm), s, attachments);
}

std::string complaint(const Trial& trial, const observe::RunReport& r) {
  if (r.ended == observe::Ended::violation) return "violation: " + r.violation;
  const bool rested = r.ended == observe::Ended::quiescent;
  if (!rested && (trial.demand == Demand::rest || r.ended != observe::Ended::deadline))
    return "did not come to rest: " + std::string(core::name_of(r.ended));
  if (r.nodes < trial.scenario.network.nodes) return "nodes got lost";
  if (trial.demand == Demand::nothing) return {};
  if (trial.demand == Demand::steady) return unsteady(trial, r);
  if (!r.agreed) {
    for (const auto& part : r.leaders)
      if (!part.agreed)
        return "no agreement: a component of " + std::to_string(part.size) + " (most say " +
               name_of(part.leader) + ")";
    return "no agreement";
  }
  return trial.demand == Demand::right ? wrong_leader(trial, r) : std::string{};
}

std::string verdict(const Trial& trial, observe::Observer* observer) {
  try {
    return complaint(trial, run(trial.scenario, observer));
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace bellwether::swarm
