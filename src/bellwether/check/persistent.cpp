// SPDX-License-Identifier: MIT
// Partial orders. Steps of different nodes commute: which comes first makes no difference. So in
// many states it is enough to follow the steps of one node, if nothing that the others do can
// bring that node a step which it does not have now. Such a set of steps is persistent (Godefroid):
//
//   - every quiescent state can still be reached: any run to it contains one of these steps, or is
//     independent of all of them and can be put off behind one;
//   - if the reduced graph has no cycle, the whole has none: an endless run from here either
//     contains a step of the set, which can be moved to its front, or none, and then one can be
//     put before it; so an endless run begins with a step that was followed, and so on.
//
// What others can bring a node is a message on a channel that is empty (or, where there is no
// order, on any). The nodes that can send are those that have a step, and those that these reach
// without passing the node. A fault can affect any node: while faults are left, no step is omitted.
// On wires an end that goes down takes with it what its node has sent: while a node has yet to be
// notified of a change there, no step is omitted either.
#include "bellwether/check/expand.hpp"

namespace bellwether::check {

bool Expander::faults_left(const Number* slots) const {
  const Budget left = Budget::unpack(slots[plan_.budget_slot()]);
  if (left.changes > 0 || left.crashes > 0 || left.losses > 0 || left.duplicates > 0 ||
      left.script < plan_.spec.script.size())
    return true;
  if (left.restarts == 0) return false;
  for (NodeIndex u = 0; u < plan_.nodes(); ++u)
    if (!facts(slots[u]).alive) return true;
  return false;
}

unsigned Expander::count_actions(const Number* slots, NodeIndex u) const {
  const LocalFacts& local = facts(slots[u]);
  if (!local.alive) return 0;
  unsigned count = local.started ? 0 : 1;
  for (std::size_t a = 0; a < local.alarms.size(); ++a) count += may_fire(local, a) ? 1 : 0;
  for (std::uint8_t p = 0; p < plan_.sockets[u].size(); ++p) {
    count += untold(slots, u, p) ? 1 : 0;
    const Number in = plan_.sockets[u][p].in;
    if (in == none) continue;
    const auto& row = contents_[slots[plan_.channel_slot(in)]];
    count += contents_.order() == ChannelOrder::fifo ? (row.empty() ? 0u : 1u)
                                                     : static_cast<unsigned>(row.size());
  }
  return count;
}

std::optional<NodeIndex> Expander::persistent(const Number* slots) {
  if (faults_left(slots)) return std::nullopt;
  const NodeIndex n = plan_.nodes();
  Number active = 0;  // bits of nodes
  std::array<unsigned, 32> actions{};
  if (n > actions.size()) return std::nullopt;
  for (NodeIndex u = 0; u < n; ++u) {
    for (std::uint8_t p = 0; !plan_.strangers && p < plan_.sockets[u].size(); ++p)
      if (facts(slots[u]).alive && untold(slots, u, p)) return std::nullopt;
    actions[u] = count_actions(slots, u);
    if (actions[u] > 0) active |= Number{1} << u;
  }
  std::optional<NodeIndex> best;
  for (NodeIndex u = 0; u < n; ++u) {
    if (actions[u] == 0 || (best && actions[u] >= actions[*best])) continue;
    // The nodes that may come to act without u.
    Number reach = active & ~(Number{1} << u);
    for (Number before = 0; before != reach;) {
      before = reach;
      for (NodeIndex v = 0; v < n; ++v) {
        if ((reach >> v & 1) == 0) continue;
        for (const PortWiring& socket : plan_.sockets[v])
          if (socket.peer != u && socket.out != none &&
              physical(slots, plan_.links[socket.link], plan_.link(slots, socket.link)))
            reach |= Number{1} << socket.peer;
      }
    }
    bool alone = true;
    for (const PortWiring& socket : plan_.sockets[u]) {
      if (socket.in == none || (reach >> socket.peer & 1) == 0) continue;
      const bool full =
          contents_.order() == ChannelOrder::fifo && slots[plan_.channel_slot(socket.in)] != 0;
      const LinkState link = plan_.link(slots, socket.link);
      if (!full && physical(slots, plan_.links[socket.link], link)) alone = false;
    }
    if (alone) best = u;
  }
  return best;
}

}  // namespace bellwether::check
