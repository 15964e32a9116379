// SPDX-License-Identifier: MIT
#include "bellwether/observe/metrics/crash_watch.hpp"

#include <algorithm>

namespace bellwether::observe {

void CrashWatch::crash(Time at, const LiveNetwork& network, std::span<const NodeIndex> crashed,
                       std::span<const NodeIndex> named_before) {
  std::vector<Open> fresh;
  for (const NodeIndex leader : crashed) {
    if (!network.has_part(leader)) continue;
    const std::uint32_t part = network.part(leader);
    const auto members = network.members(part);
    std::vector<NodeIndex> followers;
    std::size_t votes = 0;
    for (const NodeIndex u : members) {
      if (named_before[u] != leader) continue;
      ++votes;
      if (u != leader && network.is_alive(u)) followers.push_back(u);
    }
    if (2 * votes < members.size()) continue;
    std::erase_if(open_, [&](const Open& open) {
      return std::any_of(open.followers.begin(), open.followers.end(), [&](NodeIndex u) {
        return network.has_part(u) && network.part(u) == part;
      });
    });
    if (!followers.empty()) fresh.push_back({leader, std::move(followers), 0, 0});
  }
  for (Open& each : fresh) {
    each.election = elections_.size();
    elections_.push_back({at, {}, false});
    open_.push_back(std::move(each));
  }
}

CrashWatch::FailoverState CrashWatch::state(Open& open, const LiveNetwork& network) {
  if (network.is_alive(open.leader)) return FailoverState::overtaken;
  const auto content = [&](NodeIndex u) { return !network.is_alive(u) || network.unanimous(u); };
  if (!content(open.followers[open.waiting])) return FailoverState::open;
  bool any = false;
  for (std::size_t i = 0; i < open.followers.size(); ++i) {
    any = any || network.is_alive(open.followers[i]);
    if (content(open.followers[i])) continue;
    open.waiting = i;
    return FailoverState::open;
  }
  return any ? FailoverState::done : FailoverState::overtaken;
}

void CrashWatch::look(Time at, const LiveNetwork& network) {
  std::erase_if(open_, [&](Open& open) {
    const FailoverState now = state(open, network);
    if (now == FailoverState::done)
      elections_[open.election] = {elections_[open.election].crash,
                                   at - elections_[open.election].crash, true};
    return now != FailoverState::open;
  });
}

std::vector<Failover> CrashWatch::finish() {
  open_.clear();
  return std::move(elections_);
}

}  // namespace bellwether::observe
