// SPDX-License-Identifier: MIT
// TimeSlice: time is divided into slices of n rounds, one for each id. A node that receives nothing
// before its slice knows that there is no smaller id.
//
//   Paper      N. A. Lynch, "Distributed Algorithms", Morgan Kaufmann 1996, section 3.5.1; in the
//              lecture the message-efficient election (section 2.6).
//   Model      Synchronous ring, messages go one way, distinct ids, n known to all. All begin in
//              the same round. Nothing fails, nothing is lost.
//   Bounds     n messages, in every run: each node sends once. n * u + n rounds, where u is the
//              smallest id: n * u of silence, and n until the announcement has gone round.
//   Guarantee  The smallest id leads, and every node names it. No other node ever sends an id.
//
// Names: slices are Lynch's phases, counted from 0; in the lecture's words a node leads in round id
// * n + 1 if it is not a follower by then.
//
// Where we differ
//   - The lecture's announcement is only "there is a leader"; ours carries its id, so that all name
//     it.
//   - Lynch gives id u the phase (u - 1) * n + 1 to u * n; the lecture, whose ids begin at 0, one
//     phase later. We follow the lecture; the smallest id may be any number from 0.
//   - The leader does not forward its own announcement.
//   - In a ring of one node there is no other node to wait for: the node leads at once.
#pragma once

#include "bellwether/algorithms/option_ranges.hpp"
#include "bellwether/algorithms/ring/ring.hpp"
#include "bellwether/core/protocol.hpp"

namespace bellwether::algorithms {

class TimeSlice {
 public:
  static constexpr std::string_view name = "time-slice";

  struct Options {
    std::uint32_t nodes = 0;
    static constexpr auto fields = std::tuple{core::option(
        "nodes", &Options::nodes, network_size,
        "Number of nodes of the ring, or an upper bound; 0: filled in by the driver.")};
    friend bool operator==(const Options&, const Options&) = default;
  };

  using Leader = LeaderNews<1>;
  using Message = std::variant<Leader>;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;

  static constexpr core::Facts facts{
      .title = "TimeSlice: a node that hears nothing before its own slice of n rounds leads",
      .source =
          "N. A. Lynch, Distributed Algorithms, Morgan Kaufmann 1996, section 3.5.1 (TimeSlice)",
      .idea =
          "Time is divided into slices of n rounds, and slice i belongs to the node with id i. A "
          "node that has heard nothing when its slice begins leads and announces it; the "
          "announcement is round the ring before the next slice.",
      .messages = "n, in every run",
      .time = "n (u + 1) rounds, where u is the smallest id",
      .guarantee = "the smallest id leads and every node names it",
      .differs = "the news carries the leader's id; slices are counted from 0, as in the lecture",
      .model = {.shape = core::Shape::ring,
                .needs_direction = true,
                .needs_all = true,
                .knows = core::Knows::nodes,
                .tolerates_one_way = true,
                .synchronous = true},
  };

  TimeSlice() = default;
  TimeSlice(core::NodeId id, Options options) : id_(id), nodes_(options.nodes) {}

  void round(Step& step, core::Inbox<Message> inbox);

  bool halted() const { return leader_.has_value(); }
  std::optional<core::NodeId> leader() const { return leader_; }

  /// Upper bound on the number of messages.
  static std::uint64_t message_bound(std::uint64_t n, const Options&) { return n; }

  friend bool operator==(const TimeSlice&, const TimeSlice&) = default;

 private:
  void decide(Step& step, core::NodeId leader);

  core::NodeId id_{};
  std::optional<core::NodeId> leader_;
  std::uint64_t slice_ = 0;
  std::uint32_t tick_ = 0;  // rounds of this slice that are over
  std::uint32_t nodes_ = 0;

 public:
  static constexpr auto fields = std::tuple{
      core::field("id", &TimeSlice::id_), core::field("slice", &TimeSlice::slice_),
      core::field("tick", &TimeSlice::tick_), core::field("leader", &TimeSlice::leader_)};
};

}  // namespace bellwether::algorithms
