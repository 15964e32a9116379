// SPDX-License-Identifier: MIT
// The election with alternating steps: Franklin's, one direction at a time.
//
//   Paper      J. van Leeuwen, R. B. Tan, "An improved upperbound for distributed election in
//              bidirectional rings of processors", Distributed Computing 2(3), 1987; as "Alternate"
//              in N. Santoro, "Design and analysis of distributed algorithms", Wiley, 2007, 3.3.6.
//              The idea to alternate directions is ascribed to J. E. Burns, "A formal model for
//              message passing systems", TR-91, Indiana University, 1980.
//   Model      Asynchronous ring with two-way links and a sense of direction, channels reliable,
//              distinct ids. Channels need not be FIFO: on each link the bids of successive phases
//              alternate in direction, and each arrives before the next is sent. Nothing fails. No
//              node knows the size of the ring.
//   Bounds     n messages a phase; p phases need F(p+1) initiators (Fibonacci, F(1) = F(2) = 1), so
//              that 1.4405 n log2 n + n messages are never exceeded. 2n at best when all start
//              (ids that fall clockwise). n more for the announcement. The counts do not depend on
//              the delays. Time n a phase after the last start.
//   Guarantee  Only the initiator with the best id learns that it leads; with the announcement,
//              every node learns which node leads.
//
// Names: active nodes are candidates, passive ones defeated; a phase is one step of Santoro's
// stages; Bid is his message with the candidate's id.
//
// Where we differ
//   - Santoro closes the port from which nothing is to be received in this step; here the one bid
//     that can come early is kept. The messages are the same.
//   - The sense of direction is given. Van Leeuwen and Tan do without one, at the same cost to the
//     first order.
//   - Only initiators compete: the others forward everything, and a node that has forwarded a bid
//     before its start does not initiate.
//   - The extremum is an option. With `announce` the winner sends <leader, p> once round the ring.
//   - In a ring of one node there is no other node to bid against: the node leads at once.
#pragma once

#include "bellwether/algorithms/ring/two_way_ring.hpp"

namespace bellwether::algorithms {

class Alternate : public TwoWayRingNode<LeaderNews<2>> {
 public:
  static constexpr std::string_view name = "alternate";

  using Message = std::variant<Bid, Leader>;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;

  static constexpr core::Facts facts{
      .title =
          "Van Leeuwen-Tan (Alternate): bids on a ring, clockwise and counter-clockwise in turn",
      .source =
          "J. van Leeuwen, R. B. Tan, An improved upperbound for distributed election in "
          "bidirectional rings of processors, Distributed Computing 2(3), 1987; N. Santoro, Design "
          "and analysis of distributed algorithms, 2007, protocol Alternate; after J. E. Burns, "
          "TR-91, Indiana University, 1980",
      .idea =
          "In each phase the active nodes send their ids one way, clockwise in odd phases and "
          "counter-clockwise in even ones; passive nodes forward them. A node whose id is better "
          "than the one it receives stays active. A node that receives its own id is the only "
          "active one, and leads.",
      .messages =
          "n a phase; p phases only where F(p+1) <= n, so at most 1.4405 n log2 n + n; 2n at best "
          "when all start; n more for the announcement",
      .time =
          "n a phase after the last start until the winner has decided, n more for the "
          "announcement",
      .guarantee =
          "the initiator with the best id leads; with the announcement every node names it",
      .differs =
          "no port is closed, a bid that comes a phase early is kept; extremum and announcement "
          "are options; a node that has forwarded a bid before its start does not initiate",
      .model = {.shape = core::Shape::ring, .needs_direction = true, .tolerates_reordering = true},
  };

  Alternate() = default;
  Alternate(core::NodeId id, Options options) : TwoWayRingNode(id, options) {}

  void start(Step& step);
  void link_up(Step&, core::Port) {}
  void link_down(Step&, core::Port) {}
  void receive(Step& step, core::Port port, const Message& message);
  void timeout(Step&, Timer) {}

  static core::Monitors<Alternate> monitors();
  /// Upper bound on the phases for this number of initiators: p from F(p+1) to F(p+2) - 1 of them.
  static std::uint64_t phase_bound(std::uint64_t initiators);
  /// Upper bound on the number of messages, whichever nodes start.
  static std::uint64_t message_bound(std::uint64_t n, const Options& options) {
    return n * phase_bound(n) + (options.announce ? n : 0);
  }

  friend bool operator==(const Alternate&, const Alternate&) = default;

 private:
  void bid(Step& step);
  void take(Step& step, core::Port port, const Bid& bid);
  void finish_phase(Step& step, core::NodeId other);

  bool clockwise_ = true;              // direction of this phase's bids
  std::optional<core::NodeId> early_;  // the next phase's bid, which comes from the other direction

 public:
  static constexpr auto fields = std::tuple{core::field("id", &Alternate::id_),
                                            core::field("standing", &Alternate::ring_state_),
                                            core::field("initiator", &Alternate::initiator_),
                                            core::field("clockwise", &Alternate::clockwise_),
                                            core::field("early", &Alternate::early_),
                                            core::field("leader", &Alternate::leader_)};
};

}  // namespace bellwether::algorithms
