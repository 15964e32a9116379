// SPDX-License-Identifier: MIT
#include "bellwether/sim/air.hpp"

#include "bellwether/world/csma.hpp"

namespace bellwether::sim {

Air::Air(RunSetup& setup, const scenario::Scenario& scenario)
    : wires(scenario.channel, scenario.seed),
      radio_(setup.radio, scenario.seed, 1),
      moves_(setup.moves),
      has_radio_(std::move(setup.has_radio)),
      burst_(scenario.radio.burst),
      burst_draws_(core::stream(scenario.seed, "burst")) {
  if (moves_ && scenario.radio.model == world::RadioModel::csma) {
    medium = setup.medium ? std::move(setup.medium)
                          : std::make_unique<world::Csma>(scenario.radio, setup.network.nodes,
                                                          scenario.seed);
    for (std::size_t i = setup.wired; i < setup.network.links.size(); ++i)
      medium->link(setup.network.links[i].a, setup.network.links[i].b, true);
  }
  make_room(2 * setup.network.links.size());
}

void Air::make_room(std::size_t ends) {
  if (wires.keeps_order() || (moves_ && radio_.keeps_order())) last_arrival_.resize(ends);
  if (moves_ && burst_.on()) bursts_.resize(ends);
}

void Air::begin_anew(std::uint32_t slot) {
  for (const End e : {2 * slot, 2 * slot + 1}) {
    if (!last_arrival_.empty()) last_arrival_[e] = Time{0};
    if (!bursts_.empty()) bursts_[e] = {};
  }
}

}  // namespace bellwether::sim
