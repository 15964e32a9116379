// SPDX-License-Identifier: MIT
#include "bellwether/check/plan.hpp"

#include <algorithm>
#include <set>

#include "bellwether/core/problem.hpp"

namespace bellwether::check {
namespace {

constexpr unsigned most_ports = 30;  // at one node

graph::Edge ordered(graph::Edge e) {
  return e.a < e.b ? e : graph::Edge{e.b, e.a};
}

}  // namespace

Plan::Plan(const Spec& s, bool hears_strangers) : spec(s), strangers(hears_strangers) {
  sockets.resize(spec.nodes);
  // A link keeps its first mention's direction: on a ring the first port leads clockwise.
  std::set<std::pair<NodeIndex, NodeIndex>> seen;
  const auto once = [&](graph::Edge e) {
    const graph::Edge key = spec.one_way ? e : ordered(e);
    if (seen.emplace(key.a, key.b).second) add_link(e);
  };
  std::vector<graph::Edge> all;
  for (const auto& graph : spec.graphs) all.insert(all.end(), graph.begin(), graph.end());
  // As in the simulator: first the links that a node begins, then those that it ends.
  for (const graph::Edge& e : all) once(e);
  for (const ScriptStep& step : spec.script)
    if (step.kind == ScriptStep::Kind::flip) once({step.a, step.b});
  if (spec.changes > 0)
    for (NodeIndex a = 0; a < spec.nodes; ++a)
      for (NodeIndex b = a + 1; b < spec.nodes; ++b) once({a, b});
  for (NodeIndex u = 0; u < spec.nodes; ++u)
    if (sockets[u].size() > most_ports)
      throw core::Problem("a node has more than " + std::to_string(most_ports) +
                          " links; use a smaller network");
  if (spec.changes > 63 || spec.crashes > 15 || spec.restarts > 15 || spec.losses > 31 ||
      spec.duplicates > 31 || spec.script.size() > 255)
    throw core::Problem(
        "at most 63 changes, 15 crashes, 15 restarts, 31 losses, 31 duplicates and a script of 255 "
        "steps can be searched; ask for fewer");
  budget_slot_ = spec.nodes + channels.size() + (links.size() + 3) / 4;
  slots_ = budget_slot_ + 1;
}

void Plan::add_link(graph::Edge ends) {
  Wire wire{ends.a, ends.b, 0, 0, 0, none};
  const auto link = static_cast<Number>(links.size());
  // A node's ports: the links that it begins stand before those that it ends. Both are few.
  const auto insert = [&](NodeIndex u, NodeIndex peer, bool first) {
    sockets[u].push_back({link, none, none, peer, first});
  };
  insert(ends.a, ends.b, true);
  insert(ends.b, ends.a, false);
  links.push_back(wire);
  // Numbers of ports and channels follow from the order: laid out anew, since it may have changed.
  for (auto& node : sockets)
    std::stable_sort(node.begin(), node.end(),
                     [](const PortWiring& x, const PortWiring& y) { return x.first > y.first; });
  channels.clear();
  for (Number l = 0; l < links.size(); ++l) {
    Wire& w = links[l];
    const auto port_of = [&](NodeIndex u) {
      const auto& row = sockets[u];
      const auto at =
          std::find_if(row.begin(), row.end(), [&](const auto& s) { return s.link == l; });
      return static_cast<std::uint8_t>(at - row.begin());
    };
    w.port_a = port_of(w.a);
    w.port_b = port_of(w.b);
    w.ab = static_cast<Number>(channels.size());
    channels.push_back({w.a, w.b, w.port_a, w.port_b, l});
    sockets[w.a][w.port_a].out = sockets[w.b][w.port_b].in = w.ab;
    if (spec.one_way) continue;
    w.ba = static_cast<Number>(channels.size());
    channels.push_back({w.b, w.a, w.port_b, w.port_a, l});
    sockets[w.b][w.port_b].out = sockets[w.a][w.port_a].in = w.ba;
  }
}

Number Plan::link_between(NodeIndex a, NodeIndex b) const {
  for (Number l = 0; l < links.size(); ++l)
    if ((links[l].a == a && links[l].b == b) ||
        (!spec.one_way && links[l].a == b && links[l].b == a))
      return l;
  return none;
}

void Plan::keep_sent() {
  if (sent_slot_ == 0) sent_slot_ = slots_++;
}

void Plan::keep_memory() {
  if (memory_slot_ == 0) memory_slot_ = slots_++;
}

std::size_t encode_state(std::span<const Number> slots, std::uint8_t* out) {
  std::uint8_t* at = out;
  for (Number v : slots) {
    while (v >= 0x80) {
      *at++ = static_cast<std::uint8_t>(v | 0x80);
      v >>= 7;
    }
    *at++ = static_cast<std::uint8_t>(v);
  }
  return static_cast<std::size_t>(at - out);
}

void decode_state(std::span<const std::uint8_t> key, std::span<Number> slots) {
  const std::uint8_t* at = key.data();
  for (Number& v : slots) {
    v = *at & 0x7F;
    for (unsigned shift = 7; (*at++ & 0x80) != 0; shift += 7)
      v |= static_cast<Number>(*at & 0x7F) << shift;
  }
}

}  // namespace bellwether::check
