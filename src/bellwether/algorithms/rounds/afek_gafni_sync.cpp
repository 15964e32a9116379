// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/rounds/afek_gafni_sync.hpp"

namespace bellwether::algorithms {

static_assert(core::RoundProtocol<AfekGafniSync> && core::Described<AfekGafniSync>);
static_assert(std::is_trivially_copyable_v<AfekGafniSync::Message>);

void AfekGafniSync::round(Step& step, Inbox inbox) {
  if (halted()) return;
  for (const auto& received : inbox)
    if (const auto* news = std::get_if<Leader>(&received.message)) leader_ = news->id;
  if (halted()) return;
  if (level_ % 2 == 0)
    as_candidate(step, inbox);
  else
    as_ordinary(step, inbox);
  ++level_;
}

void AfekGafniSync::as_candidate(Step& step, Inbox inbox) {
  if (state_ != State::candidate) return;
  const auto acks = std::ranges::count_if(
      inbox, [](const auto& each) { return std::holds_alternative<Ack>(each.message); });
  if (acks < static_cast<std::ptrdiff_t>(asked_)) {
    state_ = State::lost;
    return;
  }
  const auto ports = step.ports();
  if (traversed_ >= ports.size()) {
    state_ = State::elected;
    leader_ = id_;
    step.broadcast(Leader{id_});
    return;
  }
  const auto left = static_cast<std::uint32_t>(ports.size()) - traversed_;
  asked_ = std::min(std::uint32_t{1} << std::min(level_ / 2, 31u), left);
  for (const core::Port port : ports.subspan(traversed_, asked_))
    step.send(port, Capture{level_, id_});
  traversed_ += asked_;
}

/// What candidates sent in the even round before.
void AfekGafniSync::as_ordinary(Step& step, Inbox inbox) {
  std::optional<core::Port> link;
  for (const auto& received : inbox) {
    const auto* capture = std::get_if<Capture>(&received.message);
    // An owner that is still a candidate is at our level. So is the candidate that asks: the ids
    // decide.
    if (!capture || capture->level + 1 != level_ || capture->id <= owner_id_) continue;
    owner_id_ = capture->id;
    link = received.port;
  }
  if (link) send_over(step, *link, Ack{});
}

}  // namespace bellwether::algorithms
