// SPDX-License-Identifier: MIT
// Peterson's election on a ring with messages in one direction: his second algorithm, in which a
// node compares itself with one neighbour a phase.
//
//   Paper      G. L. Peterson, "An O(n log n) unidirectional algorithm for the circular extrema
//              problem", ACM TOPLAS 4(4), 1982.
//   Model      Asynchronous ring, messages go one way, channels reliable and FIFO, distinct ids.
//              Nothing fails. No node knows the size of the ring.
//   Bounds     At most n (k + 1) messages, where k is the largest number with F(k + 2) <= n and F
//              the Fibonacci numbers: each of at most k phases with two or more active nodes takes
//              n messages, and the last id takes at most n to return to its owner. That is below n
//              (log_phi n + 0.72), so 1.44 n log2 n + O(n). n more for the announcement. Time 2n -
//              1 in all runs tried in which all start together, n more for the announcement.
//   Guarantee  Only the initiator with the best id learns that it leads; with the announcement,
//              every node learns which node leads.
//
// Names: tid, ntid, active, relay as in the paper; the paper's initial value is `id_`.
//
// Why k phases: a_p nodes are active in phase p. The left neighbour of a node that stays active in
// phases p and p + 1 becomes a relay in phase p, so a_{p+2} <= a_p - a_{p+1}, and a_1 >= F(k + 2)
// if a_k >= 2.
//
// Where we differ
//   - Receiving its own id is not enough for a node to be elected: a worse id may return to its
//     owner in its last phase, behind the best. The node must not have seen a better one before.
//   - In the paper all nodes begin. Here a node that is reached before its start is a relay, and
//     stays one: the phases are those of the initiators alone.
//   - The largest or the smallest id wins: an option.
//   - With `announce` the winner sends <leader, p> once round the ring.
//   - In a ring of one node there is no other node to compare with: the node leads at once.
#pragma once

#include "bellwether/algorithms/ring/fibonacci.hpp"
#include "bellwether/algorithms/ring/ring.hpp"

namespace bellwether::algorithms {

class Peterson {
 public:
  static constexpr std::string_view name = "peterson";

  using Options = RingOptions;

  struct Tid {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "tid";
    core::NodeId id{};
    static constexpr auto fields = std::tuple{core::field("id", &Tid::id)};
    friend bool operator==(const Tid&, const Tid&) = default;
  };
  using Leader = LeaderNews<2>;
  using Message = std::variant<Tid, Leader>;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;

  enum class State : std::uint8_t { sleep, active, relay, leader };
  friend constexpr auto names_of(State) {
    return std::array<std::string_view, 4>{"sleep", "active", "relay", "leader"};
  }
  enum class Phase : std::uint8_t { odd, even };
  friend constexpr auto names_of(Phase) { return std::array<std::string_view, 2>{"odd", "even"}; }

  static constexpr core::Facts facts{
      .title = "Peterson: phases on a one-way ring, one comparison each",
      .source =
          "G. L. Peterson, An O(n log n) unidirectional algorithm for the circular extrema "
          "problem, ACM TOPLAS 4(4), 1982: the second algorithm",
      .idea =
          "Active nodes carry a temporary id, at first their own, and send it to the next active "
          "node. In odd phases nodes that receive a better one become relays; in even phases nodes "
          "that receive a better one adopt it, and the others become relays. The best id is never "
          "lost, and returns to its owner.",
      .messages =
          "n (k + 1) at most, where F(k + 2) <= n < F(k + 3): 1.44 n log2 n + O(n); n more for the "
          "announcement",
      .time =
          "2n - 1 until the winner has decided, in all runs tried in which all start together; n "
          "more for the announcement",
      .guarantee =
          "the initiator with the best id leads; with the announcement every node names it",
      .differs =
          "nodes that are reached before their start are relays; extremum and announcement are "
          "options",
      .model = {.shape = core::Shape::ring, .needs_direction = true, .tolerates_one_way = true},
  };

  Peterson() = default;
  Peterson(core::NodeId id, Options options)
      : id_(id), tid_(id), extremum_(options.extremum), announce_(options.announce) {}

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

  static core::Monitors<Peterson> monitors();
  /// The most phases in which two or more of n nodes are active.
  static constexpr std::uint64_t most_phases(std::uint64_t n) {
    unsigned k = 0;
    while (k < 40 && fibonacci(k + 3) <= n) ++k;
    return k;
  }
  /// Upper bound on the number of messages, whichever nodes start.
  static std::uint64_t message_bound(std::uint64_t n, const Options& options) {
    return n * (most_phases(n) + 1) + (options.announce ? n : 0);
  }

  friend bool operator==(const Peterson&, const Peterson&) = default;

 private:
  void take(Step& step, core::NodeId ntid);
  void lead(Step& step);

  core::NodeId id_{};
  core::NodeId tid_{};
  std::optional<core::NodeId> leader_;
  State state_ = State::sleep;
  Phase phase_ = Phase::odd;
  bool initiator_ = false;
  bool outdone_ = false;  // a better id has arrived
  Extremum extremum_ = Extremum::max;
  bool announce_ = true;

 public:
  static constexpr auto fields = std::tuple{core::field("id", &Peterson::id_),
                                            core::field("state", &Peterson::state_),
                                            core::field("initiator", &Peterson::initiator_),
                                            core::field("outdone", &Peterson::outdone_),
                                            core::field("tid", &Peterson::tid_),
                                            core::field("phase", &Peterson::phase_),
                                            core::field("leader", &Peterson::leader_)};
};

}  // namespace bellwether::algorithms
