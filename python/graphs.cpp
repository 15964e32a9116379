// SPDX-License-Identifier: MIT
// The network of a scenario at a moment, and the most central nodes of a graph at hand.
#include <map>

#include "bellwether/core/problem.hpp"
#include "bellwether/graph/closeness/closeness.hpp"
#include "bellwether/scenario/blame.hpp"
#include "bellwether/sim/run_spec.hpp"
#include "bellwether/world/positions.hpp"
#include "native.hpp"

namespace bellwether::python {
namespace {

using core::NodeIndex;
using Link = std::pair<NodeIndex, NodeIndex>;
using Place = std::pair<double, double>;

/// Its index, its id, which is 0 in an anonymous network, and where it is.
using Node = std::tuple<NodeIndex, std::uint64_t, std::optional<Place>>;
/// Whether links go one way, the nodes that are there, and the links between them by index.
using Picture = std::tuple<bool, std::vector<Node>, std::vector<Link>>;

core::Time moment(const std::string& at, const scenario::Scenario& scenario) {
  const auto time = core::parse_duration(at);
  if (!time || *time < core::Time{0})
    throw core::Problem("at", {},
                        "\"" + at + "\" is not a time; write seconds, or text such as \"250 ms\"");
  if (*time > scenario.stop.time)
    throw core::Problem("at", {},
                        core::to_text(*time) + " is after the end of the run, stop.time = " +
                            core::to_text(scenario.stop.time));
  return *time;
}

/// Which nodes are alive and which links are up, from the beginning on.
struct Present {
  std::vector<bool> alive;
  std::map<world::LinkIndex, graph::Edge> up;

  explicit Present(const sim::RunSetup& setup) : alive(setup.network.nodes, true) {
    std::fill(alive.end() - setup.absent, alive.end(), false);
    for (const graph::Edge& link : setup.network.links)
      up.emplace_hint(up.end(), static_cast<world::LinkIndex>(up.size()), link);
  }
  void apply(const world::Change& change) {
    switch (change.kind) {
      case world::ChangeKind::link_up:
        up[change.link] = change.ends;
        return;
      case world::ChangeKind::link_down:
        up.erase(change.link);
        return;
      case world::ChangeKind::crash:
      case world::ChangeKind::restart:
        alive[change.ends.a] = change.kind == world::ChangeKind::restart;
        return;
      case world::ChangeKind::crash_leader:
      case world::ChangeKind::restart_leader:
        throw core::Problem(
            "at", {},
            "a leader has crashed by then (crashes.leader_every), and who that is only a run "
            "can tell; choose an earlier time");
    }
  }
};

/// Where each node is; in a network that moves, in metres.
std::vector<std::optional<Place>> places(const scenario::Scenario& scenario,
                                         const sim::RunSetup& setup, core::Time at) {
  const world::Network& network = setup.network;
  std::vector<std::optional<Place>> out(network.nodes);
  const auto moving = setup.moves ? sim::site_of(scenario, setup).places : nullptr;
  for (NodeIndex u = 0; u < network.nodes; ++u) {
    if (world::kind_of(network, u) == world::NodeKind::wired) continue;
    if (!moving && network.places.empty()) continue;
    const world::Point p = moving ? moving->at(u, at) : network.places[u];
    if (p != world::Positions::nowhere) out[u] = {p.x, p.y};
  }
  return out;
}

Picture picture_of(const scenario::Scenario& scenario, const std::string& when) {
  const core::Time at = moment(when, scenario);
  sim::RunSetup setup = sim::make_setup(scenario);
  Present present(setup);
  if (setup.changes)
    for (auto change = setup.changes->next(); change && change->at <= at;
         change = setup.changes->next())
      present.apply(*change);
  const auto where = places(scenario, setup, at);
  std::vector<Node> nodes;
  for (NodeIndex u = 0; u < setup.network.nodes; ++u)
    if (present.alive[u]) nodes.emplace_back(u, core::raw(setup.ids[u]), where[u]);
  std::vector<Link> links;
  for (const auto& [number, link] : present.up)
    if (present.alive[link.a] && present.alive[link.b]) links.emplace_back(link.a, link.b);
  return {setup.network.direction == graph::Direction::one_way, nodes, links};
}

Picture network(const Wanted& wanted, const std::string& at) {
  return natively([&] {
    const scenario::Scenario scenario = wanted.scenario();
    try {
      return picture_of(scenario, at);
    } catch (const core::Problem& problem) {
      throw scenario::blamed_on(scenario, problem);
    }
  });
}

/// For each component its most central node, how many it reaches and the sum of the distances. A
/// one-way graph is one component, however it hangs together.
using Best = std::tuple<NodeIndex, NodeIndex, std::uint64_t>;
std::vector<Best> central(NodeIndex nodes, const std::vector<Link>& links, bool one_way) {
  return natively([&] {
    std::vector<graph::Edge> edges;
    for (const auto& [a, b] : links) {
      if (a >= nodes || b >= nodes) throw core::Problem("a link has an end that is no node");
      edges.push_back({a, b});
    }
    std::vector<Best> out;
    const auto add = [&](const graph::Central& c) { out.emplace_back(c.node, c.reached, c.sum); };
    if (nodes == 0) return out;
    if (one_way) {
      add(graph::most_central(graph::Graph(nodes, edges, graph::Direction::one_way)));
    } else {
      for (const auto& best : graph::most_central_of_each(graph::Graph(nodes, edges)))
        add(best.front());
    }
    return out;
  });
}

}  // namespace

void add_graphs(py::module_& module) {
  module.def("network", &network, py::arg("wanted"), py::arg("at"));
  module.def("central", &central, py::arg("nodes"), py::arg("links"), py::arg("one_way"));
}

}  // namespace bellwether::python
