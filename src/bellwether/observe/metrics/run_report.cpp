// SPDX-License-Identifier: MIT
#include "bellwether/observe/metrics/run_report.hpp"

#include <algorithm>
#include <map>

#include "bellwether/graph/components.hpp"

namespace bellwether::observe {
namespace {

/// What most of them say; ties: the smallest id.
std::optional<NodeId> majority(std::vector<NodeId> said) {
  std::sort(said.begin(), said.end());
  std::optional<NodeId> most;
  std::size_t votes = 0;
  for (std::size_t i = 0; i < said.size();) {
    const std::size_t first = i;
    while (i < said.size() && said[i] == said[first]) ++i;
    if (i - first <= votes) continue;
    votes = i - first;
    most = said[first];
  }
  return most;
}

}  // namespace

std::vector<ComponentLeader> component_leaders(const std::vector<NodeId>& ids,
                                               const std::vector<NodeResult>& verdicts,
                                               std::vector<graph::Edge> links) {
  std::erase_if(links,
                [&](const graph::Edge& e) { return !verdicts[e.a].alive || !verdicts[e.b].alive; });
  const auto parts = graph::components(static_cast<NodeIndex>(ids.size()), links);
  std::vector<ComponentLeader> rows(parts.count);
  // The leader is one of them, and only one; without ids they have to say so themselves.
  std::vector<NodeIndex> leading(parts.count, 0);
  const bool anonymous = ids.size() > 1 && ids[0] == ids[1];
  for (NodeIndex i = 0; i < ids.size(); ++i) {
    if (!verdicts[i].alive) continue;
    ComponentLeader& row = rows[parts.of[i]];
    if (row.size++ == 0) {
      row.leader = verdicts[i].leader;
      row.agreed = row.leader.has_value();
    }
    row.agreed = row.agreed && verdicts[i].leader == row.leader;
    if (anonymous ? verdicts[i].leads : ids[i] == row.leader) ++leading[parts.of[i]];
  }
  // Only where they differ is there anything to count.
  std::map<std::uint32_t, std::vector<NodeId>> disputes;
  for (NodeIndex i = 0; i < ids.size(); ++i)
    if (verdicts[i].alive && !rows[parts.of[i]].agreed && verdicts[i].leader)
      disputes[parts.of[i]].push_back(*verdicts[i].leader);
  for (auto& [part, said] : disputes) rows[part].leader = majority(std::move(said));
  for (std::uint32_t part = 0; part < parts.count; ++part)
    rows[part].agreed = rows[part].agreed && leading[part] == 1;
  std::erase_if(rows, [](const ComponentLeader& row) { return row.size == 0; });
  for (std::uint32_t i = 0; i < rows.size(); ++i) rows[i].component = i;
  return rows;
}

}  // namespace bellwether::observe
