// SPDX-License-Identifier: MIT
// Leader election by heights with causal clocks.
//
// Source: Ingram, Radeva, Shields, Viqar, Walter, Welch, "A leader election algorithm for dynamic
// networks with causal clocks", Distributed Computing 26 (2013); as described in Tbarka,
// "Hierarchical leader election algorithm with remoteness constraint" (2019), chapters 2 to 4 and
// 6. Model: asynchronous, links come and go, their two ends are notified separately; channels are
// FIFO and reliable while up and lose what is in transit when they go down. Nodes are reliable in
// the source; ours may crash and restart, which the source does not claim. Guarantee: once changes
// cease, each component becomes a leader-oriented DAG (Theorem 1). Bounds: finite; the sources give
// none. A node that adopts a leader notifies each neighbour.
//
// The paper's words: Update, height = (tau, oid, r, delta, nlts, lid, id), RL = (tau, oid, r),
// LP = (nlts, lid), N, forming, SINK, ELECT-SELF, REFLECT-REF-LEVEL, PROPAGATE-LARGEST-REF-LEVEL,
// START-NEW-REF-LEVEL, ADOPT-LP-IF-PRIORITY.
//
// Where we differ: SINK asks for lid != id (misprinted as lid = u); a node that does not adopt a
// leader pair answers with its height (in the prose, not in the pseudo-code); `hello` (on by
// default) makes both ends of a new link know each other, without which Theorem 2 is false;
// `rejoin = yield` keeps a node that was alone for a moment from taking over; `clock = hybrid`
// is ours.
#pragma once

#include <array>

#include "bellwether/core/facts.hpp"
#include "bellwether/core/property.hpp"
#include "bellwether/core/protocol.hpp"

namespace bellwether::algorithms {

using core::NodeId;
using core::Port;

/// RL: the search for the leader that a node takes part in; all zero when there is none.
struct ReferenceLevel {
  std::int64_t tau = 0;  // when the search began
  NodeId oid{};          // the node that began it
  std::uint8_t r = 0;    // 1 once it has been reflected at a dead end
  static constexpr auto fields =
      std::tuple{core::field("tau", &ReferenceLevel::tau), core::field("oid", &ReferenceLevel::oid),
                 core::field("r", &ReferenceLevel::r)};
  friend auto operator<=>(const ReferenceLevel&, const ReferenceLevel&) = default;
};

/// LP: a smaller pair is a more recent leader, and wins.
struct LeaderPair {
  std::int64_t nlts = 0;  // minus the time of its election
  NodeId lid{};
  static constexpr auto fields =
      std::tuple{core::field("nlts", &LeaderPair::nlts), core::field("lid", &LeaderPair::lid)};
  friend auto operator<=>(const LeaderPair&, const LeaderPair&) = default;
};

/// Compared lexicographically, in this order. Links lead from the greater height to the smaller.
struct HeightTuple {
  [[no_unique_address]] ReferenceLevel rl;  // so that delta is placed in its padding
  std::int32_t delta = 0;
  LeaderPair lp;
  NodeId id{};
  static constexpr auto fields =
      std::tuple{core::field("rl", &HeightTuple::rl), core::field("delta", &HeightTuple::delta),
                 core::field("lp", &HeightTuple::lp), core::field("id", &HeightTuple::id)};
  friend auto operator<=>(const HeightTuple&, const HeightTuple&) = default;
};

/// "(0,0,0|1|-7,4|2)": the tuple as the sources print it.
std::string to_text(const HeightTuple& height);

class Height {
 public:
  static constexpr std::string_view name = "height";
  static constexpr core::Facts facts{
      .title =
          "Ingram et al.: heights with causal clocks, a leader-oriented DAG in every component",
      .source = "Ingram, Radeva, Shields, Viqar, Walter, Welch, Distributed Computing 26 (2013)",
      .idea =
          "Every node has a height and links lead downhill, to the leader. A node that loses its "
          "last downhill link raises its height and so starts a search; a search that is reflected "
          "from all sides shows that the leader is gone, and its originator elects itself. The "
          "most recent leader wins.",
      .messages =
          "finite after the last change; a node that adopts a leader notifies each neighbour",
      .time = "finite after the last change",
      .guarantee =
          "once changes cease, every component has one leader, in the component, and every node a "
          "path downhill to it (Theorem 1); one failed link that leaves the leader in the "
          "component causes no new election (Theorem 2, with perfect clocks and hello)",
      .differs =
          "two misprints corrected (SINK, the answer to an older leader pair); hello, rejoin and "
          "the hybrid clock are ours",
      .model = {.tolerates_changes = true, .tolerates_crashes = true}};

  enum class ClockKind : std::uint8_t { logical, perfect, hybrid };
  friend constexpr auto names_of(ClockKind) {
    return std::array<std::string_view, 3>{"logical", "perfect", "hybrid"};
  }
  enum class Rejoin : std::uint8_t { take_over, yield };
  friend constexpr auto names_of(Rejoin) {
    return std::array<std::string_view, 2>{"take-over", "yield"};
  }

  struct Options {
    ClockKind clock = ClockKind::logical;
    bool hello = true;
    Rejoin rejoin = Rejoin::take_over;
    static constexpr auto fields =
        std::tuple{core::field("clock", &Options::clock,
                               "Causal clock: Lamport's (logical), the global time (perfect), or a "
                               "hybrid of both over a local clock that may be off (hybrid)."),
                   core::field("hello", &Options::hello,
                               "Answer the first update on a new link, so that both ends know each "
                               "other; false: as published."),
                   core::field("rejoin", &Options::rejoin,
                               "What a node does when it returns to a component after it was "
                               "alone: take over, as published, or yield to the leader there.")};
    friend bool operator==(const Options&, const Options&) = default;
  };

  static core::ClockUse clock_use(const Options& options) {
    return options.clock == ClockKind::logical ? core::ClockUse::none : core::ClockUse::always;
  }

  struct Update {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "update";
    HeightTuple height;
    std::uint64_t stamp = 0;  // the sender's clock; 0 with perfect clocks
    bool hello = false;       // the first on a new link
    static constexpr auto fields =
        std::tuple{core::field("height", &Update::height), core::field("stamp", &Update::stamp),
                   core::field("hello", &Update::hello)};
    friend bool operator==(const Update&, const Update&) = default;
  };
  using Message = std::variant<Update>;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;

  Height() = default;
  Height(NodeId id, Options options);

  void start(Step& step);
  void link_up(Step& step, Port port);
  void link_down(Step& step, Port port);
  void receive(Step& step, Port port, const Message& message);
  void timeout(Step&, Timer) {}
  std::optional<NodeId> leader() const { return self_.lp.lid; }

  // Read by properties, tests and protocols built on top.
  const HeightTuple& height() const { return self_; }
  /// The known height of the neighbour at a port; none while the port is forming.
  const HeightTuple* view(Port port) const;
  bool sink() const;
  /// The causal clock at the time `now()`.
  std::uint64_t time_at(core::Time now) const;
  const Options& options() const { return options_; }
  /// The message that it sends to a neighbour.
  Update update(bool hello) const { return {self_, stamp(), hello}; }

  static core::Monitors<Height> monitors();
  /// Claims of the sources that do not hold with every option.
  static core::Monitors<Height> monitors_on_request();

  /// Every reading of a clock, here and in a message. Only their order matters, so that a model
  /// checker may renumber them.
  template <class Visit>
  void for_each_stamp(Visit&& visit) {
    for_each_stamp(self_, visit);
    for (NeighbourHeight& n : neighbours_) for_each_stamp(n.height, visit);
    visit(0, time_);
  }
  template <class Visit>
  static void for_each_stamp(Message& message, Visit&& visit) {
    for_each_stamp(std::get<Update>(message), visit);
  }
  template <class Visit>
  static void for_each_stamp(Update& update, Visit&& visit) {
    for_each_stamp(update.height, visit);
    visit(0, update.stamp);
  }

 private:
  template <class Visit>
  static void for_each_stamp(HeightTuple& height, Visit&& visit) {
    visit(0, height.rl.tau);
    visit(0, height.lp.nlts);
  }

  struct NeighbourHeight {
    Port port{};
    bool formed = false;  // in N; else in forming
    HeightTuple height;
    static constexpr auto fields = std::tuple{core::field("port", &NeighbourHeight::port),
                                              core::field("formed", &NeighbourHeight::formed),
                                              core::field("height", &NeighbourHeight::height)};
    friend bool operator==(const NeighbourHeight&, const NeighbourHeight&) = default;
  };

  std::vector<NeighbourHeight>::iterator find(Port port);
  bool no_neighbours() const;
  bool plausible(const HeightTuple& theirs, std::uint64_t stamp) const;
  void event_at(core::Time now);
  void receipt(std::uint64_t stamp, core::Time now);
  std::int64_t causal_time(core::Time now);

  void elect_self(core::Time now);
  void reflect_ref_level();
  void propagate_largest_ref_level();
  void start_new_ref_level(core::Time now);
  bool adopt_lp_if_priority(const HeightTuple& theirs, core::Time now);
  void become_no_sink(core::Time now);

  std::uint64_t stamp() const { return options_.clock == ClockKind::perfect ? 0 : time_; }
  void send_all(Step& step) const;

  HeightTuple self_;
  std::vector<NeighbourHeight> neighbours_;  // N and forming, by port
  std::uint64_t time_ = 0;  // logical, hybrid: the clock; perfect: the last value used
  Options options_;

 public:
  static constexpr auto fields =
      std::tuple{core::field("height", &Height::self_), core::field("time", &Height::time_),
                 core::field("neighbours", &Height::neighbours_)};
  friend bool operator==(const Height&, const Height&) = default;
};

}  // namespace bellwether::algorithms
