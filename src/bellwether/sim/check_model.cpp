// SPDX-License-Identifier: MIT
#include "bellwether/core/host.hpp"
#include "bellwether/layers/deployed.hpp"
#include "bellwether/scenario/effect.hpp"
#include "bellwether/sim/simulate.hpp"
#include "bellwether/world/topology.hpp"

namespace bellwether::sim {
namespace {

[[noreturn]] void refuse(std::string_view algorithm, const scenario::Scenario& scenario,
                         const std::string& key, const std::string& sentence) {
  throw scenario::problem_at(scenario, key, std::string(algorithm) + " " + sentence);
}

bool has_reliable_links(const core::Model& model, const scenario::Scenario& scenario) {
  const bool needed = !model.tolerates_loss || !model.tolerates_reordering;
  return scenario.neighbours.reliable || (scenario.neighbours.deployed() && needed);
}

/// Radio: links that come and go, and what they may do to messages.
void check_radio(std::string_view algorithm, const core::Model& model,
                 const scenario::Scenario& scenario, const RunSetup& setup) {
  const bool probes = scenario.neighbours.probes();
  const std::string probing =
      scenario.neighbours.deployed() ? "neighbours.stack" : "neighbours.detect";
  if ((setup.moves || probes || scenario.neighbours.reliable) && !model.tolerates_changes)
    refuse(algorithm, scenario,
           setup.moves ? "mobility.model"
           : probes    ? probing
                       : "neighbours.reliable",
           "assumes that links do not change; choose an algorithm for networks that move, such as "
           "height or cel");
  if (scenario.neighbours.reliable && model.tolerates_loss && model.tolerates_reordering)
    refuse(algorithm, scenario, "neighbours.reliable",
           "tolerates loss and reordering itself; remove reliable");
  if (has_reliable_links(model, scenario)) return;
  const bool csma = setup.moves && scenario.radio.model == world::RadioModel::csma;
  const std::string cure = "; write [neighbours] reliable = true";
  if (setup.moves && !model.tolerates_loss &&
      (csma || setup.radio.loss > 0 || scenario.radio.burst.on()))
    refuse(algorithm, scenario, csma ? "radio.model" : "radio.loss",
           "assumes that nothing is lost on a link that is up" + cure);
  if (probes && !model.tolerates_reordering)
    refuse(algorithm, scenario, "neighbours.detect",
           "needs messages in order on each link, which radio does not keep" + cure);
}

/// Synchronizers: who may use them, and what they need themselves.
void check_rounds(std::string_view algorithm, const core::Model& model,
                  const scenario::Scenario& scenario, const RunSetup& setup) {
  using core::Synchronizer;
  const Synchronizer kind = scenario.rounds.synchronizer;
  if (kind == Synchronizer::none) return;
  const auto no = [&](const std::string& key, const std::string& sentence) {
    refuse(algorithm, scenario, key, sentence);
  };
  if (!model.synchronous)
    no("rounds.synchronizer", "does not run in rounds; remove the synchronizer");
  const std::string name(core::name_of(kind));
  if (setup.network.direction == graph::Direction::one_way)
    no("network.one_way", "needs links that go both ways under a synchronizer; remove one_way");
  if (setup.anonymous && kind >= Synchronizer::beta)
    no("network.anonymous", "needs ids under the synchronizer " + name +
                                ", which builds a tree; choose simple or alpha");
  if (kind == Synchronizer::abd && !longest_delay(scenario.channel))
    no("channel.delay",
       "needs delays with a bound under the synchronizer abd; write delay = "
       "\"uniform\" or \"constant\", or choose alpha");
}

}  // namespace

std::optional<Duration> longest_delay(const world::ChannelSpec& channel) {
  switch (channel.delay) {
    case world::Delay::constant:
      return std::max(Duration{1}, channel.mean);
    case world::Delay::uniform:
    case world::Delay::adversarial:
      return std::max(Duration{1}, channel.max);
    default:
      return std::nullopt;
  }
}

void check_model(std::string_view algorithm, const core::Model& model,
                 const scenario::Scenario& scenario, const RunSetup& setup) {
  const auto no = [&](const std::string& key, const std::string& sentence) {
    refuse(algorithm, scenario, key, sentence);
  };
  const std::string& shape = scenario.network.topology;
  world::Network network = setup.network;
  network.nodes -= setup.absent;
  if (model.shape == core::Shape::ring && !world::is_ring(network))
    no("network.topology",
       "needs a ring; the topology of this network is " + shape + "; write topology = \"ring\"");
  if (model.needs_direction && !world::is_oriented_ring(network))
    no("network.topology",
       "needs an oriented ring, where all nodes agree which way is clockwise; the links of this "
       "ring point both ways; write topology = \"ring\"");
  if (model.shape == core::Shape::complete && !world::is_complete(network))
    no("network.topology", "needs a complete network; the topology of this network is " + shape +
                               "; write topology = \"complete\"");
  if (model.needs_ids && setup.anonymous)
    no("network.anonymous", "needs nodes with ids; remove anonymous");
  if (!model.tolerates_one_way && setup.network.direction == graph::Direction::one_way)
    no("network.one_way", "needs links that go both ways; remove one_way");
  if (model.needs_all && (scenario.start.initiators > 0 || !scenario.start.nodes.empty()))
    no(scenario.start.initiators > 0 ? "start.initiators" : "start.nodes",
       "needs all nodes to start; remove it");
  check_rounds(algorithm, model, scenario, setup);
  const world::ChangeSpec& c = scenario.changes;
  if (world::has_crashes(c) && !model.tolerates_crashes)
    no(c.crashes.rate > 0                    ? "crashes.rate"
       : c.crashes.leader_every > Duration{} ? "crashes.leader_every"
                                             : "change",
       "assumes that nodes do not crash; remove the crashes");
  check_radio(algorithm, model, scenario, setup);
  const bool link_changes = c.links.rate > 0 || world::decides_links(c);
  if (link_changes && !model.tolerates_changes)
    no(c.links.rate > 0     ? "churn.rate"
       : c.markov.birth > 0 ? "markov.birth"
       : c.markov.death > 0 ? "markov.death"
                            : "change",
       "assumes that links do not change; remove the changes");
  const bool native = scenario.rounds.synchronizer == core::Synchronizer::none;
  if (model.synchronous && native) return;          // rounds have no channel
  if (has_reliable_links(model, scenario)) return;  // the layer mends what the channel does
  if (scenario.channel.loss > 0 && !model.tolerates_loss)
    no("channel.loss", "assumes that nothing is lost on a link that is up; write loss = 0");
  if (scenario.channel.duplicate > 0 && !model.tolerates_duplicates)
    no("channel.duplicate", "assumes that nothing arrives twice; write duplicate = 0");
  if (model.synchronous) return;  // synchronizers tolerate messages out of order
  if (scenario.channel.order == world::Order::unordered && !model.tolerates_reordering)
    no("channel.order", "needs messages in order on each link; write order = \"fifo\"");
}

void check_effects(const core::Algorithm& algorithm, const scenario::Scenario& scenario) {
  scenario::require_effect(scenario, algorithm.has_facts ? &algorithm.facts.model : nullptr);
  if (scenario.clock_skew <= Duration{0} || !scenario.where.contains("clock.skew")) return;
  // Whether nodes read their clocks may depend on the options.
  if (algorithm.make(options_for(algorithm, scenario, {}))->clock_use() != core::ClockUse::none)
    return;
  throw scenario::problem_at(scenario, "clock.skew",
                             "has no effect: nodes of " + std::string(algorithm.name) +
                                 " do not read a clock with these options; remove it");
}

void check_deployable(const core::Algorithm& algorithm, const scenario::Scenario& scenario) {
  if (const std::string why = layers::unsuitable_because(algorithm); !why.empty())
    refuse(algorithm.name, scenario, "neighbours.stack", "cannot be deployed: " + why);
}

void check_round_requests(std::string_view algorithm, const scenario::Scenario& scenario,
                          bool scheduled) {
  if (scheduled)
    refuse(algorithm, scenario, "algorithm",
           "runs in synchronous rounds, which no schedule can steer; run it from a scenario");
  if (scenario.network.spares > 0)
    refuse(algorithm, scenario, "network.spares",
           "runs in synchronous rounds, where no node can join later; remove the spares");
  if (scenario.rounds.synchronizer != core::Synchronizer::none) return;
  if (!scenario.properties.empty() && scenario.properties.front() != "all")
    throw scenario::problem_at(scenario, "properties",
                               "a synchronous algorithm has no properties to watch; remove it");
  if (scenario.metrics.on == scenario::MetricsMode::on)
    throw scenario::problem_at(scenario, "metrics.on",
                               "nothing is measured over rounds; remove it");
}

}  // namespace bellwether::sim
