// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/ring/lelann.hpp"

#include "bellwether/algorithms/ring/ring_news.hpp"

namespace bellwether::algorithms {

static_assert(core::Protocol<LeLann> && core::Described<LeLann>);
static_assert(std::is_trivially_copyable_v<LeLann::Message>);

void LeLann::start(Step& step) {
  // A token has passed before: it may return to its owner before ours gets there.
  if (state_ != State::sleep) return;
  state_ = State::cand;
  initiator_ = true;
  if (step.ports().empty()) return decide(step);  // a ring of one
  step.send(clockwise(step), Token{id_});
}

void LeLann::receive(Step& step, core::Port, const Message& message) {
  if (const auto* token = std::get_if<Token>(&message)) return take(step, *token);
  pass_news(step, std::get<Leader>(message), id_, leader_);
}

void LeLann::take(Step& step, const Token& token) {
  if (token.id == id_) {
    if (state_ == State::cand) decide(step);
    return;
  }
  if (state_ == State::sleep) state_ = State::lost;
  if (better(extremum_, token.id, best_)) best_ = token.id;
  step.send(clockwise(step), token);
}

void LeLann::decide(Step& step) {
  leader_ = best_;
  state_ = best_ == id_ ? State::leader : State::lost;
  if (state_ == State::leader && announce_ && !step.ports().empty())
    step.send(clockwise(step), Leader{id_});
}

core::Monitors<LeLann> LeLann::monitors() {
  return extremum_monitors<LeLann>();
}

}  // namespace bellwether::algorithms
