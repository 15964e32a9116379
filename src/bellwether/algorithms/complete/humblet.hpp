// SPDX-License-Identifier: MIT
// Humblet's election in a clique: a candidate captures nodes one by one, and fights the master of
// each.
//
//   Paper      P. A. Humblet, "Selecting a leader in a clique in O(N log N) messages", 23rd IEEE
//              Conference on Decision and Control, 1984 (MIT report LIDS-P-1368).
//   Model      Asynchronous complete network, links go both ways, channels reliable, distinct ids.
//              The order of ports carries no information; a node does not know which node a port
//              leads to.
//   Bounds     4 messages for each attempt to capture, and at most n/s nodes ever own s nodes: no
//              more than 4 (n/1 + n/2 + ... + n/(n-1)) < 4 n (1 + ln n) = 2.773 n log2 n + 4n
//              messages; O(n log k) when k nodes start. n - 1 more for the announcement. Time:
//              never more than messages, so O(n log n).
//   Guarantee  Exactly one of the initiators captures all nodes; all name it.
//
// Names: state, size, master, test and winner are the paper's. A node whose size is 0 sleeps.
//
// Where we differ
//   - The paper recognises a forwarded test by its edge: one that comes from a captured node is
//     meant for the master. Here a forwarded test has its own type, fight, so channels need not be
//     FIFO.
//   - There are no edges from a node to itself: a node that starts owns itself, and is its own
//     master, without messages.
//   - The winner announces the result to all nodes.
#pragma once

#include "bellwether/algorithms/complete/complete.hpp"

namespace bellwether::algorithms {

class Humblet {
 public:
  static constexpr std::string_view name = "humblet";

  using Options = CompleteOptions;

  /// To the next node: the candidate that owns `size` nodes wants to own you.
  struct Test {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "test";
    std::uint32_t size = 0;
    core::NodeId id{};
    static constexpr auto fields =
        std::tuple{core::field("size", &Test::size), core::field("id", &Test::id)};
    friend bool operator==(const Test&, const Test&) = default;
  };
  /// To the master: fight the candidate that tests me.
  struct Fight {
    static constexpr std::uint8_t tag = 2;
    static constexpr std::string_view name = "fight";
    std::uint32_t size = 0;
    core::NodeId id{};
    static constexpr auto fields =
        std::tuple{core::field("size", &Fight::size), core::field("id", &Fight::id)};
    friend bool operator==(const Fight&, const Fight&) = default;
  };
  /// From the master: which candidate has won. To the winner: I am yours.
  struct Winner {
    static constexpr std::uint8_t tag = 3;
    static constexpr std::string_view name = "winner";
    core::NodeId id{};
    static constexpr auto fields = std::tuple{core::field("id", &Winner::id)};
    friend bool operator==(const Winner&, const Winner&) = default;
  };
  using Leader = LeaderNews<4>;
  using Message = std::variant<Test, Fight, Winner, Leader>;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;

  enum class State : std::uint8_t { asleep, active, stopped, leader };
  friend constexpr auto names_of(State) {
    return std::array<std::string_view, 4>{"asleep", "active", "stopped", "leader"};
  }

  /// A test that has not been answered.
  struct Contender {
    core::Port port{};
    Test test;
    static constexpr auto fields =
        std::tuple{core::field("port", &Contender::port), core::field("test", &Contender::test)};
    friend bool operator==(const Contender&, const Contender&) = default;
  };

  static constexpr core::Facts facts{
      .title = "Humblet: capture nodes one by one, fighting each one's master first",
      .source =
          "P. A. Humblet, Selecting a leader in a clique in O(N log N) messages, 23rd IEEE "
          "Conference on Decision and Control, 1984",
      .idea =
          "Every initiator tries to capture all nodes, one after the other. A node that has a "
          "master lets its master fight: the candidate that owns more nodes wins, or the larger id "
          "if both own the same number. A candidate that has lost a fight captures no more nodes.",
      .messages =
          "no more than 4 (n/1 + n/2 + ... + n/(n-1)) < 2.773 n log2 n + 4n, O(n log k) when k "
          "nodes start; n - 1 more for the announcement",
      .time = "O(n log n): there is always a message in transit",
      .guarantee = "one of the initiators leads, and every node names it",
      .differs =
          "a test that is forwarded to the master has its own message type, so channels need not "
          "be FIFO; the winner announces the result",
      .model = {.shape = core::Shape::complete, .tolerates_reordering = true},
  };

  Humblet() = default;
  Humblet(core::NodeId id, Options) : id_(id) {}

  void start(Step& step);
  void link_up(Step&, core::Port) {}
  void link_down(Step&, core::Port) {}
  void receive(Step& step, core::Port port, const Message& message);
  void timeout(Step&, Timer) {}

  std::optional<core::NodeId> leader() const { return leader_; }
  State state() const { return state_; }
  std::uint32_t size() const { return size_; }
  bool initiator() const { return size_ > 0; }

  static core::Monitors<Humblet> monitors() { return open_election_monitors<Humblet>(); }
  /// Upper bound on the number of messages, whichever nodes start.
  static std::uint64_t message_bound(std::uint64_t n, const Options&) {
    return n < 2 ? 0 : 4 * most_attempts(n) + n - 1;
  }

  friend bool operator==(const Humblet&, const Humblet&) = default;

 private:
  void take(Step& step, core::Port port, const Test& test);
  void take(Step& step, core::Port port, const Fight& fight);
  void take(Step& step, core::Port port, const Winner& winner);
  void take(Step& step, core::Port port, const Leader& leader);
  void own_one_more(Step& step);
  bool fight(std::uint32_t size, core::NodeId id);
  void answer_tests(Step& step);
  void yield_to(Step& step, const Contender& winner);

  core::NodeId id_{};
  std::optional<core::NodeId> leader_;
  State state_ = State::asleep;
  std::uint32_t size_ = 0;              // number of nodes this one has captured, itself included
  std::optional<core::Port> master_;    // none: this node is its own
  std::optional<Contender> contender_;  // the one that the master is fighting
  std::vector<Contender> waiting_;      // candidates that came meanwhile

 public:
  static constexpr auto fields = std::tuple{core::field("id", &Humblet::id_),
                                            core::field("state", &Humblet::state_),
                                            core::field("size", &Humblet::size_),
                                            core::field("master", &Humblet::master_),
                                            core::field("contender", &Humblet::contender_),
                                            core::field("waiting", &Humblet::waiting_),
                                            core::field("leader", &Humblet::leader_)};
};

}  // namespace bellwether::algorithms
