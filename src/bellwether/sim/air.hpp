// SPDX-License-Identifier: MIT
// What happens to messages on their way: the channels of wires and of radio, bursts of loss, and
// the shared medium.
#pragma once

#include <memory>
#include <vector>

#include "bellwether/sim/links.hpp"
#include "bellwether/sim/run_spec.hpp"
#include "bellwether/world/channel.hpp"
#include "bellwether/world/medium.hpp"
#include "bellwether/world/radio.hpp"

namespace bellwether::sim {

class Air {
 public:
  Air(RunSetup& setup, const scenario::Scenario& scenario);

  world::ChannelModel& channel_of(bool wireless) { return wireless ? radio_ : wires; }
  bool has_bursts() const { return !bursts_.empty(); }
  bool burst_loses(End e, Time now) { return bursts_[e].loses(burst_, now, burst_draws_); }
  /// In order, where our own doing keeps it.
  Time in_order(End e, Time arrives) {
    return last_arrival_[e] = std::max(arrives, last_arrival_[e]);
  }
  bool has_radio(NodeIndex u) const { return has_radio_.empty() || has_radio_[u] != 0; }
  /// The number of ends is this now; a slot that was given to another link begins anew.
  void make_room(std::size_t ends);
  void begin_anew(std::uint32_t slot);

  world::ChannelModel wires;
  std::unique_ptr<world::Medium> medium;  // null: radio links are channels
  world::MediumEffects out;               // of the medium, until they are dealt with
  world::MediumEffects spare;             // empty: memory for the next ones
  std::vector<NodeIndex> frame_from;      // by ticket, while a frame is in the air

 private:
  world::ChannelModel radio_;  // what radio links do to messages, unless the medium is shared
  bool moves_;
  std::vector<unsigned char> has_radio_;  // by node; empty: all
  std::vector<Time> last_arrival_;        // by end
  world::BurstSpec burst_;
  std::vector<world::GilbertElliott> bursts_;  // by end
  core::Prng burst_draws_;
};

}  // namespace bellwether::sim
