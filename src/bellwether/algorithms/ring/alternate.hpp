// SPDX-License-Identifier: MIT
// The election with alternating steps: Franklin's, one direction at a time.
//
//   Paper      J. van Leeuwen, R. B. Tan, "An improved upperbound for distributed election in
//              bidirectional rings of processors", Distributed Computing 2(3), 1987; as "Alternate"
//              in N. Santoro, "Design and analysis of distributed algorithms", Wiley, 2007, 3.3.6.
//              The idea to alternate directions is ascribed to J. E. Burns, "A formal model for
//              message passing systems", TR-91, Indiana University, 1980.
//   Model      Asynchronous ring with two-way links and a sense of direction, channels reliable,
//              distinct ids. Channels need not be FIFO: on each link the bids of the phases go to
//              and fro, and each is there before the next sets out. Nothing fails. Nobody knows the
//              size of the ring.
//   Bounds     n messages a phase; p phases need F(p+1) initiators (Fibonacci, F(1) = F(2) = 1), so
//              that 1.4405 n log2 n + n messages are never exceeded. 2n at best when all start
//              (ids that fall clockwise). n more for the announcement. The counts do not depend on
//              the delays. Time n a phase after the last start.
//   Guarantee  The initiator with the best id, and nobody else, learns that it leads; with the
//              announcement, every node learns who does.
//
// Names: active nodes are candidates, passive ones defeated; a phase is one step of Santoro's
// stages; Bid is his message with the candidate's id.
//
// Where we differ
//   - Santoro closes the port that is not to be heard in this step; here the one bid that can come
//     early is kept. To the network it is the same.
//   - The sense of direction is given. Van Leeuwen and Tan do without one, at the same cost to the
//     first order.
//   - Only initiators compete: the others pass everything on, and whoever has passed on a bid
//     before its start does not initiate.
//   - The extremum is an option. With `announce` the winner sends <leader, p> once round the ring.
//   - In a ring of one node there is nobody to bid against: the node leads at once.
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
      .title = "bids round a ring, clockwise and back in turns",
      .source =
          "J. van Leeuwen, R. B. Tan, An improved upperbound for distributed election in "
          "bidirectional rings of processors, Distributed Computing 2(3), 1987; N. Santoro, Design "
          "and analysis of distributed algorithms, 2007, protocol Alternate; after J. E. Burns, "
          "TR-91, Indiana University, 1980",
      .idea =
          "In each phase the active nodes send their ids one way, clockwise in odd phases and "
          "counter-clockwise in even ones; passive nodes pass them on. Whoever is better than what "
          "it gets stays active. Whoever gets its own id back is alone, and leads.",
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
          "are options; whoever has passed on a bid before its start does not initiate",
      .model = {.shape = core::Shape::ring, .needs_direction = true, .bears_reordering = true},
  };

  Alternate() = default;
  Alternate(core::NodeId id, Options options) : TwoWayRingNode(id, options) {}

  void start(Step& step);
  void link_up(Step&, core::Port) {}
  void link_down(Step&, core::Port) {}
  void receive(Step& step, core::Port port, const Message& message);
  void timeout(Step&, Timer) {}

  static core::Monitors<Alternate> monitors();
  /// The most phases, with so many initiators: p for F(p+1), F(p+1) + 1, ..., F(p+2) - 1.
  static std::uint64_t phase_bound(std::uint64_t initiators);
  /// The most messages, by whoever starts.
  static std::uint64_t message_bound(std::uint64_t n, const Options& options) {
    return n * phase_bound(n) + (options.announce ? n : 0);
  }

  friend bool operator==(const Alternate&, const Alternate&) = default;

 private:
  void bid(Step& step);
  void take(Step& step, core::Port port, const Bid& bid);
  void finish_phase(Step& step, core::NodeId other);

  bool clockwise_ = true;              // which way this phase's bids go
  std::optional<core::NodeId> early_;  // the next phase's bid, which comes the other way

 public:
  static constexpr auto fields = std::tuple{core::field("id", &Alternate::id_),
                                            core::field("standing", &Alternate::standing_),
                                            core::field("initiator", &Alternate::initiator_),
                                            core::field("clockwise", &Alternate::clockwise_),
                                            core::field("early", &Alternate::early_),
                                            core::field("leader", &Alternate::leader_)};
};

}  // namespace bellwether::algorithms
