// SPDX-License-Identifier: MIT
#include "bellwether/sim/run_spec.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "bellwether/core/problem.hpp"
#include "bellwether/scenario/blame.hpp"
#include "bellwether/world/mobility.hpp"
#include "bellwether/world/positions.hpp"
#include "bellwether/world/proximity.hpp"
#include "bellwether/world/topology.hpp"

namespace bellwether::sim {
namespace {

std::vector<world::Proximity::Move> planned_moves(const RunSetup& setup,
                                                  const scenario::Scenario& scenario) {
  const std::vector<NodeIndex> who = world::movers(scenario.changes.moves, setup.ids);
  std::vector<world::Proximity::Move> plan;
  for (std::size_t i = 0; i < who.size(); ++i)
    plan.push_back({scenario.changes.moves[i].at, who[i], scenario.changes.moves[i].to});
  return plan;
}

/// At least that many links: nodes in one square whose diagonal is the range all reach each other.
double fewest_radio_links(double nodes, const world::MobilitySpec& area, double range) {
  const auto squares = [&](double side) {
    return std::max(1.0, std::ceil(side * std::numbers::sqrt2 / range));
  };
  const double per_square = nodes / (squares(area.width) * squares(area.height));
  return std::max(0.0, nodes * (per_square - 1) / 2);
}

/// The links that nodes in motion have at the beginning, behind the wires; returns those to come.
std::unique_ptr<world::Changes> set_in_motion(RunSetup& setup, const scenario::Scenario& scenario) {
  auto motion =
      world::make_motion(scenario::effective_mobility(scenario), setup.network, scenario.seed);
  const NodeIndex all = setup.network.nodes + setup.absent;
  auto radios = world::radios(setup.network);
  auto present = radios;
  if (setup.absent > 0) {  // a spare takes part when it has been put somewhere
    present.resize(setup.network.nodes, true);
    present.resize(all, false);
  }
  if (!radios.empty()) radios.resize(all, true);
  const auto senders = radios.empty()
                           ? setup.network.nodes
                           : std::count(radios.begin(), radios.end(), true) - setup.absent;
  world::require_room(
      all,
      fewest_radio_links(static_cast<double>(senders), scenario.mobility, scenario.radio.range),
      "radio.range");
  auto proximity = std::make_unique<world::Proximity>(std::move(motion), all, scenario.radio.range,
                                                      present, setup.wired, scenario.stop.time);
  proximity->plan(planned_moves(setup, scenario));
  setup.proximity = proximity.get();
  const auto& links = proximity->links_at_start();
  setup.network.links.insert(setup.network.links.end(), links.begin(), links.end());
  setup.moves = true;
  setup.has_radio.assign(radios.begin(), radios.end());
  setup.radio = world::channel_of(scenario.radio);
  setup.radio.order =
      scenario.neighbours.probes() ? world::Order::unordered : scenario.channel.order;
  return proximity;
}

}  // namespace

/// Spares stand behind the others, so that nothing that is drawn for these depends on them.
void add_ids_of_spares(RunSetup& setup) {
  std::uint64_t next = 0;
  for (const NodeId id : setup.ids) next = std::max(next, core::raw(id));
  for (NodeIndex i = 0; i < setup.absent; ++i)
    setup.ids.push_back(NodeId{setup.anonymous ? 0 : ++next});
}
void add_spares(RunSetup& setup) {
  world::Network& network = setup.network;
  network.nodes += setup.absent;
  if (!network.places.empty()) network.places.resize(network.nodes, {0.5, 0.5});
  if (!network.kinds.empty()) network.kinds.resize(network.nodes, world::NodeKind::mobile);
}

RunSetup make_setup(const scenario::Scenario& scenario, Interactive interactive) {
  RunSetup setup;
  const world::NetworkSpec spec = scenario::effective_network(scenario);
  setup.network = world::build_network(spec, scenario.seed);
  setup.ids = world::assign_ids(spec, setup.network.nodes, scenario.seed);
  setup.anonymous = spec.anonymous;
  setup.absent = spec.spares;
  if (spec.spares > 0)
    world::require_room(static_cast<double>(setup.network.nodes) + spec.spares,
                        static_cast<double>(setup.network.links.size()), "spares");
  add_ids_of_spares(setup);
  const world::ChangeSpec changes = scenario::effective_changes(scenario);
  setup.has_crashes = world::has_crashes(changes);
  setup.wired = static_cast<std::uint32_t>(setup.network.links.size());
  if (interactive == Interactive::on) setup.book = std::make_shared<world::LinkBook>(setup.network);
  std::vector<std::unique_ptr<world::Changes>> sources;
  if (changes.any())
    sources.push_back(
        world::make_changes(changes, setup.network, setup.ids, scenario.seed, setup.book));
  if (scenario::moves(scenario)) sources.push_back(set_in_motion(setup, scenario));
  add_spares(setup);
  setup.has_changes = !sources.empty() || setup.absent > 0 || interactive == Interactive::on;
  setup.has_crashes = setup.has_crashes || setup.absent > 0 || interactive == Interactive::on;
  if (!sources.empty()) setup.changes = world::merged(std::move(sources));
  return setup;
}

void check_world(const scenario::Scenario& scenario) {
  try {
    check_start(scenario.start, make_setup(scenario).ids);
  } catch (const core::Problem& problem) {
    throw scenario::blamed_on(scenario, problem);
  }
}

world::MediumSite site_of(const scenario::Scenario& scenario, const RunSetup& setup) {
  const world::Network network =
      world::build_network(scenario::effective_network(scenario), scenario.seed);
  auto motion = world::make_motion(scenario::effective_mobility(scenario), network, scenario.seed);
  return {scenario.radio,
          setup.network.nodes,
          setup.absent,
          {setup.has_radio.begin(), setup.has_radio.end()},
          scenario.seed,
          std::make_shared<world::Positions>(std::move(motion), network.nodes, setup.network.nodes,
                                             planned_moves(setup, scenario))};
}

std::optional<observe::MetricsSetup> metrics_spec(const scenario::Scenario& scenario,
                                                  const RunSetup& setup,
                                                  core::Criterion criterion) {
  const scenario::MetricsSpec& wanted = scenario.metrics;
  const bool few = setup.network.nodes <= scenario::measured_unasked;
  if (wanted.on == scenario::MetricsMode::off) return std::nullopt;
  if (wanted.on == scenario::MetricsMode::automatic && !(setup.moves && few)) return std::nullopt;
  return observe::MetricsSetup{.criterion = wanted.oracle.value_or(criterion),
                               .interval = wanted.interval,
                               .end = scenario.stop.time,
                               .warm_up = wanted.warm_up,
                               .paths = few};
}

void check_start(const scenario::StartSpec& spec, std::span<const NodeId> ids) {
  for (const NodeId id : spec.nodes)
    if (std::find(ids.begin(), ids.end(), id) == ids.end())
      throw core::Problem("start.nodes",
                          "there is no node " + std::to_string(core::raw(id)) + " in this network");
  if (spec.nodes.empty() && spec.initiators > ids.size())
    throw core::Problem("start.initiators", "there are only " + std::to_string(ids.size()) +
                                                " nodes; write \"all\" or a smaller number");
}

std::vector<Time> start_times(const scenario::StartSpec& spec, const std::vector<NodeId>& ids,
                              std::uint64_t seed) {
  check_start(spec, ids);
  core::Prng prng = core::stream(seed, "start");
  std::vector<Time> out(ids.size(), core::end_of_time);
  const auto moment = [&] { return prng.between(Time{0}, spec.window); };
  if (!spec.nodes.empty()) {
    for (const NodeId id : spec.nodes) {
      const auto found = std::find(ids.begin(), ids.end(), id);
      out[static_cast<std::size_t>(found - ids.begin())] = moment();
    }
  } else if (spec.initiators == 0) {
    for (Time& t : out) t = moment();
  } else {
    std::vector<NodeIndex> order(ids.size());
    std::iota(order.begin(), order.end(), 0);
    core::shuffle(order, prng);
    for (std::uint64_t i = 0; i < spec.initiators; ++i) out[order[i]] = moment();
  }
  return out;
}

std::vector<Duration> clock_offsets(Duration skew, NodeIndex nodes, std::uint64_t seed) {
  if (skew <= Duration{0}) return {};
  core::Prng prng = core::stream(seed, "clock");
  std::vector<Duration> out(nodes);
  for (Duration& offset : out) offset = prng.between(-skew, skew);
  return out;
}

Duration clock_offset_after(Duration skew, NodeIndex node, Time restart, std::uint64_t seed) {
  const std::uint64_t own = core::stream_seed(seed, "clock", node);
  core::Prng prng(core::splitmix(own ^ static_cast<std::uint64_t>(restart.count())));
  return prng.between(-skew, skew);
}

observe::RunReport make_report(RunTotals totals, const scenario::Scenario& scenario,
                               const std::vector<NodeId>& ids) {
  observe::RunReport r;
  r.algorithm = totals.algorithm;
  r.scenario = scenario.name;
  r.seed = scenario.seed;
  r.nodes = static_cast<NodeIndex>(ids.size());
  r.links = totals.links.size();
  r.events = totals.events;
  r.messages = totals.messages;
  r.bytes = totals.bytes;
  r.time = totals.time;
  r.ended = totals.ended;
  r.violation = std::move(totals.violation);
  core::Fingerprint& print = totals.fingerprint;
  for (const auto& verdict : totals.verdicts)
    print.fold(core::digest(verdict.leader), verdict.alive ? 1 : 0);
  print.fold(totals.events, totals.messages);
  print.fold(totals.bytes, static_cast<std::uint64_t>(totals.time.count()));
  r.fingerprint = print.text();
  r.leaders = observe::component_leaders(ids, totals.verdicts, std::move(totals.links));
  r.agreed = std::all_of(r.leaders.begin(), r.leaders.end(), [](auto& c) { return c.agreed; });
  const double nodes = static_cast<double>(std::max<std::size_t>(ids.size(), 1));
  r.metrics = {{"components", static_cast<double>(r.leaders.size())},
               {"messages_per_node", static_cast<double>(totals.messages) / nodes}};
  r.metrics.insert(r.metrics.end(), totals.metrics.begin(), totals.metrics.end());
  r.series = std::move(totals.series);
  return r;
}

}  // namespace bellwether::sim
