// SPDX-License-Identifier: MIT
// The bully election: the highest live id wins, whichever node asks.
//
//   Paper      H. Garcia-Molina, "Elections in a distributed computing system", IEEE Transactions
//              on Computers C-31(1), 1982; in the shorter form of the lecture.
//   Model      Complete network, distinct ids that neighbours know, channels reliable with bounded
//              delay. Nodes crash and restart without memory; a crash is seen as the loss of the
//              node's links, a restart as new ones.
//   Bounds     n - 1 messages at best, when the highest id asks. n^2 + n - 2 at worst among n live
//              nodes of which each asks once, as after the crash of a leader; every further crash
//              during the election can cost as much again, so O(n^3). Two delays from a question to
//              the leader message, plus reply_timeout where dead nodes still seem linked.
//   Guarantee  Once any node has asked, and after the last change, every live node names the
//              highest live id. It needs reply_timeout > 2 x the longest delay d and leader_timeout
//              > reply_timeout + 2d. With a shorter reply_timeout a node may lead for a while
//              though a larger one is alive; with a shorter leader_timeout nodes may never stop
//              asking.
//
// Names: messages election, reply, leader and states idle, wait_reply, wait_leader as in the
// lecture; its L is `leader_`, its "failed := true" is `hold_election`.
//
// Where we differ
//   - The lecture prints that the leader message goes to all larger ids: it goes to all smaller.
//   - A node replies in every state, not only when idle. Otherwise a lower node that asks during
//     our own election times out and leads beside the winner.
//   - A node that is asked holds an election only if it names no leader. The lecture's holds one
//     whenever it is idle, and each question it gets becomes a question to all larger ids, again
//     and again. A node that asks us has asked our leader, too: the leader answers with its
//     message, and if it is dead, the loss of its link makes us ask.
//   - Links give more information than timeouts: the loss of the link to the leader is its failure,
//     nodes without a link are not asked, and a node without larger peers wins at once.
//   - A leader message is handled in every state. From a smaller id it starts an election; when
//     idle, one from below a leader whose link is up is old news and ignored.
//   - A new link triggers messages: a leader introduces itself to a smaller peer; a node that names
//     no leader, or one smaller than the new peer, asks. Both ends try, because what the first end
//     sends is lost while the second is not up yet.
//   - `leader()` is none from the failure (of the leader, or of a whole election) to the next
//     leader message. Elections of other nodes do not affect a leader whose link is up.
//   - Garcia-Molina's algorithm also halts the others and distributes a new state; we only elect.
#pragma once

#include "bellwether/algorithms/option_ranges.hpp"
#include "bellwether/core/facts.hpp"
#include "bellwether/core/property.hpp"

namespace bellwether::algorithms {

class Bully {
 public:
  static constexpr std::string_view name = "bully";

  struct Options {
    core::Duration reply_timeout = std::chrono::milliseconds(200);
    core::Duration leader_timeout = std::chrono::seconds(1);
    static constexpr auto fields = std::tuple{
        core::option("reply_timeout", &Options::reply_timeout, timer_duration,
                     "Time to wait for a reply from a larger id before the node leads itself."),
        core::option(
            "leader_timeout", &Options::leader_timeout, timer_duration,
            "Time to wait for a leader message after a reply before the node asks again.")};
    friend bool operator==(const Options&, const Options&) = default;
  };

  struct Election {  // I want to be the leader; goes to larger ids
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "election";
    static constexpr std::tuple<> fields{};
    friend bool operator==(const Election&, const Election&) = default;
  };
  struct Reply {  // no, you cannot; goes back to the node that asked
    static constexpr std::uint8_t tag = 2;
    static constexpr std::string_view name = "reply";
    static constexpr std::tuple<> fields{};
    friend bool operator==(const Reply&, const Reply&) = default;
  };
  struct Leader {  // I am the leader; goes to smaller ids
    static constexpr std::uint8_t tag = 3;
    static constexpr std::string_view name = "leader";
    static constexpr std::tuple<> fields{};
    friend bool operator==(const Leader&, const Leader&) = default;
  };
  using Message = std::variant<Election, Reply, Leader>;

  enum class Timer : std::uint8_t { reply, leader };
  friend constexpr auto names_of(Timer) {
    return std::array<std::string_view, 2>{"reply", "leader"};
  }
  using Step = core::Step<Message, Timer>;

  enum class State : std::uint8_t { idle, wait_reply, wait_leader };
  friend constexpr auto names_of(State) {
    return std::array<std::string_view, 3>{"idle", "wait_reply", "wait_leader"};
  }

  static constexpr core::Facts facts{
      .title = "Garcia-Molina's bully algorithm: the highest live id of a complete network leads",
      .source =
          "H. Garcia-Molina, Elections in a distributed computing system, IEEE Transactions "
          "on Computers C-31(1), 1982",
      .idea =
          "A node that misses the leader asks all nodes with larger ids. A reply means that a "
          "larger one is alive and takes over the election; without a reply the asker is the "
          "highest, leads, and notifies all smaller ids.",
      .messages =
          "n - 1 at best, when the highest id asks; n^2 + n - 2 where all n live nodes ask "
          "once; O(n^3) where each new leader crashes in turn",
      .time =
          "two delays after a question until all know, one after the highest id starts; "
          "reply_timeout more where larger nodes are dead but their links seem up",
      .guarantee =
          "after the last change every live node names the highest live id, given "
          "reply_timeout > 2 x the longest delay and leader_timeout > reply_timeout + 2 x "
          "the longest delay",
      .differs =
          "replies in every state; a node that names a live leader only replies; link changes "
          "stand for failures and introduce the leader to late links; no reorganization after the "
          "election",
      .model = {.shape = core::Shape::complete,
                .tolerates_changes = true,
                .tolerates_crashes = true,
                .tolerates_reordering = true},
  };

  Bully() = default;
  Bully(core::NodeId id, Options options) : id_(id), options_(options) {}

  void start(Step& step);
  void link_up(Step& step, core::Port port);
  void link_down(Step& step, core::Port port);
  void receive(Step& step, core::Port port, const Message& message);
  void timeout(Step& step, Timer timer);

  std::optional<core::NodeId> leader() const { return leader_; }
  State state() const { return state_; }

  static core::Monitors<Bully> monitors();

  friend bool operator==(const Bully&, const Bully&) = default;

 private:
  void hold_election(Step& step);
  void lead(Step& step);
  void settle(Step& step, core::NodeId leader);
  void take(Step& step, core::Port port, Election);
  void take(Step& step, core::Port port, Reply);
  void take(Step& step, core::Port port, Leader);

  core::NodeId id_{};
  std::optional<core::NodeId> leader_;
  State state_ = State::idle;
  Options options_;

 public:
  static constexpr auto fields =
      std::tuple{core::field("id", &Bully::id_), core::field("state", &Bully::state_),
                 core::field("L", &Bully::leader_)};
};

}  // namespace bellwether::algorithms
