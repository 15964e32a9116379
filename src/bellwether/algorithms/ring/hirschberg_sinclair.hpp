// SPDX-License-Identifier: MIT
// Hirschberg and Sinclair's election on a ring: which node is the best within one step, two, four,
// ...?
//
//   Paper      D. S. Hirschberg, J. B. Sinclair, "Decentralized extrema-finding in circular
//              configurations of processors", CACM 23(11), 1980.
//   Model      Asynchronous ring with two-way links, channels reliable, distinct ids. No sense of
//              direction: a node can only distinguish its two links. Channels need not be FIFO and
//              may duplicate. Nothing fails. No node knows the size of the ring.
//   Bounds     Published: 8n(1 + ceil(log2 n)) messages at worst. With K = ceil(log2 n), at most
//              c(k) = floor(n / (2^(k-1) + 1)) initiators begin phase k < K, being more than
//              2^(k-1) apart; they cost at most 2^(k+2) c(k), and at most 2n + 2^(k+1) c(k), which
//              is no more than 6n: of two neighbours the better stops the other's probe. Phase 0
//              costs at most 4n and phase K, of the winner alone, 2n. When all start, 6n + 2^(K+2)
//              - 8 at best. n more for the announcement. Time 2^(K+1) - 2 + n from the winner's
//              start to its decision.
//   Guarantee  Only the initiator with the best id learns that it leads; with the announcement,
//              every node learns which node leads.
//
// Names: Probe is the paper's ("from", value, num, maxnum), where `left` is maxnum - num; Reply is
// its ("ok", value) and ("no", value); `distance` is the maxnum of the next messages; active,
// passive and leader are candidate, lost and won.
//
// Where we differ
//   - A probe carries the steps that it has left, not the steps that it has made and may make.
//   - Only initiators compete: the others forward everything, and a node that has forwarded a probe
//     before its start does not initiate.
//   - The extremum is an option. With `announce` the winner sends <leader, p> once round the ring.
//   - In a ring of one node there is no other node to probe: the node leads at once.
#pragma once

#include "bellwether/algorithms/ring/two_way_ring.hpp"

namespace bellwether::algorithms {

class HirschbergSinclair : public TwoWayRingNode<LeaderNews<3>> {
 public:
  static constexpr std::string_view name = "hirschberg-sinclair";

  /// It returns to its owner only if its distance is at least the size of the ring; otherwise a
  /// reply does.
  struct Probe {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "probe";
    core::NodeId id{};
    std::uint64_t left = 0;  // steps, the last one included
    static constexpr auto fields =
        std::tuple{core::field("id", &Probe::id), core::field("left", &Probe::left)};
    friend bool operator==(const Probe&, const Probe&) = default;
  };
  struct Reply {
    static constexpr std::uint8_t tag = 2;
    static constexpr std::string_view name = "reply";
    core::NodeId id{};  // the owner of the probe that it answers
    bool ok = false;
    static constexpr auto fields =
        std::tuple{core::field("id", &Reply::id), core::field("ok", &Reply::ok)};
    friend bool operator==(const Reply&, const Reply&) = default;
  };
  using Message = std::variant<Probe, Reply, Leader>;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;

  static constexpr core::Facts facts{
      .title = "Hirschberg-Sinclair: probe both ways on a ring, twice as far in each phase",
      .source =
          "D. S. Hirschberg, J. B. Sinclair, Decentralized extrema-finding in circular "
          "configurations of processors, CACM 23(11), 1980",
      .idea =
          "In phase k an initiator probes 2^k steps in both directions. Initiators refuse the "
          "probes of worse ids; a probe that reaches its full distance is answered with ok. Two "
          "oks lead to the next phase; a probe that returns to its owner has met no better id.",
      .messages =
          "8n(1 + ceil(log2 n)) at worst as published, and no more than 6n a phase; when all "
          "start, "
          "6n + 2^(K+2) - 8 at best, with K = ceil(log2 n); n more for the announcement",
      .time =
          "2^(K+1) - 2 + n, less than 5n, from the winner's start until it has decided; n more "
          "for the announcement",
      .guarantee =
          "the initiator with the best id leads; with the announcement every node names it",
      .differs =
          "a probe counts down; extremum and announcement are options; a node that has forwarded a "
          "probe before its start does not initiate",
      .model = {.shape = core::Shape::ring,
                .tolerates_reordering = true,
                .tolerates_duplicates = true},
  };

  HirschbergSinclair() = default;
  HirschbergSinclair(core::NodeId id, Options options) : TwoWayRingNode(id, options) {}

  void start(Step& step);
  void link_up(Step&, core::Port) {}
  void link_down(Step&, core::Port) {}
  void receive(Step& step, core::Port port, const Message& message);
  void timeout(Step&, Timer) {}

  static core::Monitors<HirschbergSinclair> monitors();
  /// Upper bound on the number of messages, whichever nodes start: never more than the published
  /// 8n(1 + ceil(log2 n)).
  static std::uint64_t message_bound(std::uint64_t n, const Options& options);

  friend bool operator==(const HirschbergSinclair&, const HirschbergSinclair&) = default;

 private:
  void probe(Step& step);
  void take(Step& step, core::Port port, const Probe& probe);
  void take(Step& step, core::Port port, const Reply& reply);

  std::uint64_t distance_ = 1;  // of this phase's probes
  std::uint8_t oks_ = 0;        // to this phase's probes

 public:
  static constexpr auto fields =
      std::tuple{core::field("id", &HirschbergSinclair::id_),
                 core::field("standing", &HirschbergSinclair::ring_state_),
                 core::field("initiator", &HirschbergSinclair::initiator_),
                 core::field("distance", &HirschbergSinclair::distance_),
                 core::field("oks", &HirschbergSinclair::oks_),
                 core::field("leader", &HirschbergSinclair::leader_)};
};

}  // namespace bellwether::algorithms
