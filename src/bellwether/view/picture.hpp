// SPDX-License-Identifier: MIT
// A run at one moment, as the bytes that the page draws from: viewer/PROTOCOL.md has their order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "bellwether/observe/metrics/live_network.hpp"
#include "bellwether/sim/pace.hpp"
#include "bellwether/world/proximity.hpp"

namespace bellwether::view {

using core::NodeId;
using core::NodeIndex;
using core::Time;

/// A message on its way.
struct MessageInFlight {
  NodeIndex from = 0;
  NodeIndex to = 0;
  std::uint32_t kind = 0;
  std::uint32_t fate = 0;
  Time sent{};
  Time arrives{};
  std::uint64_t serial = 0;
  double carries = no_mark;  // the id of a token
  static constexpr double no_mark = -1;
};

class Picture {
 public:
  static constexpr std::uint32_t nobody = 0xFFFF'FFFF;

  /// Before anything happens.
  void setup(const sim::RunSetup& setup);
  /// A node names another leader than before.
  void leaders_changed() { leaders_stale_ = true; }
  /// A node has crashed or started again.
  void alive_changed(Time at, NodeIndex u, bool alive);
  /// It was not there at the beginning, and has not been since.
  bool is_new(NodeIndex u) const { return !seen_[u] && u + absent_ >= ids_.size(); }
  /// All links are sent with the next one.
  void begin_anew() { links_sent_ = false; }

  /// `nodes`: how many are shown; the others are spares, not yet added.
  std::string encode_frame(const sim::RunView& inside, NodeIndex nodes,
                           const std::vector<MessageInFlight>& flights);

  const std::vector<NodeId>& ids() const { return ids_; }
  NodeIndex index_of(NodeId id) const;
  world::Proximity* proximity() const { return proximity_; }

 private:
  void find_components(const sim::RunView& inside, NodeIndex nodes);
  void find_leaders(const sim::RunView& inside, NodeIndex nodes);
  void judge(const sim::RunView& inside);
  void follow_links();

  std::vector<NodeId> ids_;
  std::unordered_map<std::uint64_t, NodeIndex> indices_;
  bool anonymous_ = false;
  NodeIndex absent_ = 0;
  world::Proximity* proximity_ = nullptr;
  std::vector<unsigned char> seen_;  // has been alive once

  std::uint64_t links_version_ = 0;
  bool links_known_ = false;
  bool links_sent_ = false;
  NodeIndex shown_ = 0;
  std::vector<sim::LiveLink> links_;
  std::vector<std::uint32_t> component_;
  std::uint32_t components_ = 0;

  bool leaders_stale_ = true;
  std::vector<std::uint32_t> leader_;
  double leading_ = 0;
  std::optional<observe::LiveNetwork> judged_;  // as the metrics judge it
  std::vector<graph::Edge> judged_links_;       // that it knows, ascending
  double instability_ = 0;
};

}  // namespace bellwether::view
