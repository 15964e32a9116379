// SPDX-License-Identifier: MIT
// The asynchronous election of Afek and Gafni in a complete network, algorithm B: candidates
// capture nodes one by one; a node rejects candidates that are weaker than any it has seen, and
// stronger ones have to defeat its owner first.
//
//   Paper      Y. Afek, E. Gafni, "Time and message bounds for election in synchronous and
//              asynchronous complete networks", SIAM J. Computing 20(2), 1991 (PODC 1985): the
//              second of three asynchronous algorithms.
//   Model      Asynchronous complete network, links go both ways, channels reliable, distinct ids.
//              The order of ports carries no information; a node does not know which node a port
//              leads to.
//   Bounds     4 messages for each attempt to capture, and at most n/s candidates ever own s nodes:
//              no more than 4 (n/1 + n/2 + ... + n/(n-1)) < 4 n (1 + ln n) = 2.773 n log2 n + 4n
//              messages; n - 1 more for the announcement. Time O(n): 4 delays for each node that
//              the winner captures, and for each candidate that falls on the way: 8n at most after
//              the first start.
//   Guarantee  Exactly one of the initiators captures all nodes; all name it.
//
// Names: level, owner-id, owner, potential-owner and killed as in the paper, whose node is two
// processes: the candidate, with `level_`, and the ordinary one, with `owner_level_`, `owner_id_`,
// `owner_` and `potential_owner_`. Its one message (level, id) has four names here, one for each
// direction: capture, kill, killed, captured.
//
// Where we differ
//   - A candidate first uses the link to its own ordinary process, without a message: `level_`
//     counts its own node.
//   - A node that has been captured in its sleep does not become a candidate.
//   - The winner announces the result to all nodes.
//   - The third algorithm of the paper, with 2 n log2 n + O(n) messages, is not here.
#pragma once

#include "bellwether/algorithms/complete/complete.hpp"

namespace bellwether::algorithms {

class AfekGafni {
 public:
  static constexpr std::string_view name = "afek-gafni";

  using Options = CompleteOptions;

  /// Strength of a candidate. Candidates are compared by level, ties by their ids.
  struct Strength {
    std::uint32_t level = 0;
    core::NodeId id{};
    static constexpr auto fields =
        std::tuple{core::field("level", &Strength::level), core::field("id", &Strength::id)};
    friend auto operator<=>(const Strength&, const Strength&) = default;
  };
  /// From a candidate to a node that it wants to own.
  struct Capture {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "capture";
    Strength by;
    static constexpr auto fields = std::tuple{core::field("by", &Capture::by)};
    friend bool operator==(const Capture&, const Capture&) = default;
  };
  /// From there to the owner.
  struct Kill {
    static constexpr std::uint8_t tag = 2;
    static constexpr std::string_view name = "kill";
    Strength by;
    static constexpr auto fields = std::tuple{core::field("by", &Kill::by)};
    friend bool operator==(const Kill&, const Kill&) = default;
  };
  /// And back.
  struct Killed {
    static constexpr std::uint8_t tag = 3;
    static constexpr std::string_view name = "killed";
    Strength by;
    static constexpr auto fields = std::tuple{core::field("by", &Killed::by)};
    friend bool operator==(const Killed&, const Killed&) = default;
  };
  /// And back to the candidate, which owns the node from now on.
  struct Captured {
    static constexpr std::uint8_t tag = 4;
    static constexpr std::string_view name = "captured";
    Strength by;
    static constexpr auto fields = std::tuple{core::field("by", &Captured::by)};
    friend bool operator==(const Captured&, const Captured&) = default;
  };
  using Leader = LeaderNews<5>;
  using Message = std::variant<Capture, Kill, Killed, Captured, Leader>;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;

  enum class State : std::uint8_t { asleep, candidate, killed, elected };
  friend constexpr auto names_of(State) {
    return std::array<std::string_view, 4>{"asleep", "candidate", "killed", "elected"};
  }

  static constexpr core::Facts facts{
      .title = "Afek-Gafni: capture nodes one by one, defeating each one's owner first",
      .source =
          "Y. Afek, E. Gafni, Time and message bounds for election in synchronous and asynchronous "
          "complete networks, SIAM J. Computing 20(2), 1991, algorithm B",
      .idea =
          "Every initiator tries to capture all nodes, one after the other; its level is the "
          "number of nodes it owns. A node remembers the strongest candidate that has asked, and "
          "rejects weaker ones at once. For a stronger one it asks its owner, which gives up if it "
          "is weaker, too.",
      .messages =
          "no more than 4 (n/1 + n/2 + ... + n/(n-1)) < 2.773 n log2 n + 4n; n - 1 more for the "
          "announcement",
      .time = "O(n): at most 8n after the first start, 1 more for the announcement",
      .guarantee = "one of the initiators leads, and every node names it",
      .differs =
          "candidates own their own nodes from the start; the winner announces the result; the "
          "paper's third algorithm, with 2 n log2 n + O(n) messages, is not here",
      .model = {.shape = core::Shape::complete, .tolerates_reordering = true},
  };

  AfekGafni() = default;
  AfekGafni(core::NodeId id, Options) : id_(id) {}

  void start(Step& step);
  void link_up(Step&, core::Port) {}
  void link_down(Step&, core::Port) {}
  void receive(Step& step, core::Port port, const Message& message);
  void timeout(Step&, Timer) {}

  std::optional<core::NodeId> leader() const { return leader_; }
  State state() const { return state_; }
  std::uint32_t level() const { return level_; }
  bool initiator() const { return level_ > 0; }

  static core::Monitors<AfekGafni> monitors() { return open_election_monitors<AfekGafni>(); }
  /// Upper bound on the number of messages, whichever nodes start.
  static std::uint64_t message_bound(std::uint64_t n, const Options&) {
    return n < 2 ? 0 : 4 * most_attempts(n) + n - 1;
  }

  friend bool operator==(const AfekGafni&, const AfekGafni&) = default;

 private:
  void take(Step& step, core::Port port, const Capture& capture);
  void take(Step& step, core::Port port, const Kill& kill);
  void take(Step& step, core::Port port, const Killed& killed);
  void take(Step& step, core::Port port, const Captured& captured);
  void take(Step& step, core::Port port, const Leader& leader);
  void own_one_more(Step& step);
  bool dies_by(const Strength& other);
  void change_owner(Step& step);

  core::NodeId id_{};
  std::optional<core::NodeId> leader_;
  // The candidate.
  State state_ = State::asleep;
  std::uint32_t level_ = 0;  // number of nodes it owns, its own included
  // The ordinary process.
  Strength strongest_;  // level and owner-id: of the last candidate that was not rejected
  std::optional<core::Port> owner_;  // none: the candidate of this node, if there is one
  core::Port potential_owner_{};     // where `strongest_` came from

 public:
  static constexpr auto fields =
      std::tuple{core::field("id", &AfekGafni::id_),
                 core::field("state", &AfekGafni::state_),
                 core::field("level", &AfekGafni::level_),
                 core::field("strongest", &AfekGafni::strongest_),
                 core::field("owner", &AfekGafni::owner_),
                 core::field("potential-owner", &AfekGafni::potential_owner_),
                 core::field("leader", &AfekGafni::leader_)};
};

}  // namespace bellwether::algorithms
