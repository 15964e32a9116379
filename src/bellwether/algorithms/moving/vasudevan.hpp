// SPDX-License-Identifier: MIT
// Election by diffusing computations: a wave out, the best of every subtree back, the result out.
//
//   Paper      S. Vasudevan, J. Kurose, D. Towsley, "Design and analysis of a leader election
//              algorithm for mobile ad hoc networks", ICNP 2004; heartbeats (20 s, six missed) as
//              the thesis of A. Favier (2022), 3.1.2, describes them.
//   Model      Any network, distinct ids, links that come and go, with both ends notified, nodes
//              that crash and restart. Channels reliable while up. Ours also tolerates reordered
//              and duplicated messages; it runs where messages are lost, but see Guarantee.
//   Bounds     One computation over n nodes and m links: 3(2m - n + 1) messages, which are as many
//              elections, acks and leader messages; with k that start at once at most k times that.
//              2m - n + 1 per heartbeat. Time: out, back and out again, 3d + 2 for a depth of d.
//              A dead leader is missed after heartbeat x missed.
//   Guarantee  Some time after the last change all nodes of a component name the same one of them:
//              the one with the highest value (ties: the highest id) where no dead leader is named
//              and values do not change. `leader()` is none in an election and only then. With loss
//              there is no guarantee: a lost election or ack leaves its sender waiting as long as
//              the link is up, and nothing in the paper repeats it.
//
// Names: election, ack, leader, probe, heartbeat as in the paper (its reply is our answer to a
// probe); delta_i is `electing`, Delta_i `acked`, p_i `parent`, S_i `waiting`, src_i `index`, lid_i
// `leader`.
//
// Where we differ
//   - The paper's probes ask repeatedly whether a neighbour is still present. Our driver notifies
//     nodes of lost and new links, so a probe is sent only once, on a new link, and asks for the
//     neighbour's state. The two ends are notified of a link at different times, and what the first
//     sends before the second knows is lost; the probe of the second makes the first repeat it.
//   - A node that is not in an election does not join one whose index it has reached or passed: it
//     acks as another node's child and sends its leader. The paper's joins any; with duplicated or
//     reordered messages old computations would then restart, without a source.
//   - For the same reason the index is flooded along with the leader: where two components merge,
//     all nodes learn the highest index, and the next computation is above it.
//   - A leader message that comes before a node has acked is ignored. It is from another component,
//     or from a node that lost its parent; our own computation will end, and its result is sent to
//     all neighbours, which answer if they know of a better leader.
//   - A node that has acked and loses its parent announces the best of its subtree as well; that
//     and the source's choice are compared like the leaders of two components.
//   - Heartbeats are numbered, so that each is forwarded once. A leader that restarts without
//     memory learns its last number from the neighbours that still name it.
//   - A node that names no leader and is not in an election has not started yet; the first event
//     wakes it. With `value = own` the application sets the value (`set_value`); its default is 0.
#pragma once

#include <compare>

#include "bellwether/algorithms/option_ranges.hpp"
#include "bellwether/core/facts.hpp"
#include "bellwether/core/property.hpp"

namespace bellwether::algorithms {

class Vasudevan {
 public:
  static constexpr std::string_view name = "vasudevan";

  enum class ValueSource : std::uint8_t { id, degree, own };
  friend constexpr auto names_of(ValueSource) {
    return std::array<std::string_view, 3>{"id", "degree", "own"};
  }

  struct Options {
    ValueSource value = ValueSource::id;
    core::Duration heartbeat = std::chrono::seconds(20);
    std::uint32_t missed = 6;
    static constexpr auto fields = std::tuple{
        core::field("value", &Options::value,
                    "Value by which nodes are compared: the id, the number of links when the node "
                    "joins an election (degree), or a value that the application sets (own)."),
        core::option("heartbeat", &Options::heartbeat, timer_duration,
                     "Interval between two heartbeats of a leader."),
        core::option("missed", &Options::missed, {1, 1'000'000},
                     "Number of missed heartbeats after which a node starts an election.")};
    friend bool operator==(const Options&, const Options&) = default;
  };

  /// The computation-index: a higher one stops a lower one.
  struct Index {
    std::uint64_t num = 0;
    core::NodeId id{};  // the source
    static constexpr auto fields =
        std::tuple{core::field("num", &Index::num), core::field("id", &Index::id)};
    friend auto operator<=>(const Index&, const Index&) = default;
  };
  /// Higher value wins; ties: the higher id.
  struct Candidate {
    std::uint64_t value = 0;
    core::NodeId id{};
    static constexpr auto fields =
        std::tuple{core::field("value", &Candidate::value), core::field("id", &Candidate::id)};
    friend auto operator<=>(const Candidate&, const Candidate&) = default;
  };

  struct Election {  // join this computation
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "election";
    Index index;
    static constexpr auto fields = std::tuple{core::field("index", &Election::index)};
    friend bool operator==(const Election&, const Election&) = default;
  };
  struct Ack {  // the best of my subtree; none: I am not your child
    static constexpr std::uint8_t tag = 2;
    static constexpr std::string_view name = "ack";
    Index index;
    std::optional<Candidate> best;
    static constexpr auto fields =
        std::tuple{core::field("index", &Ack::index), core::field("best", &Ack::best)};
    friend bool operator==(const Ack&, const Ack&) = default;
  };
  struct Leader {  // the leader, and the highest computation that I know of
    static constexpr std::uint8_t tag = 3;
    static constexpr std::string_view name = "leader";
    Candidate leader;
    Index index;
    std::uint64_t beat = 0;  // the last one that I know of
    static constexpr auto fields =
        std::tuple{core::field("leader", &Leader::leader), core::field("index", &Leader::index),
                   core::field("beat", &Leader::beat)};
    friend bool operator==(const Leader&, const Leader&) = default;
  };
  struct Probe {  // we have a link: what is your state?
    static constexpr std::uint8_t tag = 4;
    static constexpr std::string_view name = "probe";
    static constexpr std::tuple<> fields{};
    friend bool operator==(const Probe&, const Probe&) = default;
  };
  struct Heartbeat {
    static constexpr std::uint8_t tag = 5;
    static constexpr std::string_view name = "heartbeat";
    core::NodeId leader{};
    std::uint64_t beat = 0;
    static constexpr auto fields = std::tuple{core::field("leader", &Heartbeat::leader),
                                              core::field("beat", &Heartbeat::beat)};
    friend bool operator==(const Heartbeat&, const Heartbeat&) = default;
  };
  using Message = std::variant<Election, Ack, Leader, Probe, Heartbeat>;

  enum class Timer : std::uint8_t { heartbeat, missing };
  friend constexpr auto names_of(Timer) {
    return std::array<std::string_view, 2>{"heartbeat", "missing"};
  }
  using Step = core::Step<Message, Timer>;

  static constexpr core::Facts facts{
      .title =
          "Vasudevan-Kurose-Towsley: diffusing computations elect the node of the highest value",
      .source =
          "S. Vasudevan, J. Kurose, D. Towsley, Design and analysis of a leader election algorithm "
          "for mobile ad hoc networks, ICNP 2004",
      .idea =
          "A node that misses the leader's heartbeats floods an election, which builds a tree. "
          "Every node acks to its parent with the best node of its subtree; the source announces "
          "the best of all. Meanwhile no leader is named. Higher computations stop lower ones; "
          "components that merge keep the better leader.",
      .messages =
          "3(2m - n + 1) for one computation over m links, at most k times that for k at once; "
          "2m - n + 1 per heartbeat",
      .time =
          "3d + 2 delays for a tree of depth d; heartbeat x missed until a dead leader is missed",
      .guarantee =
          "without loss, some time after the last change, all nodes of a component name the same "
          "one of them; with loss an election may never end",
      .differs =
          "the driver notifies nodes of link changes, probes only introduce new neighbours; nodes "
          "do not join old computations; the index is flooded with the leader",
      .model = {.tolerates_changes = true,
                .tolerates_crashes = true,
                .tolerates_loss = true,
                .tolerates_reordering = true,
                .tolerates_duplicates = true},
      .criterion = core::Criterion::highest_id};
  static constexpr core::Criterion criterion(const Options& options) {
    if (options.value == ValueSource::degree) return core::Criterion::degree;
    // Only the nodes know their own values.
    return options.value == ValueSource::own ? core::Criterion::majority
                                             : core::Criterion::highest_id;
  }

  Vasudevan() = default;
  Vasudevan(core::NodeId id, Options options) : id_(id), options_(options) {}

  void start(Step& step);
  void link_up(Step& step, core::Port port);
  void link_down(Step& step, core::Port port);
  void receive(Step& step, core::Port port, const Message& message);
  void timeout(Step& step, Timer timer);

  std::optional<core::NodeId> leader() const {
    return leader_ ? std::optional(leader_->id) : std::nullopt;
  }
  bool electing() const { return electing_; }
  bool asleep() const { return !electing_ && !leader_; }
  const Index& index() const { return index_; }
  const Options& options() const { return options_; }
  /// What `value = own` compares, from the next election on.
  void set_value(std::uint64_t value) { own_ = value; }

  static core::Monitors<Vasudevan> monitors();

  /// Every unbounded counter, here and in a message, by what it is compared with.
  template <class Visit>
  void for_each_stamp(Visit&& visit) {
    visit(indices, index_.num);
    visit(leader_ ? core::raw(leader_->id) : indices - 1, beat_);
    visit(core::raw(id_), beats_);
  }
  template <class Visit>
  static void for_each_stamp(Message& message, Visit&& visit) {
    if (auto* election = std::get_if<Election>(&message)) visit(indices, election->index.num);
    if (auto* ack = std::get_if<Ack>(&message)) visit(indices, ack->index.num);
    if (auto* news = std::get_if<Leader>(&message)) {
      visit(indices, news->index.num);
      visit(core::raw(news->leader.id), news->beat);
    }
    if (auto* beat = std::get_if<Heartbeat>(&message)) visit(core::raw(beat->leader), beat->beat);
  }

  friend bool operator==(const Vasudevan&, const Vasudevan&) = default;

 private:
  static constexpr std::uint64_t indices = ~std::uint64_t{0};  // no node has this id
  void begin(Step& step);
  void join(Step& step, const Index& index, std::optional<core::Port> parent);
  void report(Step& step);
  void finish(Step& step, const Candidate& winner, std::uint64_t beat);
  void stand_alone(Step& step);
  void merge(Step& step, core::Port from, const Leader& news);
  void follow(Step& step, const Candidate& leader, std::uint64_t beat);
  void answer_lower(Step& step, core::Port port, const Index& theirs);
  void take(Step& step, core::Port port, const Election& m);
  void take(Step& step, core::Port port, const Ack& m);
  void take(Step& step, core::Port port, const Leader& m);
  void take(Step& step, core::Port port, const Probe&);
  void take(Step& step, core::Port port, const Heartbeat& m);
  Candidate self(const Step& step) const;
  Leader news() const { return {*leader_, index_, leads() ? beats_ : beat_}; }
  bool leads() const { return leader_ && leader_->id == id_; }

  core::NodeId id_{};
  bool electing_ = false;
  bool acked_ = false;
  Index index_;  // the highest computation that I have been in or received with a leader
  std::optional<core::Port> parent_;
  std::set<core::Port> waiting_;
  Candidate best_;  // of my subtree so far
  std::optional<Candidate> leader_;
  std::uint64_t beat_ = 0;   // the last one of my leader
  std::uint64_t beats_ = 0;  // my own
  std::uint64_t own_ = 0;
  Options options_;

 public:
  static constexpr auto fields = std::tuple{
      core::field("id", &Vasudevan::id_),         core::field("electing", &Vasudevan::electing_),
      core::field("acked", &Vasudevan::acked_),   core::field("index", &Vasudevan::index_),
      core::field("parent", &Vasudevan::parent_), core::field("waiting", &Vasudevan::waiting_),
      core::field("best", &Vasudevan::best_),     core::field("leader", &Vasudevan::leader_),
      core::field("beat", &Vasudevan::beat_),     core::field("beats", &Vasudevan::beats_),
      core::field("own", &Vasudevan::own_)};
};

}  // namespace bellwether::algorithms
