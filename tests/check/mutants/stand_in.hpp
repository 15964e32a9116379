// SPDX-License-Identifier: MIT
// A mutant of `drumbeat` that only a hand moves needs no codec, printer, search or properties of
// its own, which are most of what an algorithm costs to compile. So the original lends it all that
// a host of tests asks for, and the mutant does no more than handle what happens.
#pragma once

#include <bit>

#include "bellwether/algorithms/moving/drumbeat.hpp"
#include "bellwether/core/algorithm.hpp"
#include "bellwether/core/host.hpp"

namespace bellwether::searches {

/// A node of a mutant, which tells what it does in the words of the original.
class OddNode {
 public:
  using Message = algorithms::Drumbeat::Message;
  using Timer = algorithms::Drumbeat::Timer;
  using Said = algorithms::Drumbeat::Step;

  virtual ~OddNode() = default;
  /// `timer`: the one that expires, where one does.
  virtual void handle(const core::Call& what, Timer timer, const core::Surroundings& around,
                      Said& out) = 0;
  virtual std::optional<core::NodeId> leader() const = 0;
};

/// Messages of a mutant are other types than those of the original, but the same bits.
template <class P>
class OddNodeOf final : public OddNode {
 public:
  explicit OddNodeOf(core::NodeId id) : node_(id, {}) {}

  void handle(const core::Call& what, Timer timer, const core::Surroundings& around,
              Said& out) override {
    step_.begin(around.hooks, around.ports, around.now);
    call(what, timer);
    for (const auto& each : step_.sends())
      out.send(each.port, std::bit_cast<Message>(each.message));
    for (const auto& each : step_.alarms()) {
      const auto name = static_cast<Timer>(each.timer);
      each.armed ? out.arm(name, each.min, each.max) : out.disarm(name);
    }
  }
  std::optional<core::NodeId> leader() const override { return node_.leader(); }

 private:
  void call(const core::Call& what, Timer timer) {
    using Handler = core::Call::Handler;
    if (what.handler == Handler::start) node_.start(step_);
    if (what.handler == Handler::link_down) node_.link_down(step_, what.port);
    if (what.handler == Handler::timeout)
      node_.timeout(step_, static_cast<typename P::Timer>(timer));
    if (what.handler == Handler::set_priority) node_.set_priority(step_, what.priority);
    if (what.handler != Handler::receive) return;
    const auto& message = *static_cast<const Message*>(what.message);
    node_.receive(step_, what.port, std::bit_cast<typename P::Message>(message));
  }

  P node_;
  typename P::Step step_;
};

using MakeOddNode = std::unique_ptr<OddNode> (*)(core::NodeId id);
std::unique_ptr<core::Nodes> stand_ins(MakeOddNode make);

/// The original as the catalogue has it, with other nodes.
core::Algorithm with_nodes(std::unique_ptr<core::Nodes> (*make)(const core::OptionTexts&));

template <class P>
core::Algorithm moved_by_hand() {
  return with_nodes([](const core::OptionTexts&) {
    return stand_ins([](core::NodeId id) -> std::unique_ptr<OddNode> {
      return std::make_unique<OddNodeOf<P>>(id);
    });
  });
}

}  // namespace bellwether::searches
