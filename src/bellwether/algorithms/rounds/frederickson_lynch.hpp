// SPDX-License-Identifier: MIT
// Frederickson and Lynch's election on a synchronous ring: the smaller an id, the faster its token.
//
//   Paper      G. N. Frederickson, N. A. Lynch, "Electing a leader in a synchronous ring", JACM
//              34(1), 1987. Without its first phase, VariableSpeeds: N. A. Lynch, "Distributed
//              Algorithms", Morgan Kaufmann 1996, section 3.5.2.
//   Model      Synchronous ring, messages go one way, distinct ids, non-negative integers. No node
//              knows the size of the ring. Nodes may begin in different rounds. Nothing fails,
//              nothing is lost.
//   Bounds     4n messages at most, whichever nodes begin and when; 3n - 3 when all begin at once,
//              and fewer than 2n if these leave out the first phase. n more for the announcement.
//              With u the smallest id and all beginning at once, the winner decides after (n - 1) *
//              2^u + 1 rounds (n * 2^u without the first phase); n more for the announcement.
//   Guarantee  Only the node with the smallest id among those that begin by themselves learns that
//              it leads; with the announcement, every node learns which node leads.
//
// Names: active and relay as in H. Attiya, J. Welch, "Distributed Computing", section 3.4.1, whose
// `min` is `smallest_`. A token of the second phase waits 2^id - 1 rounds at each node.
//
// Where we differ
//   - The drivers start all nodes in the first round, so that no node is a relay there and the
//     first phase is one hop of every token; the unit tests wake nodes as the paper does.
//   - A token that waits is dropped when a smaller one comes, as in Lynch's book; in Attiya and
//     Welch's listing it is sent out and dropped one node further.
//   - 2^id is capped at 2^63: a token of a larger id is as slow, which in practice means that it
//     never moves. The result does not depend on speeds.
//   - The paper's lower bound (n log n messages when ids are only compared) is not an algorithm:
//     this one gets below it because it uses ids as numbers.
//   - With `announce` the winner sends <leader, p> once round the ring.
//   - In a ring of one node there is no other node to send a token to: the node leads at once.
#pragma once

#include "bellwether/algorithms/ring/ring.hpp"
#include "bellwether/core/protocol.hpp"

namespace bellwether::algorithms {

class FredericksonLynch {
 public:
  static constexpr std::string_view name = "frederickson-lynch";

  struct Options {
    bool first_phase = true;
    bool announce = true;
    static constexpr auto fields = std::tuple{
        core::field("first_phase", &Options::first_phase,
                    "Let a token move every round until it meets a node that has begun by itself; "
                    "false: all nodes must begin in the same round."),
        core::field("announce", &Options::announce,
                    "Announce the leader to the whole ring; false: only the winner knows.")};
    friend bool operator==(const Options&, const Options&) = default;
  };

  struct Token {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "token";
    core::NodeId id{};
    bool first = true;  // in its first phase
    static constexpr auto fields =
        std::tuple{core::field("id", &Token::id), core::field("first", &Token::first)};
    friend bool operator==(const Token&, const Token&) = default;
  };
  using Leader = LeaderNews<2>;
  using Message = std::variant<Token, Leader>;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;

  /// Active: it has begun by itself. Relay: a message has woken it.
  enum class State : std::uint8_t { asleep, active, relay };
  friend constexpr auto names_of(State) {
    return std::array<std::string_view, 3>{"asleep", "active", "relay"};
  }

  static constexpr core::Facts facts{
      .title = "Frederickson-Lynch: tokens on a synchronous ring, the smaller the id the faster",
      .source =
          "G. N. Frederickson, N. A. Lynch, Electing a leader in a synchronous ring, JACM 34(1), "
          "1987; N. A. Lynch, Distributed Algorithms, Morgan Kaufmann 1996, section 3.5.2 "
          "(VariableSpeeds)",
      .idea =
          "The token of id i takes a step every 2^i rounds, so that the smallest token overtakes "
          "all others, and they are dropped. While it goes round, all others together take fewer "
          "steps than it does. In a first phase each token moves every round until it meets a node "
          "that has begun by itself, so that nodes may begin in different rounds.",
      .messages =
          "4n at most; 3n - 3 when all begin at once, fewer than 2n without the first phase; n "
          "more for the announcement",
      .time =
          "(n - 1) 2^u + 1 rounds until the winner has decided, where u is the smallest id and "
          "all begin at once; n more for the announcement",
      .guarantee =
          "the smallest id among the nodes that begin by themselves leads; with the announcement "
          "every "
          "node names it",
      .differs = "a waiting token is dropped when a smaller one comes; 2^id is cut at 2^63",
      .model = {.shape = core::Shape::ring,
                .needs_direction = true,
                .tolerates_one_way = true,
                .synchronous = true},
  };

  FredericksonLynch() = default;
  FredericksonLynch(core::NodeId id, Options options) : id_(id), options_(options) {}

  void round(Step& step, core::Inbox<Message> inbox);

  bool halted() const { return state_ != State::asleep && !waits_; }
  std::optional<core::NodeId> leader() const { return leader_; }
  State state() const { return state_; }

  /// Upper bound on the number of messages, whichever nodes begin and when.
  static std::uint64_t message_bound(std::uint64_t n, const Options& options) {
    return 4 * n + (options.announce ? n : 0);
  }

  friend bool operator==(const FredericksonLynch&, const FredericksonLynch&) = default;

 private:
  /// What is sent in this round: one message at most.
  using Out = std::optional<Message>;
  Out begin(bool alone);
  void take(const Token& token, Out& out);
  void hear(const Leader& news, Out& out);
  Out lead();
  void move_on(Out& out);

  core::NodeId id_{};
  std::optional<core::NodeId> leader_;
  std::optional<core::NodeId> smallest_;  // of the ids that have begun here or passed
  std::optional<std::uint64_t> waits_;    // rounds that the token of `smallest_` still waits here
  State state_ = State::asleep;
  Options options_;

 public:
  static constexpr auto fields = std::tuple{core::field("id", &FredericksonLynch::id_),
                                            core::field("state", &FredericksonLynch::state_),
                                            core::field("smallest", &FredericksonLynch::smallest_),
                                            core::field("waits", &FredericksonLynch::waits_),
                                            core::field("leader", &FredericksonLynch::leader_)};
};

}  // namespace bellwether::algorithms
