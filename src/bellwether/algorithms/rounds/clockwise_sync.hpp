// SPDX-License-Identifier: MIT
// The clockwise election of the lecture in rounds.
//
//   Paper      Lecture on leader election, section 2.4 (after LeLann, and Chang and Roberts); it
//              follows N. A. Lynch, "Distributed Algorithms", Morgan Kaufmann 1996, section 3.3.
//   Model      Synchronous ring, messages go one way, distinct ids. All begin in round 1. Nothing
//              fails, nothing is lost. No node knows the size of the ring.
//   Bounds     The winner decides in round n + 1, exactly. The lecture's n^2 messages; the exact
//              worst case is n(n+1)/2, n H_n on average over all orders of the ids, 2n - 1 at best.
//              n more messages and n more rounds for the announcement.
//   Guarantee  The node with the best id leads and all others follow; with the announcement all
//              name it.
//
// Names: T is the lecture's T_v, M its message; follower and leader are its decisions.
//
// Where we differ
//   - The largest or the smallest id wins: an option.
//   - A follower learns which node leads, and not only that it does not: with `announce` the winner
//     sends <leader, p> once round the ring.
//   - In a ring of one node there is no other node to send to: the node leads in round 1.
#pragma once

#include "bellwether/algorithms/ring/clockwise.hpp"

namespace bellwether::algorithms {

class ClockwiseSync {
 public:
  static constexpr std::string_view name = "clockwise-sync";

  using Options = RingOptions;
  using M = Clockwise::M;
  using Leader = Clockwise::Leader;
  using Message = Clockwise::Message;
  using Decision = Clockwise::Decision;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;

  static constexpr core::Facts facts{
      .title = "Forward clockwise every id that is better than all seen so far, in rounds",
      .source =
          "lecture on leader election, section 2.4, after G. Le Lann (1977) and E. Chang, "
          "R. Roberts (1979)",
      .idea =
          "In round 1 every node sends its id clockwise. From then on it keeps the best id that it "
          "has seen and sends it on whenever it gets better. The best id moves one node a round "
          "and returns to its owner in round n + 1.",
      .messages =
          "n(n+1)/2 at worst, n H_n on average, 2n - 1 at best; n more for the announcement",
      .time = "the winner decides in round n + 1, and n more rounds for the announcement",
      .guarantee = "the best id leads; with the announcement every node names it",
      .differs = "extremum and announcement are options",
      .model = {.shape = core::Shape::ring,
                .needs_direction = true,
                .needs_all = true,
                .tolerates_one_way = true,
                .synchronous = true},
  };
  static core::Criterion criterion(const Options& options) {
    return options.extremum == Extremum::max ? core::Criterion::highest_id
                                             : core::Criterion::majority;
  }

  ClockwiseSync() = default;
  ClockwiseSync(core::NodeId id, Options options) : id_(id), options_(options) {}

  void round(Step& step, core::Inbox<Message> inbox);

  /// After round 1 it only reacts to messages.
  bool halted() const { return t_.has_value(); }
  std::optional<core::NodeId> leader() const { return leader_; }
  std::optional<core::NodeId> t() const { return t_; }
  Decision decision() const { return decision_; }

  /// Upper bound on the number of messages.
  static std::uint64_t message_bound(std::uint64_t n, const Options& options) {
    return n * (n + 1) / 2 + (options.announce ? n : 0);
  }

  friend bool operator==(const ClockwiseSync&, const ClockwiseSync&) = default;

 private:
  std::optional<Message> first(bool alone);
  std::optional<Message> answer(const Message& message);
  std::optional<Message> lead();

  core::NodeId id_{};
  std::optional<core::NodeId> t_;  // the best id seen
  std::optional<core::NodeId> leader_;
  Decision decision_ = Decision::none;
  Options options_;

 public:
  static constexpr auto fields =
      std::tuple{core::field("id", &ClockwiseSync::id_), core::field("T", &ClockwiseSync::t_),
                 core::field("decision", &ClockwiseSync::decision_),
                 core::field("leader", &ClockwiseSync::leader_)};
};

}  // namespace bellwether::algorithms
