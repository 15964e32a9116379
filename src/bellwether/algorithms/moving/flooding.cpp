// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/flooding.hpp"

#include <algorithm>

namespace bellwether::algorithms {

static_assert(core::Protocol<Flooding> && core::Described<Flooding>);
static_assert(std::is_trivially_copyable_v<Flooding::Message>);

namespace {

/// Higher value wins; ties: the higher id.
auto rank(const Flooding::Leader& l) {
  return std::pair{l.value, l.id};
}

}  // namespace

void Flooding::wake(Step& step) {
  if (!std::exchange(awake_, true)) speak(step);
}

void Flooding::count_links(Step& step) {
  if (!awake_) return wake(step);
  if (leads()) {
    leader_.value = step.ports().size();  // sent with the next beat
  } else if (outranks_leader(step)) {
    step.disarm(Timer::silence);
    speak(step);
  }
}

void Flooding::receive(Step& step, core::Port, const Message& message) {
  wake(step);
  const auto& news = std::get<Leader>(message);
  if (news.id == id_) return;
  if (!fresh(news)) return;
  if (leads()) step.disarm(Timer::beat);
  if (news.id == leader_.id && news.value < leader_.value) {
    if (fallen_.empty()) step.arm(Timer::forget, options_.timeout, options_.timeout);
    fallen_[news.id] = news.beat;
  }
  leader_ = news;
  if (step.ports().size() > 1) step.broadcast(news);  // otherwise the sender is the only neighbour
  if (outranks_leader(step)) {                        // its value has fallen
    step.disarm(Timer::silence);
    return speak(step);
  }
  step.arm(Timer::silence, options_.timeout, options_.timeout);
}

void Flooding::timeout(Step& step, Timer timer) {
  if (timer == Timer::forget) return fallen_.clear();
  if ((timer == Timer::beat) == leads()) speak(step);
}

void Flooding::speak(Step& step) {
  leader_ = {id_, step.ports().size(), ++beats_};
  step.broadcast(leader_);
  step.arm(Timer::beat, options_.period, options_.period);
}

bool Flooding::fresh(const Leader& news) const {
  if (news.id == leader_.id) return news.beat > leader_.beat;
  const auto fallen = fallen_.find(news.id);
  if (fallen != fallen_.end() && news.beat <= fallen->second) return false;
  return rank(news) > rank(leader_);
}

bool Flooding::outranks_leader(const Step& step) const {
  return std::pair{std::uint64_t{step.ports().size()}, id_} > rank(leader_);
}

namespace {

class LeaderNotWeaker final : public core::Monitor<Flooding> {
 public:
  std::string_view name() const override { return "leader-not-weaker"; }
  std::string_view says() const override {
    return "no node follows a leader that it has heard to be weaker than itself";
  }
  void after(const core::Snapshot<Flooding>& seen, const core::Happening& what) override {
    const Flooding& node = seen.node(what.node);
    if (!seen.alive(what.node) || node.leads()) return;
    const std::uint64_t links = seen.channels(what.node).size();
    core::invariant(rank(node.news()) > std::pair{links, seen.id(what.node)}, says());
  }
};

}  // namespace

core::Monitors<Flooding> Flooding::monitors() {
  core::Monitors<Flooding> all;
  all.push_back(std::make_unique<LeaderNotWeaker>());
  return all;
}

}  // namespace bellwether::algorithms
