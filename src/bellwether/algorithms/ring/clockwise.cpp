// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/ring/clockwise.hpp"

#include "bellwether/algorithms/ring/ring_news.hpp"

namespace bellwether::algorithms {

static_assert(core::Protocol<Clockwise> && core::Described<Clockwise>);
static_assert(std::is_trivially_copyable_v<Clockwise::Message>);

void Clockwise::start(Step& step) {
  // As listed, a node is initialised whatever has reached it before.
  if (t_ && options_.woken == Woken::joins) return;
  initialise(step);
}

void Clockwise::initialise(Step& step) {
  initiator_ = true;
  t_ = id_;
  if (step.ports().empty()) return lead(step);  // a ring of one
  step.send(clockwise(step), M{id_});
}

void Clockwise::receive(Step& step, core::Port, const Message& message) {
  if (const auto* m = std::get_if<M>(&message)) return take(step, m->id);
  pass_news(step, std::get<Leader>(message), id_, leader_);
}

void Clockwise::take(Step& step, core::NodeId m) {
  if (!t_ && options_.woken == Woken::joins) initialise(step);
  if (!t_ || better(options_.extremum, m, *t_)) {
    t_ = m;
    if (decision_ == Decision::none) decision_ = Decision::follower;
    step.send(clockwise(step), M{m});
  }
  if (m == id_ && initiator_ && decision_ != Decision::leader) lead(step);
}

void Clockwise::lead(Step& step) {
  leader_ = id_;
  decision_ = Decision::leader;
  if (options_.announce && !step.ports().empty()) step.send(clockwise(step), Leader{id_});
}

core::Monitors<Clockwise> Clockwise::monitors() {
  return extremum_monitors<Clockwise>();
}

}  // namespace bellwether::algorithms
