// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/complete/korach_moran_zaks.hpp"

namespace bellwether::algorithms {

static_assert(core::Protocol<KorachMoranZaks> && core::Described<KorachMoranZaks>);
static_assert(std::is_trivially_copyable_v<KorachMoranZaks::Message>);

namespace {

void add(std::vector<core::Port>& sons, core::Port port) {
  const auto place = std::ranges::lower_bound(sons, port);
  if (place == sons.end() || *place != port) sons.insert(place, port);
}

bool contains(const std::vector<core::Port>& sons, core::Port port) {
  return std::ranges::binary_search(sons, port);
}

}  // namespace

void KorachMoranZaks::start(Step& step) {
  if (state_ != State::asleep) return;  // annexed while asleep
  state_ = State::king;
  initiator_ = true;
  status_.phase = 0;
  ask_next(step);
}

void KorachMoranZaks::receive(Step& step, core::Port port, const Message& message) {
  const auto handle = [&](core::Port at, const Message& each) {
    std::visit([&](const auto& chosen) { take(step, at, chosen); }, each);
  };
  if (must_wait(port, message)) {
    waiting_.emplace_back(port, message);
    return;
  }
  handle(port, message);
  while (state_ == State::citizen && !waiting_.empty()) {
    const auto [from, next] = waiting_.front();
    waiting_.erase(waiting_.begin());
    handle(from, next);
  }
}

/// A citizen that waits for a message from its father does nothing else until it has arrived.
bool KorachMoranZaks::must_wait(core::Port port, const Message& message) const {
  if (state_ != State::annexed && state_ != State::asking) return false;
  if (std::holds_alternative<Ask>(message)) return true;
  return std::holds_alternative<Accept>(message) && father_ != port;
}

void KorachMoranZaks::ask_next(Step& step) {
  if (asked_ < step.ports().size()) return step.send(step.ports()[asked_++], Ask{status_});
  state_ = State::leader;
  leader_ = id_;
  step.broadcast(Leader{id_});
}

bool KorachMoranZaks::asked_last(const Step& step, core::Port port) const {
  return asked_ > 0 && stands_at(step, asked_ - 1, port);
}

void KorachMoranZaks::take(Step& step, core::Port port, const Ask& ask) {
  if (state_ == State::leader) return;
  if (state_ != State::citizen) {  // a king, asleep or not; its silence is a no
    if (ask.by > status_) follow(step, port, {status_.phase});
    return;
  }
  const Asker asker{port, ask.by};
  if (ask.by <= status_) return tell_asker(step, asker);
  asker_ = asker;
  state_ = State::asking;
  if (father_) send_over(step, *father_, ask);
}

/// Answers a question of the node's own king; a weaker king gets no answer.
void KorachMoranZaks::tell_asker(Step& step, const Asker& asker) {
  if (asker.by == status_ && !contains(sons_, asker.port))
    send_over(step, asker.port, YourCitizen{});
}

void KorachMoranZaks::follow(Step& step, core::Port father, Accept accept) {
  std::erase(sons_, father);  // the question may have come up the tree
  father_ = father;
  state_ = State::annexed;
  send_over(step, father, accept);
}

void KorachMoranZaks::take(Step& step, core::Port port, const Accept& accept) {
  if (state_ == State::asking) {  // the path to the old king is reversed
    add(sons_, *father_);
    return follow(step, std::exchange(asker_, std::nullopt)->port, accept);
  }
  if (!asked_last(step, port) || contains(sons_, port)) return;
  add(sons_, port);
  if (state_ == State::citizen) return tell(step, port);  // asked when it was still a king
  if (state_ != State::king) return;
  if (accept.phase == status_.phase) {
    ++status_.phase;
    for (const core::Port son : sons_) tell(step, son);
  } else {
    tell(step, port);
  }
  ask_next(step);
}

void KorachMoranZaks::take(Step& step, core::Port port, const Update& update) {
  if (father_ != port) return;
  status_ = update.to;
  for (const core::Port son : sons_) tell(step, son);
  if (state_ == State::asking) {
    if (asker_->by > status_) return;  // still to be answered
    tell_asker(step, *std::exchange(asker_, std::nullopt));
  }
  state_ = State::citizen;
}

void KorachMoranZaks::take(Step& step, core::Port port, const YourCitizen&) {
  if (state_ == State::king && asked_last(step, port)) ask_next(step);
}

void KorachMoranZaks::take(Step&, core::Port, const Leader& leader) {
  if (state_ != State::leader) leader_ = leader.id;
}

}  // namespace bellwether::algorithms
