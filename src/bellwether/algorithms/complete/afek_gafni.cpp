// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/complete/afek_gafni.hpp"

namespace bellwether::algorithms {

static_assert(core::Protocol<AfekGafni> && core::Described<AfekGafni>);
static_assert(std::is_trivially_copyable_v<AfekGafni::Message>);

void AfekGafni::start(Step& step) {
  if (state_ != State::asleep) return;  // owned by a candidate that counts on it
  state_ = State::candidate;
  strongest_ = {0, id_};
  own_one_more(step);  // its own node
}

void AfekGafni::receive(Step& step, core::Port port, const Message& message) {
  std::visit([&](const auto& chosen) { take(step, port, chosen); }, message);
}

// The candidate.

void AfekGafni::own_one_more(Step& step) {
  const std::size_t place = level_++;
  if (place < step.ports().size()) return step.send(step.ports()[place], Capture{{level_, id_}});
  state_ = State::elected;
  leader_ = id_;
  step.broadcast(Leader{id_});
}

void AfekGafni::take(Step& step, core::Port port, const Captured& captured) {
  if (state_ != State::candidate || captured.by != Strength{level_, id_}) return;
  if (stands_at(step, level_ - 1, port)) own_one_more(step);
}

void AfekGafni::take(Step& step, core::Port port, const Kill& kill) {
  if (dies_by(kill.by)) step.send(port, Killed{kill.by});
}

/// A candidate that was killed before still rejects weaker ones on behalf of the nodes it owned:
/// its killer is stronger than both.
bool AfekGafni::dies_by(const Strength& other) {
  if (state_ == State::elected || other < Strength{level_, id_}) return false;
  state_ = State::killed;
  return true;
}

// The ordinary process.

void AfekGafni::take(Step& step, core::Port port, const Capture& capture) {
  if (capture.by <= strongest_) return;  // its sender gets no answer
  strongest_ = capture.by;
  potential_owner_ = port;
  if (owner_)
    send_over(step, *owner_, Kill{capture.by});
  else if (dies_by(capture.by))
    change_owner(step);
}

void AfekGafni::take(Step& step, core::Port port, const Killed& killed) {
  // If a stronger one has come in the meantime, this one is too late.
  if (owner_ == port && killed.by == strongest_) change_owner(step);
}

void AfekGafni::change_owner(Step& step) {
  owner_ = potential_owner_;
  send_over(step, potential_owner_, Captured{strongest_});
}

void AfekGafni::take(Step&, core::Port, const Leader& leader) {
  if (state_ != State::elected) leader_ = leader.id;
}

}  // namespace bellwether::algorithms
