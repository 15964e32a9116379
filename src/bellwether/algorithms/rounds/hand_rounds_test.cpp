// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/rounds/hand_rounds_test.hpp"

#include <algorithm>
#include <stdexcept>

namespace bellwether::algorithms {

Arcs ring_arcs(std::uint32_t n) {
  Arcs arcs;
  for (std::uint32_t i = 0; n > 1 && i < n; ++i) arcs.emplace_back(i, (i + 1) % n);
  return arcs;
}

Arcs line_arcs(std::uint32_t n) {
  Arcs arcs;
  for (std::uint32_t i = 0; i + 1 < n; ++i) arcs.emplace_back(i, i + 1);
  return arcs;
}

Arcs star_arcs(std::uint32_t n) {
  Arcs arcs;
  for (std::uint32_t i = 1; i < n; ++i) arcs.emplace_back(0, i);
  return arcs;
}

Arcs complete_arcs(std::uint32_t n) {
  Arcs arcs;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < i; ++j) arcs.emplace_back(j, i);
  return arcs;
}

Arcs both_ways(Arcs arcs) {
  const std::size_t n = arcs.size();
  for (std::size_t i = 0; i < n; ++i) arcs.emplace_back(arcs[i].second, arcs[i].first);
  return arcs;
}

RoundsRun::RoundsRun(std::unique_ptr<core::Nodes> nodes, const std::vector<core::NodeId>& ids,
                     const Arcs& arcs, std::uint64_t seed)
    : HandHost(std::move(nodes)), inboxes_(ids.size()), next_(ids.size()), prng_(seed) {
  for (const core::NodeId id : ids) add(id);
  std::map<std::pair<std::uint32_t, std::uint32_t>, core::Port> port;
  for (const auto& [from, to] : arcs) port[{from, to}] = open(from, {to, {}, true});
  for (const auto& [from, to] : arcs)
    if (!port.contains({to, from})) port[{to, from}] = open(to, {from, {}, true, false});
  for (const auto& [way, at] : port) end(way.first, at).far_port = port[{way.second, way.first}];
}

RoundsRun::~RoundsRun() = default;

bool RoundsRun::round() {
  const std::size_t before = sent_;
  bool halted = true;
  for (core::NodeIndex i = 0; i < size(); ++i) {
    if (inboxes_[i].empty() && sleeps(i)) {
      halted = false;
      continue;
    }
    std::vector<core::Incoming> inbox;
    for (const auto& [port, message] : inboxes_[i]) inbox.push_back({port, message.value()});
    const std::span<const core::Incoming> read(inbox);
    halted = step(i, core::Call::round(read)).halted && halted;
  }
  for (auto& inbox : next_)
    std::stable_sort(inbox.begin(), inbox.end(),
                     [](const auto& a, const auto& b) { return a.port < b.port; });
  inboxes_ = std::exchange(next_, std::vector<Mail>(size()));
  ++rounds_;
  return !halted || sent_ > before;
}

void RoundsRun::run(std::uint64_t most) {
  while (round())
    if (rounds_ > most) throw std::runtime_error("this run does not end");
}

void RoundsRun::on_send(core::NodeIndex i, core::Port port, const core::AnyMessage& message) {
  next_[end(i, port).far].push_back({end(i, port).far_port, message});
  ++sent_;
}

}  // namespace bellwether::algorithms
