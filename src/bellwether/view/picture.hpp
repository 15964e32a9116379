// SPDX-License-Identifier: MIT
// A run at one moment, as the bytes that the page draws from: viewer/PROTOCOL.md has their order.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "bellwether/sim/pace.hpp"
#include "bellwether/world/proximity.hpp"

namespace bellwether::view {

using core::NodeId;
using core::NodeIndex;
using core::Time;

/// A message on its way.
struct Flight {
  NodeIndex from = 0;
  NodeIndex to = 0;
  std::uint32_t kind = 0;
  std::uint32_t fate = 0;
  Time sent{};
  Time arrives{};
  std::uint64_t serial = 0;
};

class Picture {
 public:
  static constexpr std::uint32_t nobody = 0xFFFF'FFFF;

  /// Before anything happens.
  void stage(const sim::Stage& stage);
  /// Whoever a node takes for the leader has changed somewhere.
  void leaders_changed() { leaders_stale_ = true; }
  /// All links are sent with the next one.
  void begin_anew() { links_sent_ = false; }

  /// `nodes`: how many are shown; the others are spares that nobody has added.
  std::string take(const sim::Inside& inside, NodeIndex nodes, const std::vector<Flight>& flights);

  const std::vector<NodeId>& ids() const { return ids_; }
  NodeIndex place_of(NodeId id) const;
  world::Proximity* proximity() const { return proximity_; }

 private:
  void find_components(const sim::Inside& inside, NodeIndex nodes);
  void judge(const sim::Inside& inside, NodeIndex nodes);

  std::vector<NodeId> ids_;
  std::unordered_map<std::uint64_t, NodeIndex> places_;
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
  double instability_ = 0;
};

}  // namespace bellwether::view
