// SPDX-License-Identifier: MIT
// What synchronizers say to each other, apart from the messages of the protocol that they carry.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "bellwether/core/fields.hpp"
#include "bellwether/core/ids.hpp"

namespace bellwether::layers {

using Pulse = std::uint32_t;

/// A signal that says nothing but its pulse.
template <std::uint8_t Tag>
struct OfPulse {
  static constexpr std::uint8_t tag = Tag;
  Pulse pulse = 0;
  static constexpr auto fields = std::tuple{core::field("pulse", &OfPulse::pulse)};
  friend bool operator==(const OfPulse&, const OfPulse&) = default;
};

/// abd: the clocks start.
struct Wake {
  static constexpr std::uint8_t tag = 3;
  static constexpr std::string_view name = "wake";
  static constexpr std::tuple<> fields{};
  friend bool operator==(const Wake&, const Wake&) = default;
};
/// A message of this pulse has arrived.
struct Ack : OfPulse<4> {
  static constexpr std::string_view name = "ack";
};
/// alpha: all that the sender sent in this pulse has arrived. beta and gamma: the same of all nodes
/// of its subtree.
struct Safe : OfPulse<5> {
  static constexpr std::string_view name = "safe";
};
/// beta and gamma: play this pulse.
struct Go : OfPulse<6> {
  static constexpr std::string_view name = "go";
};
/// gamma: the sender's whole cluster is safe.
struct ClusterSafe : OfPulse<7> {
  static constexpr std::string_view name = "cluster-safe";
};
/// gamma: the clusters next to the sender's subtree are safe.
struct Ready : OfPulse<8> {
  static constexpr std::string_view name = "ready";
};

using Link = std::pair<core::NodeId, core::NodeId>;

/// beta and gamma, when the tree is built: join the tree of this root.
struct Explore {
  static constexpr std::uint8_t tag = 9;
  static constexpr std::string_view name = "explore";
  core::NodeId root{};
  static constexpr auto fields = std::tuple{core::field("root", &Explore::root)};
  friend bool operator==(const Explore&, const Explore&) = default;
};
/// The answer of a child whose subtree is complete. For gamma, with the links of the subtree.
struct Echo {
  static constexpr std::uint8_t tag = 10;
  static constexpr std::string_view name = "echo";
  core::NodeId root{};
  std::vector<Link> links;
  static constexpr auto fields =
      std::tuple{core::field("root", &Echo::root), core::field("links", &Echo::links)};
  friend bool operator==(const Echo&, const Echo&) = default;
};

/// One node of a partition: its parent in its cluster (itself: it leads the cluster) and the nodes
/// of other clusters to which it keeps in touch.
struct ClusterNode {
  core::NodeId node{};
  core::NodeId parent{};
  std::vector<core::NodeId> preferred;
  static constexpr auto fields = std::tuple{core::field("node", &ClusterNode::node),
                                            core::field("parent", &ClusterNode::parent),
                                            core::field("preferred", &ClusterNode::preferred)};
  friend bool operator==(const ClusterNode&, const ClusterNode&) = default;
};
/// gamma: who belongs where.
struct Partition {
  static constexpr std::uint8_t tag = 11;
  static constexpr std::string_view name = "partition";
  std::vector<ClusterNode> places;
  static constexpr auto fields = std::tuple{core::field("places", &Partition::places)};
  friend bool operator==(const Partition&, const Partition&) = default;
};

using Signal = std::variant<Wake, Ack, Safe, Go, ClusterSafe, Ready, Explore, Echo, Partition>;

}  // namespace bellwether::layers
