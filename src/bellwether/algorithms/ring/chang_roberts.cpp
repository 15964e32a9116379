// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/ring/chang_roberts.hpp"

#include "bellwether/algorithms/ring/ring_news.hpp"

namespace bellwether::algorithms {

static_assert(core::Protocol<ChangRoberts> && core::Described<ChangRoberts>);
static_assert(std::is_trivially_copyable_v<ChangRoberts::Message>);
// Two nodes to a cache line: rings of millions of nodes are bound by memory.
static_assert(sizeof(ChangRoberts) <= 32 && sizeof(ChangRoberts::Message) == 16);

void ChangRoberts::start(Step& step) {
  // A token has passed before, better or worse, and its owner relies on our not starting.
  if (state_ != State::sleep) return;
  state_ = State::cand;
  initiator_ = true;
  if (step.ports().empty()) return lead(step);  // a ring of one
  step.send(clockwise(step), Token{id_});
}

void ChangRoberts::receive(Step& step, core::Port, const Message& message) {
  if (const auto* token = std::get_if<Token>(&message)) return take(step, *token);
  pass_news(step, std::get<Leader>(message), id_, leader_);
}

void ChangRoberts::take(Step& step, const Token& token) {
  if (token.id == id_) {
    if (state_ == State::cand) lead(step);
    return;
  }
  // An initiator that has lost still drops worse tokens: what is worse than its id cannot win.
  if (initiator_ && !better(extremum_, token.id, id_)) return;
  state_ = State::lost;
  step.send(clockwise(step), token);
}

void ChangRoberts::lead(Step& step) {
  leader_ = id_;
  state_ = State::leader;
  if (announce_ && !step.ports().empty()) step.send(clockwise(step), Leader{id_});
}

core::Monitors<ChangRoberts> ChangRoberts::monitors() {
  return extremum_monitors<ChangRoberts>();
}

}  // namespace bellwether::algorithms
