// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/gomez_calzado.hpp"

#include <algorithm>

namespace bellwether::algorithms {

static_assert(core::Protocol<GomezCalzado> && core::Described<GomezCalzado>);
static_assert(std::is_trivially_copyable_v<GomezCalzado::Message>);

namespace {

using Occasion = GomezCalzado::Occasion;

/// The larger component wins; ties: the higher id.
auto rank(const GomezCalzado::Leader& l) {
  return std::pair{l.size, l.id};
}

/// A sum of times that stays within a hundred years, whatever the options say.
core::Duration sum(core::Duration a, core::Duration b) {
  constexpr core::Duration longest = std::chrono::hours(24 * 36500);
  return std::min(a, longest) + std::min(b, longest - std::min(a, longest));
}

/// By local broadcast: nodes that have it already, such as its sender, drop it.
template <class Message>
void forward(GomezCalzado::Step& step, const Message& m) {
  if (step.ports().size() > 1) step.broadcast(m);
}

}  // namespace

GomezCalzado::GomezCalzado(core::NodeId id, Options options)
    : id_(id),
      leader_{id, 1, 0},
      members_{{id, 0}},
      leader_timeout_(options.timeout),
      member_timeout_(options.timeout),
      options_(options) {}

void GomezCalzado::wake(Step& step) {
  if (!std::exchange(awake_, true)) speak(step);
}

/// What a leader sends every period: a join if it is alone, otherwise the size of its component.
void GomezCalzado::speak(Step& step) {
  if (members_.size() == 1) {
    leader_ = {id_, 1, beats_};
    announce(step);
  } else {
    leader_ = {id_, members_.size(), ++beats_};
    step.broadcast(leader_);
  }
  step.arm({Occasion::beat, {}}, options_.period, options_.period);
}

void GomezCalzado::announce(Step& step) {
  step.broadcast(Join{id_, ++joins_});
}

void GomezCalzado::receive(Step& step, core::Port, const Message& message) {
  wake(step);
  std::visit([&](const auto& chosen) { take(step, chosen); }, message);
}

void GomezCalzado::take(Step& step, const Join& m) {
  const auto [known, added] = members_.try_emplace(m.id, m.number);
  if (m.id == id_ || (!added && m.number <= known->second)) return;
  known->second = m.number;
  await_join(step, m.id);
  forward(step, m);
}

void GomezCalzado::take(Step& step, const Leader& m) {
  if (m.id == id_) return;
  const bool same = m.id == leader_.id;
  if (same ? m.beat <= leader_.beat : rank(m) <= rank(leader_)) return;
  if (leads()) step.disarm({Occasion::beat, {}});
  leader_ = m;
  if (members_.try_emplace(m.id, 0).second) await_join(step, m.id);
  // A node that changes its leader more than once in a period announces only the last change.
  if (!same) step.arm({Occasion::announce, {}}, options_.period, options_.period);
  step.arm({Occasion::leader, {}}, leader_timeout_, leader_timeout_);
  forward(step, m);
}

void GomezCalzado::timeout(Step& step, Timer timer) {
  switch (timer.occasion) {
    case Occasion::beat:
      if (leads()) speak(step);
      break;
    case Occasion::announce:
      if (leads()) break;
      announce(step);
      step.arm(timer, options_.announce, options_.announce);
      break;
    case Occasion::leader:
      if (!leads()) lose_leader(step);
      break;
    case Occasion::member:
      lose_member(step, timer.who);
      break;
  }
}

void GomezCalzado::lose_leader(Step& step) {
  leader_timeout_ = sum(leader_timeout_, options_.timeout_step);
  members_.erase(leader_.id);
  step.disarm({Occasion::member, leader_.id});
  step.disarm({Occasion::announce, {}});
  speak(step);
}

void GomezCalzado::lose_member(Step& step, core::NodeId who) {
  // A leader sends no joins: the leader timer monitors it.
  if (who == leader_.id) return await_join(step, who);
  if (members_.erase(who) > 0) member_timeout_ = sum(member_timeout_, options_.timeout_step);
}

void GomezCalzado::await_join(Step& step, core::NodeId who) {
  const core::Duration wait = sum(options_.announce, member_timeout_);
  step.arm({Occasion::member, who}, wait, wait);
}

namespace {

class KnowsItsOwn final : public core::Monitor<GomezCalzado> {
 public:
  std::string_view name() const override { return "knows-its-own"; }
  std::string_view says() const override {
    return "every node counts itself and its leader among the members of its component";
  }
  void after(const core::Snapshot<GomezCalzado>& seen, const core::Happening& what) override {
    const GomezCalzado& node = seen.node(what.node);
    core::invariant(node.members().contains(seen.id(what.node)), says());
    core::invariant(node.leader() && node.members().contains(*node.leader()), says());
  }
};

}  // namespace

core::Monitors<GomezCalzado> GomezCalzado::monitors() {
  core::Monitors<GomezCalzado> all;
  all.push_back(std::make_unique<KnowsItsOwn>());
  return all;
}

}  // namespace bellwether::algorithms
