// SPDX-License-Identifier: MIT
// A driver moved by hand, whatever the protocol: FIFO queues, states, armed timers, clocks. Nothing
// happens unless the script says so, and everything that happens is told as text.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bellwether/core/play_test.hpp"

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

class Stage {
 public:
  Stage(std::unique_ptr<core::Nodes> nodes, const std::vector<NodeId>& ids);
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  /// A link that is up at both ends from the beginning.
  void link(NodeId a, NodeId b);
  void start(std::span<const NodeId> some);
  void start_all();
  /// `at` is told that its channel to `peer` is up.
  void up(NodeId at, NodeId peer);
  /// `at` is told that its channel to `peer` is down; what it has in transit there is lost.
  void down(NodeId at, NodeId peer);
  /// The oldest message, or all that are in transit on this channel now.
  void deliver(NodeId from, NodeId to, bool all = false);
  void lose(NodeId from, NodeId to) { tell_lost(from, to, next(from, to)); }
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
  void show(NodeId id) { show_node(id, known(id), true); }
  void transit();

  /// What has been told since the last call.
  std::string take() { return std::exchange(told_, {}); }

  /// For tests that look closer than text does.
  const core::Nodes& nodes() const { return *hosted_; }
  NodeIndex place(NodeId id) const { return known(id).place; }

 private:
  struct Node {
    NodeIndex place;
    bool alive;
    std::uint32_t next_port;
    std::vector<core::TimerName> armed;
    Time now;
  };
  struct End {
    Port port{};
    bool up = false;
  };
  using Way = std::pair<NodeId, NodeId>;  // from, to

  void tell(std::string_view line);
  Node& known(NodeId id) { return const_cast<Node&>(std::as_const(*this).known(id)); }
  const Node& known(NodeId id) const;
  Node& living(NodeId id);
  End& linked(NodeId at, NodeId peer);
  std::deque<AnyMessage>& queue(NodeId from, NodeId to);
  AnyMessage next(NodeId from, NodeId to);
  void begin();
  void raise(NodeId at, End& end) { end = {Port{known(at).next_port++}, true}; }
  void tell_lost(NodeId from, NodeId to, const AnyMessage& message);
  bool lose_all(NodeId from, NodeId to);
  void deliver_one(NodeId from, NodeId to);
  Around around(NodeId id) const;
  void step(NodeId id, const std::string& indent, const core::Call& call);
  void drain(NodeId id, Node& node, const Around& links, const core::Outcome& outcome,
             const std::string& indent);
  void set(Node& node, const core::Effects::Alarm& alarm, const std::string& indent);
  void show_node(NodeId id, const Node& node, bool closely);
  static NodeId peer_of(void* self, Port port);

  std::unique_ptr<core::Nodes> hosted_;
  core::Player player_;
  std::map<NodeId, Node> nodes_;
  std::vector<Way> links_;   // from the beginning
  std::map<Way, End> ends_;  // of the first node, towards the second
  std::map<Way, std::deque<AnyMessage>> transit_;
  NodeId stepping_{};
  std::optional<Port> about_;
  bool begun_ = false;
  bool quiet_ = false;
  std::string told_;
};

using OptionTexts = std::vector<std::pair<std::string, std::string>>;  // name, value

/// Isolated nodes that run an algorithm of the catalogue.
std::unique_ptr<Stage> make_stage(std::string_view algorithm, const std::vector<NodeId>& ids,
                                  const OptionTexts& options);

}  // namespace bellwether::golden
