// SPDX-License-Identifier: MIT
// Gallager, Humblet and Spira's minimum spanning tree, whose last core elects.
//
//   Paper      R. G. Gallager, P. A. Humblet, P. M. Spira, "A distributed algorithm for
//              minimum-weight spanning trees", ACM TOPLAS 5(1), 1983.
//   Model      Asynchronous, any connected network with two-way links, channels reliable and FIFO,
//              distinct ids, every node knows the weights of its links, which are distinct. Nodes
//              sleep until they start or are woken by a message. Nothing fails.
//   Bounds     5 n log2 n + 2e messages for n nodes and e links, at most one weight and a level
//              each; n - 1 more for the announcement. Levels go up to log2 n. Time 5 n log2 n when
//              all start at once, and n - 1 more.
//   Guarantee  All nodes know which of their links are in the minimum spanning tree. The two ends
//              of the last core link learn that it is complete; the one with the larger id leads,
//              and every node names it.
//
// Names are the paper's: LN `level`, FN `fragment`, SN `state`, SE `edges`; Connect, Initiate,
// Test, Accept, Reject, Report, Change-root; find-count, in-branch, best-edge, best-wt (`best`),
// test-edge. Its queue of deferred messages is `pending`. An infinite weight is none.
//
// Where we differ
//   - Weights are not given but follow from the ids of a link's ends, which neighbours know of
//     each other: the pair (smaller id, larger id), in lexicographic order, or in that of a hash
//     of it. So the weight of a link names the link, and an option chooses the tree.
//   - The paper stops at the two core nodes; here the larger one announces the result over the
//     tree.
//   - Messages that cannot occur in a run of the paper's algorithm are dropped: an Initiate that
//     does not raise the level, an Accept or Reject of a link that is not under test, a Report
//     beyond those awaited. A Change-root is obeyed once for each Initiate.
//   - A node alone leads at once.
#pragma once

#include <bit>

#include "bellwether/algorithms/any/any_network.hpp"
#include "bellwether/core/facts.hpp"
#include "bellwether/core/property.hpp"

namespace bellwether::algorithms {

class Ghs {
 public:
  static constexpr std::string_view name = "ghs";

  enum class Weights : std::uint8_t { ids, hashed };
  friend constexpr auto names_of(Weights) {
    return std::array<std::string_view, 2>{"ids", "hashed"};
  }

  struct Options {
    Weights weights = Weights::ids;
    static constexpr auto fields =
        std::tuple{core::field("weights", &Options::weights,
                               "Order of the links: by the pair of their ends' ids, smaller id "
                               "first (ids), or by a hash of that pair (hashed).")};
    friend bool operator==(const Options&, const Options&) = default;
  };

  /// The weight of a link: the ids of its ends.
  struct Weight {
    core::NodeId low{};
    core::NodeId high{};
    static constexpr auto fields =
        std::tuple{core::field("low", &Weight::low), core::field("high", &Weight::high)};
    friend auto operator<=>(const Weight&, const Weight&) = default;
  };
  static constexpr Weight weight_of(core::NodeId a, core::NodeId b) {
    return a < b ? Weight{a, b} : Weight{b, a};
  }
  static bool lighter(Weights weights, const Weight& a, const Weight& b);

  enum class State : std::uint8_t { sleeping, find, found };
  friend constexpr auto names_of(State) {
    return std::array<std::string_view, 3>{"sleeping", "find", "found"};
  }

  struct Connect {  // let us be one fragment
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "connect";
    std::uint32_t level = 0;
    static constexpr auto fields = std::tuple{core::field("level", &Connect::level)};
    friend bool operator==(const Connect&, const Connect&) = default;
  };
  struct Initiate {  // this is your fragment now; if find: look for its lightest way out
    static constexpr std::uint8_t tag = 2;
    static constexpr std::string_view name = "initiate";
    std::uint32_t level = 0;
    Weight fragment;
    bool find = true;  // the paper's Find, else Found
    static constexpr auto fields = std::tuple{core::field("level", &Initiate::level),
                                              core::field("fragment", &Initiate::fragment),
                                              core::field("find", &Initiate::find)};
    friend bool operator==(const Initiate&, const Initiate&) = default;
  };
  struct Test {  // are you in another fragment?
    static constexpr std::uint8_t tag = 3;
    static constexpr std::string_view name = "test";
    std::uint32_t level = 0;
    Weight fragment;
    static constexpr auto fields =
        std::tuple{core::field("level", &Test::level), core::field("fragment", &Test::fragment)};
    friend bool operator==(const Test&, const Test&) = default;
  };
  struct Accept {
    static constexpr std::uint8_t tag = 4;
    static constexpr std::string_view name = "accept";
    static constexpr std::tuple<> fields{};
    friend bool operator==(const Accept&, const Accept&) = default;
  };
  struct Reject {
    static constexpr std::uint8_t tag = 5;
    static constexpr std::string_view name = "reject";
    static constexpr std::tuple<> fields{};
    friend bool operator==(const Reject&, const Reject&) = default;
  };
  struct Report {  // the lightest way out of my subtree; none: there is none
    static constexpr std::uint8_t tag = 6;
    static constexpr std::string_view name = "report";
    std::optional<Weight> best;
    static constexpr auto fields = std::tuple{core::field("best", &Report::best)};
    friend bool operator==(const Report&, const Report&) = default;
  };
  struct ChangeRoot {  // the lightest way out is yours
    static constexpr std::uint8_t tag = 7;
    static constexpr std::string_view name = "change-root";
    static constexpr std::tuple<> fields{};
    friend bool operator==(const ChangeRoot&, const ChangeRoot&) = default;
  };
  using Leader = LeaderNews<8>;
  using Message = std::variant<Connect, Initiate, Test, Accept, Reject, Report, ChangeRoot, Leader>;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;

  static constexpr core::Facts facts{
      .title = "Gallager-Humblet-Spira: minimum spanning tree from fragments; its last core elects",
      .source =
          "R. G. Gallager, P. A. Humblet, P. M. Spira, A distributed algorithm for minimum-weight "
          "spanning trees, ACM TOPLAS 5(1), 1983",
      .idea =
          "Every node begins as a fragment of its own. A fragment looks for its lightest outgoing "
          "link and joins the fragment at the other end: two of the same level that choose the "
          "same link merge into one of the next level; one of a lower level is absorbed. When no "
          "link leads out, the two ends of the core link know that the tree is complete.",
      .messages = "5 n log2 n + 2e, and n - 1 for the announcement",
      .time = "5 n log2 n when all start at once, and n - 1 for the announcement",
      .guarantee =
          "all nodes know their links of the minimum spanning tree; the larger end of the last "
          "core link leads, and every node names it",
      .differs =
          "weights follow from the ids of the ends, directly or hashed; the larger core node "
          "announces; impossible messages are dropped",
      .model = {},
  };

  Ghs() = default;
  Ghs(core::NodeId id, Options options) : id_(id), weights_(options.weights) {}

  void start(Step& step);
  void link_up(Step&, core::Port) {}
  void link_down(Step&, core::Port) {}
  void receive(Step& step, core::Port port, const Message& message);
  void timeout(Step&, Timer) {}

  std::optional<core::NodeId> leader() const { return leader_; }
  State state() const { return state_; }
  std::uint32_t level() const { return level_; }
  const Weight& fragment() const { return fragment_; }
  /// The ports of the tree's links, as far as it has grown; ascending.
  std::vector<core::Port> branches() const;
  Weights weights() const { return weights_; }

  static core::Monitors<Ghs> monitors();
  /// Upper bound on the number of messages, whichever nodes start. No level is above the whole part
  /// of log2 n.
  static std::uint64_t message_bound(std::uint64_t n, std::uint64_t links, const Options&) {
    if (n < 2) return 0;
    const auto levels = static_cast<std::uint64_t>(std::bit_width(n)) - 1;
    return 5 * n * levels + 2 * links + (n - 1);
  }

  friend bool operator==(const Ghs&, const Ghs&) = default;

 private:
  enum class EdgeState : std::uint8_t { basic, branch, rejected };
  friend constexpr auto names_of(EdgeState) {
    return std::array<std::string_view, 3>{"basic", "branch", "rejected"};
  }
  struct IncidentEdge {
    core::Port port{};
    EdgeState state = EdgeState::basic;
    static constexpr auto fields = std::tuple{core::field("port", &IncidentEdge::port),
                                              core::field("state", &IncidentEdge::state)};
    friend bool operator==(const IncidentEdge&, const IncidentEdge&) = default;
  };

  // Each returns whether the message has been handled; otherwise it is deferred.
  bool respond(Step& step, core::Port port, const Message& message);
  bool take(Step& step, IncidentEdge& edge, const Connect& m);
  bool take(Step& step, IncidentEdge& edge, const Initiate& m);
  bool take(Step& step, IncidentEdge& edge, const Test& m);
  bool take(Step& step, IncidentEdge& edge, const Accept&);
  bool take(Step& step, IncidentEdge& edge, const Reject&);
  bool take(Step& step, IncidentEdge& edge, const Report& m);
  bool take(Step& step, IncidentEdge& edge, const ChangeRoot&);
  bool take(Step& step, IncidentEdge& edge, const Leader& m);

  void wake_up(Step& step);
  void test(Step& step);
  void report(Step& step);
  void change_root(Step& step);
  void lead(Step& step);
  void retry(Step& step);

  IncidentEdge* edge_of(core::Port port);
  IncidentEdge* lightest_basic(const Step& step);
  bool lighter(const std::optional<Weight>& a, const std::optional<Weight>& b) const;
  template <class M>
  void send(Step& step, core::Port port, M&& message) {
    if (is_up(step, port)) step.send(port, std::forward<M>(message));
  }
  template <class M>
  std::uint32_t send_down(Step& step, std::optional<core::Port> but, const M& message);

  core::NodeId id_{};
  State state_ = State::sleeping;
  std::uint32_t level_ = 0;
  Weight fragment_;
  std::vector<IncidentEdge> edges_;  // ascending by port; empty while asleep
  std::optional<core::Port> in_branch_;
  std::optional<core::Port> best_edge_;
  std::optional<Weight> best_;
  std::optional<core::Port> test_edge_;
  std::uint32_t find_count_ = 0;
  std::vector<std::pair<core::Port, Message>> pending_;
  std::optional<core::NodeId> leader_;
  Weights weights_ = Weights::ids;

 public:
  static constexpr auto fields = std::tuple{core::field("id", &Ghs::id_),
                                            core::field("state", &Ghs::state_),
                                            core::field("level", &Ghs::level_),
                                            core::field("fragment", &Ghs::fragment_),
                                            core::field("edges", &Ghs::edges_),
                                            core::field("in-branch", &Ghs::in_branch_),
                                            core::field("best-edge", &Ghs::best_edge_),
                                            core::field("best-wt", &Ghs::best_),
                                            core::field("test-edge", &Ghs::test_edge_),
                                            core::field("find-count", &Ghs::find_count_),
                                            core::field("pending", &Ghs::pending_),
                                            core::field("leader", &Ghs::leader_)};
};

}  // namespace bellwether::algorithms
