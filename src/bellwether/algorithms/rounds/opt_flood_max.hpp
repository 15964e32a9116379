// SPDX-License-Identifier: MIT
// OptFloodMax: FloodMax, in which a node sends the largest id only when it has just learnt it.
//
//   Paper      N. A. Lynch, "Distributed Algorithms", Morgan Kaufmann 1996, section 4.1.3.
//   Model      Synchronous, any network in which every node reaches every other (links may be
//              one-way), distinct ids, diameter or an upper bound of it known. All begin in the
//              same round. Nothing fails, nothing is lost.
//   Bounds     diameter * arcs messages at most (a two-way link is two arcs); n H_(n-1) on average
//              on a one-way ring, where FloodMax sends n (n - 1). Diameter rounds, and the decision
//              with the inbox of the next, as in FloodMax.
//   Guarantee  After `diameter` rounds all nodes name the largest id, in the same round.
//
// Names: u is `id_`; max-uid, new-info, status and rounds as in the book.
//
// Where we differ
//   - The book's nodes learn whether they lead; ours also name the leader, which is max-uid.
//   - Nothing is spared beyond that: a node also sends back to the neighbours from which it has
//     just learnt the id.
//   - A diameter of 0 is that of a network of one node, which leads in its first round.
#pragma once

#include "bellwether/algorithms/rounds/flood_max.hpp"

namespace bellwether::algorithms {

class OptFloodMax {
 public:
  static constexpr std::string_view name = "opt-flood-max";

  using Options = FloodMax::Options;
  using Max = FloodMax::Max;
  using Message = FloodMax::Message;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;
  using LeaderStatus = FloodMax::LeaderStatus;

  static constexpr core::Facts facts{
      .title = "OptFloodMax: send the largest known id only when it has just grown",
      .source = "N. A. Lynch, Distributed Algorithms, Morgan Kaufmann 1996, section 4.1.3",
      .idea =
          "A node sends the largest id it has heard of to all neighbours, but only in the round "
          "after it has grown. After as many rounds as the diameter, every node knows the largest "
          "id.",
      .messages = "diameter * arcs at most; on a one-way ring n H_(n-1) on average",
      .time = "diameter rounds",
      .guarantee = "all nodes name the largest id, all in the same round",
      .differs = "nodes also name the leader, and not only learn whether they lead",
      .model = {.needs_all = true,
                .knows = core::Knows::diameter,
                .tolerates_one_way = true,
                .synchronous = true},
  };

  OptFloodMax() = default;
  OptFloodMax(core::NodeId id, Options options) : id_(id), max_uid_(id), options_(options) {}

  void round(Step& step, core::Inbox<Message> inbox);

  bool halted() const { return status_ != LeaderStatus::unknown; }
  std::optional<core::NodeId> leader() const {
    return halted() ? std::optional(max_uid_) : std::nullopt;
  }
  LeaderStatus status() const { return status_; }

  /// Upper bound on the number of messages.
  static std::uint64_t message_bound(std::uint64_t, std::uint64_t links, const Options& options) {
    return options.diameter * 2 * links;
  }

  friend bool operator==(const OptFloodMax&, const OptFloodMax&) = default;

 private:
  core::NodeId id_{};
  core::NodeId max_uid_{};
  std::uint32_t rounds_ = 0;  // in which we could have sent
  bool new_info_ = true;      // max-uid has grown since we have sent it
  LeaderStatus status_ = LeaderStatus::unknown;
  Options options_;

 public:
  static constexpr auto fields = std::tuple{
      core::field("u", &OptFloodMax::id_), core::field("max-uid", &OptFloodMax::max_uid_),
      core::field("new-info", &OptFloodMax::new_info_),
      core::field("status", &OptFloodMax::status_), core::field("rounds", &OptFloodMax::rounds_)};
};

}  // namespace bellwether::algorithms
