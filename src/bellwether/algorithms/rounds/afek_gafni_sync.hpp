// SPDX-License-Identifier: MIT
// The synchronous election of Afek and Gafni in a complete network: candidates capture twice as
// many nodes each time, all at once, and a node yields to the largest id that has asked.
//
//   Paper      Y. Afek, E. Gafni, "Time and message bounds for election in synchronous and
//              asynchronous complete networks", SIAM J. Computing 20(2), 1991 (Allerton 1984).
//   Model      Synchronous complete network, links go both ways, distinct ids. The order of ports
//              carries no information; a node does not know which node a port leads to. All nodes
//              begin in one round.
//   Bounds     With L = ceil(log2 n) turns of two rounds each: at most n + 2n (L - 1) messages of
//              candidates and n L acknowledgements, 3 n L - n < 3 n log2 n + 2n in all; n - 1 more
//              for the announcement. 2 L rounds of sending, 1 more for the announcement.
//   Guarantee  The largest id leads; all nodes name it, all but itself in the same round.
//
// Names: level, owner-id, K and the untraversed links E as in the paper, whose node is two
// processes: the candidate, which sends at even levels and counts acknowledgements at odd ones, and
// the ordinary one. Since all begin together, both have the same level: the number of the round.
//
// Where we differ
//   - In the paper nodes may wake up at different times. Here rounds begin everywhere at once, so
//     every node is a candidate, and of two candidates the larger id is the stronger one.
//   - A candidate owns its own node from the start, without a message.
//   - The winner announces the result to all nodes.
#pragma once

#include <bit>

#include "bellwether/algorithms/complete/complete.hpp"

namespace bellwether::algorithms {

class AfekGafniSync {
 public:
  static constexpr std::string_view name = "afek-gafni-sync";

  using Options = CompleteOptions;

  struct Capture {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "capture";
    std::uint32_t level = 0;
    core::NodeId id{};
    static constexpr auto fields =
        std::tuple{core::field("level", &Capture::level), core::field("id", &Capture::id)};
    friend bool operator==(const Capture&, const Capture&) = default;
  };
  struct Ack {
    static constexpr std::uint8_t tag = 2;
    static constexpr std::string_view name = "ack";
    static constexpr std::tuple<> fields{};
    friend bool operator==(const Ack&, const Ack&) = default;
  };
  using Leader = LeaderNews<3>;
  using Message = std::variant<Capture, Ack, Leader>;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;
  using Inbox = core::Inbox<Message>;

  enum class State : std::uint8_t { candidate, lost, elected };
  friend constexpr auto names_of(State) {
    return std::array<std::string_view, 3>{"candidate", "lost", "elected"};
  }

  static constexpr core::Facts facts{
      .title = "Afek-Gafni, synchronous: capture twice as many nodes in each turn",
      .source =
          "Y. Afek, E. Gafni, Time and message bounds for election in synchronous and asynchronous "
          "complete networks, SIAM J. Computing 20(2), 1991",
      .idea =
          "Every second round each candidate asks twice as many nodes as the last time, none of "
          "them "
          "twice. A node acknowledges only the strongest candidate it has heard of. A candidate "
          "that "
          "is not acknowledged by all gives up.",
      .messages =
          "at most 3 n L - n with L = ceil(log2 n), that is 3 n log2 n + O(n); n - 1 more for the "
          "announcement",
      .time = "2 ceil(log2 n) rounds, 1 more for the announcement",
      .guarantee = "the largest id leads, and every node names it",
      .differs =
          "all nodes begin in the same round; candidates own their own nodes from the start; the "
          "winner announces the result",
      .model = {.shape = core::Shape::complete, .needs_all = true, .synchronous = true},
      .criterion = core::Criterion::highest_id,
  };

  AfekGafniSync() = default;
  AfekGafniSync(core::NodeId id, Options) : id_(id), owner_id_(id) {}

  void round(Step& step, Inbox inbox);

  bool halted() const { return leader_.has_value(); }
  std::optional<core::NodeId> leader() const { return leader_; }
  State state() const { return state_; }
  core::NodeId owner_id() const { return owner_id_; }

  /// Upper bound on the number of messages.
  static std::uint64_t message_bound(std::uint64_t n, const Options&) {
    const auto turns = static_cast<std::uint64_t>(std::bit_width(n - 1));  // ceil(log2 n)
    return n < 2 ? 0 : 3 * n * turns - n + n - 1;
  }

  friend bool operator==(const AfekGafniSync&, const AfekGafniSync&) = default;

 private:
  void as_candidate(Step& step, Inbox inbox);
  void as_ordinary(Step& step, Inbox inbox);

  core::NodeId id_{};
  std::optional<core::NodeId> leader_;
  core::NodeId owner_id_{};
  std::uint32_t level_ = 0;      // of the coming round
  std::uint32_t traversed_ = 0;  // links that are not in E any more
  std::uint32_t asked_ = 0;      // K, the last time
  State state_ = State::candidate;

 public:
  static constexpr auto fields = std::tuple{core::field("id", &AfekGafniSync::id_),
                                            core::field("state", &AfekGafniSync::state_),
                                            core::field("level", &AfekGafniSync::level_),
                                            core::field("traversed", &AfekGafniSync::traversed_),
                                            core::field("asked", &AfekGafniSync::asked_),
                                            core::field("owner-id", &AfekGafniSync::owner_id_),
                                            core::field("leader", &AfekGafniSync::leader_)};
};

}  // namespace bellwether::algorithms
