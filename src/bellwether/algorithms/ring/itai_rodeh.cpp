// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/ring/itai_rodeh.hpp"

#include <algorithm>

#include "bellwether/algorithms/stated_property.hpp"

namespace bellwether::algorithms {

static_assert(core::Protocol<ItaiRodeh> && core::Described<ItaiRodeh>);
static_assert(std::is_trivially_copyable_v<ItaiRodeh::Message>);

void ItaiRodeh::start(Step& step) {
  if (state_ != State::sleep) return;  // a token has passed; its owner relies on our silence
  state_ = State::active;
  if (!step.ports().empty()) return draw(step);
  round_ = 1;
  lead(step);
}

void ItaiRodeh::receive(Step& step, core::Port, const Message& message) {
  if (state_ == State::sleep) state_ = State::passive;
  if (const auto* token = std::get_if<Token>(&message)) return take(step, *token);
  if (leader_) return;  // it has travelled the whole ring
  const auto& news = std::get<Leader>(message);
  leader_ = news.id;
  if (state_ == State::active) state_ = State::passive;
  step.send(clockwise(step), news);
}

void ItaiRodeh::take(Step& step, Token token) {
  if (state_ == State::leader) return;
  if (state_ == State::active) {
    const auto mine = std::pair(round_, number_);
    const auto other = std::pair(token.round, token.number);
    if (other < mine) return;
    if (other == mine && token.hop == options_.nodes) return take_home(step, token);
    if (other == mine) token.bit = false;
    if (other > mine) state_ = State::passive;
  }
  if (token.hop >= options_.nodes) return;
  ++token.hop;
  step.send(clockwise(step), token);
}

void ItaiRodeh::take_home(Step& step, const Token& token) {
  if (token.bit)
    lead(step);
  else
    draw(step);
}

void ItaiRodeh::draw(Step& step) {
  ++round_;
  const std::uint32_t choices = options_.choices == 0 ? options_.nodes : options_.choices;
  number_ = 1 + static_cast<std::uint32_t>(step.choose(std::max(choices, 1u)));
  step.send(clockwise(step), Token{number_, round_, 1, true});
}

void ItaiRodeh::lead(Step& step) {
  state_ = State::leader;
  leader_ = id_;
  if (options_.announce && !step.ports().empty()) step.send(clockwise(step), Leader{id_});
}

namespace {

using Property = StatedProperty<ItaiRodeh>;
using Snapshot = core::Snapshot<ItaiRodeh>;
using State = ItaiRodeh::State;

/// By state and not by id: in an anonymous network all ids are equal.
class OneLeads final : public Property {
 public:
  OneLeads() : Property("one-leader", "at most one node is in the state leader") {}
  void after(const Snapshot& all, const core::Happening& what) override {
    if (all.node(what.node).state() != State::leader) return;
    for (core::NodeIndex u = 0; u < all.size(); ++u)
      demand(u == what.node || all.node(u).state() != State::leader, all, u, "a second leader");
  }
};

class SomebodyActive final : public Property {
 public:
  SomebodyActive()
      : Property("somebody-left",
                 "at least one of the nodes that have started is active or leads") {}
  void after(const Snapshot& all, const core::Happening& what) override {
    if (all.node(what.node).state() != State::passive) return;
    bool initiators = false;
    for (core::NodeIndex u = 0; u < all.size(); ++u) {
      const State state = all.node(u).state();
      if (state == State::active || state == State::leader) return;
      initiators = initiators || all.node(u).initiator();
    }
    demand(!initiators, all, what.node, "no candidate is left");
  }
};

class ResultKnown final : public Property {
 public:
  ResultKnown()
      : Property("known",
                 "when quiescent, if any node has started, one node leads and, if it announces, "
                 "all others know") {}
  void at_rest(const Snapshot& all) override {
    std::optional<core::NodeIndex> leads;
    bool initiators = false;
    for (core::NodeIndex u = 0; u < all.size(); ++u) {
      initiators = initiators || all.node(u).initiator();
      if (all.node(u).state() == State::leader) leads = u;
    }
    if (!initiators) return;
    demand(leads.has_value(), all, 0, "no node leads");
    for (core::NodeIndex u = 0; u < all.size(); ++u)
      demand(!all.node(u).announces() || all.node(u).leader() == all.id(*leads), all, u,
             "the leader is not known");
  }
};

}  // namespace

core::Monitors<ItaiRodeh> ItaiRodeh::monitors() {
  core::Monitors<ItaiRodeh> all;
  all.push_back(std::make_unique<OneLeads>());
  all.push_back(std::make_unique<SomebodyActive>());
  all.push_back(std::make_unique<ResultKnown>());
  return all;
}

}  // namespace bellwether::algorithms
