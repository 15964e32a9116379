// SPDX-License-Identifier: MIT
// The host of tests as a script moves it, whatever the protocol. Nothing happens unless the script
// says so, and everything that happens is reported as text.
#pragma once

#include <stdexcept>

#include "bellwether/core/hand_host_test.hpp"

namespace bellwether::golden {

using core::AnyMessage;
using core::NodeId;
using core::NodeIndex;
using core::Port;
using core::Time;

/// The script asks for what is not possible; what() says why, without the place.
class BadScript : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline std::string text(NodeId id) {
  return std::to_string(core::raw(id));
}
inline std::string text(NodeId from, NodeId to) {
  return text(from) + "->" + text(to);
}

/// The ports of a node that are up, each with the peer behind it.
using Around = std::vector<std::pair<Port, NodeId>>;

class Stage : private core::HandHost {
 public:
  Stage(std::unique_ptr<core::Nodes> nodes, std::vector<NodeId> ids);

  /// A link that is up at both ends from the beginning.
  void link(NodeId a, NodeId b);
  void start(std::span<const NodeId> some);
  void start_all();
  /// `at` is notified that its channel to `peer` is up.
  void up(NodeId at, NodeId peer);
  /// `at` is notified that its channel to `peer` is down; what it has in transit there is lost.
  void down(NodeId at, NodeId peer);
  /// The oldest message, or all that are in transit on this channel now.
  void deliver(NodeId from, NodeId to, bool all = false);
  void lose(NodeId from, NodeId to);
  /// Until nothing is in transit. Rounds: the oldest message of each channel, by (from, to).
  void settle(bool quietly = false);
  void set_time(std::optional<NodeId> at, Time now);
  void fire(NodeId at, std::string_view timer);
  /// Its memory, its timers and what it has in transit are gone; its peers are not told.
  void crash(NodeId id);
  /// Back without memory and without links, and started.
  void restart(NodeId id);
  void show_all();
  /// More closely: what it knows of others, and its timers.
  void show(NodeId id) { show_node(known(id), true); }
  void transit();

  /// What has been told since the last call.
  std::string take() { return std::exchange(told_, {}); }

  /// For tests that look closer than text does.
  using HandHost::nodes;
  NodeIndex place(NodeId id) const { return HandHost::place(known(id)); }

 private:
  void tell(std::string_view line);
  NodeIndex known(NodeId id) const;
  NodeIndex living(NodeId id) const;
  /// Where something is in transit.
  Way busy_way(NodeId from, NodeId to) const;
  std::string text_of_way(Way way) const { return text(id(way.first), id(way.second)); }
  void begin();
  void tell_lost(Way way, const AnyMessage& message);
  bool lose_all(Way way);
  void deliver_one(Way way);
  Around around(NodeIndex u) const;
  void act(NodeIndex u, const std::string& indent, const core::Call& call);
  void tell_sends(NodeIndex u, const core::Outcome& outcome, const std::string& indent);
  void tell_alarm(const core::Effects::Alarm& alarm, const std::string& indent);
  void show_node(NodeIndex u, bool closely);

  std::vector<Way> links_;  // from the beginning
  bool begun_ = false;
  bool quiet_ = false;
  std::string told_;
};

using OptionTexts = std::vector<std::pair<std::string, std::string>>;  // name, value

/// Isolated nodes that run an algorithm of the catalogue.
std::unique_ptr<Stage> make_stage(std::string_view algorithm, const std::vector<NodeId>& ids,
                                  const OptionTexts& options);

}  // namespace bellwether::golden
