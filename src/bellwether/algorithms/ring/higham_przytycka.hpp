// SPDX-License-Identifier: MIT
// Higham and Przytycka's election on a ring with messages in one direction: envelopes travel, and
// are promoted to the next round before they reach their rival.
//
//   Paper      L. Higham, T. Przytycka, "A simple, efficient algorithm for maximum finding on
//              rings", WDAG 1993, LNCS 725, and Information Processing Letters 58(6), 1996:
//              algorithm ELECT.
//   Model      Asynchronous ring, messages go one way, channels reliable and FIFO, distinct ids.
//              Nothing fails. No node knows the size of the ring.
//   Bounds     Rounds 1 to R + 2, where R is the largest odd number with F(R) <= n/2 and F the
//              Fibonacci numbers: n messages in round 1, and in each even round i and the odd one
//              after it together 2n - n F(i)/F(i+3) at most. The sum is below 1.271 n log2 n + 2.2
//              n. 2n more to find the best id and to announce it. Time below 5n in all runs tried
//              in which all start together, the announcement included.
//   Guarantee  Only the initiator with the best id learns that it leads; with the announcement,
//              every node learns which node leads.
//
// Names: an envelope is the paper's [label, round, counter]; a node stores only the label and round
// of the envelope that it sent last. A host has promoted an envelope to a round. `head` is the node
// that meets the envelope that it has sent itself.
//
// Where we differ
//   - ELECT finds one node, not the best: odd rounds keep the small labels, even ones the large.
//     The node that it finds sends <best, p> round the ring, in which each initiator with a better
//     id writes its own, and then <leader, p>. The paper counts such things as O(n).
//   - In the paper all nodes begin. Here a node that is reached before its start forwards
//     everything like one that has sent nothing yet, and does not compete. It can promote, and be
//     found.
//   - The counter is kept in odd rounds only, where it is read.
//   - Without `announce` <leader, p> goes no further than p.
//   - In a ring of one node there is no other node to send to: the node leads at once.
#pragma once

#include "bellwether/algorithms/ring/fibonacci.hpp"
#include "bellwether/algorithms/ring/ring.hpp"

namespace bellwether::algorithms {

class HighamPrzytycka {
 public:
  static constexpr std::string_view name = "higham-przytycka";

  using Options = RingOptions;

  struct Envelope {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "envelope";
    core::NodeId label{};
    std::uint32_t counter = 0;  // links that it still may travel in an odd round; 0 in even ones
    std::uint8_t round = 0;
    static constexpr auto fields =
        std::tuple{core::field("label", &Envelope::label), core::field("round", &Envelope::round),
                   core::field("counter", &Envelope::counter)};
    friend bool operator==(const Envelope&, const Envelope&) = default;
  };
  struct Best {
    static constexpr std::uint8_t tag = 2;
    static constexpr std::string_view name = "best";
    core::NodeId id{};
    static constexpr auto fields = std::tuple{core::field("id", &Best::id)};
    friend bool operator==(const Best&, const Best&) = default;
  };
  using Leader = LeaderNews<3>;
  using Message = std::variant<Envelope, Best, Leader>;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;

  static constexpr core::Facts facts{
      .title = "Higham-Przytycka: envelopes on a one-way ring, promoted early",
      .source =
          "L. Higham, T. Przytycka, A simple, efficient algorithm for maximum finding on rings, "
          "WDAG 1993 and Information Processing Letters 58(6), 1996",
      .idea =
          "Every initiator sends an envelope with its id. A node compares an envelope with the one "
          "it sent last: in the same round one of the two is dropped, the larger in odd rounds, "
          "the smaller in even ones. An envelope can be promoted before it gets that far: in odd "
          "rounds after a certain distance, in even ones at a node that has sent a smaller label "
          "in the round before.",
      .messages =
          "below 1.271 n log2 n + 2.2 n envelopes, 2n more to find the best id and announce it",
      .time = "below 5n, with the announcement, in all runs tried in which all start together",
      .guarantee =
          "the initiator with the best id leads; with the announcement every node names it",
      .differs =
          "the node found collects the best id in one more trip; nodes that are reached before "
          "their start stay out",
      .model = {.shape = core::Shape::ring, .needs_direction = true, .tolerates_one_way = true},
  };

  HighamPrzytycka() = default;
  HighamPrzytycka(core::NodeId id, Options options)
      : id_(id), extremum_(options.extremum), announce_(options.announce) {}

  void start(Step& step);
  void link_up(Step&, core::Port) {}
  void link_down(Step&, core::Port) {}
  void receive(Step& step, core::Port port, const Message& message);
  void timeout(Step&, Timer) {}

  std::optional<core::NodeId> leader() const { return leader_; }
  bool initiator() const { return initiator_; }
  bool announces() const { return announce_; }
  Extremum extremum() const { return extremum_; }

  static core::Monitors<HighamPrzytycka> monitors();
  /// Upper bound on the number of envelopes sent on a ring of n nodes, whichever nodes start.
  static std::uint64_t envelope_bound(std::uint64_t n);
  /// Upper bound on the number of messages, whichever nodes start.
  static std::uint64_t message_bound(std::uint64_t n, const Options&) {
    return envelope_bound(n) + 2 * n;
  }

  friend bool operator==(const HighamPrzytycka&, const HighamPrzytycka&) = default;

 private:
  void take(Step& step, Envelope envelope);
  bool promoted(const Envelope& envelope) const;
  void pass(Step& step, Envelope envelope);
  void collect(Step& step, core::NodeId best);
  void tell(Step& step, core::NodeId winner);

  core::NodeId id_{};
  core::NodeId label_{};  // of the envelope sent last
  std::optional<core::NodeId> leader_;
  std::uint8_t round_ = 0;  // of the envelope sent last; 0: none has been
  bool initiator_ = false;
  bool head_ = false;  // it has met the envelope that it sent last
  Extremum extremum_ = Extremum::max;
  bool announce_ = true;

 public:
  static constexpr auto fields = std::tuple{core::field("id", &HighamPrzytycka::id_),
                                            core::field("initiator", &HighamPrzytycka::initiator_),
                                            core::field("label", &HighamPrzytycka::label_),
                                            core::field("round", &HighamPrzytycka::round_),
                                            core::field("head", &HighamPrzytycka::head_),
                                            core::field("leader", &HighamPrzytycka::leader_)};
};

}  // namespace bellwether::algorithms
