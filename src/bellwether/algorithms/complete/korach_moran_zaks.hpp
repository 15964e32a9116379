// SPDX-License-Identifier: MIT
// The election of Korach, Moran and Zaks in a complete network: kings annex each other's kingdoms,
// whose trees are reoriented towards the new king.
//
//   Paper      E. Korach, S. Moran, S. Zaks, "Tight lower and upper bounds for some distributed
//              algorithms for a complete network of processors", PODC 1984.
//   Model      Asynchronous complete network, links go both ways, channels reliable and FIFO,
//              distinct ids. The order of ports carries no information; a node does not know which
//              node a port leads to.
//   Bounds     5 n log2 k + O(n) messages when k nodes start: no more than 5 n P + 4n with
//              P = floor(log2 k) + 1 phases, the announcement included. Time O(n log n).
//   Guarantee  One of the initiators annexes all nodes; all name it. The tree of its kingdom spans
//              the network.
//
// Names: king, citizen, phase, status (phase and king), ask, accept, update and your-citizen are
// the paper's. `father_` and `sons_` are the tree; `asker_` has asked this citizen, which has asked
// its father.
//
// Where we differ
//   - A sleeping node is a king of phase -1: it gives in to the first king that asks.
//   - A king does not give in to its own question: a citizen that has not yet heard of the king's
//     new phase can forward that question to it.
//   - your-citizen is an answer to the king alone. A son that forwards a question of its own king
//     receives the missing update anyway.
//   - The winner announces the result over its own links, and not down the tree.
#pragma once

#include <bit>

#include "bellwether/algorithms/complete/complete.hpp"

namespace bellwether::algorithms {

class KorachMoranZaks {
 public:
  static constexpr std::string_view name = "korach-moran-zaks";

  using Options = CompleteOptions;

  /// A king's phase and id. Kings are compared by their phases, ties by their ids.
  struct KingStatus {
    std::int32_t phase = -1;
    core::NodeId king{};
    static constexpr auto fields = std::tuple{core::field("phase", &KingStatus::phase),
                                              core::field("king", &KingStatus::king)};
    friend auto operator<=>(const KingStatus&, const KingStatus&) = default;
  };
  /// A king's question: join my kingdom. Citizens forward it to their kings.
  struct Ask {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "ask";
    KingStatus by;
    static constexpr auto fields = std::tuple{core::field("by", &Ask::by)};
    friend bool operator==(const Ask&, const Ask&) = default;
  };
  /// I am your son now. The king that has given in was in this phase.
  struct Accept {
    static constexpr std::uint8_t tag = 2;
    static constexpr std::string_view name = "accept";
    std::int32_t phase = -1;
    static constexpr auto fields = std::tuple{core::field("phase", &Accept::phase)};
    friend bool operator==(const Accept&, const Accept&) = default;
  };
  /// To one's sons: this is our king, and its phase.
  struct Update {
    static constexpr std::uint8_t tag = 3;
    static constexpr std::string_view name = "update";
    KingStatus to;
    static constexpr auto fields = std::tuple{core::field("to", &Update::to)};
    friend bool operator==(const Update&, const Update&) = default;
  };
  struct YourCitizen {
    static constexpr std::uint8_t tag = 4;
    static constexpr std::string_view name = "your-citizen";
    static constexpr std::tuple<> fields{};
    friend bool operator==(const YourCitizen&, const YourCitizen&) = default;
  };
  using Leader = LeaderNews<5>;
  using Message = std::variant<Ask, Accept, Update, YourCitizen, Leader>;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;

  enum class State : std::uint8_t {
    asleep,
    king,
    annexed,  // a citizen that waits for the first update of its new king
    citizen,
    asking,  // a citizen that waits for its king's answer to a question
    leader
  };
  friend constexpr auto names_of(State) {
    return std::array<std::string_view, 6>{"asleep",  "king",   "annexed",
                                           "citizen", "asking", "leader"};
  }

  struct Asker {
    core::Port port{};
    KingStatus by;
    static constexpr auto fields =
        std::tuple{core::field("port", &Asker::port), core::field("by", &Asker::by)};
    friend bool operator==(const Asker&, const Asker&) = default;
  };

  static constexpr core::Facts facts{
      .title = "Korach-Moran-Zaks: kings of a complete network annex each other's kingdoms",
      .source =
          "E. Korach, S. Moran, S. Zaks, Tight lower and upper bounds for some distributed "
          "algorithms for a complete network of processors, PODC 1984",
      .idea =
          "Every initiator is a king. A king asks one node after the other; citizens forward the "
          "question up the tree of their kingdom to their own king. Of two kings the one in the "
          "lower phase gives in, and its tree joins the other kingdom with its edges reversed; "
          "when both are in the same phase, the winner's phase grows by one.",
      .messages =
          "5 n log2 k + O(n) when k nodes start: no more than 5 n (floor(log2 k) + 1) + 4n, the "
          "announcement included",
      .time = "O(n log n)",
      .guarantee = "one of the initiators leads, and every node names it",
      .differs =
          "a king does not give in to its own question; your-citizen is sent to the king only; the "
          "winner announces the result over its own links",
      .model = {.shape = core::Shape::complete},
  };

  KorachMoranZaks() = default;
  KorachMoranZaks(core::NodeId id, Options) : id_(id), status_{-1, id} {}

  void start(Step& step);
  void link_up(Step&, core::Port) {}
  void link_down(Step&, core::Port) {}
  void receive(Step& step, core::Port port, const Message& message);
  void timeout(Step&, Timer) {}

  std::optional<core::NodeId> leader() const { return leader_; }
  State state() const { return state_; }
  const KingStatus& status() const { return status_; }
  std::optional<core::Port> father() const { return father_; }
  bool initiator() const { return initiator_; }

  static core::Monitors<KorachMoranZaks> monitors() {
    return open_election_monitors<KorachMoranZaks>();
  }
  /// Upper bound on the number of messages, whichever nodes start.
  static std::uint64_t message_bound(std::uint64_t n, const Options&) {
    return n < 2 ? 0 : 5 * n * static_cast<std::uint64_t>(std::bit_width(n)) + 4 * n;
  }

  friend bool operator==(const KorachMoranZaks&, const KorachMoranZaks&) = default;

 private:
  bool must_wait(core::Port port, const Message& message) const;
  void take(Step& step, core::Port port, const Ask& ask);
  void take(Step& step, core::Port port, const Accept& accept);
  void take(Step& step, core::Port port, const Update& update);
  void take(Step& step, core::Port port, const YourCitizen& answer);
  void take(Step& step, core::Port port, const Leader& leader);
  void ask_next(Step& step);
  bool asked_last(const Step& step, core::Port port) const;
  void follow(Step& step, core::Port father, Accept accept);
  void tell(Step& step, core::Port son) { send_over(step, son, Update{status_}); }
  void tell_asker(Step& step, const Asker& asker);

  core::NodeId id_{};
  std::optional<core::NodeId> leader_;
  KingStatus status_;
  State state_ = State::asleep;
  bool initiator_ = false;
  std::uint32_t asked_ = 0;  // links over which this king has asked
  std::optional<core::Port> father_;
  std::vector<core::Port> sons_;  // ascending
  std::optional<Asker> asker_;
  std::vector<std::pair<core::Port, Message>> waiting_;  // while it waits for its father

 public:
  static constexpr auto fields = std::tuple{core::field("id", &KorachMoranZaks::id_),
                                            core::field("state", &KorachMoranZaks::state_),
                                            core::field("initiator", &KorachMoranZaks::initiator_),
                                            core::field("status", &KorachMoranZaks::status_),
                                            core::field("asked", &KorachMoranZaks::asked_),
                                            core::field("father", &KorachMoranZaks::father_),
                                            core::field("sons", &KorachMoranZaks::sons_),
                                            core::field("asker", &KorachMoranZaks::asker_),
                                            core::field("waiting", &KorachMoranZaks::waiting_),
                                            core::field("leader", &KorachMoranZaks::leader_)};
};

}  // namespace bellwether::algorithms
