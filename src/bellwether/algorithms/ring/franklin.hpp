// SPDX-License-Identifier: MIT
// Franklin's election on a ring: in each phase a node that is better than its two active neighbours
// survives.
//
//   Paper      W. R. Franklin, "On an improved algorithm for decentralized extrema finding in
//              circular configurations of processors", CACM 25(5), 1982.
//   Model      Asynchronous ring with two-way FIFO links, channels reliable, distinct ids. No sense
//              of direction: a node can only distinguish its two links. Nothing fails. No node
//              knows the size of the ring.
//   Bounds     2n messages a phase, at most floor(log2 n) + 1 phases: with the announcement
//              2n floor(log2 n) + 3n at worst, as published, and 5n at best when all start. The
//              counts do not depend on the delays. Time n a phase after the last start.
//   Guarantee  Only the initiator with the best id learns that it leads; with the announcement,
//              every node learns which node leads.
//
// Names: Bid is a message with the sender's value; active nodes are the paper's contenders, passive
// ones relay.
//
// Where we differ
//   - A bid of the next phase that comes while the other side's bid of this one is awaited is kept;
//     at most one can come.
//   - Only initiators compete: the others forward everything, and a node that has forwarded a bid
//     before its start does not initiate.
//   - The extremum is an option. With `announce` the winner sends <leader, p> once round the ring.
//   - In a ring of one node there is no other node to bid against: the node leads at once.
#pragma once

#include <bit>

#include "bellwether/algorithms/ring/two_way_ring.hpp"

namespace bellwether::algorithms {

class Franklin : public TwoWayRingNode<LeaderNews<2>> {
 public:
  static constexpr std::string_view name = "franklin";

  using Message = std::variant<Bid, Leader>;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;

  static constexpr core::Facts facts{
      .title = "Franklin: local maxima of a two-way ring survive each phase",
      .source =
          "W. R. Franklin, On an improved algorithm for decentralized extrema finding in circular "
          "configurations of processors, CACM 25(5), 1982",
      .idea =
          "In each phase the active nodes send their ids both ways; passive nodes forward them. A "
          "node whose id is better than that of the nearest active node on either side stays "
          "active; at most half of the active nodes do. A node that receives its own id is the "
          "only active one, and leads.",
      .messages =
          "2n a phase, floor(log2 n) + 1 phases at worst and 2 at best when all start; n more for "
          "the announcement: 2n floor(log2 n) + 3n",
      .time =
          "n a phase after the last start until the winner has decided, n more for the "
          "announcement",
      .guarantee =
          "the initiator with the best id leads; with the announcement every node names it",
      .differs =
          "a bid that comes a phase early is kept; extremum and announcement are options; a node "
          "that has forwarded a bid before its start does not initiate",
      .model = {.shape = core::Shape::ring},
  };

  Franklin() = default;
  Franklin(core::NodeId id, Options options) : TwoWayRingNode(id, options) {}

  void start(Step& step);
  void link_up(Step&, core::Port) {}
  void link_down(Step&, core::Port) {}
  void receive(Step& step, core::Port port, const Message& message);
  void timeout(Step&, Timer) {}

  static core::Monitors<Franklin> monitors();
  /// Upper bound on the number of messages, whichever nodes start.
  static std::uint64_t message_bound(std::uint64_t n, const Options& options) {
    const auto phases = static_cast<std::uint64_t>(std::bit_width(n));  // floor(log2 n) + 1
    return 2 * n * phases + (options.announce ? n : 0);
  }

  friend bool operator==(const Franklin&, const Franklin&) = default;

 private:
  void bid(Step& step);
  void take(Step& step, core::Port port, const Bid& bid);
  void finish_phase(Step& step, core::NodeId other);

  std::optional<core::NodeId> heard_;  // this phase's bid from one side; the other is awaited
  std::optional<core::NodeId> early_;  // the next phase's bid from the same side
  core::Port side_{};                  // that side, while a bid is held

 public:
  static constexpr auto fields = std::tuple{core::field("id", &Franklin::id_),
                                            core::field("standing", &Franklin::ring_state_),
                                            core::field("initiator", &Franklin::initiator_),
                                            core::field("heard", &Franklin::heard_),
                                            core::field("early", &Franklin::early_),
                                            core::field("side", &Franklin::side_),
                                            core::field("leader", &Franklin::leader_)};
};

}  // namespace bellwether::algorithms
