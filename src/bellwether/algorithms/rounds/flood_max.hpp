// SPDX-License-Identifier: MIT
// FloodMax: every node repeats the largest id it has received, for as many rounds as the diameter.
//
//   Paper      N. A. Lynch, "Distributed Algorithms", Morgan Kaufmann 1996, section 4.1.
//   Model      Synchronous, any network in which every node reaches every other (links may be
//              one-way), distinct ids, diameter or an upper bound of it known. Nothing fails,
//              nothing is lost.
//   Bounds     diameter * arcs messages, in every run (a two-way link is two arcs); diameter rounds
//              of sending, the decision with the inbox of the next.
//   Guarantee  After `diameter` rounds all nodes name the largest id, in the same round.
//
// Names: u is `id_`; max-uid, status and rounds as in the book.
//
// Where we differ
//   - The book's nodes learn whether they lead; ours also name the leader, which is max-uid.
//   - A diameter of 0 is that of a network of one node, which leads in its first round.
#pragma once

#include "bellwether/algorithms/option_ranges.hpp"
#include "bellwether/core/facts.hpp"
#include "bellwether/core/protocol.hpp"

namespace bellwether::algorithms {

class FloodMax {
 public:
  static constexpr std::string_view name = "flood-max";

  struct Options {
    std::uint32_t diameter = 0;
    static constexpr auto fields = std::tuple{core::option(
        "diameter", &Options::diameter, network_size,
        "Diameter of the network, or an upper bound of it; 0: filled in by the driver.")};
    friend bool operator==(const Options&, const Options&) = default;
  };

  struct Max {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "max";
    core::NodeId id{};
    static constexpr auto fields = std::tuple{core::field("id", &Max::id)};
    friend bool operator==(const Max&, const Max&) = default;
  };
  using Message = std::variant<Max>;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;

  enum class LeaderStatus : std::uint8_t { unknown, leader, non_leader };
  friend constexpr auto names_of(LeaderStatus) {
    return std::array<std::string_view, 3>{"unknown", "leader", "non-leader"};
  }

  static constexpr core::Facts facts{
      .title = "FloodMax: repeat the largest known id for diameter rounds",
      .source = "N. A. Lynch, Distributed Algorithms, Morgan Kaufmann 1996, section 4.1",
      .idea =
          "In every round each node sends the largest id it has heard of to all neighbours. After "
          "as many rounds as the diameter, every node knows the largest id.",
      .messages = "diameter * arcs, in every run",
      .time = "diameter rounds",
      .guarantee = "all nodes name the largest id, all in the same round",
      .differs = "nodes also name the leader, and not only learn whether they lead",
      .model = {.needs_all = true,
                .knows = core::Knows::diameter,
                .tolerates_one_way = true,
                .synchronous = true},
  };

  FloodMax() = default;
  FloodMax(core::NodeId id, Options options) : id_(id), max_uid_(id), options_(options) {}

  void round(Step& step, core::Inbox<Message> inbox);

  bool halted() const { return status_ != LeaderStatus::unknown; }
  std::optional<core::NodeId> leader() const {
    return halted() ? std::optional(max_uid_) : std::nullopt;
  }
  LeaderStatus status() const { return status_; }

  friend bool operator==(const FloodMax&, const FloodMax&) = default;

 private:
  core::NodeId id_{};
  core::NodeId max_uid_{};
  std::uint32_t rounds_ = 0;  // in which we have sent
  LeaderStatus status_ = LeaderStatus::unknown;
  Options options_;

 public:
  static constexpr auto fields = std::tuple{
      core::field("u", &FloodMax::id_), core::field("max-uid", &FloodMax::max_uid_),
      core::field("status", &FloodMax::status_), core::field("rounds", &FloodMax::rounds_)};
};

}  // namespace bellwether::algorithms
