// SPDX-License-Identifier: MIT
// The elections of Dolev, Klawe and Rodeh on a ring with messages in one direction.
//
//   Paper      D. Dolev, M. Klawe, M. Rodeh, "An O(n log n) unidirectional distributed algorithm
//              for extrema finding in a circle", Journal of Algorithms 3(3), 1982: algorithms A
//              and B.
//   Model      Asynchronous ring, messages go one way, channels reliable and FIFO, distinct ids.
//              Nothing fails. No node knows the size of the ring.
//   Bounds     A: 2n floor(log2 n) + n messages. B: below 1.5 n log2 n + 8n/3. Both constants are
//              reached. n more for the announcement. Time 2n - 1 in all runs tried in which all
//              start together, n more for the announcement.
//   Guarantee  Only the initiator with the best id learns that it leads; with the announcement,
//              every node learns which node leads.
//
// Names: M1, M2, max, left, phase, active, waiting, passive as in the paper. In A, waiting is an
// active node that has its M1 of this phase and not yet its M2.
//
// Where we differ
//   - The 1.356 n log2 n + O(n) that the paper is cited for belongs to a third algorithm, sketched
//     at its end: Peterson's, improved by the means of B. It is not implemented here: no source at
//     hand gives it in full.
//   - A node is elected when an M1 with its own id returns to it. In the paper an active node that
//     receives its own max halts; the owner is on the path of that message.
//   - In the paper all nodes begin. Here a node that is reached before its start is passive, with a
//     max worse than any id.
//   - The largest or the smallest id wins: an option.
//   - With `announce` the winner sends <leader, p> once round the ring.
//   - In a ring of one node there is no other node to compare with: the node leads at once.
#pragma once

#include "bellwether/algorithms/ring/ring.hpp"

namespace bellwether::algorithms {

class DolevKlaweRodeh {
 public:
  static constexpr std::string_view name = "dolev-klawe-rodeh";

  enum class Variant : std::uint8_t { a, b };
  friend constexpr auto names_of(Variant) { return std::array<std::string_view, 2>{"a", "b"}; }

  struct Options {
    Extremum extremum = Extremum::max;
    bool announce = true;
    Variant algorithm = Variant::b;
    static constexpr auto fields = std::tuple{
        core::field("extremum", &Options::extremum,
                    "Initiator that wins: the one with the largest (max) or smallest (min) id."),
        core::field("announce", &Options::announce,
                    "Announce the leader to the whole ring; false: only the winner knows."),
        core::field("algorithm", &Options::algorithm,
                    "Algorithm of the paper: the simple one (a) or the improved one (b).")};
    friend bool operator==(const Options&, const Options&) = default;
  };

  struct M1 {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "m1";
    core::NodeId id{};
    std::uint32_t counter = 0;  // links to the node that waits for M2; 0: it is behind us
    std::uint8_t phase = 0;
    static constexpr auto fields =
        std::tuple{core::field("id", &M1::id), core::field("phase", &M1::phase),
                   core::field("counter", &M1::counter)};
    friend bool operator==(const M1&, const M1&) = default;
  };
  struct M2 {
    static constexpr std::uint8_t tag = 2;
    static constexpr std::string_view name = "m2";
    core::NodeId id{};
    static constexpr auto fields = std::tuple{core::field("id", &M2::id)};
    friend bool operator==(const M2&, const M2&) = default;
  };
  using Leader = LeaderNews<3>;
  using Message = std::variant<M1, M2, Leader>;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;

  enum class State : std::uint8_t { sleep, active, waiting, passive, leader };
  friend constexpr auto names_of(State) {
    return std::array<std::string_view, 5>{"sleep", "active", "waiting", "passive", "leader"};
  }

  static constexpr core::Facts facts{
      .title = "Dolev-Klawe-Rodeh: local maxima of a one-way ring survive each phase",
      .source =
          "D. Dolev, M. Klawe, M. Rodeh, An O(n log n) unidirectional distributed algorithm for "
          "extrema finding in a circle, Journal of Algorithms 3(3), 1982: algorithms A and B",
      .idea =
          "In each phase an active node sends the best id that it holds to the next active node "
          "(M1), which continues with that id if it beats the ids of both neighbours (M2 carries "
          "the third id). In B a node that cannot win becomes passive early, and a counter in M1 "
          "marks the passive node that takes over, so that M2 travels 2^phase links at most.",
      .messages =
          "A: 2n floor(log2 n) + n at most; B: below 1.5 n log2 n + 8n/3; n more for the "
          "announcement",
      .time =
          "2n - 1 until the winner has decided, in all runs tried in which all start together; n "
          "more for the announcement",
      .guarantee =
          "the initiator with the best id leads; with the announcement every node names it",
      .differs =
          "the algorithm with 1.356 n log2 n that the paper sketches at its end is left out; nodes "
          "that are reached before their start are passive; extremum and announcement are options",
      .model = {.shape = core::Shape::ring, .needs_direction = true, .tolerates_one_way = true},
  };

  DolevKlaweRodeh() = default;
  DolevKlaweRodeh(core::NodeId id, Options options) : id_(id), options_(options) {}

  void start(Step& step);
  void link_up(Step&, core::Port) {}
  void link_down(Step&, core::Port) {}
  void receive(Step& step, core::Port port, const Message& message);
  void timeout(Step&, Timer) {}

  std::optional<core::NodeId> leader() const { return leader_; }
  State state() const { return state_; }
  bool initiator() const { return initiator_; }
  bool announces() const { return options_.announce; }
  Extremum extremum() const { return options_.extremum; }
  unsigned phase() const { return phase_; }

  static core::Monitors<DolevKlaweRodeh> monitors();
  /// Upper bound on the number of messages, whichever nodes start.
  static std::uint64_t message_bound(std::uint64_t n, const Options& options);

  friend bool operator==(const DolevKlaweRodeh&, const DolevKlaweRodeh&) = default;

 private:
  bool beats(core::NodeId a, core::NodeId b) const { return better(options_.extremum, a, b); }
  void begin_phase(Step& step);
  void take_a(Step& step, const M1& m1);
  void take_a(Step& step, const M2& m2);
  void take_b(Step& step, const M1& m1);
  void take_b(Step& step, const M2& m2);
  void pass_b(Step& step, M1 m1);
  void lead(Step& step);

  core::NodeId id_{};
  std::optional<core::NodeId> max_;   // none: worse than any
  std::optional<core::NodeId> left_;  // A: from M1, until M2 comes
  std::optional<core::NodeId> leader_;
  State state_ = State::sleep;
  std::uint8_t phase_ = 0;
  bool initiator_ = false;
  Options options_;

 public:
  static constexpr auto fields = std::tuple{core::field("id", &DolevKlaweRodeh::id_),
                                            core::field("state", &DolevKlaweRodeh::state_),
                                            core::field("initiator", &DolevKlaweRodeh::initiator_),
                                            core::field("max", &DolevKlaweRodeh::max_),
                                            core::field("left", &DolevKlaweRodeh::left_),
                                            core::field("phase", &DolevKlaweRodeh::phase_),
                                            core::field("leader", &DolevKlaweRodeh::leader_)};
};

}  // namespace bellwether::algorithms
