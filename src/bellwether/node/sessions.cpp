// SPDX-License-Identifier: MIT
#include "bellwether/node/sessions.hpp"

#include <algorithm>

namespace bellwether::node {

bool Sessions::seen(const PeerSession& known, std::uint64_t number) {
  if (number > known.highest) return false;
  const std::uint64_t behind = known.highest - number;
  return behind >= window_size || (known.window >> behind & 1) != 0;
}

void Sessions::take(PeerSession& known, std::uint64_t number) {
  if (number > known.highest) {
    const std::uint64_t ahead = number - known.highest;
    known.window = ahead >= window_size ? 0 : known.window << ahead;
    known.highest = number;
  }
  known.window |= std::uint64_t{1} << (known.highest - number);
}

bool Sessions::worth_opening(const FrameHeader& heading) const {
  if (raw(heading.sender) == 0) return false;
  const auto at = known_.find(heading.sender);
  return at == known_.end() || at->second.session != heading.session ||
         !seen(at->second, heading.number);
}

template <class Map, class Age>
void Sessions::make_room(Map& map, std::size_t most, Age&& age) {
  if (map.size() < most) return;
  map.erase(std::min_element(map.begin(), map.end(), [&](const auto& a, const auto& b) {
    return age(a.second) < age(b.second);
  }));
}

Freshness Sessions::judge(Time now, const FrameHeader& heading,
                          const std::vector<Challenge>& proofs) {
  const auto at = known_.find(heading.sender);
  if (at != known_.end() && at->second.session == heading.session) {
    if (seen(at->second, heading.number)) return Freshness::repeated;
    take(at->second, heading.number);
    at->second.heard = now;
    return Freshness::fresh;
  }
  // Numbers up to the last that was heard of it may be a recording's, and say nothing.
  if (at != known_.end() && at->second.before && at->second.before->session == heading.session &&
      now - at->second.heard < limits_.double_patience)
    return heading.number > at->second.before->highest ? Freshness::duplicate_id
                                                       : Freshness::repeated;
  const auto asked = asked_.find(heading.sender);
  const bool proved =
      asked != asked_.end() && std::find(proofs.begin(), proofs.end(),
                                         Challenge{self_, asked->second.number}) != proofs.end();
  if (!proved) {
    ask(now, heading.sender);
    return Freshness::unproven;
  }
  asked_.erase(asked);  // a number serves once
  std::erase(to_ask_, heading.sender);
  const bool restarted = at != known_.end();
  if (!restarted)
    make_room(known_, limits_.most_known, [](const PeerSession& k) { return k.heard; });
  // What this session sent before may be a recording's: all of it counts as heard.
  std::optional<Life> before;
  if (restarted) before = at->second;
  known_[heading.sender] = {{heading.session, heading.number}, ~std::uint64_t{0}, now, before};
  return restarted ? Freshness::restarted : Freshness::began;
}

void Sessions::ask(Time now, NodeId who) {
  auto at = asked_.find(who);
  if (at == asked_.end()) {
    make_room(asked_, limits_.most_asked, [](const Asked& a) { return a.last.value_or(Time{}); });
    at = asked_.emplace(who, Asked{draw_(), {}}).first;
  }
  if (at->second.last && now - *at->second.last < limits_.ask_again) return;
  at->second.last = now;
  if (std::find(to_ask_.begin(), to_ask_.end(), who) == to_ask_.end()) to_ask_.push_back(who);
}

std::vector<Challenge> Sessions::take_asks(Time) {
  constexpr std::size_t most = 64;  // in one frame; the others are asked by the next
  std::vector<Challenge> out;
  while (!to_ask_.empty() && out.size() < most) {
    const NodeId who = to_ask_.back();
    to_ask_.pop_back();
    if (const auto at = asked_.find(who); at != asked_.end())
      out.push_back({who, at->second.number});
  }
  return out;
}

}  // namespace bellwether::node
