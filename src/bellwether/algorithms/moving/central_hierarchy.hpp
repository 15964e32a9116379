// SPDX-License-Identifier: MIT
// A hierarchy of leaders in which each node knows its component: the most central node above all,
// and as few leaders below it as the remoteness allows.
//
//   Paper      Ours: the problem of Tbarka, "Hierarchical leader election algorithm with remoteness
//              constraint" (2019), solved on top of an election by centrality (cel_2.hpp).
//   Model      That of cel-2: links and nodes come and go, ends are notified separately, messages
//              may be lost, duplicated and reordered.
//   Bounds     Exactly the messages of cel-2. With R > 1 every node is within (R1 + 1) ... (Rk + 1)
//              - 1 hops of its leader of level k, with R = 1 within (3^k - 1) / 2; at most n / (R1
//              + 1) + 1 leaders of level 1, and in components of up to 64 nodes hardly ever more
//              than are necessary.
//   Guarantee  Once changes cease, all nodes of a component agree on one hierarchy, and stop
//              sending. A change may move leaders anywhere in the component.
//
// Every node computes the same placement (graph/placement.hpp) from the same map. While a link in
// the map is claimed by one end only, the map is about to change, and a node keeps its position.
#pragma once

#include "bellwether/algorithms/moving/cel_2.hpp"
#include "bellwether/algorithms/moving/remoteness.hpp"
#include "bellwether/algorithms/option_ranges.hpp"
#include "bellwether/core/hierarchical.hpp"

namespace bellwether::algorithms {

class CentralHierarchy {
 public:
  static constexpr std::string_view name = "central-hierarchy";

  struct Options {
    Remoteness remoteness;
    double rho = 1;
    core::Duration digest = std::chrono::seconds(1);
    static constexpr auto fields = std::tuple{
        core::field("remoteness", &Options::remoteness,
                    "Largest distance in hops from a node to its leader of level 1; or one number "
                    "for each level, the last of which applies to all higher levels."),
        core::option("rho", &Options::rho, probability, "As in cel-2."),
        core::option("digest", &Options::digest, digest_period, digest_about)};
    friend bool operator==(const Options&, const Options&) = default;
  };

  using Message = Cel2::Message;
  using Timer = Cel2::Timer;
  using Cache = Cel2::Cache;
  using Step = Cel2::Step;

  static constexpr core::Facts facts{
      .title =
          "Hierarchy below the most central node, with as few leaders as the remoteness allows",
      .source =
          "ours; the problem is that of Tbarka, Hierarchical leader election with remoteness "
          "constraint (2019)",
      .idea =
          "As in cel-2, every node keeps a map of its component, and its most central node leads. "
          "From the same map all nodes compute the same hierarchy: the fewest nodes they can find "
          "such that every node is near one of them, the fewest of these such that the others are "
          "near them, and so on up to the leader.",
      .messages = "those of cel-2",
      .time = "that of cel-2",
      .guarantee =
          "once changes cease, one hierarchy in every component, with its most central node above "
          "all; every node within (R + 1)^k - 1 hops of its leader of level k for R > 1; at most "
          "n / (R + 1) + 1 leaders of level 1; tested, not proved, as far as cel-2 is",
      .differs = "ours; no source describes it",
      .model = Cel2::facts.model,
      .criterion = core::Criterion::closeness,
  };

  CentralHierarchy() = default;
  CentralHierarchy(core::NodeId id, Options options);

  void start(Step& step);
  void link_up(Step& step, core::Port port);
  void link_down(Step& step, core::Port port);
  void receive(Step& step, core::Port port, const Message& message);
  void timeout(Step& step, Timer timer);

  std::optional<core::NodeId> leader() const { return election_.leader(); }

  // core::Hierarchical.
  const Ids& leaders() const { return leaders_; }
  std::uint32_t rank() const { return rank_; }
  Ids children(std::uint32_t level) const;
  std::optional<core::Port> next_hop(core::NodeId id) const;

  // Read by properties and tests.
  bool awake() const { return election_.awake(); }
  const Known& known() const { return election_.known(); }
  const Remoteness& remoteness() const { return remoteness_; }

  /// As in cel-2: what is added here follows from the map.
  static bool no_op_lasts(const Message& message, const Options& options, bool first) {
    return Cel2::no_op_lasts(message, heart(options), first);
  }

  static core::Monitors<CentralHierarchy> monitors();

  friend bool operator==(const CentralHierarchy&, const CentralHierarchy&) = default;

 private:
  struct NeighbourPort {
    core::NodeId id{};
    core::Port port{};
    static constexpr auto fields = std::tuple{core::field("id", &NeighbourPort::id),
                                              core::field("port", &NeighbourPort::port)};
    friend auto operator<=>(const NeighbourPort&, const NeighbourPort&) = default;
  };

  static Cel2::Options heart(const Options& options) { return {options.rho, 0, options.digest}; }
  /// Runs `act` on the election; then updates everything that follows from the map.
  template <class Act>
  void step_election(Step& step, std::optional<core::Port> lost, Act&& act);
  void place(KnowledgeCache& cache);

  core::NodeId id_{};
  Cel2 election_;
  Ids leaders_;  // L1, L2, ..., Lh
  std::uint32_t rank_ = 0;
  std::vector<NeighbourPort> neighbours_;  // ascending
  Remoteness remoteness_;

 public:
  static constexpr auto fields =
      std::tuple{core::field("election", &CentralHierarchy::election_),
                 core::field("leaders", &CentralHierarchy::leaders_),
                 core::field("rank", &CentralHierarchy::rank_),
                 core::field("neighbours", &CentralHierarchy::neighbours_)};
};

}  // namespace bellwether::algorithms
