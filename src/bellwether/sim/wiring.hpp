// SPDX-License-Identifier: MIT
// The network of a run as it is now: links and their ends, which of them the world keeps up, and
// which notifications their ends have yet to get.
#pragma once

#include "bellwether/sim/incidence.hpp"
#include "bellwether/sim/links.hpp"
#include "bellwether/sim/run_spec.hpp"
#include "bellwether/sim/slots.hpp"

namespace bellwether::sim {

inline constexpr NodeIndex nobody = ~NodeIndex{0};

/// The link that a step is about.
struct Around {
  Port port = core::every_port;
  NodeIndex peer = nobody;
};

class Wiring {
 public:
  Wiring(const RunSetup& setup, const scenario::Scenario& scenario);

  bool moves() const { return first_radio_end_ != no_end; }
  bool wireless(End e) const { return e >= first_radio_end_; }
  bool changes() const { return changes_; }
  NodeIndex far(End e) const { return links.owner(Links::sister(e)); }
  /// Whether the world keeps a link up.
  bool wanted(std::uint32_t link) const { return wanted_.empty() || wanted_[link]; }
  void want(std::uint32_t link, bool up) { wanted_[link] = up; }
  const std::vector<End>& incident(NodeIndex u) { return incidence_.of(links, nodes_, u); }
  /// The end behind a port that is up or only listens; no_end where there is none.
  End behind(NodeIndex u, Port port);

  /// Where the link of a change is kept; made where there is none yet: then `made` says so.
  std::uint32_t slot_for(const world::Change& change, bool& made);
  /// A radio link whose ends are down, with no notification outstanding, leaves its slot to
  /// another.
  void close_when_done(std::uint32_t slot);
  /// Whether a message that was sent on this port belongs to the link that is there now.
  bool knows(End e, std::uint32_t port) const {
    return slots_.size() == 0 || port >= opened_at_[e / 2];
  }

  /// When an end is notified of a change: in the order of the changes.
  Time notice(End e, Time now);
  void note_told(End e) {
    if (wireless(e)) --notices_due_[e / 2];
  }

  // Ports of crashed nodes, for those who remember.
  void sleep(NodeIndex u, Around link) { asleep_[u].push_back(link); }
  std::vector<Around> wake(NodeIndex u) { return std::exchange(asleep_[u], {}); }

  Links links;
  std::uint64_t version = 0;  // differs where live links do

 private:
  void make_room();

  NodeIndex nodes_;
  bool changes_;
  End first_radio_end_;
  Incidence incidence_;
  Slots slots_;
  std::vector<bool> wanted_;                // by link
  std::vector<std::uint32_t> opened_at_;    // by slot: ports below belong to a former link
  std::vector<std::uint32_t> notices_due_;  // by slot
  std::vector<Time> last_told_;             // by end
  scenario::NotifySpec notify_;
  core::Prng notices_;
  std::vector<std::vector<Around>> asleep_;
};

}  // namespace bellwether::sim
