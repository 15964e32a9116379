// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/complete/humblet.hpp"

namespace bellwether::algorithms {

static_assert(core::Protocol<Humblet> && core::Described<Humblet>);
static_assert(std::is_trivially_copyable_v<Humblet::Message>);

void Humblet::start(Step& step) {
  if (state_ != State::asleep) return;  // captured while asleep: it has a master
  state_ = State::active;
  own_one_more(step);  // itself
}

void Humblet::receive(Step& step, core::Port port, const Message& message) {
  std::visit([&](const auto& chosen) { take(step, port, chosen); }, message);
}

void Humblet::own_one_more(Step& step) {
  // The links are tried in the order of the ports: the one to itself first, then these.
  const std::size_t place = size_++;
  if (place < step.ports().size()) return step.send(step.ports()[place], Test{size_, id_});
  state_ = State::leader;
  leader_ = id_;
  step.broadcast(Leader{id_});
}

void Humblet::take(Step& step, core::Port port, const Test& test) {
  waiting_.push_back({port, test});
  answer_tests(step);
}

void Humblet::take(Step& step, core::Port port, const Fight& contest) {
  step.send(port, Winner{fight(contest.size, contest.id) ? id_ : contest.id});
}

void Humblet::take(Step& step, core::Port port, const Winner& winner) {
  if (winner.id == id_) {
    const bool mine = state_ == State::active && stands_at(step, size_ - 1, port);
    if (mine) own_one_more(step);
    return;
  }
  if (!contender_ || master_ != port) return;
  const Contender settled = *std::exchange(contender_, std::nullopt);
  if (winner.id == settled.test.id) yield_to(step, settled);
  answer_tests(step);
}

void Humblet::take(Step&, core::Port, const Leader& leader) {
  if (state_ != State::leader) leader_ = leader.id;
}

/// Whether this node wins. One that has stopped still defends what it owns; one that sleeps owns
/// nothing, and loses every fight.
bool Humblet::fight(std::uint32_t size, core::NodeId id) {
  if (state_ == State::leader || std::pair(size, id) < std::pair(size_, id_)) return true;
  state_ = State::stopped;
  return false;
}

/// One at a time: a candidate that comes while the master fights may find another master.
void Humblet::answer_tests(Step& step) {
  while (!contender_ && !waiting_.empty()) {
    const Contender next = waiting_.front();
    waiting_.erase(waiting_.begin());
    if (master_) {
      contender_ = next;
      send_over(step, *master_, Fight{next.test.size, next.test.id});
    } else if (!fight(next.test.size, next.test.id)) {
      yield_to(step, next);
    }
  }
}

void Humblet::yield_to(Step& step, const Contender& winner) {
  master_ = winner.port;
  send_over(step, winner.port, Winner{winner.test.id});
}

}  // namespace bellwether::algorithms
