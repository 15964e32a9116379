// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/vasudevan.hpp"

#include <algorithm>
#include <limits>

namespace bellwether::algorithms {

static_assert(core::Protocol<Vasudevan> && core::Described<Vasudevan>);
static_assert(std::is_trivially_copyable_v<Vasudevan::Message>);

namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

/// A number that cannot grow stays as it is: numbers come from the network.
std::uint64_t after(std::uint64_t number) {
  return number == largest ? number : number + 1;
}

/// Time that a leader may be silent, capped at a hundred years.
core::Duration patience(const Vasudevan::Options& o) {
  constexpr core::Duration longest = std::chrono::hours(24 * 36500);
  const std::int64_t times = std::max<std::int64_t>(o.missed, 1);
  return o.heartbeat > longest / times ? longest : o.heartbeat * times;
}

}  // namespace

void Vasudevan::start(Step& step) {
  if (asleep()) begin(step);
}

void Vasudevan::link_up(Step& step, core::Port port) {
  if (asleep()) stand_alone(step);
  step.send(port, Probe{});
}

void Vasudevan::link_down(Step& step, core::Port port) {
  if (!electing_) return;
  waiting_.erase(port);
  if (parent_ == port) parent_.reset();  // from now on this node is the source of its subtree
  report(step);
}

void Vasudevan::receive(Step& step, core::Port port, const Message& message) {
  std::visit([&](const auto& chosen) { take(step, port, chosen); }, message);
}

void Vasudevan::timeout(Step& step, Timer timer) {
  if (timer == Timer::missing) {
    if (!electing_ && !leads()) begin(step);
  } else if (leads()) {
    beats_ = after(beats_);
    step.broadcast(Heartbeat{id_, beats_});
    step.arm(Timer::heartbeat, options_.heartbeat, options_.heartbeat);
  }
}

void Vasudevan::begin(Step& step) {
  join(step, {after(index_.num), id_}, std::nullopt);
}

void Vasudevan::join(Step& step, const Index& index, std::optional<core::Port> parent) {
  if (leader_) step.disarm(leads() ? Timer::heartbeat : Timer::missing);
  leader_.reset();
  electing_ = true;
  acked_ = false;
  index_ = index;
  parent_ = parent;
  best_ = self(step);
  waiting_.clear();
  for (const core::Port port : step.ports()) {
    if (port == parent) continue;
    waiting_.insert(port);
    step.send(port, Election{index_});
  }
  report(step);
}

/// When all have acked: to the parent, or to all.
void Vasudevan::report(Step& step) {
  if (!waiting_.empty()) return;
  if (!parent_) {
    finish(step, best_, 0);
    for (const core::Port port : step.ports()) step.send(port, news());
  } else if (!acked_) {
    acked_ = true;
    step.send(*parent_, Ack{index_, best_});
  }
}

void Vasudevan::finish(Step& step, const Candidate& winner, std::uint64_t beat) {
  electing_ = acked_ = false;
  parent_.reset();
  waiting_.clear();
  follow(step, winner, beat);
}

/// Leads its own component, without an election: there is no neighbour to ask yet.
void Vasudevan::stand_alone(Step& step) {
  follow(step, self(step), 0);
}

void Vasudevan::follow(Step& step, const Candidate& leader, std::uint64_t beat) {
  if (leader_ && leads() != (leader.id == id_))
    step.disarm(leads() ? Timer::heartbeat : Timer::missing);
  leader_ = leader;
  beat_ = beat;
  if (leads()) {
    beats_ = std::max(beats_, beat);
    step.arm(Timer::heartbeat, options_.heartbeat, options_.heartbeat);
  } else {
    step.arm(Timer::missing, patience(options_), patience(options_));
  }
}

/// Two nodes that are in no election compare their leaders; the better one and the higher index are
/// forwarded.
void Vasudevan::merge(Step& step, core::Port from, const Leader& m) {
  if (m.leader.id == id_) beats_ = std::max(beats_, m.beat);
  const bool better = m.leader > *leader_;
  const bool later = m.index > index_;
  if (later) index_ = m.index;
  if (better && m.leader.id == leader_->id)
    leader_ = m.leader;  // the same node, of another value
  else if (better)
    follow(step, m.leader, m.beat);
  const bool they_know = m.leader == *leader_ && m.index == index_;
  for (const core::Port port : step.ports())
    if (port == from ? !they_know : better || later) step.send(port, news());
}

void Vasudevan::take(Step& step, core::Port port, const Election& m) {
  if (m.index > index_) return join(step, m.index, port);
  if (asleep()) stand_alone(step);
  if (!electing_) {  // we have finished it, or a later one
    step.send(port, Ack{m.index, std::nullopt});
    if (m.index < index_) step.send(port, news());
  } else if (m.index < index_) {
    answer_lower(step, port, m.index);
  } else if (parent_ != port) {
    step.send(port, Ack{m.index, std::nullopt});
  } else if (acked_) {
    step.send(port, Ack{index_, best_});  // asked twice
  }
}

/// They are in a lower computation. Mostly ours is in transit to them already.
void Vasudevan::answer_lower(Step& step, core::Port port, const Index& theirs) {
  if (acked_)  // too late to become my child, and this node cannot become theirs
    step.send(port, Ack{theirs, std::nullopt});
  else if (parent_ != port && waiting_.insert(port).second)
    step.send(port, Election{index_});
}

void Vasudevan::take(Step& step, core::Port port, const Ack& m) {
  if (!electing_ || m.index != index_ || waiting_.erase(port) == 0) return;
  if (m.best) best_ = std::max(best_, *m.best);
  report(step);
}

void Vasudevan::take(Step& step, core::Port port, const Leader& m) {
  if (asleep()) stand_alone(step);
  if (!electing_) return merge(step, port, m);
  if (!acked_ || m.index < index_) return;
  const bool known = m.leader >= best_;  // otherwise it comes from a component without my subtree
  index_ = m.index;
  finish(step, known ? m.leader : best_, known ? m.beat : 0);
  for (const core::Port each : step.ports())
    if (each != port || !known) step.send(each, news());
}

void Vasudevan::take(Step& step, core::Port port, const Probe&) {
  if (asleep()) stand_alone(step);
  if (!electing_) return step.send(port, news());
  if (acked_ || parent_ == port) return;  // it will receive the result
  waiting_.insert(port);
  step.send(port, Election{index_});
}

void Vasudevan::take(Step& step, core::Port port, const Heartbeat& m) {
  if (!leader_ || leads() || m.leader != leader_->id || m.beat <= beat_) return;
  beat_ = m.beat;
  step.arm(Timer::missing, patience(options_), patience(options_));
  for (const core::Port each : step.ports())
    if (each != port) step.send(each, m);
}

Vasudevan::Candidate Vasudevan::self(const Step& step) const {
  if (options_.value == ValueSource::degree) return {step.ports().size(), id_};
  return {options_.value == ValueSource::id ? raw(id_) : own_, id_};
}

namespace {

class IndexGrows final : public core::Remembers<IndexGrows, core::Monitor<Vasudevan>> {
 public:
  std::string_view name() const override { return "index-grows"; }
  std::string_view says() const override {
    return "the computation-index of a node never falls while it keeps its memory";
  }
  void after(const core::Snapshot<Vasudevan>& seen, const core::Happening& what) override {
    last_.resize(seen.size());
    auto& last = last_[what.node];
    const Vasudevan::Index& now = seen.node(what.node).index();
    if (what.cause != core::Cause::restart) core::invariant(now >= last, says());
    last = now;
  }

 private:
  std::vector<Vasudevan::Index> last_;

 public:
  static constexpr auto fields = std::tuple{core::field("last", &IndexGrows::last_)};
};

class LeaderNotSmaller final : public core::Monitor<Vasudevan> {
 public:
  std::string_view name() const override { return "leader-not-smaller"; }
  std::string_view says() const override {
    return "where ids are the values, no node names a leader with a smaller id than its own";
  }
  void after(const core::Snapshot<Vasudevan>& seen, const core::Happening& what) override {
    const Vasudevan& node = seen.node(what.node);
    if (node.options().value != Vasudevan::ValueSource::id) return;
    const auto leader = node.leader();
    core::invariant(!leader || *leader >= seen.id(what.node), says());
  }
};

}  // namespace

core::Monitors<Vasudevan> Vasudevan::monitors() {
  core::Monitors<Vasudevan> all;
  all.push_back(std::make_unique<IndexGrows>());
  all.push_back(std::make_unique<LeaderNotSmaller>());
  return all;
}

}  // namespace bellwether::algorithms
