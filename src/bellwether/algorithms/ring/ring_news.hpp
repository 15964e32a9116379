// SPDX-License-Identifier: MIT
// How the announcement of the leader travels round a one-way ring.
#pragma once

#include "bellwether/algorithms/ring/ring.hpp"

namespace bellwether::algorithms {

/// Clockwise, once round: the leader does not forward its own announcement.
template <class Step, std::uint8_t Tag>
void pass_news(Step& step, const LeaderNews<Tag>& news, core::NodeId self,
               std::optional<core::NodeId>& leader) {
  if (news.id == self) return;
  leader = news.id;
  step.send(clockwise(step), news);
}

}  // namespace bellwether::algorithms
