// SPDX-License-Identifier: MIT
// A radio medium that all share. It has no event queue of its own that others know of: it says when
// it wants to be woken, and the caller wakes it, in the order of time. What happens at one instant
// may come in any order.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "bellwether/core/ids.hpp"
#include "bellwether/core/time.hpp"

namespace bellwether::world {

using core::Duration;
using core::NodeIndex;
using core::Time;

/// What the medium wants done. Cleared by the caller.
struct MediumEffects {
  struct WakeUp {
    Time at;
    NodeIndex node;
    std::uint32_t serial;
    friend bool operator==(const WakeUp&, const WakeUp&) = default;
  };
  struct HeardFrame {
    std::uint32_t frame;
    NodeIndex by;
    friend bool operator==(const HeardFrame&, const HeardFrame&) = default;
  };
  std::vector<WakeUp> wakes;        // call wake(node, serial, at) then
  std::vector<HeardFrame> heard;    // frames that have arrived now
  std::vector<std::uint32_t> done;  // frames that left the air now, or were dropped

  void clear() {
    wakes.clear();
    heard.clear();
    done.clear();
  }
};

class Medium {
 public:
  virtual ~Medium() = default;

  /// Which nodes hear each other, both ways. A frame that is on the air stays as it is.
  virtual void link(NodeIndex a, NodeIndex b, bool up) = 0;

  /// Puts a frame in line; `frame` is the caller's name for it. A node that is off, or a frame
  /// above the MTU, drops it at once.
  virtual void send(NodeIndex u, std::uint32_t frame, std::size_t bytes, Time now,
                    MediumEffects& effects) = 0;

  /// Stale serials do nothing: a wake may be overtaken.
  virtual void wake(NodeIndex u, std::uint32_t serial, Time now, MediumEffects& effects) = 0;

  /// Crash and restart. A crash drops what waits, cuts off what the node sends (no node receives
  /// it) and what it receives. A node that comes back listens afresh.
  virtual void power(NodeIndex u, bool on, Time now, MediumEffects& effects) = 0;

  /// How long a node has been in each state. Sleep is the time that it was off.
  struct Energy {
    Duration idle{};
    Duration busy{};  // something on the air that it does not read: preambles, too
    Duration rx{};
    Duration tx{};
    Duration sleep{};
    double joules = 0;
  };
  virtual Energy energy(NodeIndex u, Time now) const = 0;

  /// Receptions, but for the first and the last. At any time
  /// possible = received + lost_overlap + lost_deaf + cut_off + those on the air.
  struct FrameCounts {
    std::uint64_t sent = 0;          // frames that went on the air
    std::uint64_t possible = 0;      // receivers that were on and in range when a frame began
    std::uint64_t received = 0;      // frames that arrived
    std::uint64_t lost_overlap = 0;  // two frames at once
    std::uint64_t lost_deaf = 0;     // the receiver was sending
    std::uint64_t cut_off = 0;       // the sender or the receiver crashed
    std::uint64_t too_large = 0;     // frames above the MTU
  };
  virtual const FrameCounts& counts() const = 0;
};

struct RadioSpec;
class Positions;

/// Where a medium is to work.
struct MediumSite {
  const RadioSpec& radio;
  NodeIndex nodes;
  NodeIndex absent;             // how many of them, the last, are off at the beginning
  std::vector<bool> has_radio;  // by node; empty: all
  std::uint64_t seed;
  std::shared_ptr<Positions> places;
};
using MakeMedium = std::function<std::unique_ptr<Medium>(const MediumSite&)>;

}  // namespace bellwether::world
