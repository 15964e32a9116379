// SPDX-License-Identifier: MIT
// Messages of applications, carried hop by hop to the leader or to all members of the component. A
// pure state machine, like the elections: no clock, no socket; its driver hands in the time,
// the neighbours and the routes, and takes out what is to be sent.
//
//   To the leader   Each hop passes the parcel on towards whom it takes for the leader, again and
//                   again until the next hop has sent a receipt. The leader delivers it and sends
//                   an arrival back to the origin; the origin begins anew until that is there, or
//                   until the parcel is too old. So it arrives at least once while there is a way.
//                   Where no way to the origin is known, an arrival goes back by the neighbours by
//                   which the parcel came: a group without a map needs only ways to its leader.
//   To all members  Each node passes it on to its neighbours until every one of them has been heard
//                   to have it: by a receipt, or because it passed it on itself. A neighbour that
//                   comes while the parcel is kept gets it, too.
//
// The node that delivers stores ids, so an application sees a message once, except after a restart.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <set>
#include <span>

#include "bellwether/core/codec.hpp"
#include "bellwether/node/control.hpp"

namespace bellwether::node {

/// The id of a message, the same everywhere. `session` tells the lives of its origin apart.
struct ParcelId {
  NodeId origin{};
  std::uint64_t session = 0;
  std::uint64_t number = 0;
  static constexpr auto fields = std::tuple{core::field("origin", &ParcelId::origin),
                                            core::field("session", &ParcelId::session),
                                            core::field("number", &ParcelId::number)};
  friend auto operator<=>(const ParcelId&, const ParcelId&) = default;
};
/// "7-1f3a-12"
std::string to_text(const ParcelId& id);

struct RelayOptions {
  Duration retry = std::chrono::milliseconds(100);  // without a receipt, before sending again
  Duration again = std::chrono::seconds(1);         // without an arrival, before beginning anew
  Duration keep = std::chrono::seconds(30);         // after which a parcel is given up
  std::size_t most_payload = 1024;                  // bytes
  std::size_t most_parcels = 256;                   // held at once; more are refused
  std::size_t most_remembered = 4096;               // ids of what was delivered, or passed on
  std::uint32_t most_hops = 255;
};

// What relays say to each other.
struct Parcel {
  static constexpr std::uint8_t tag = 1;
  static constexpr std::string_view name = "parcel";
  ParcelId id;
  To to = To::leader;
  std::uint32_t hops_left = 0;
  core::Bytes payload;
  static constexpr auto fields = std::tuple{
      core::field("id", &Parcel::id), core::field("to", &Parcel::to),
      core::field("hops_left", &Parcel::hops_left), core::field("payload", &Parcel::payload)};
  friend bool operator==(const Parcel&, const Parcel&) = default;
};

/// The next hop has it: its sender need not send it again.
struct Receipt {
  static constexpr std::uint8_t tag = 2;
  static constexpr std::string_view name = "receipt";
  ParcelId id;
  static constexpr auto fields = std::tuple{core::field("id", &Receipt::id)};
  friend bool operator==(const Receipt&, const Receipt&) = default;
};

/// The leader has it: on its way back to the origin, hop by hop, without receipts.
struct Arrival {
  static constexpr std::uint8_t tag = 3;
  static constexpr std::string_view name = "arrival";
  ParcelId id;
  std::uint32_t hops_left = 0;
  static constexpr auto fields =
      std::tuple{core::field("id", &Arrival::id), core::field("hops_left", &Arrival::hops_left)};
  friend bool operator==(const Arrival&, const Arrival&) = default;
};

class Relay {
 public:
  using Parcel = node::Parcel;
  using Receipt = node::Receipt;
  using Arrival = node::Arrival;
  using RelayMessage = std::variant<Parcel, Receipt, Arrival>;

  /// Where the node is: handed in with each call, never kept.
  struct NodeContext {
    Time now{};
    std::optional<NodeId> leader;
    std::span<const NodeId> neighbours;                          // ascending
    std::function<std::optional<NodeId>(NodeId)> next_hop = {};  // the neighbour towards a member
  };
  struct Transmission {
    std::optional<NodeId> to;  // a neighbour; nothing: all of them
    RelayMessage message;
    friend bool operator==(const Transmission&, const Transmission&) = default;
  };
  /// To be taken out after each call.
  struct Outputs {
    std::vector<Transmission> sends;
    std::vector<Parcel> delivered;    // for this node's inbox
    std::vector<ParcelId> confirmed;  // own messages that the leader has
    std::vector<ParcelId> given_up;   // own messages that grew too old
  };

  Relay(NodeId self, std::uint64_t session, const RelayOptions& options);

  std::variant<ParcelId, Rejection> submit(const NodeContext& here, To to, core::Bytes payload);
  void receive(const NodeContext& here, NodeId from, const RelayMessage& message);
  /// When `next_alarm` has come, or leader, neighbours or routes have changed. Does what is due.
  void wake(const NodeContext& here);
  /// The earliest time at which anything is to be done; after `wake` it lies in the future.
  std::optional<Time> next_alarm() const;

  Outputs& effects() { return effects_; }
  std::size_t held() const { return held_.size(); }

 private:
  struct StoredParcel {
    Parcel parcel;  // as it is to be sent from here
    Time expires{};
    std::optional<Time> next_try;  // while there is something to be sent
    Duration gap{};                // the next wait: for an arrival, or for those who lack it
    // To the leader.
    bool custody = false;        // still to be passed on from here
    std::optional<NodeId> hop;   // the next hop at the last try
    bool owed = false;           // `hop` was sent it, so its receipt counts
    std::optional<Time> anew{};  // own ones: when to begin anew
    // To all members.
    std::set<NodeId> has;      // neighbours known to have it
    std::set<NodeId> awaited;  // those for whom it was sent the last time
  };
  using ParcelIterator = std::map<ParcelId, StoredParcel>::iterator;

  void on(const NodeContext& here, NodeId from, const Parcel& parcel);
  void on(const NodeContext& here, NodeId from, const Receipt& receipt);
  void on(const NodeContext& here, NodeId from, const Arrival& arrival);
  void on_for_leader(const NodeContext& here, NodeId from, const Parcel& parcel);
  void on_for_members(const NodeContext& here, NodeId from, const Parcel& parcel);

  ParcelIterator hold(const NodeContext& here, Parcel parcel);
  /// Passes on what is in custody, or delivers it where this node leads.
  void carry(const NodeContext& here, ParcelIterator place);
  /// Sends it if a neighbour lacks it and it is time to.
  void spread(const NodeContext& here, StoredParcel& held);
  void arrived_here(const NodeContext& here, const Parcel& parcel);
  void deliver(const Parcel& parcel);
  /// Towards the origin, not by this neighbour.
  void send_arrival(const NodeContext& here, const Arrival& arrival,
                    std::optional<NodeId> not_by = std::nullopt);
  void remember_sender(const ParcelId& id, NodeId from);
  void send(std::optional<NodeId> to, RelayMessage message);

  std::optional<NodeId> towards(const NodeContext& here, std::optional<NodeId> member) const;
  bool own(const ParcelId& id) const { return id.origin == self_ && id.session == session_; }
  bool full() const { return held_.size() >= options_.most_parcels; }

  NodeId self_;
  std::uint64_t session_;
  std::uint64_t next_number_ = 1;
  RelayOptions options_;
  std::map<ParcelId, StoredParcel> held_;
  std::set<ParcelId> delivered_;
  std::deque<ParcelId> delivered_order_;  // the oldest first, to be forgotten first
  std::map<ParcelId, NodeId> came_from_;  // parcels for the leader: who sent them here last
  std::deque<ParcelId> came_order_;
  Outputs effects_;
};

}  // namespace bellwether::node
