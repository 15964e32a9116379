// SPDX-License-Identifier: MIT
// A radio medium that all share, after 802.11: nodes listen before they send, wait a drawn number
// of slots, and spoil each other's frames where they cannot hear each other. Broadcasts only: never
// acknowledged, never sent again.
//
// The rules are those of ns-3.37's 802.11 with a sharp range: a node in range hears a frame at full
// strength, and no other node receives anything.
//  - Access. Frames wait in line. A node that has found the medium free for AIFS, and has no
//  backoff
//    left, sends at once. Else it draws a backoff, which runs down while the medium is free and
//    AIFS has passed, and stands still while it is not. Each transmission is followed by a backoff,
//    whether more frames wait or not. What begins at an instant cannot be sensed at that instant.
//  - Reception. A node that sends is deaf. A node that hears only one frame locks on it. Later
//    frames are then lost on it; the first survives them (capture), unless the second begins before
//    the preamble of the first is detected: then both are lost. No node locks on a frame while
//    there is other energy on the air.
#pragma once

#include <cstdint>
#include <vector>

#include "bellwether/core/ids.hpp"
#include "bellwether/world/medium.hpp"
#include "bellwether/world/radio.hpp"

namespace bellwether::world {

using core::NodeIndex;

class Csma final : public Medium {
 public:
  Csma(const RadioSpec& spec, NodeIndex nodes, std::uint64_t seed);

  void link(NodeIndex a, NodeIndex b, bool up) override;
  void send(NodeIndex u, std::uint32_t frame, std::size_t bytes, Time now,
            MediumEffects& effects) override;
  void wake(NodeIndex u, std::uint32_t serial, Time now, MediumEffects& effects) override;
  void power(NodeIndex u, bool on, Time now, MediumEffects& effects) override;
  Energy energy(NodeIndex u, Time now) const override;
  const FrameCounts& counts() const override { return counts_; }

 private:
  static constexpr NodeIndex nobody = 0xFFFF'FFFF;

  struct QueuedFrame {
    std::uint32_t frame;
    std::uint32_t bytes;
  };

  struct Station {
    // Access.
    Time busy_until;  // energy of others, known ahead
    Time tx_end;      // of the last frame of its own
    Time due =
        core::end_of_time;     // when it will send if no other node does; never: nothing to send
    Time found_free{-1};       // at this instant the medium was free, though frames have begun
    std::uint32_t slots = 0;   // of the backoff that were left when the medium became free
    std::uint32_t serial = 0;  // of the one wake that counts
    bool backoff = false;      // drawn and not over
    bool on = true;
    bool sending = false;
    // Reception.
    bool spoilt = false;
    NodeIndex locked = nobody;  // on the frame that this one sends
    Time locked_at{};
    // Energy: settled up to here; the rest follows from the times above and these.
    Time settled{};
    Time rx_from{};
    Time rx_until{};
    Energy spent;
    // What it sends.
    std::uint32_t frame = 0;
    std::size_t head = 0;  // of the line
    std::vector<QueuedFrame> line;
    std::vector<NodeIndex> audience;  // in range when the frame on the air began
    std::vector<NodeIndex> near;      // in range now, ascending
    core::Prng prng;
  };

  Time free_from(const Station& node) const;
  Time ready(const Station& node) const;
  Time next_slot(const Station& node, Time now) const;
  static void settle(Station& node, Time now);

  void draw_backoff(Station& node);
  void await_turn(NodeIndex u, MediumEffects& effects);
  void set_wake(NodeIndex u, Time at, MediumEffects& effects);
  void transmit(NodeIndex u, Time now, MediumEffects& effects);
  void finish(NodeIndex u, MediumEffects& effects);
  void hear(NodeIndex v, NodeIndex from, Time now, MediumEffects& effects);
  void hold_backoff(Station& node, Time now);
  void receive(NodeIndex v, NodeIndex from, Time now, bool quiet, MediumEffects& effects);
  void deliver(NodeIndex v, MediumEffects& effects);
  bool survives(Station& node) const;
  void unlock(Station& node, Time now);
  void switch_off(NodeIndex u, Time now, MediumEffects& effects);
  void switch_on(NodeIndex u, Time now);
  void cut_off(NodeIndex u, Time now, MediumEffects& effects);

  CsmaSpec spec_;
  std::uint32_t mtu_;
  PowerSpec power_;
  Duration aifs_;
  std::vector<Station> nodes_;
  FrameCounts counts_;
};

}  // namespace bellwether::world
