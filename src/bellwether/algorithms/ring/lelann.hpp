// SPDX-License-Identifier: MIT
// LeLann's election on a ring.
//
//   Paper      G. Le Lann, "Distributed systems: towards a formal approach", IFIP Congress 1977.
//   Model      Asynchronous ring, messages go one way, channels reliable and FIFO, distinct ids.
//              Nothing fails. No node knows the size of the ring.
//   Bounds     k * n messages with k initiators, so n^2 when all start, whatever the order of the
//              ids; n more for the announcement. Time 2n - 1 from the first start to the last
//              decision of an initiator.
//   Guarantee  Every initiator learns the extremum of the ids of all initiators; with the
//              announcement, every node does.
//
// Names: Token is the lecture's <tok, p>; the states are its sleep, cand, lost and leader.
//
// Where we differ
//   - We keep the best id seen, not the list of all: the decision asks for nothing else.
//   - In the bare algorithm nodes that do not initiate never learn the result. With `announce` the
//     winner sends <leader, p> once round the ring.
//   - In a ring of one node there is no other node to send a token to: the node leads at once.
#pragma once

#include "bellwether/algorithms/ring/ring.hpp"

namespace bellwether::algorithms {

class LeLann {
 public:
  static constexpr std::string_view name = "lelann";

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
      .title = "Le Lann: every initiator's token travels round the whole ring",
      .source = "G. Le Lann, Distributed systems: towards a formal approach, IFIP Congress 1977",
      .idea =
          "Every initiator sends a token with its id round the ring, and every node forwards all "
          "tokens. When a token returns to its owner, FIFO channels have delivered all the others "
          "to that owner before: it knows the best id of all.",
      .messages = "k n with k initiators, so n^2 when all start; n more for the announcement",
      .time = "2n - 1 until every initiator has decided, n more for the announcement",
      .guarantee =
          "every initiator (with the announcement: every node) names the initiator with "
          "the best id",
      .differs = "keeps the best id seen in place of the list of ids; can announce the winner",
      .model = {.shape = core::Shape::ring, .needs_direction = true, .tolerates_one_way = true},
  };

  LeLann() = default;
  LeLann(core::NodeId id, Options options)
      : id_(id), best_(id), extremum_(options.extremum), announce_(options.announce) {}

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

  static core::Monitors<LeLann> monitors();
  /// Upper bound on the number of messages, whichever nodes start.
  static std::uint64_t message_bound(std::uint64_t n, const Options& options) {
    return n * n + (options.announce ? n : 0);
  }

  friend bool operator==(const LeLann&, const LeLann&) = default;

 private:
  void take(Step& step, const Token& token);
  void decide(Step& step);

  core::NodeId id_{};
  core::NodeId best_{};  // of its own id and all tokens that have passed
  std::optional<core::NodeId> leader_;
  State state_ = State::sleep;
  bool initiator_ = false;
  Extremum extremum_ = Extremum::max;
  bool announce_ = true;

 public:
  static constexpr auto fields =
      std::tuple{core::field("id", &LeLann::id_), core::field("state", &LeLann::state_),
                 core::field("initiator", &LeLann::initiator_), core::field("best", &LeLann::best_),
                 core::field("leader", &LeLann::leader_)};
};

}  // namespace bellwether::algorithms
