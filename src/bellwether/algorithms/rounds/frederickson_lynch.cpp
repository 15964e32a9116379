// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/rounds/frederickson_lynch.hpp"

#include <algorithm>

namespace bellwether::algorithms {

static_assert(core::RoundProtocol<FredericksonLynch> && core::Described<FredericksonLynch>);
static_assert(std::is_trivially_copyable_v<FredericksonLynch::Message>);

namespace {

/// Rounds that a token of the second phase waits at a node, so that a step takes 2^id.
std::uint64_t wait_of(core::NodeId id) {
  return (std::uint64_t{1} << std::min<std::uint64_t>(core::raw(id), 63)) - 1;
}

}  // namespace

void FredericksonLynch::round(Step& step, core::Inbox<Message> inbox) {
  Out out;
  if (state_ == State::asleep) {
    state_ = inbox.empty() ? State::active : State::relay;
    if (state_ == State::active) out = begin(step.ports().empty());
  }
  for (const auto& received : inbox) {
    if (const auto* token = std::get_if<Token>(&received.message))
      take(*token, out);
    else
      hear(std::get<Leader>(received.message), out);
  }
  if (!out) move_on(out);
  if (out && !step.ports().empty()) step.send(clockwise(step), std::move(*out));
}

FredericksonLynch::Out FredericksonLynch::begin(bool alone) {
  smallest_ = id_;
  if (alone) return lead();
  if (options_.first_phase) return Token{id_, true};
  waits_ = wait_of(id_);
  return std::nullopt;
}

void FredericksonLynch::take(const Token& token, Out& out) {
  if (leader_) return;
  if (!smallest_ || token.id < *smallest_) {
    smallest_ = token.id;
    waits_.reset();  // the token that waited here is dropped
    if (state_ == State::relay && token.first)
      out = token;
    else
      waits_ = wait_of(token.id);
  } else if (state_ == State::active && token.id == id_ && *smallest_ == id_) {
    out = lead();
  }
}

void FredericksonLynch::hear(const Leader& news, Out& out) {
  if (leader_) return;  // it has travelled the whole ring
  leader_ = news.id;
  waits_.reset();
  out = news;
}

FredericksonLynch::Out FredericksonLynch::lead() {
  leader_ = id_;
  waits_.reset();
  return options_.announce ? Out(Leader{id_}) : std::nullopt;
}

void FredericksonLynch::move_on(Out& out) {
  if (!waits_) return;
  if ((*waits_)-- > 0) return;
  waits_.reset();
  out = Token{*smallest_, false};
}

}  // namespace bellwether::algorithms
