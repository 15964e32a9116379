// SPDX-License-Identifier: MIT
// Peleg's time-optimal election in any network: flood the largest id, and let news of ever farther
// nodes come back until it ceases.
//
//   Paper      D. Peleg, "Time-optimal leader election in general networks", Journal of Parallel
//              and Distributed Computing 8(1), 1990.
//   Model      Synchronous, any connected network, links go both ways, distinct ids. No node knows
//              its size or diameter. All begin in the same round. Nothing fails, nothing is lost.
//   Bounds     With r the distance from the leader to the farthest node, at most the diameter D,
//              and e links: the leader decides after 2r + 2 rounds, all know it after 3r + 2: O(D).
//              At most 6 (r + 1) e messages: O(D e).
//   Guarantee  All nodes name the largest id, and halt.
//
// Names: x is the largest id seen, d the largest distance from x that is known of, c counts rounds
// without news, as in the paper; whether the node itself may still lead (the paper's b) is x = u,
// where u is `id_`.
//
// Why it is right: a node at distance k from the leader has the leader's x and d = k after k
// rounds, and the leader hears of it after 2k. So the leader's d grows in every other round until
// 2r, and two rounds without news mean that there is no farther node. Another node that is largest
// around itself hears of a larger id at the latest when news from the same distance is due.
//
// Where we differ
//   - On a new x the paper sets d to the number of the round; ours takes the neighbour's d and adds
//     one, which is the same, and counts no rounds.
//   - c does not count beyond two.
//   - The leader's announcement goes once over every link, except back to the nodes from which it
//     came.
//   - A single node leads in its first round.
#pragma once

#include "bellwether/algorithms/ring/ring.hpp"
#include "bellwether/core/protocol.hpp"

namespace bellwether::algorithms {

class Peleg {
 public:
  static constexpr std::string_view name = "peleg";

  struct Options {
    static constexpr std::tuple<> fields{};
    friend bool operator==(const Options&, const Options&) = default;
  };

  struct Best {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "best";
    core::NodeId x{};
    std::uint32_t d = 0;
    static constexpr auto fields =
        std::tuple{core::field("x", &Best::x), core::field("d", &Best::d)};
    friend bool operator==(const Best&, const Best&) = default;
  };
  using Leader = LeaderNews<2>;
  using Message = std::variant<Best, Leader>;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;

  static constexpr core::Facts facts{
      .title = "Peleg: flood the largest id until no farther node answers",
      .source =
          "D. Peleg, Time-optimal leader election in general networks, Journal of Parallel and "
          "Distributed Computing 8(1), 1990",
      .idea =
          "In every round each node sends the largest id it has heard of, and the largest distance "
          "from there that it knows of. News of farther nodes reaches the owner of that id every "
          "other round; when it ceases, the owner leads and announces it.",
      .messages =
          "6 (r + 1) e at most, where e is the number of links and r the distance from the leader "
          "to the farthest node: O(D e)",
      .time = "2r + 2 rounds until the leader has decided, 3r + 2 until all know it: O(D)",
      .guarantee = "all nodes name the largest id",
      .differs = "the neighbour's distance plus one stands for the number of the round",
      .model = {.needs_all = true, .synchronous = true},
  };

  Peleg() = default;
  Peleg(core::NodeId id, Options) : id_(id), x_(id) {}

  void round(Step& step, core::Inbox<Message> inbox);

  bool halted() const { return leader_.has_value(); }
  std::optional<core::NodeId> leader() const { return leader_; }
  /// The largest distance from the leader that this node knows of.
  std::uint32_t distance() const { return d_; }

  /// Upper bound on the number of messages: no distance is larger than n - 1.
  static std::uint64_t message_bound(std::uint64_t n, std::uint64_t links, const Options&) {
    return 6 * n * links;
  }

  friend bool operator==(const Peleg&, const Peleg&) = default;

 private:
  using Inbox = core::Inbox<Message>;
  void compare(Best best);
  void decide(Step& step, core::NodeId leader, Inbox inbox);

  core::NodeId id_{};
  core::NodeId x_{};
  std::optional<core::NodeId> leader_;
  std::uint32_t d_ = 0;
  std::uint8_t c_ = 0;

 public:
  static constexpr auto fields = std::tuple{
      core::field("u", &Peleg::id_), core::field("x", &Peleg::x_), core::field("d", &Peleg::d_),
      core::field("c", &Peleg::c_), core::field("leader", &Peleg::leader_)};
};

}  // namespace bellwether::algorithms
