// SPDX-License-Identifier: MIT
// The timers of a run: armed, moved, disarmed, expired. A timer that is put off again and again, as
// those that wait for silence are, keeps the event it has: that one comes too early, sees so, and
// goes back into the queue.
#pragma once

#include <optional>
#include <vector>

#include "bellwether/core/host.hpp"
#include "bellwether/sim/agenda.hpp"

namespace bellwether::sim {

using core::NodeIndex;

class Timers {
 public:
  struct Armed {
    core::TimerName timer;
    std::uint32_t serial;
    Time due;
    Time queued;  // when its event comes; end_of_time: it has none, and never expires
    bool in_queue() const { return serial != overdue && queued != core::end_of_time; }
  };

  Timers(NodeIndex nodes, Agenda& agenda) : agenda_(agenda), armed_(nodes), serials_(nodes) {}

  void arm(NodeIndex u, const core::TimerName& timer, Time due);
  void disarm(NodeIndex u, const core::TimerName& timer);
  /// The event of a timer has come: which one expires now, if any.
  std::optional<core::TimerName> expire(NodeIndex u, std::uint32_t serial, bool alive);
  /// The node is back with its memory: what expired meanwhile expires now.
  void wake(NodeIndex u);
  /// The node is back without.
  void forget(NodeIndex u);

  const std::vector<Armed>& of(NodeIndex u) const { return armed_[u]; }
  /// Events in the queue that no timer waits for any more.
  std::size_t stale() const { return stale_; }

 private:
  static constexpr std::uint32_t overdue = ~0u;  // a serial: expired while its node was down

  std::vector<Armed>::iterator find(NodeIndex u, const core::TimerName& timer);

  Agenda& agenda_;
  std::vector<std::vector<Armed>> armed_;
  std::vector<std::uint32_t> serials_;
  std::size_t stale_ = 0;
};

}  // namespace bellwether::sim
