// SPDX-License-Identifier: MIT
// Chang and Roberts' election on a ring: LeLann's, without the tokens that cannot win.
//
//   Paper      E. Chang, R. Roberts, "An improved algorithm for decentralized extrema-finding in
//              circular configurations of processes", CACM 22(5), 1979.
//   Model      Asynchronous ring, messages go one way, channels reliable, distinct ids. Channels
//              need not be FIFO and may duplicate: what a node does with a token does not depend on
//              what came before it. Nothing fails. No node knows the size of the ring.
//   Bounds     When all start: n(n+1)/2 messages at worst (each token meets only worse ids before
//              the winner), n H_n on average over all orders of the ids, 2n - 1 at best. n more for
//              the announcement. Time 2n - 1 from the first start to the winner's decision.
//   Guarantee  Only the initiator with the best id learns that it leads; with the announcement,
//              every node learns which node leads.
//
// Names: Token is the lecture's <tok, p>; the states are its sleep, cand, lost and leader, where
// red is cand and black is lost.
//
// Where we differ
//   - The lecture keeps the smallest id in one listing and the largest in another: an option.
//   - A node that has forwarded any token before its start has lost and does not initiate, even if
//     that token was worse: the token's owner assumes that no node joins behind it.
//   - With `announce` the winner sends <leader, p> once round the ring.
//   - In a ring of one node there is no other node to send a token to: the node leads at once.
#pragma once

#include "bellwether/algorithms/ring/ring.hpp"

namespace bellwether::algorithms {

class ChangRoberts {
 public:
  static constexpr std::string_view name = "chang-roberts";

  using Options = RingOptions;

  struct Token {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "token";
    core::NodeId id{};
    static constexpr auto fields = std::tuple{core::field("id", &Token::id)};
    friend bool operator==(const Token&, const Token&) = default;
  };
  using Leader = LeaderNews<2>;
  using Message = std::variant<Token, Leader>;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;

  enum class State : std::uint8_t { sleep, cand, lost, leader };
  friend constexpr auto names_of(State) {
    return std::array<std::string_view, 4>{"sleep", "cand", "lost", "leader"};
  }

  static constexpr core::Facts facts{
      .title = "Chang-Roberts: tokens travel round a ring, and initiators drop the worse ones",
      .source =
          "E. Chang, R. Roberts, An improved algorithm for decentralized extrema-finding in "
          "circular configurations of processes, CACM 22(5), 1979",
      .idea =
          "Every initiator sends a token with its id round the ring. An initiator drops the tokens "
          "that are worse than its own id and forwards the better ones. Only the best token can "
          "return to its owner.",
      .messages =
          "when all start: n(n+1)/2 at worst, n H_n on average, 2n - 1 at best; n more for "
          "the announcement",
      .time = "2n - 1 until the winner has decided, n more for the announcement",
      .guarantee =
          "the initiator with the best id leads; with the announcement every node names "
          "it",
      .differs =
          "extremum and announcement are options; a node that has forwarded a token before its "
          "start does not initiate",
      .model = {.shape = core::Shape::ring,
                .needs_direction = true,
                .tolerates_one_way = true,
                .tolerates_reordering = true,
                .tolerates_duplicates = true},
  };

  ChangRoberts() = default;
  ChangRoberts(core::NodeId id, Options options)
      : id_(id), extremum_(options.extremum), announce_(options.announce) {}

  void start(Step& step);
  void link_up(Step&, core::Port) {}
  void link_down(Step&, core::Port) {}
  void receive(Step& step, core::Port port, const Message& message);
  void timeout(Step&, Timer) {}

  std::optional<core::NodeId> leader() const { return leader_; }
  State state() const { return state_; }
  bool initiator() const { return initiator_; }
  bool announces() const { return announce_; }
  Extremum extremum() const { return extremum_; }

  static core::Monitors<ChangRoberts> monitors();
  /// Upper bound on the number of messages, whichever nodes start.
  static std::uint64_t message_bound(std::uint64_t n, const Options& options) {
    return n * (n + 1) / 2 + (options.announce ? n : 0);
  }

  friend bool operator==(const ChangRoberts&, const ChangRoberts&) = default;

 private:
  void take(Step& step, const Token& token);
  void lead(Step& step);

  core::NodeId id_{};
  std::optional<core::NodeId> leader_;
  State state_ = State::sleep;
  bool initiator_ = false;
  Extremum extremum_ = Extremum::max;
  bool announce_ = true;

 public:
  static constexpr auto fields =
      std::tuple{core::field("id", &ChangRoberts::id_), core::field("state", &ChangRoberts::state_),
                 core::field("initiator", &ChangRoberts::initiator_),
                 core::field("leader", &ChangRoberts::leader_)};
};

}  // namespace bellwether::algorithms
