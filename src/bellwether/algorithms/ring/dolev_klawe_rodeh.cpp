// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/ring/dolev_klawe_rodeh.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "bellwether/algorithms/ring/ring_news.hpp"

namespace bellwether::algorithms {

static_assert(core::Protocol<DolevKlaweRodeh> && core::Described<DolevKlaweRodeh>);
static_assert(std::is_trivially_copyable_v<DolevKlaweRodeh::Message>);

void DolevKlaweRodeh::start(Step& step) {
  // A passive node has forwarded messages that others rely on: it does not join behind them.
  if (state_ != State::sleep) return;
  initiator_ = true;
  if (step.ports().empty()) return lead(step);  // a ring of one
  max_ = id_;
  begin_phase(step);
}

void DolevKlaweRodeh::begin_phase(Step& step) {
  state_ = State::active;
  const std::uint32_t counter = std::uint32_t{1} << std::min<unsigned>(phase_, 31);
  step.send(clockwise(step), M1{*max_, counter, phase_});
}

void DolevKlaweRodeh::receive(Step& step, core::Port, const Message& message) {
  if (const auto* news = std::get_if<Leader>(&message)) return pass_news(step, *news, id_, leader_);
  if (state_ == State::leader) return;
  if (state_ == State::sleep) state_ = State::passive;
  const bool a = options_.algorithm == Variant::a;
  if (const auto* m2 = std::get_if<M2>(&message)) return a ? take_a(step, *m2) : take_b(step, *m2);
  const auto& m1 = std::get<M1>(message);
  if (m1.id == id_ && initiator_) return lead(step);
  a ? take_a(step, m1) : take_b(step, m1);
}

void DolevKlaweRodeh::take_a(Step& step, const M1& m1) {
  if (state_ != State::active) return step.send(clockwise(step), m1);
  left_ = m1.id;
  state_ = State::waiting;
  step.send(clockwise(step), M2{m1.id});
}

void DolevKlaweRodeh::take_a(Step& step, const M2& m2) {
  if (state_ == State::passive) return step.send(clockwise(step), m2);
  if (state_ != State::waiting) return;  // no M2 comes before its M1
  const bool best = beats(*left_, m2.id) && beats(*left_, *max_);
  if (best) max_ = left_;
  left_.reset();
  state_ = State::passive;
  if (best) begin_phase(step);
}

void DolevKlaweRodeh::take_b(Step& step, const M1& m1) {
  if (state_ != State::active) return pass_b(step, m1);
  if (beats(m1.id, *max_)) {
    max_ = m1.id;
    state_ = State::waiting;
  } else {
    state_ = State::passive;
    step.send(clockwise(step), M2{*max_});
  }
}

void DolevKlaweRodeh::take_b(Step& step, const M2& m2) {
  if (state_ == State::active) return;  // no M2 comes before its M1
  if (state_ == State::waiting) {
    ++phase_;
    return begin_phase(step);
  }
  if (!max_ || !beats(*max_, m2.id)) step.send(clockwise(step), m2);
}

void DolevKlaweRodeh::pass_b(Step& step, M1 m1) {
  state_ = State::passive;  // also a waiting node: the M2 that it waited for has been dropped
  if (max_ && beats(*max_, m1.id)) {
    m1.counter = 0;
  } else if (m1.counter > 0) {
    max_ = m1.id;
    --m1.counter;
    if (m1.counter == 0) {
      state_ = State::waiting;
      phase_ = m1.phase;
    }
  }
  step.send(clockwise(step), m1);
}

void DolevKlaweRodeh::lead(Step& step) {
  leader_ = id_;
  state_ = State::leader;
  if (options_.announce && !step.ports().empty()) step.send(clockwise(step), Leader{id_});
}

std::uint64_t DolevKlaweRodeh::message_bound(std::uint64_t n, const Options& options) {
  const std::uint64_t news = options.announce ? n : 0;
  if (options.algorithm == Variant::a)
    return 2 * n * static_cast<std::uint64_t>(std::bit_width(n) - 1) + n + news;
  const auto size = static_cast<double>(n);
  return static_cast<std::uint64_t>(1.5 * size * std::log2(size) + size * 8 / 3) + news;
}

core::Monitors<DolevKlaweRodeh> DolevKlaweRodeh::monitors() {
  return extremum_monitors<DolevKlaweRodeh>();
}

}  // namespace bellwether::algorithms
