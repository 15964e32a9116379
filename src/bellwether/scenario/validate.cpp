// SPDX-License-Identifier: MIT
// What no single key can be blamed for, and what keys mean together.
#include "bellwether/core/problem.hpp"
#include "bellwether/scenario/scenario.hpp"

namespace bellwether::scenario {
namespace {

/// Blames the key that was given; the other one may be a default that the scenario does not show.
void require_order(const Scenario& s, const std::string& low, Duration least,
                   const std::string& high, Duration most) {
  if (least <= most) return;
  const bool blame_high = !s.where.contains(low) && s.where.contains(high);
  const std::string cure = "; lower " + low + " or raise " + high;
  if (blame_high)
    throw problem_at(
        s, high,
        core::to_text(most) + " is less than " + low + " = " + core::to_text(least) + cure);
  throw problem_at(
      s, low, core::to_text(least) + " is more than " + high + " = " + core::to_text(most) + cure);
}

/// The scenario says in one way only which nodes start.
void require_one_start(const Scenario& s) {
  if (s.start.nodes.empty()) return;
  if (s.start.initiators == 0 && !s.where.contains("start.initiators")) return;
  throw problem_at(s, "start.nodes", "does not go with start.initiators; leave one of the two out");
}

/// The scenario names the nodes in one way only.
void require_one_naming(const Scenario& s) {
  if (s.network.names.empty()) return;
  if (s.network.anonymous || s.where.contains("network.ids"))
    throw problem_at(s, "network.names",
                     std::string("does not go with ") +
                         (s.network.anonymous ? "network.anonymous" : "network.ids") +
                         "; leave one of the two out");
}

/// Nodes without ids cannot be named.
void require_names(const Scenario& s) {
  if (!s.network.anonymous) return;
  const bool script =
      !s.changes.script.empty() || !s.changes.partitions.empty() || !s.changes.moves.empty();
  if (script || !s.start.nodes.empty())
    throw problem_at(s, "network.anonymous",
                     std::string("nodes of an anonymous network have no ids; leave out ") +
                         (script ? "[[change]]" : "start.nodes"));
}

[[noreturn]] void refuse_radio(const Scenario& s, const std::string& key,
                               const std::string& sentence) {
  throw problem_at(s, key, sentence);
}

void require_radio(const Scenario& s) {
  const world::RadioSpec& r = s.radio;
  if (r.delay == world::Delay::uniform) require_order(s, "radio.min", r.min, "radio.max", r.max);
  if (r.model == world::RadioModel::ideal && (r.loss > 0 || r.burst.on()))
    refuse_radio(s, r.loss > 0 ? "radio.loss" : "radio.burst_bad",
                 "an ideal radio loses nothing; write radio.model = \"lossy\"");
  if (r.model == world::RadioModel::csma && (r.loss > 0 || r.burst.on()))
    refuse_radio(s, r.loss > 0 ? "radio.loss" : "radio.burst_bad",
                 "a shared medium loses what overlaps, and nothing else; leave it out, or write "
                 "radio.model = \"lossy\"");
  if (const world::BurstSpec defaults; !r.burst.on() && r.burst != defaults)
    refuse_radio(s,
                 r.burst.good != defaults.good             ? "radio.burst_good"
                 : r.burst.loss_good != defaults.loss_good ? "radio.burst_loss_good"
                                                           : "radio.burst_loss_bad",
                 "there are no bursts; write for instance radio.burst_bad = \"100 ms\"");
  if (r.csma.rate < 1)
    refuse_radio(s, "radio.rate", "must be at least 1 bit a second; write for instance 1e6");
  // The heading of a part takes up to 40 bytes; a radio drops what is above the MTU.
  if (r.mtu < 64)
    refuse_radio(s, "radio.mtu",
                 "must be at least 64, or parts of messages do not fit; write for instance 1500");
}

/// Blames the higher bound where only that one was given, and the lower one is a default.
std::string blamed(const Scenario& s, const std::string& key) {
  if (!key.ends_with("_min") || s.where.contains(key)) return key;
  const std::string high = key.substr(0, key.size() - 4) + "_max";
  return s.where.contains(high) ? high : key;
}

/// What a network without wires needs, and what a model needs.
void require_motion(const Scenario& s) {
  const std::string& topology = s.network.topology;
  const bool needed = topology == "radio" || topology == "highway";
  if (needed && s.mobility.model == world::MobilityModel::none)
    throw problem_at(
        s, "network.topology",
        '"' + topology +
            "\" has no radio links before nodes have positions; add [mobility] with a model, "
            "even if it is \"still\"");
  try {
    world::require_sound(s.mobility);
  } catch (const core::Problem& bad) {
    throw problem_at(s, blamed(s, "mobility." + bad.key()), bad.sentence());
  }
}

/// What radio links need of the other tables.
void require_neighbours(const Scenario& s) {
  const auto refuse = [&](const std::string& key, const std::string& sentence) {
    throw problem_at(s, key, sentence);
  };
  const NeighbourSpec& n = s.neighbours;
  const bool probes = n.probes();
  if (n.deployed() && (n.reliable || n.jitter != Duration{0}))
    refuse(n.reliable ? "neighbours.reliable" : "neighbours.jitter",
           "neighbours.stack = \"deployed\" decides this; remove it");
  if (n.jitter >= n.period)
    refuse("neighbours.jitter", "must be less than neighbours.period = " + core::to_text(n.period));
  if (probes && n.timeout <= n.period)
    refuse("neighbours.timeout", "must be more than neighbours.period = " +
                                     core::to_text(n.period) + ", or every neighbour is lost");
  if (probes && (s.start.initiators != 0 || !s.start.nodes.empty()))
    refuse(s.start.nodes.empty() ? "start.initiators" : "start.nodes",
           "all nodes must start where neighbours are detected by probes; remove it");
  if (!moves(s) && !s.changes.moves.empty())
    refuse("change[" + std::to_string(s.changes.moves.front().entry.number) + ']',
           "nodes have no positions in this network; add [mobility] with a model, even if it is "
           "\"still\"");
  if (!moves(s)) return;
  if (s.radio.range <= 0)
    refuse(
        "radio.range",
        "a network that moves needs the radio range in metres; write a number, such as range = 90");
  if (s.radio.model == world::RadioModel::csma && !probes)
    refuse("radio.model",
           "a shared medium gives no link notifications; write [neighbours] detect = \"probes\"");
  if (world::decides_links(s.changes))
    refuse("mobility.model",
           "positions decide which nodes are linked in a network that moves; remove [markov], and "
           "each [[change]] but crash, restart and move");
  if (s.changes.links.rate > 0 && !has_wires(s.network))
    refuse(
        "churn.rate",
        "has no effect: it breaks wires, and this network has none; remove it, and let nodes move "
        "out of range or crash ([crashes])");
}

/// More failures a second would all happen at one moment, and a run would never end.
void require_rates(const Scenario& s) {
  constexpr double most = 1e6;
  for (const auto& [key, rate] : {std::pair{"churn.rate", s.changes.links.rate},
                                  std::pair{"crashes.rate", s.changes.crashes.rate}})
    if (rate > most) throw problem_at(s, key, "must be at most 1e6 a second; choose a lower rate");
}

Time resolved(Time until, Time stop) {
  return until == Time{} || until > stop ? stop : until;
}

}  // namespace

void validate(const Scenario& s) {
  if (s.channel.delay == world::Delay::uniform)
    require_order(s, "channel.min", s.channel.min, "channel.max", s.channel.max);
  require_order(s, "notify.min", s.notify.min, "notify.max", s.notify.max);
  require_order(s, "metrics.until", s.metrics.until, "stop.time", s.stop.time);
  require_radio(s);
  require_one_start(s);
  require_one_naming(s);
  require_names(s);
  require_motion(s);
  require_neighbours(s);
  require_rates(s);
  const auto& [script, partitions, moved, links, crashes, markov] = s.changes;
  if (links.until != Time{}) require_order(s, "churn.from", links.from, "churn.until", links.until);
  if (crashes.until != Time{})
    require_order(s, "crashes.from", crashes.from, "crashes.until", crashes.until);
}

world::ChangeSpec effective_changes(const Scenario& scenario) {
  world::ChangeSpec changes = scenario.changes;
  for (Time* until : {&changes.links.until, &changes.crashes.until, &changes.markov.until})
    *until = resolved(*until, scenario.stop.time);
  return changes;
}

bool moves(const Scenario& scenario) {
  return scenario.mobility.model != world::MobilityModel::none;
}

bool has_wires(const world::NetworkSpec& network) {
  if (network.topology == "highway") return network.towers > 0 && network.servers > 0;
  return network.topology != "radio";
}

bool measures(const Scenario& scenario) {
  const MetricsMode on = scenario.metrics.on;
  return on == MetricsMode::on || (on == MetricsMode::automatic && moves(scenario) &&
                                   scenario.network.nodes <= measured_unasked);
}

world::NetworkSpec effective_network(const Scenario& scenario) {
  world::NetworkSpec network = scenario.network;
  // An absolute path stays as it is: that is what operator/ does.
  if (!network.file.empty()) network.file = (scenario.folder / network.file).string();
  return network;
}

world::MobilitySpec effective_mobility(const Scenario& scenario) {
  world::MobilitySpec mobility = scenario.mobility;
  if (!mobility.file.empty()) mobility.file = (scenario.folder / mobility.file).string();
  return mobility;
}

}  // namespace bellwether::scenario
