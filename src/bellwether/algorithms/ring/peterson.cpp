// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/ring/peterson.hpp"

#include "bellwether/algorithms/ring/ring_news.hpp"

namespace bellwether::algorithms {

static_assert(core::Protocol<Peterson> && core::Described<Peterson>);
static_assert(std::is_trivially_copyable_v<Peterson::Message>);

void Peterson::start(Step& step) {
  // A relay has forwarded messages that others rely on: it does not join behind them.
  if (state_ != State::sleep) return;
  initiator_ = true;
  if (step.ports().empty()) return lead(step);  // a ring of one
  state_ = State::active;
  step.send(clockwise(step), Tid{tid_});
}

void Peterson::receive(Step& step, core::Port, const Message& message) {
  if (const auto* tid = std::get_if<Tid>(&message)) return take(step, tid->id);
  pass_news(step, std::get<Leader>(message), id_, leader_);
}

void Peterson::take(Step& step, core::NodeId ntid) {
  if (state_ == State::leader) return;
  outdone_ = outdone_ || better(extremum_, ntid, id_);
  if (ntid == id_ && initiator_ && !outdone_) return lead(step);
  if (state_ == State::sleep) state_ = State::relay;
  if (state_ == State::relay) return step.send(clockwise(step), Tid{ntid});

  const bool beaten = better(extremum_, ntid, tid_);
  const bool even = phase_ == Phase::even;
  if (beaten != even) {  // an odd phase keeps the holder of the better id, an even one its receiver
    state_ = State::relay;
    return;
  }
  if (even) tid_ = ntid;
  phase_ = even ? Phase::odd : Phase::even;
  step.send(clockwise(step), Tid{tid_});
}

void Peterson::lead(Step& step) {
  leader_ = id_;
  state_ = State::leader;
  if (announce_ && !step.ports().empty()) step.send(clockwise(step), Leader{id_});
}

core::Monitors<Peterson> Peterson::monitors() {
  return extremum_monitors<Peterson>();
}

}  // namespace bellwether::algorithms
