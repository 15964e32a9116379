// SPDX-License-Identifier: MIT
// What no single key can be blamed for, and what keys mean together.
#include "bellwether/scenario/scenario.hpp"

namespace bellwether::scenario {
namespace {

/// Blames the key that was given; the other one may be a default that nobody has seen.
void require_order(const Scenario& s, const std::string& low, Duration least,
                   const std::string& high, Duration most) {
  if (least <= most) return;
  const bool blame_high = !s.where.contains(low) && s.where.contains(high);
  const std::string sentence = blame_high
                                   ? place_of(s, high) + core::to_text(most) + " is less than " +
                                         low + " = " + core::to_text(least)
                                   : place_of(s, low) + core::to_text(least) + " is more than " +
                                         high + " = " + core::to_text(most);
  throw BadScenario(sentence + "; lower " + low + " or raise " + high);
}

/// Two ways to say who begins are one too many.
void require_one_start(const Scenario& s) {
  if (s.start.nodes.empty()) return;
  if (s.start.initiators == 0 && !s.where.contains("start.initiators")) return;
  throw BadScenario(place_of(s, "start.nodes") +
                    "does not go with start.initiators; leave one of the two out");
}

/// Without ids there is nothing to call a node by.
void require_names(const Scenario& s) {
  if (!s.network.anonymous) return;
  const bool script = !s.changes.script.empty() || !s.changes.partitions.empty();
  if (script || !s.start.nodes.empty())
    throw BadScenario(place_of(s, "network.anonymous") +
                      "nodes of an anonymous network have no ids; leave out " +
                      (script ? "[[change]]" : "start.nodes"));
}

Time resolved(Time until, Time stop) {
  return until == Time{} || until > stop ? stop : until;
}

}  // namespace

void validate(const Scenario& s) {
  if (s.channel.delay == world::Delay::uniform)
    require_order(s, "channel.min", s.channel.min, "channel.max", s.channel.max);
  require_order(s, "notify.min", s.notify.min, "notify.max", s.notify.max);
  require_one_start(s);
  require_names(s);
  const auto& [script, partitions, links, crashes, markov] = s.changes;
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

world::NetworkSpec effective_network(const Scenario& scenario) {
  world::NetworkSpec network = scenario.network;
  // An absolute path stays as it is: that is what operator/ does.
  if (!network.file.empty()) network.file = (scenario.folder / network.file).string();
  return network;
}

}  // namespace bellwether::scenario
