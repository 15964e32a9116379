// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/drumbeat.hpp"

#include <algorithm>
#include <utility>

namespace bellwether::algorithms {

static_assert(core::Protocol<Drumbeat> && core::Described<Drumbeat>);

namespace {

constexpr std::uint8_t quiet_copies = 2;  // of a beat: a leaf that has heard so many is silent
constexpr std::uint8_t mute_beats = 16;   // after which a leader that no neighbour hears gives way
constexpr std::uint8_t most_repeats = 3;  // of an echo, when a child reports late
constexpr std::uint8_t needed_witnesses = 2;
constexpr std::uint64_t lateness_memory = 4;  // so slowly is it forgotten that beats were late

}  // namespace

Drumbeat::Drumbeat(core::NodeId id, Options options)
    : id_(id),
      claim_(BeatClaim::of(id, 0, 1, core::usual_priority)),
      tree_(id),
      options_(options) {}

// Claims and beats.

/// A beat has a higher number in each life of a node: the first one is the clock's.
void Drumbeat::wake(Step& step) {
  if (state_ != State::asleep) return;
  const auto clock = std::chrono::duration_cast<std::chrono::milliseconds>(step.now()).count();
  beats_ = std::max(beats_, static_cast<std::uint64_t>(std::max<std::int64_t>(clock, 0)));
  lead(step, 1);
}

void Drumbeat::disarm_all(Step& step) {
  for (const Timer each : {Timer::beat, Timer::tap, Timer::relay, Timer::answer, Timer::echo,
                           Timer::call, Timer::watch, Timer::silence, Timer::hope})
    step.disarm(each);
}

void Drumbeat::forget_leader() {
  news_ = {news_.wave, 1, nobody, nobody, Aim::lead, news_.depth + tree_.spot().hops};
  called_ = answered_ = false;
  forget_witnesses();
  echoed_ = true;
}

void Drumbeat::lead(Step& step, std::uint32_t weight) {
  if (priority_ == 0) return retire(step);
  const std::uint32_t counted = news_.count;  // a weight may be larger, to outrank the leader
  disarm_all(step);
  forget_leader();
  state_ = State::leads;
  news_.count = std::min(weight, counted);
  news_.deputy = tree_.provisional_deputy();
  tree_.begin(id_);
  handover_.begin(weight);
  led_ = 0;
  unheard_ = 0;
  phase_ = options_.wave;
  speak(step);
}

/// With a rank above that of the leader, whom all then leave.
void Drumbeat::succeed(Step& step) {
  lead(step, claim_.weight() + (id_ < claim_.leader ? 1 : 0));
}

/// Not eligible, and without a leader.
void Drumbeat::retire(Step& step) {
  disarm_all(step);
  forget_leader();
  state_ = State::idle;
  claim_ = BeatClaim::of(id_, beats_, 0, 0);
  tree_.begin(id_);
}

void Drumbeat::speak(Step& step) {
  const std::uint32_t weight = news_.has_heir() ? claim_.weight() : handover_.weight();
  claim_ = BeatClaim::of(id_, ++beats_, weight, priority_);
  answered_ = false;
  step.disarm(Timer::answer);
  if (tree_.has_neighbours() && unheard_ < mute_beats) ++unheard_;
  if (led_ < handover_options().tenure) ++led_;
  if (phase_ < options_.wave) ++phase_;
  is_wave_ = relayed_ = phase_ == options_.wave && echoed_;
  if (is_wave_) {
    phase_ = 0;
    WaveNews news = news_;
    news.wave = static_cast<std::uint8_t>((news.wave + 1) % 4);
    begin_wave(news);
    tree_.place_root(news_, priority_);
    step.broadcast(WaveBeat{claim_, news_, tree_.spot()});
    begin_echo(step);
  } else {
    step.broadcast(Beat{claim_});
  }
  step.arm(Timer::beat, options_.period, options_.period);
  tapped_ = 0;
  if (options_.taps > 0 && news_.deputy != nobody)
    step.arm(Timer::tap, tap_interval(), tap_interval());
}

void Drumbeat::receive(Step& step, core::Port port, const Message& message) {
  wake(step);
  const core::NodeId from = port == core::stranger ? nobody : step.peer(port);
  if (std::holds_alternative<Tap>(message)) return watch(step, from);
  if (const auto* mute = std::get_if<Mute>(&message)) return on_mute(step, *mute);
  if (const auto* echo = std::get_if<Echo>(&message)) return on_echo(step, from, *echo);
  const auto* wave = std::get_if<WaveBeat>(&message);
  const BeatClaim& claim = wave ? wave->claim : std::get<Beat>(message).claim;
  if (wave && from != nobody) on_spot(step, from, *wave);
  const std::uint64_t before = claim_.beat;
  on_claim(step, claim, wave);
  // The leader beats where this node is not: who missed it has moved away.
  if (from != claim_.leader && claim == claim_ && is_later(claim.beat, before)) forget_witnesses();
  watch(step, from);
}

void Drumbeat::on_claim(Step& step, const BeatClaim& claim, const WaveBeat* wave) {
  if (claim.leader == id_) {
    if (is_later(claim.beat, beats_))
      beats_ = claim.beat;  // of an earlier life: the clock went back
    unheard_ = 0;
  }
  if (claim == claim_ && copies_ < quiet_copies) ++copies_;
  const bool is_new = claim.leader != id_ && is_later(claim.beat, seen_.last(claim.leader));
  if (is_new && is_better(claim)) return follow(step, claim, wave);
  if (wave && claim == claim_ && state_ == State::follows && !is_wave_) {
    is_wave_ = true;  // as a beat it came first
    begin_wave(wave->news);
    if (relayed_) step.arm(Timer::relay, core::Duration{0}, options_.jitter);
  }
  answer(step, claim);
}

bool Drumbeat::is_better(const BeatClaim& claim) const {
  if (claim.leader == claim_.leader) return true;
  if (state_ == State::idle) return claim.priority() > 0;
  if (state_ == State::leads && unheard_ >= mute_beats) return true;
  if (state_ == State::hopes)
    return rank_of(claim) > BeatRank{priority_, tree_.report().count, id_};
  return rank_of(claim) > rank_of(claim_);
}

/// Tells a neighbour that is behind, once for each beat.
void Drumbeat::answer(Step& step, const BeatClaim& claim) {
  if (is_reborn(claim)) return remind(step, claim);
  const bool is_behind = claim.leader == claim_.leader ? is_later(claim_.beat, claim.beat)
                                                       : rank_of(claim) < rank_of(claim_);
  if (!is_behind || answered_ || (state_ != State::leads && state_ != State::follows)) return;
  answered_ = true;
  step.arm(Timer::answer, core::Duration{0}, options_.jitter);
}

/// A better leader, whose beats this node has outrun: if it lives, its clock has gone back.
bool Drumbeat::is_reborn(const BeatClaim& claim) const {
  return claim.leader != claim_.leader && claim.leader != id_ &&
         is_later(seen_.last(claim.leader), claim.beat) && is_better(claim);
}

/// By the number that it has to exceed.
void Drumbeat::remind(Step& step, const BeatClaim& claim) {
  if (answered_ && state_ != State::idle) return;
  answered_ = true;
  BeatClaim last = claim;
  last.beat = seen_.last(claim.leader);
  step.broadcast(Beat{last});
}

void Drumbeat::follow(Step& step, const BeatClaim& claim, const WaveBeat* wave) {
  const bool is_same = claim.leader == claim_.leader;
  if (is_same) {
    learn_patience(step, claim, wave);
  } else {
    forget_leader();
    tree_.begin(claim.leader);
    step.disarm(Timer::watch);
    step.disarm(Timer::echo);
  }
  for (const Timer each : {Timer::beat, Timer::tap, Timer::answer, Timer::hope}) step.disarm(each);
  state_ = State::follows;
  seen_.add(claim.leader, claim.beat);
  claim_ = claim;
  called_ = answered_ = relayed_ = false;
  copies_ = 1;
  is_wave_ = wave != nullptr;
  if (wave) {
    if (!echoed_) echo(step);  // of the wave before: better late than never
    begin_wave(wave->news);
    step.disarm(Timer::echo);
    if (news_.has_heir() && news_.trial == id_ && priority_ > 0) return succeed(step);
  }
  await_beat(step);
  // A new leader is urgent.
  step.arm(Timer::relay, core::Duration{0}, is_same ? options_.jitter : options_.jitter / 16);
}

void Drumbeat::relay(Step& step) {
  const bool again = std::exchange(relayed_, true);
  if (is_wave_) {
    tree_.place(news_, priority_, again && !echoed_);
    step.broadcast(WaveBeat{claim_, news_, tree_.spot()});
    begin_echo(step);
  } else if (copies_ < quiet_copies || !tree_.is_leaf()) {
    step.broadcast(Beat{claim_});
  }
}

void Drumbeat::repeat_claim(Step& step) {
  if (state_ != State::follows && state_ != State::leads) return;
  if (is_wave_ && relayed_)
    step.broadcast(WaveBeat{claim_, news_, tree_.spot()});
  else
    step.broadcast(Beat{claim_});
}

void Drumbeat::link_down(Step& step, core::Port port) {
  wake(step);
  tree_.lose(step.peer(port));
  if (!step.ports().empty()) return hasten_echo(step);
  if (state_ != State::leads) return;
  handover_.on_alone();
  claim_ = BeatClaim::of(id_, claim_.beat, 1, priority_);
}

void Drumbeat::set_priority(Step& step, std::uint32_t priority) {
  priority_ = priority;
  switch (state_) {
    case State::asleep:
      break;
    case State::leads:
      if (handover_.give_way(tree_, news_, priority)) {
        echoed_ = true;
        phase_ = options_.wave;
        speak(step);
      } else if (priority == 0) {
        retire(step);
      }
      break;
    case State::idle:
      if (priority > 0) lead(step, 1);
      break;
    case State::follows:
    case State::hopes:
      if (priority > claim_.priority()) lead(step, std::max(claim_.weight(), 1U));
      break;
  }
}

void Drumbeat::timeout(Step& step, Timer timer) {
  switch (timer) {
    case Timer::beat:
      if (state_ == State::leads) speak(step);
      break;
    case Timer::tap:
      if (state_ == State::leads) tap(step);
      break;
    case Timer::relay:
      if (state_ == State::follows) relay(step);
      break;
    case Timer::call:
      called_ = true;
      repeat_claim(step);
      break;
    case Timer::answer:
      repeat_claim(step);
      break;
    case Timer::echo:
      if (!echoed_) placed_ ? echo(step) : await_reports(step);
      break;
    case Timer::watch:
      if (state_ == State::follows) miss(step);
      break;
    case Timer::silence:
      if (state_ == State::follows) on_silence(step);
      break;
    case Timer::hope:
      if (state_ == State::hopes) lead(step, tree_.report().count);
      break;
  }
}

std::optional<core::NodeId> Drumbeat::leader() const {
  if (state_ == State::idle) return std::nullopt;
  return state_ == State::hopes ? news_.deputy : claim_.leader;
}

std::optional<core::TreePlace> Drumbeat::tree_place() const {
  if (state_ == State::leads) return core::TreePlace{id_, 0, news_.count};
  if (state_ != State::follows || tree_.spot().parent == nobody) return std::nullopt;
  return core::TreePlace{tree_.spot().parent, tree_.spot().hops, news_.count};
}

// Patience.

PatienceTimes Drumbeat::times() const {
  return {options_.period, options_.slack, options_.jitter, options_.period * options_.patience};
}

void Drumbeat::learn_patience(Step& step, const BeatClaim& claim, const WaveBeat* wave) {
  if (state_ == State::hopes) {
    patience_.on_return(times(), claim.beat - claim_.beat);
  } else if (called_) {
    patience_.on_late_beat(times());
  } else if (wave && wave->news.wave == 0) {
    forget_lateness(step);
  }
}

/// By chance, so that no waves need to be counted: on average every 16th wave in time.
void Drumbeat::forget_lateness(Step& step) {
  if ((patience_.is_least() && lenience_ == 0) || step.choose(lateness_memory) != 0) return;
  patience_.shrink();
  lenience_ -= std::min(lenience_, 1U);
}

void Drumbeat::await_beat(Step& step) {
  const core::Duration call = patience_.call(times());
  const core::Duration silence = patience_.silence(times(), tree_.spot().hops);
  step.arm(Timer::call, call, call);
  step.arm(Timer::silence, silence, silence);
}

/// The deputy leads; the others name it, and wait for its beat.
void Drumbeat::on_silence(Step& step) {
  if (news_.deputy == id_) return succeed(step);
  if (news_.deputy == nobody) return lead(step, tree_.report().count);
  disarm_all(step);
  state_ = State::hopes;
  step.arm(Timer::hope, 4 * options_.slack, 4 * options_.slack);
}

// Taps.

void Drumbeat::tap(Step& step) {
  step.broadcast(Tap{});
  if (++tapped_ < options_.taps) step.arm(Timer::tap, tap_interval(), tap_interval());
}

/// A sign of life of the leader itself. Where they are often late, some may be missing.
void Drumbeat::watch(Step& step, core::NodeId from) {
  if (options_.taps == 0 || state_ != State::follows || from != claim_.leader) return;
  if (missed_) lenience_ = options_.taps + 1;
  forget_witnesses();
  if (news_.deputy == nobody) return;
  const core::Duration wait = tap_interval() * (1 + lenience_) + options_.slack / 2;
  step.arm(Timer::watch, wait, wait);
}

void Drumbeat::forget_witnesses() {
  missed_ = false;
  witnesses_ = 0;
}

void Drumbeat::miss(Step& step) {
  missed_ = true;
  if (news_.deputy == id_)
    succeed_if_mute(step);
  else
    step.broadcast(Mute{claim_.leader});
}

void Drumbeat::on_mute(Step& step, const Mute& mute) {
  if (mute.leader != claim_.leader || state_ != State::follows) return;
  if (witnesses_ < needed_witnesses) ++witnesses_;
  succeed_if_mute(step);
}

/// One neighbour that does not hear the leader may have moved away from it; three have not.
void Drumbeat::succeed_if_mute(Step& step) {
  if (news_.deputy == id_ && missed_ && witnesses_ == needed_witnesses) succeed(step);
}

// The tree.

void Drumbeat::begin_wave(const WaveNews& news) {
  tree_.begin_wave(news_, news);
  news_ = news;
}

HandoverOptions Drumbeat::handover_options() const {
  const std::int64_t beats =
      std::clamp<std::int64_t>(options_.tenure / options_.period, 1, 1'000'000);
  return {options_.gain, static_cast<std::uint32_t>(beats)};
}

/// For the children that have not reported: the longer, the nearer to the leader.
core::Duration Drumbeat::echo_limit() const {
  const std::uint32_t below = news_.depth - std::min(news_.depth, tree_.spot().hops);
  return slot() * (std::min(below, 10'000U) * 3 / 2 + 4);
}

void Drumbeat::begin_echo(Step& step) {
  echoed_ = placed_ = false;
  repeats_ = 0;
  said_leaf_ = state_ == State::follows && tree_.spot().below == 1;
  step.arm(Timer::echo, 3 * slot(), 3 * slot());
}

/// All neighbours have told where they are: is this node's place still so? Then it waits for its
/// children.
void Drumbeat::await_reports(Step& step) {
  placed_ = true;
  if (state_ == State::follows && is_wave_ && tree_.is_misplaced(news_)) return relay(step);
  if (!tree_.awaits_report(news_.wave)) return echo(step);
  step.arm(Timer::echo, echo_limit(), echo_limit());
}

/// A neighbour tells where it is: it may be a new child, or one that has left.
void Drumbeat::on_spot(Step& step, core::NodeId from, const WaveBeat& wave) {
  const bool has_waited = tree_.awaits_report(news_.wave);
  tree_.on_spot(from, wave.claim.leader, wave.news, wave.spot);
  if (echoed_ || !placed_) return;
  if (!has_waited && tree_.awaits_report(news_.wave))
    step.arm(Timer::echo, echo_limit(), echo_limit());
  else if (has_waited)
    hasten_echo(step);
}

/// At once when all children have reported.
void Drumbeat::hasten_echo(Step& step) {
  if (!echoed_ && placed_ && !tree_.awaits_report(news_.wave))
    step.arm(Timer::echo, core::Duration{0}, options_.jitter);
}

void Drumbeat::on_echo(Step& step, core::NodeId from, const Echo& echo) {
  const bool is_childs = tree_.on_report(from, echo.parent, echo.wave, echo.report, news_);
  if (!is_childs || echo.wave != news_.wave) return;
  if (!echoed_) return hasten_echo(step);
  if (state_ != State::follows || repeats_ >= most_repeats) return;
  ++repeats_;
  echoed_ = false;
  step.arm(Timer::echo, slot(), slot());
}

void Drumbeat::echo(Step& step) {
  echoed_ = true;
  if (state_ != State::follows && state_ != State::leads) return;
  tree_.gather(news_);
  if (state_ == State::leads) {
    handover_.on_echo(tree_, news_, id_, priority_, led_, handover_options());
    if (priority_ == 0 && !news_.has_heir()) retire(step);  // it was waited for long enough
  } else if (!said_leaf_ || !tree_.is_leaf()) {
    step.broadcast(Echo{news_.wave, tree_.spot().parent, tree_.report()});
  }
}

}  // namespace bellwether::algorithms
