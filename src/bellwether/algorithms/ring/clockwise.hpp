// SPDX-License-Identifier: MIT
// The clockwise election of the lecture: a node forwards only ids that are better than all it has
// seen.
//
//   Paper      Lecture on leader election, section 2.5 (after LeLann, and Chang and Roberts); it
//              follows N. A. Lynch, "Distributed Algorithms", Morgan Kaufmann 1996, chapter 3.
//   Model      Asynchronous ring, messages go one way, channels reliable, distinct ids. Channels
//              need not be FIFO and may duplicate: T_v only gets better, and the best id is better
//              than every T_v. Nothing fails. No node knows the size of the ring.
//   Bounds     The lecture's n^2 messages (each node sends each value of T_v once). With `joins`
//              n(n+1)/2 at worst, whichever nodes start; over FIFO channels n H_n on average over
//              all orders of the ids and 2n - 1 at best. n more for the announcement. Time 2n - 1
//              from the first start to the winner's decision.
//   Guarantee  `joins`: only the node with the best id of all learns that it leads. `relays`: the
//              initiator with the best id does, if no node is initialised after a message has
//              reached it. With the announcement, every node learns which node leads.
//
// Names: T is the lecture's T_v, M its message; follower and leader are its decisions.
//
// Where we differ
//   - The listing contradicts theorem 2.4. By the listing a node that is reached while T_v is not
//     initialised adopts the message's id as T_v and follows, so the best initiator wins; by the
//     theorem the highest id of all does, and its proof says that every node that is reached
//     becomes active. An option: with `joins`, the default, a node that is reached initialises
//     itself first. Only this makes the theorem true, and late starts harmless.
//   - With `relays` everything is as listed. The listing does not say what happens to a node that
//     is initialised after it has forwarded a message: as listed it takes its own id as T_v, and
//     there can be two leaders, and n^2 messages.
//   - The largest or the smallest id wins: an option.
//   - With `announce` the winner sends <leader, p> once round the ring.
//   - In a ring of one node there is no other node to send to: the node leads at once.
#pragma once

#include "bellwether/algorithms/ring/ring.hpp"

namespace bellwether::algorithms {

class Clockwise {
 public:
  static constexpr std::string_view name = "clockwise";

  enum class Woken : std::uint8_t { joins, relays };
  friend constexpr auto names_of(Woken) {
    return std::array<std::string_view, 2>{"joins", "relays"};
  }

  struct Options {
    Extremum extremum = Extremum::max;
    bool announce = true;
    Woken woken = Woken::joins;
    static constexpr auto fields = std::tuple{
        core::field("extremum", &Options::extremum,
                    "Id that wins: the largest (max) or the smallest (min)."),
        core::field("announce", &Options::announce,
                    "Announce the leader to the whole ring; false: only the winner knows."),
        core::field("woken", &Options::woken,
                    "What a node does when it is reached before its start: join with its own id, "
                    "as the theorem requires (joins), or relay, as listed (relays).")};
    friend bool operator==(const Options&, const Options&) = default;
  };

  struct M {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "m";
    core::NodeId id{};
    static constexpr auto fields = std::tuple{core::field("id", &M::id)};
    friend bool operator==(const M&, const M&) = default;
  };
  using Leader = LeaderNews<2>;
  using Message = std::variant<M, Leader>;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;

  enum class Decision : std::uint8_t { none, follower, leader };
  friend constexpr auto names_of(Decision) {
    return std::array<std::string_view, 3>{"none", "follower", "leader"};
  }

  static constexpr core::Facts facts{
      .title = "Forward clockwise every id that is better than all seen so far",
      .source =
          "lecture on leader election, section 2.5, after G. Le Lann (1977) and E. Chang, "
          "R. Roberts (1979)",
      .idea =
          "Every node keeps the best id that it has seen, at first its own, and sends it clockwise "
          "whenever it gets better. The best id of all passes every node and returns to its owner.",
      .messages =
          "n(n+1)/2 at worst, n H_n on average, 2n - 1 at best, whichever nodes start; n more for "
          "the announcement; n^2 with woken = relays",
      .time = "2n - 1 until the winner has decided, n more for the announcement",
      .guarantee =
          "the best id of all leads (woken = relays: of the initiators); with the announcement "
          "every node names it",
      .differs =
          "a node that is reached before its start joins with its own id, as the theorem requires "
          "and the listing does not say; the listed behaviour is an option",
      .model = {.shape = core::Shape::ring,
                .needs_direction = true,
                .tolerates_one_way = true,
                .tolerates_reordering = true,
                .tolerates_duplicates = true},
  };
  static core::Criterion criterion(const Options& options) {
    const bool highest = options.woken == Woken::joins && options.extremum == Extremum::max;
    return highest ? core::Criterion::highest_id : core::Criterion::majority;
  }

  Clockwise() = default;
  Clockwise(core::NodeId id, Options options) : id_(id), options_(options) {}

  void start(Step& step);
  void link_up(Step&, core::Port) {}
  void link_down(Step&, core::Port) {}
  void receive(Step& step, core::Port port, const Message& message);
  void timeout(Step&, Timer) {}

  std::optional<core::NodeId> leader() const { return leader_; }
  std::optional<core::NodeId> t() const { return t_; }
  Decision decision() const { return decision_; }
  /// Whether it has sent its own id: with `joins` all nodes that are reached do.
  bool initiator() const { return initiator_; }
  bool announces() const { return options_.announce; }
  Extremum extremum() const { return options_.extremum; }

  static core::Monitors<Clockwise> monitors();
  /// Upper bound on the number of messages, whichever nodes start. As listed, every node may
  /// eventually lead.
  static std::uint64_t message_bound(std::uint64_t n, const Options& options) {
    const bool joins = options.woken == Woken::joins;
    return (joins ? n * (n + 1) / 2 : n * n) + (options.announce ? (joins ? n : n * n) : 0);
  }

  friend bool operator==(const Clockwise&, const Clockwise&) = default;

 private:
  void initialise(Step& step);
  void take(Step& step, core::NodeId m);
  void lead(Step& step);

  core::NodeId id_{};
  std::optional<core::NodeId> t_;  // the best id seen
  std::optional<core::NodeId> leader_;
  Decision decision_ = Decision::none;
  bool initiator_ = false;
  Options options_;

 public:
  static constexpr auto fields = std::tuple{
      core::field("id", &Clockwise::id_), core::field("T", &Clockwise::t_),
      core::field("decision", &Clockwise::decision_),
      core::field("initiator", &Clockwise::initiator_), core::field("leader", &Clockwise::leader_)};
};

}  // namespace bellwether::algorithms
