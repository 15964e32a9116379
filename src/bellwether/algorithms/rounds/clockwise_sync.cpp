// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/rounds/clockwise_sync.hpp"

namespace bellwether::algorithms {

static_assert(core::RoundProtocol<ClockwiseSync> && core::Described<ClockwiseSync>);

void ClockwiseSync::round(Step& step, core::Inbox<Message> inbox) {
  std::optional<Message> out;
  if (!t_) out = first(step.ports().empty());
  // On a ring one message arrives per round; if there were more, the last answer would be sent.
  for (const auto& received : inbox)
    if (const auto next = answer(received.message)) out = next;
  if (out && !step.ports().empty()) step.send(clockwise(step), *out);
}

std::optional<ClockwiseSync::Message> ClockwiseSync::first(bool alone) {
  t_ = id_;
  if (alone) return lead();
  return M{id_};
}

std::optional<ClockwiseSync::Message> ClockwiseSync::answer(const Message& message) {
  if (const auto* news = std::get_if<Leader>(&message)) {
    if (news->id == id_) return std::nullopt;  // it has travelled the whole ring
    leader_ = news->id;
    return *news;
  }
  const core::NodeId m = std::get<M>(message).id;
  if (m == id_ && decision_ == Decision::none) return lead();
  if (!better(options_.extremum, m, *t_)) return std::nullopt;
  t_ = m;
  if (decision_ == Decision::none) decision_ = Decision::follower;
  return M{m};
}

std::optional<ClockwiseSync::Message> ClockwiseSync::lead() {
  leader_ = id_;
  decision_ = Decision::leader;
  if (!options_.announce) return std::nullopt;
  return Leader{id_};
}

}  // namespace bellwether::algorithms
