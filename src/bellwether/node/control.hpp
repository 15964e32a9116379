// SPDX-License-Identifier: MIT
// What the control interface (HTTP, hooks, an application that embeds a node) asks of a running
// node, and the values in which it answers. docs/node.md describes the HTTP side of it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "bellwether/core/ids.hpp"
#include "bellwether/core/time.hpp"
#include "bellwether/node/lock_leases.hpp"

namespace bellwether::node {

using core::Duration;
using core::NodeId;
using core::Time;

/// What a node does in its group.
enum class Role : unsigned char { listening, leading, following, leaderless };
constexpr auto names_of(Role) {
  return std::array<std::string_view, 4>{"listening", "leading", "following", "leaderless"};
}

/// Whether a node is eligible. Resigned: it leads only if no other node of its component is.
enum class Candidacy : unsigned char { eligible, resigned, paused };
constexpr auto names_of(Candidacy) {
  return std::array<std::string_view, 3>{"standing", "resigned", "paused"};
}

/// The answer to "who leads?".
struct LeaderState {
  NodeId self{};
  std::optional<NodeId> leader;
  std::uint64_t epoch = 0;  // never decreases at a node; grows with each change of leader
  Role role = Role::listening;
  Duration since{};           // how long this leader has led, as far as this node knows
  Duration age{};             // how old the news from the neighbour towards the leader is
  std::vector<NodeId> chain;  // of a hierarchy: leaders of level 1, 2, ...; the last is `leader`
  std::optional<std::uint32_t> hops{};     // to the leader, where they are known
  std::optional<std::uint64_t> members{};  // of the component
  friend bool operator==(const LeaderState&, const LeaderState&) = default;
};

/// One node of the component, as this node knows it.
struct ComponentMember {
  NodeId id{};
  std::uint32_t hops = 0;     // 0: this node
  std::optional<NodeId> via;  // the neighbour on the way there; nothing for this node itself
  Duration age{};             // since the last frame from `via`
  std::uint32_t priority = 0;
};

struct NeighbourStatus {
  NodeId id{};
  Duration age{};  // since its last frame
};

struct NodeStatus {
  LeaderState leadership;
  std::string version, algorithm, group;
  Duration uptime{};
  Candidacy candidacy = Candidacy::eligible;
  std::uint32_t priority = 0;  // as set; what `candidacy` makes of it is not in here
  bool encrypted = true;
  std::uint64_t members = 1;
  std::vector<NeighbourStatus> neighbours;
  std::vector<std::string> interfaces;
  std::vector<std::string> keys;  // short names of the keys that are accepted; the first one sends
  Duration slack{};               // by how much this node stretches its timers
  std::vector<std::string> warnings;  // what seems to be wrong in the group, a sentence each
};

enum class To : unsigned char { leader, members };
constexpr auto names_of(To) {
  return std::array<std::string_view, 2>{"leader", "members"};
}

/// A message that reached this node, in its inbox.
struct Delivered {
  std::uint64_t sequence = 0;  // 1, 2, 3, ... at this node
  std::string id;              // of the message, the same wherever it arrives
  NodeId from{};
  To to = To::leader;
  Duration age{};  // since it arrived
  std::string payload;
};

/// What can be refused says so in one sentence.
struct Rejection {
  std::string why;
};
using CommandResult = std::optional<Rejection>;

/// A notification for the listeners of `/v1/events`: a name and one line of JSON.
struct ControlEvent {
  std::uint64_t number = 0;  // 1, 2, 3, ...
  std::string name;          // "leader", "members", "message"
  std::string data;
};

class Control {
 public:
  Control() = default;
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;
  virtual ~Control() = default;

  virtual LeaderState leadership() const = 0;
  virtual NodeStatus status() const = 0;
  virtual std::vector<ComponentMember> members() const = 0;
  /// Between the members, as this node knows them; the smaller end first, ascending.
  virtual std::vector<std::pair<NodeId, NodeId>> links() const = 0;
  virtual std::string metrics() const = 0;  // Prometheus text

  virtual CommandResult resign() = 0;
  virtual CommandResult pause() = 0;
  virtual CommandResult resume() = 0;
  virtual CommandResult set_priority(std::uint32_t priority) = 0;

  /// Whether the lock is granted. A node that does not lead grants none.
  virtual bool grant(const LockRequest& request) = 0;

  /// The message's id, once it is on its way.
  virtual std::variant<std::string, Rejection> submit(To to, std::string payload) = 0;
  /// What has arrived behind `after`, oldest first.
  virtual std::vector<Delivered> inbox(std::uint64_t after) const = 0;
};

}  // namespace bellwether::node
