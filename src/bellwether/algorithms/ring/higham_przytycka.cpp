// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/ring/higham_przytycka.hpp"

namespace bellwether::algorithms {

static_assert(core::Protocol<HighamPrzytycka> && core::Described<HighamPrzytycka>);
static_assert(std::is_trivially_copyable_v<HighamPrzytycka::Message>);

namespace {

constexpr bool odd(std::uint8_t round) {
  return round % 2 == 1;
}

/// The envelope at the beginning of a round, with the distance after which it is promoted anyway.
HighamPrzytycka::Envelope in_round(core::NodeId label, std::uint8_t round) {
  return {label, odd(round) ? fibonacci(round + 2u) : 0, round};
}

}  // namespace

void HighamPrzytycka::start(Step& step) {
  if (round_ != 0 || leader_) return;  // it has forwarded an envelope, and only relays
  initiator_ = true;
  if (step.ports().empty()) {  // a ring of one
    leader_ = id_;
    return;
  }
  pass(step, in_round(id_, 1));
}

void HighamPrzytycka::receive(Step& step, core::Port, const Message& message) {
  if (const auto* envelope = std::get_if<Envelope>(&message)) return take(step, *envelope);
  if (const auto* best = std::get_if<Best>(&message)) {
    return head_ ? tell(step, best->id) : collect(step, best->id);
  }
  if (!head_) tell(step, std::get<Leader>(message).id);
}

void HighamPrzytycka::take(Step& step, Envelope envelope) {
  const bool same_round = envelope.round == round_;
  if (same_round && envelope.label == label_) {  // all others have been dropped
    head_ = true;
    return collect(step, label_);
  }
  if (same_round && better(extremum_, envelope.label, label_) == odd(envelope.round)) return;
  if (promoted(envelope))
    envelope = in_round(envelope.label, static_cast<std::uint8_t>(envelope.round + 1));
  pass(step, envelope);
}

bool HighamPrzytycka::promoted(const Envelope& envelope) const {
  if (odd(envelope.round)) return envelope.counter == 0 || envelope.round == round_;
  return round_ + 1 == envelope.round && better(extremum_, envelope.label, label_);
}

void HighamPrzytycka::pass(Step& step, Envelope envelope) {
  if (envelope.counter > 0) --envelope.counter;
  label_ = envelope.label;
  round_ = envelope.round;
  step.send(clockwise(step), envelope);
}

void HighamPrzytycka::collect(Step& step, core::NodeId best) {
  step.send(clockwise(step), Best{initiator_ && better(extremum_, id_, best) ? id_ : best});
}

void HighamPrzytycka::tell(Step& step, core::NodeId winner) {
  if (announce_ || winner == id_) leader_ = winner;
  if (announce_ || winner != id_) step.send(clockwise(step), Leader{winner});
}

std::uint64_t HighamPrzytycka::envelope_bound(std::uint64_t n) {
  // Two envelopes in an odd round i are F(i) apart or more. Those that end the even round i save
  // F(i) links each, and travel at most F(i + 3) in the round after it.
  std::uint64_t sum = n;
  for (unsigned i = 2; i < 40 && 2 * std::uint64_t{fibonacci(i - 1)} <= n; i += 2)
    sum += 2 * n - (n * fibonacci(i) + fibonacci(i + 3) - 1) / fibonacci(i + 3);
  return sum;
}

core::Monitors<HighamPrzytycka> HighamPrzytycka::monitors() {
  return extremum_monitors<HighamPrzytycka>();
}

}  // namespace bellwether::algorithms
