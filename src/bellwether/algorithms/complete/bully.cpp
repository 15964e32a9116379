// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/complete/bully.hpp"

#include <algorithm>

namespace bellwether::algorithms {

static_assert(core::Protocol<Bully> && core::Described<Bully>);
static_assert(std::is_trivially_copyable_v<Bully::Message>);

void Bully::start(Step& step) {
  if (state_ == State::idle) hold_election(step);
}

void Bully::link_up(Step& step, core::Port port) {
  const core::NodeId peer = step.peer(port);
  if (peer < id_) {
    if (leader_ == id_) return step.send(port, Leader{});
    // Asleep so far. The peer may have asked while our end was not up.
    if (state_ == State::idle && !leader_) hold_election(step);
    return;
  }
  if (leader_ && *leader_ >= peer) return;
  if (state_ == State::idle) return hold_election(step);
  // The question has been sent already; the new neighbour gets it, too, and the full time to reply.
  step.send(port, Election{});
  if (state_ == State::wait_reply)
    step.arm(Timer::reply, options_.reply_timeout, options_.reply_timeout);
}

void Bully::link_down(Step& step, core::Port port) {
  if (leader_ != step.peer(port)) return;
  leader_.reset();
  if (state_ == State::idle) hold_election(step);
}

void Bully::receive(Step& step, core::Port port, const Message& message) {
  std::visit([&](const auto& chosen) { take(step, port, chosen); }, message);
}

void Bully::timeout(Step& step, Timer timer) {
  if (timer == Timer::reply && state_ == State::wait_reply) return lead(step);
  if (timer == Timer::leader && state_ == State::wait_leader) {
    leader_.reset();  // the nodes that replied are silent, and so is their leader
    hold_election(step);
  }
}

void Bully::take(Step& step, core::Port port, Election) {
  step.send(port, Reply{});
  if (state_ != State::idle) return;
  if (leader_ == id_) return step.send(port, Leader{});
  // A node that asks us asks our leader, too. An election of our own would only multiply questions.
  if (!leader_) hold_election(step);
}

void Bully::take(Step& step, core::Port, Reply) {
  if (state_ != State::wait_reply) return;
  if (leader_ == id_) leader_.reset();  // a larger one is alive
  state_ = State::wait_leader;
  step.disarm(Timer::reply);
  step.arm(Timer::leader, options_.leader_timeout, options_.leader_timeout);
}

void Bully::take(Step& step, core::Port port, Leader) {
  const core::NodeId peer = step.peer(port);
  if (peer < id_) {
    if (state_ == State::idle) hold_election(step);
    return;
  }
  // While we wait, any answer will do: a better leader has been asked, too, and its answer follows.
  const bool old_news = state_ == State::idle && leader_ && *leader_ > peer;
  if (!old_news) settle(step, peer);
}

void Bully::hold_election(Step& step) {
  bool asked = false;
  for (const core::Port port : step.ports()) {
    if (step.peer(port) < id_) continue;
    step.send(port, Election{});
    asked = true;
  }
  if (!asked) return lead(step);
  state_ = State::wait_reply;
  step.arm(Timer::reply, options_.reply_timeout, options_.reply_timeout);
}

void Bully::lead(Step& step) {
  settle(step, id_);
  for (const core::Port port : step.ports())
    if (step.peer(port) < id_) step.send(port, Leader{});
}

void Bully::settle(Step& step, core::NodeId leader) {
  if (state_ == State::wait_reply) step.disarm(Timer::reply);
  if (state_ == State::wait_leader) step.disarm(Timer::leader);
  state_ = State::idle;
  leader_ = leader;
}

namespace {

class HighestAlive final : public core::Monitor<Bully> {
 public:
  std::string_view name() const override { return "highest-alive"; }
  std::string_view says() const override {
    return "when quiescent, where all live nodes are linked, either no node names a leader or all "
           "name the highest live id";
  }
  void at_rest(const core::Snapshot<Bully>& seen) override {
    std::vector<core::NodeIndex> alive;
    for (core::NodeIndex i = 0; i < seen.size(); ++i)
      if (seen.alive(i)) alive.push_back(i);
    core::NodeId highest{};
    bool named = false;
    for (const core::NodeIndex i : alive) {
      highest = std::max(highest, seen.id(i));
      named = named || seen.node(i).leader();
    }
    if (!named) return;  // no node has asked
    const auto linked = [&](core::NodeIndex i) {
      std::size_t peers = 0;
      for (const auto& channel : seen.channels(i))
        if (channel.far_port && seen.alive(channel.to)) ++peers;
      return peers + 1 == alive.size();
    };
    if (!std::all_of(alive.begin(), alive.end(), linked)) return;
    for (const core::NodeIndex i : alive) core::invariant(seen.node(i).leader() == highest, says());
  }
};

class LeaderNotSmaller final : public core::Monitor<Bully> {
 public:
  std::string_view name() const override { return "leader-not-smaller"; }
  std::string_view says() const override {
    return "no node names a leader with a smaller id than its own";
  }
  void after(const core::Snapshot<Bully>& seen, const core::Happening& what) override {
    const auto leader = seen.node(what.node).leader();
    core::invariant(!leader || *leader >= seen.id(what.node), says());
  }
};

}  // namespace

core::Monitors<Bully> Bully::monitors() {
  core::Monitors<Bully> all;
  all.push_back(std::make_unique<HighestAlive>());
  all.push_back(std::make_unique<LeaderNotSmaller>());
  return all;
}

}  // namespace bellwether::algorithms
