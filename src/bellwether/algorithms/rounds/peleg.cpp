// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/rounds/peleg.hpp"

#include <algorithm>

namespace bellwether::algorithms {

static_assert(core::RoundProtocol<Peleg> && core::Described<Peleg>);
static_assert(std::is_trivially_copyable_v<Peleg::Message>);

void Peleg::round(Step& step, core::Inbox<Message> inbox) {
  if (halted()) return;
  std::optional<Best> best;  // of the largest x, the largest d
  for (const auto& received : inbox) {
    if (const auto* news = std::get_if<Leader>(&received.message))
      return decide(step, news->id, inbox);
    const Best& each = std::get<Best>(received.message);
    if (!best || std::pair(each.x, each.d) > std::pair(best->x, best->d)) best = each;
  }
  if (best) compare(*best);
  if (step.ports().empty() || (c_ == 2 && x_ == id_)) return decide(step, id_, inbox);
  step.broadcast(Best{x_, d_});
}

void Peleg::compare(Best best) {
  if (best.x > x_) {
    x_ = best.x;
    d_ = best.d + 1;
    c_ = 0;
  } else if (best.x < x_) {
    c_ = 1;  // only in the first round: then all around it have its x or a larger one
  } else if (best.d > d_) {
    d_ = best.d;
    c_ = 0;
  } else if (c_ < 2) {
    ++c_;
  }
}

void Peleg::decide(Step& step, core::NodeId leader, Inbox inbox) {
  leader_ = leader;
  for (const core::Port port : step.ports()) {
    const bool told = std::any_of(inbox.begin(), inbox.end(), [port](const auto& received) {
      return received.port == port && std::holds_alternative<Leader>(received.message);
    });
    if (!told) step.send(port, Leader{leader});
  }
}

}  // namespace bellwether::algorithms
