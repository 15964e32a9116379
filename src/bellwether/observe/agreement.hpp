// SPDX-License-Identifier: MIT
// The property of every election: at rest, the nodes of each component agree on one of them.
#pragma once

#include "bellwether/core/property.hpp"
#include "bellwether/observe/report.hpp"

namespace bellwether::observe {

inline constexpr std::string_view agreement_says =
    "at rest, all nodes of a connected component name one and the same of them as leader";

/// Who leads in each component of a configuration; a link counts when both ends are up.
template <class P>
std::vector<ComponentLeader> leaders_in(const core::Snapshot<P>& all) {
  std::vector<core::NodeId> ids;
  std::vector<Verdict> verdicts;
  std::vector<graph::Edge> links;
  for (core::NodeIndex u = 0; u < all.size(); ++u) {
    ids.push_back(all.id(u));
    verdicts.push_back({all.alive(u), all.node(u).leader(), core::leads(all.node(u), all.id(u))});
    for (const auto& channel : all.channels(u))
      if (channel.far_port) links.push_back({u, channel.to});
  }
  return component_leaders(ids, verdicts, std::move(links));
}

template <class P>
class Agreement final : public core::Monitor<P> {
 public:
  std::string_view name() const override { return "agreement"; }
  std::string_view says() const override { return agreement_says; }
  void at_rest(const core::Snapshot<P>& all) override {
    for (const ComponentLeader& part : leaders_in(all)) {
      if (part.agreed) continue;
      throw core::Violation(
          "a component of " + std::to_string(part.size) + " nodes does not agree on a leader" +
          (part.leader ? " (most say " + std::to_string(core::raw(*part.leader)) + ")" : ""));
    }
  }
};

/// The algorithm's own properties, then agreement.
template <class P>
core::Monitors<P> monitors_of() {
  core::Monitors<P> all;
  if constexpr (core::Monitored<P>) all = P::monitors();
  all.push_back(std::make_unique<Agreement<P>>());
  return all;
}

}  // namespace bellwether::observe
