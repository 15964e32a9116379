// SPDX-License-Identifier: MIT
#include "bellwether/observe/metrics/agreement.hpp"

namespace bellwether::observe {

std::vector<ComponentLeader> leaders_in(const core::Configuration& all) {
  std::vector<core::NodeId> ids;
  std::vector<NodeResult> verdicts;
  std::vector<graph::Edge> links;
  for (core::NodeIndex u = 0; u < all.size(); ++u) {
    ids.push_back(all.id(u));
    verdicts.push_back({all.alive(u), all.leader(u), all.leads(u)});
    for (const core::ChannelState& channel : all.channels(u))
      if (channel.far_port) links.push_back({u, channel.to});
  }
  return component_leaders(ids, verdicts, std::move(links));
}

void Agreement::at_rest(const core::Configuration& all) {
  for (const ComponentLeader& part : leaders_in(all)) {
    if (part.agreed) continue;
    throw core::Violation(
        "a component of " + std::to_string(part.size) + " nodes does not agree on a leader" +
        (part.leader ? " (most say " + std::to_string(core::raw(*part.leader)) + ")" : ""));
  }
}

core::PropertyMonitors monitors_of(core::Nodes& nodes) {
  core::PropertyMonitors all = nodes.monitors();
  all.push_back(std::make_unique<Agreement>());
  return all;
}

}  // namespace bellwether::observe
