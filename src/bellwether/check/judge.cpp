// SPDX-License-Identifier: MIT
#include "bellwether/check/judge.hpp"

#include <algorithm>
#include <numeric>

#include "bellwether/check/machine.hpp"

namespace bellwether::check {
namespace {

std::string listed(const std::vector<NodeId>& ids) {
  std::string out;
  for (const NodeId id : ids)
    out +=
        (out.empty() ? "" : ", ") + (core::raw(id) == 0 ? "none" : std::to_string(core::raw(id)));
  return out;
}

bool is_up(const Plan& plan, const Machine& machine, const Number* slots, Number link) {
  const Wire& wire = plan.links[link];
  return plan.link(slots, link).wanted && machine.facts(slots[wire.a]).alive &&
         machine.facts(slots[wire.b]).alive;
}

}  // namespace

std::optional<Breach> Judge::at_rest(const Machine& machine, const Number* slots) const {
  if (spec_.most_messages && slots[plan_.sent_slot()] > *spec_.most_messages)
    return Breach{"message-bound",
                  std::to_string(slots[plan_.sent_slot()]) + " messages were sent, " +
                      std::to_string(*spec_.most_messages) + " at most are claimed"};
  if (!spec_.agreement && !spec_.best) return std::nullopt;
  const NodeIndex n = plan_.nodes();
  std::array<NodeIndex, 32> part{};
  std::iota(part.begin(), part.end(), NodeIndex{0});
  for (bool again = true; again;) {
    again = false;
    for (Number l = 0; l < plan_.links.size(); ++l) {
      if (!is_up(plan_, machine, slots, l)) continue;
      NodeIndex& a = part[plan_.links[l].a];
      NodeIndex& b = part[plan_.links[l].b];
      if (a == b) continue;
      a = b = std::min(a, b);
      again = true;
    }
  }
  for (NodeIndex root = 0; root < n; ++root) {
    ComponentLeaders mine;
    for (NodeIndex u = 0; u < n; ++u) {
      const LocalFacts& local = machine.facts(slots[u]);
      if (part[u] != root || !local.alive) continue;
      mine.nodes.push_back(u);
      mine.leaders.push_back(local.leader.value_or(NodeId{0}));
    }
    if (mine.nodes.empty()) continue;
    if (auto breach = disagreement(mine)) return breach;
    if (!spec_.best) continue;
    const NodeId best = best_of(machine, slots, mine);
    if (core::raw(best) != 0 && mine.leaders.front() != best)
      return Breach{"best-leader", "all name " + listed({mine.leaders.front()}) +
                                       ", but should name " + listed({best})};
  }
  return std::nullopt;
}

std::optional<Breach> Judge::disagreement(const ComponentLeaders& part) const {
  std::vector<NodeId> ids;
  for (const NodeIndex u : part.nodes) ids.push_back(plan_.spec.ids[u]);
  const NodeId first = part.leaders.front();
  const bool same = std::all_of(part.leaders.begin(), part.leaders.end(),
                                [&](NodeId each) { return each == first; });
  const bool inside = std::find(ids.begin(), ids.end(), first) != ids.end();
  if (same && inside) return std::nullopt;
  const std::string who = ids.size() == 1 ? "node " + listed(ids) + ", alone, names "
                                          : "the connected nodes " + listed(ids) + " name ";
  if (!same) return Breach{"agreement", who + listed(part.leaders) + " as their leaders"};
  return Breach{"agreement",
                who + listed({first}) +
                    (ids.size() == 1 ? ", which it cannot reach" : ", which is not among them")};
}

/// By brute force: these networks are small. 0 where the criterion names no node.
NodeId Judge::best_of(const Machine& machine, const Number* slots,
                      const ComponentLeaders& part) const {
  std::vector<std::pair<std::int64_t, NodeId>> worth;
  for (const NodeIndex u : part.nodes) {
    std::vector<std::int64_t> far(plan_.nodes(), -1);
    std::vector<NodeIndex> queue{u};
    far[u] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (const PortWiring& s : plan_.sockets[queue[i]])
        if (far[s.peer] < 0 && is_up(plan_, machine, slots, s.link)) {
          far[s.peer] = far[queue[i]] + 1;
          queue.push_back(s.peer);
        }
    std::int64_t sum = 0;
    std::int64_t degree = 0;
    for (const std::int64_t d : far) {
      sum += std::max<std::int64_t>(d, 0);
      degree += d == 1 ? 1 : 0;
    }
    const NodeId id = plan_.spec.ids[u];
    switch (spec_.criterion) {
      case core::Criterion::closeness:
        worth.emplace_back(-sum, id);
        break;
      case core::Criterion::degree:
        worth.emplace_back(degree, id);
        break;
      case core::Criterion::highest_id:
        worth.emplace_back(0, id);
        break;
      default:
        return NodeId{0};
    }
  }
  return std::max_element(worth.begin(), worth.end())->second;
}

}  // namespace bellwether::check
