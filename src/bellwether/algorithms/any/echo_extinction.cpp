// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/any/echo_extinction.hpp"

namespace bellwether::algorithms {

static_assert(core::Protocol<EchoExtinction> && core::Described<EchoExtinction>);
static_assert(std::is_trivially_copyable_v<EchoExtinction::Message>);

void EchoExtinction::start(Step& step) {
  if (wave_ || leader_) return;  // woken by a wave, whose initiator may lead already
  initiator_ = true;
  join(step, id_, std::nullopt);
}

void EchoExtinction::receive(Step& step, core::Port port, const Message& message) {
  std::visit([&](const auto& chosen) { take(step, port, chosen); }, message);
}

void EchoExtinction::take(Step& step, core::Port port, const Token& token) {
  if (!wave_ || better(extremum_, token.wave, *wave_)) return join(step, token.wave, port);
  // Worse waves end here. In our own wave every port counts once.
  if (token.wave == *wave_ && std::erase(waiting_, port) > 0 && waiting_.empty()) echo(step);
}

void EchoExtinction::join(Step& step, core::NodeId wave, std::optional<core::Port> father) {
  wave_ = wave;
  father_ = father;
  waiting_.assign(step.ports().begin(), step.ports().end());
  if (father) std::erase(waiting_, *father);
  for (const core::Port port : waiting_) step.send(port, Token{wave});
  if (waiting_.empty()) echo(step);
}

/// All nodes of this node's subtree have been in its wave.
void EchoExtinction::echo(Step& step) {
  if (father_) {
    if (is_up(step, *father_)) step.send(*father_, Token{*wave_});
  } else if (!leader_) {
    leader_ = id_;
    step.broadcast(Leader{id_});
  }
}

void EchoExtinction::take(Step& step, core::Port, const Leader& news) {
  if (leader_) return;
  leader_ = news.id;
  step.broadcast(news);
}

core::Monitors<EchoExtinction> EchoExtinction::monitors() {
  return extremum_monitors<EchoExtinction>();
}

}  // namespace bellwether::algorithms
