// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include "bellwether/graph/central_node.hpp"
#include "bellwether/graph/closeness/checks_test.hpp"
#include "parts.hpp"

namespace bellwether::deep {

namespace {

using graph::Central;
using graph::Edge;

Edge ordered(NodeIndex a, NodeIndex b) {
  return {std::min(a, b), std::max(a, b)};
}

/// A network that changes, as it is and as CentralNode follows it.
class Play {
 public:
  Play(const Network& network, NodeIndex rows_up_to, core::Prng& prng)
      : n_(network.nodes), prng_(prng), central_(n_, network.links, rows_up_to) {
    for (const auto& [a, b] : network.links)
      if (a != b) present_.insert(ordered(a, b));
  }

  /// Mostly some link or the lack of one; often at the leader.
  Edge draw() {
    const NodeIndex a = prng_.chance(0.2) ? leader_ : graph::drawn::any(n_, prng_);
    if (!present_.empty() && prng_.chance(0.5)) {
      // The next link from there on, round the end.
      const auto next = present_.lower_bound({a, graph::drawn::any(n_, prng_)});
      return next == present_.end() ? *present_.begin() : *next;
    }
    return {a, graph::drawn::any(n_, prng_)};
  }

  void toggle(const Edge& link) {
    const auto& [a, b] = link;
    if (present_.erase(ordered(a, b)) > 0) {
      central_.unlink(a, b);
      return;
    }
    central_.link(a, b);
    if (a != b) present_.insert(ordered(a, b));
  }

  std::string wrong() {
    const graph::Graph now(n_, std::vector<Edge>(present_.begin(), present_.end()));
    const Central found = central_.best();
    leader_ = found.node;
    return graph::checks::unlike("CentralNode", graph::Processor::portable, found,
                                 graph::most_central(now));
  }

 private:
  NodeIndex n_;
  core::Prng& prng_;
  graph::CentralNode central_;
  std::set<Edge> present_;
  NodeIndex leader_ = 0;
};

}  // namespace

Outcome events(const Family& family, std::uint64_t seed) {
  core::Prng prng = core::stream(seed, family.name);
  Outcome out;
  out.tried = 100;
  const NodeIndex nodes = seed % 20 == 0 ? 1000 : 1 + graph::drawn::any(300, prng);
  out.network = graph::drawn::dressed(family.draw(nodes, prng), prng);
  const NodeIndex rows = prng.chance(0.5) ? graph::ChangingGraph::most_rows : 0;
  Play play(out.network, rows, prng);
  // Most ask after each event, some after several.
  const std::uint64_t quiet = prng.chance(0.8) ? 1 : 1 + prng.below(6);
  out.bad = play.wrong();
  for (std::uint64_t i = 0; i < out.tried && out.bad.empty(); ++i) {
    const Edge link = play.draw();
    play.toggle(link);
    out.details += " " + std::to_string(link.a) + "-" + std::to_string(link.b);
    if (i + 1 == out.tried || prng.below(quiet) == 0) out.bad = play.wrong();
  }
  out.details = text(out.network) + "\nthen, to and fro:" + out.details;
  return out;
}

}  // namespace bellwether::deep
