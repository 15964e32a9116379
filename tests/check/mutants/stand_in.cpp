// SPDX-License-Identifier: MIT
#include "check/mutants/stand_in.hpp"

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/core/typed.hpp"

namespace bellwether::searches {
namespace {

using algorithms::Drumbeat;
using core::NodeIndex;

OddNode::Timer named(const core::TimerName& name) {
  for (std::size_t i = 0; i < names_of(OddNode::Timer{}).size(); ++i)
    if (const auto timer = static_cast<OddNode::Timer>(i); core::TimerName::of(timer) == name)
      return timer;
  core::violated("a timer that drumbeat does not have");
}

/// Nodes of the original to all that asks for their messages and timers. What happens to them
/// happens to nodes of the mutant.
class StandIns final : public core::Typed<Drumbeat> {
 public:
  explicit StandIns(MakeOddNode make) : Typed({}), make_(make) {}

  NodeIndex add(core::NodeId id) override {
    odd_.push_back(make_(id));
    return Typed::add(id);
  }
  void call(NodeIndex u, const core::Call& what, const core::Surroundings& around,
            core::Effects& out) override {
    const bool expires = what.handler == core::Call::Handler::timeout;
    said_.begin({}, {});
    odd_.at(u)->handle(what, expires ? named(*what.timer) : OddNode::Timer{}, around, said_);
    out.sends.clear();
    for (auto& send : said_.sends())
      out.sends.emplace_back(
          send.port, static_cast<std::uint32_t>(core::encoded_size(send.message)), &send.message);
    out.alarms.clear();
    for (const auto& alarm : said_.alarms())
      out.alarms.emplace_back(core::TimerName::of(alarm.timer), alarm.armed, alarm.min, alarm.max);
  }
  std::optional<core::NodeId> leader(NodeIndex u) const override { return odd_.at(u)->leader(); }

  // A property or a search would look at nodes of the original, to which nothing happens.
  core::PropertyMonitors monitors() override { return {}; }
  NodeIndex copy(NodeIndex) override { core::violated("a mutant that is only moved by hand"); }

 private:
  MakeOddNode make_;
  std::vector<std::unique_ptr<OddNode>> odd_;
  Drumbeat::Step said_;
};

}  // namespace

std::unique_ptr<core::Nodes> stand_ins(MakeOddNode make) {
  return std::make_unique<StandIns>(make);
}

core::Algorithm with_nodes(std::unique_ptr<core::Nodes> (*make)(const core::OptionTexts&)) {
  core::Algorithm out = catalogue::algorithm("drumbeat");
  out.make = make;
  return out;
}

}  // namespace bellwether::searches
