// SPDX-License-Identifier: MIT
// A radio medium that all share, after 802.11: nodes listen before they send, wait a drawn number
// of slots, and spoil each other's frames where they cannot hear each other. Broadcasts only: never
// acknowledged, never sent again.
//
// The medium has no event queue. It says when it wants to be woken, and the caller wakes it, in the
// order of time. What happens at one instant may come in any order.
//
// The rules are those of ns-3.37's 802.11 with a sharp range: who is in range hears a frame at full
// strength, and nobody else hears anything.
//  - Access. Frames wait in line. A node that has found the medium free for AIFS, and has no
//  backoff
//    left, sends at once. Else it draws a backoff, which runs down while the medium is free and
//    AIFS has passed, and stands still while it is not. Each transmission is followed by a backoff,
//    whether more frames wait or not. What begins at an instant cannot be sensed at that instant.
//  - Reception. A node that sends is deaf. A node that hears only one frame locks on it. Later
//    frames are then lost on it; the first survives them (capture), unless the second begins before
//    the preamble of the first is detected: then both are lost. Nobody locks on a frame while
//    there is other energy on the air.
#pragma once

#include <cstdint>
#include <vector>

#include "bellwether/core/ids.hpp"
#include "bellwether/world/radio.hpp"

namespace bellwether::world {

using core::NodeIndex;

/// What the medium wants done. Cleared by the caller.
struct CsmaEffects {
  struct Wake {
    Time at;
    NodeIndex node;
    std::uint32_t serial;
    friend bool operator==(const Wake&, const Wake&) = default;
  };
  struct Heard {
    std::uint32_t frame;
    NodeIndex by;
    friend bool operator==(const Heard&, const Heard&) = default;
  };
  std::vector<Wake> wakes;          // call wake(node, serial, at) then
  std::vector<Heard> heard;         // frames that have arrived now
  std::vector<std::uint32_t> done;  // frames that left the air now, or were dropped

  void clear() {
    wakes.clear();
    heard.clear();
    done.clear();
  }
};

class Csma {
 public:
  Csma(const RadioSpec& spec, NodeIndex nodes, std::uint64_t seed);

  /// Who hears whom, both ways. A frame that is on the air stays as it is.
  void link(NodeIndex a, NodeIndex b, bool up);

  /// Puts a frame in line; `frame` is the caller's name for it. A node that is off, or a frame
  /// above the MTU, drops it at once.
  void send(NodeIndex u, std::uint32_t frame, std::size_t bytes, Time now, CsmaEffects& effects);

  /// Stale serials do nothing: a wake may be overtaken.
  void wake(NodeIndex u, std::uint32_t serial, Time now, CsmaEffects& effects);

  /// Crash and restart. A crash drops what waits, cuts off what the node sends (nobody gets it) and
  /// what it receives. A node that comes back listens afresh.
  void power(NodeIndex u, bool on, Time now, CsmaEffects& effects);

  /// How long a node has been in each state. Sleep is the time that it was off.
  struct Energy {
    Duration idle{};
    Duration busy{};  // something on the air that it does not read: preambles, too
    Duration rx{};
    Duration tx{};
    Duration sleep{};
    double joules = 0;
  };
  Energy energy(NodeIndex u, Time now) const;

  /// Receptions, but for the first and the last. At any time
  /// possible = received + lost_overlap + lost_deaf + cut_off + those on the air.
  struct Counts {
    std::uint64_t sent = 0;          // frames that went on the air
    std::uint64_t possible = 0;      // receivers that were on and in range when a frame began
    std::uint64_t received = 0;      // frames that arrived
    std::uint64_t lost_overlap = 0;  // two frames at once
    std::uint64_t lost_deaf = 0;     // the receiver was sending
    std::uint64_t cut_off = 0;       // the sender or the receiver crashed
    std::uint64_t too_large = 0;     // frames above the MTU
  };
  const Counts& counts() const { return counts_; }

 private:
  static constexpr NodeIndex nobody = 0xFFFF'FFFF;

  struct Waiting {
    std::uint32_t frame;
    std::uint32_t bytes;
  };

  struct Node {
    // Access.
    Time busy_until;               // energy of others, known ahead
    Time tx_end;                   // of the last frame of its own
    Time due = core::end_of_time;  // when it will send if nobody else does; never: nothing to send
    Time found_free{-1};           // at this instant the medium was free, though frames have begun
    std::uint32_t slots = 0;       // of the backoff that were left when the medium became free
    std::uint32_t serial = 0;      // of the one wake that counts
    bool backoff = false;          // drawn and not over
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
    std::vector<Waiting> line;
    std::vector<NodeIndex> audience;  // in range when the frame on the air began
    std::vector<NodeIndex> near;      // in range now, ascending
    core::Prng prng;
  };

  Time free_from(const Node& node) const;
  Time ready(const Node& node) const;
  static void settle(Node& node, Time now);

  void draw_backoff(Node& node);
  void await_turn(NodeIndex u, CsmaEffects& effects);
  void set_wake(NodeIndex u, Time at, CsmaEffects& effects);
  void transmit(NodeIndex u, Time now, CsmaEffects& effects);
  void finish(NodeIndex u, CsmaEffects& effects);
  void hear(NodeIndex v, NodeIndex from, Time now, CsmaEffects& effects);
  void hold_backoff(Node& node, Time now);
  void receive(NodeIndex v, NodeIndex from, Time now, bool quiet, CsmaEffects& effects);
  void deliver(NodeIndex v, CsmaEffects& effects);
  void unlock(Node& node, Time now);
  void switch_off(NodeIndex u, Time now, CsmaEffects& effects);
  void switch_on(NodeIndex u, Time now);
  void cut_off(NodeIndex u, Time now, CsmaEffects& effects);

  CsmaSpec spec_;
  std::uint32_t mtu_;
  PowerSpec power_;
  Duration aifs_;
  std::vector<Node> nodes_;
  Counts counts_;
};

}  // namespace bellwether::world
