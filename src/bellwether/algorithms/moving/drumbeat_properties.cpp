// SPDX-License-Identifier: MIT
// What holds in every run of `drumbeat`, whatever happens to links, nodes and messages.
#include "bellwether/algorithms/moving/drumbeat.hpp"
#include "bellwether/algorithms/stated_property.hpp"

namespace bellwether::algorithms {
namespace {

using All = core::Snapshot<Drumbeat>;
using Property = StatedProperty<Drumbeat>;
using State = Drumbeat::State;

bool is_another_life(const core::Happening& what) {
  return what.cause == core::Cause::crash || what.cause == core::Cause::restart;
}

/// A claim of each node, as it was after its last step.
struct LastClaim {
  State state{};
  core::NodeId leader{};
  std::uint32_t weight = 0;
  core::NodeId heir{};
  static constexpr auto fields =
      std::tuple{core::field("state", &LastClaim::state), core::field("leader", &LastClaim::leader),
                 core::field("weight", &LastClaim::weight), core::field("heir", &LastClaim::heir)};
  friend bool operator==(const LastClaim&, const LastClaim&) = default;
};

LastClaim claim_of(const Drumbeat& node) {
  const BeatClaim& claim = node.claim();
  return {node.state(), claim.leader, claim.weight(),
          node.news().has_heir() ? node.news().trial : nobody};
}

/// A property of two successive claims of one node.
template <class Self>
class OfSteps : public core::Remembers<Self, Property> {
 public:
  using core::Remembers<Self, Property>::Remembers;
  void after(const All& all, const core::Happening& what) final {
    last_.resize(all.size());
    const LastClaim now = claim_of(all.node(what.node));
    if (!is_another_life(what)) compare(all, what, last_[what.node], now);
    last_[what.node] = now;
  }
  bool reads_clocks() const final { return false; }

 protected:
  virtual void compare(const All& all, const core::Happening& what, const LastClaim& before,
                       const LastClaim& now) = 0;

 private:
  std::vector<LastClaim> last_;

 public:
  static constexpr auto fields = std::tuple{core::field("last", &OfSteps::last_)};
};

/// Of one node: the last claim that it followed, and the last beat of each leader.
struct Followed {
  State state{};
  BeatClaim claim;
  SeenBeats beats;
  static constexpr auto fields =
      std::tuple{core::field("state", &Followed::state), core::field("claim", &Followed::claim),
                 core::field("beats", &Followed::beats)};
  friend bool operator==(const Followed&, const Followed&) = default;
};

class BeatsAscend final : public core::Remembers<BeatsAscend, Property> {
 public:
  BeatsAscend()
      : Remembers("beats-ascend",
                  "a node accepts each beat of a leader once, and no earlier one after it, while "
                  "it remembers the leader") {}
  void after(const All& all, const core::Happening& what) override {
    followed_.resize(all.size());
    Followed& last = followed_[what.node];
    if (is_another_life(what)) last = {};
    const Drumbeat& node = all.node(what.node);
    const BeatClaim& claim = node.claim();
    const bool accepts = node.state() == State::follows &&
                         (last.state != State::follows || claim.leader != last.claim.leader ||
                          claim.beat != last.claim.beat);
    if (accepts) {
      demand(claim.beat > last.beats.last(claim.leader), all, what.node,
             "a beat that is not above the last one of this leader");
      last.beats.add(claim.leader, claim.beat);
    }
    last.state = node.state();
    last.claim = claim;
  }

 private:
  std::vector<Followed> followed_;

 public:
  static constexpr auto fields = std::tuple{core::field("followed", &BeatsAscend::followed_)};
};

class WeightHolds final : public OfSteps<WeightHolds> {
 public:
  WeightHolds()
      : OfSteps("weight-holds",
                "the weight of a leader that has neighbours falls only when a window ends") {}

 private:
  void compare(const All& all, const core::Happening& what, const LastClaim& before,
               const LastClaim& now) override {
    const Drumbeat& node = all.node(what.node);
    const bool stays = before.state == State::leads && now.state == State::leads;
    demand(!stays || now.weight >= before.weight || node.handover().is_window_new() ||
               all.channels(what.node).empty(),
           all, what.node, "the weight fell within a window");
  }
};

class HeirIsNearer final : public OfSteps<HeirIsNearer> {
 public:
  HeirIsNearer()
      : OfSteps("heir-is-nearer",
                "a leader hands over to a node of higher priority, or to one that is nearer: the "
                "sum of the distances that the echo has brought is less") {}

 private:
  void compare(const All& all, const core::Happening& what, const LastClaim& before,
               const LastClaim& now) override {
    if (now.state != State::leads || now.heir == nobody || now.heir == before.heir) return;
    const Drumbeat& node = all.node(what.node);
    const SubtreeReport& report = node.tree().report();
    const bool by_priority = report.top > node.claim().priority();
    demand(by_priority || report.trial_far < report.far, all, what.node,
           "an heir that is not nearer");
  }
};

class OneHeir final : public OfSteps<OneHeir> {
 public:
  OneHeir() : OfSteps("one-heir", "a leader waits for one heir at a time") {}

 private:
  void compare(const All& all, const core::Happening& what, const LastClaim& before,
               const LastClaim& now) override {
    const bool stays = before.state == State::leads && now.state == State::leads;
    const bool changed = before.heir != nobody && now.heir != nobody && before.heir != now.heir;
    demand(!stays || !changed, all, what.node, "a second heir");
  }
};

class LeadersBeat final : public Property {
 public:
  LeadersBeat()
      : Property("leaders-beat", "no leader is ever quiescent: its next beat is always under way") {
  }
  bool reads_clocks() const override { return false; }
  void at_rest(const All& all) override {
    for (core::NodeIndex u = 0; u < all.size(); ++u)
      demand(!all.alive(u) || all.node(u).state() != State::leads, all, u,
             "a leader without a beat");
  }
};

class Eligible final : public Property {
 public:
  Eligible() : Property("eligible", "no node of priority 0 begins to lead") {}
  bool reads_clocks() const override { return false; }
  void after(const All& all, const core::Happening& what) override {
    const Drumbeat& node = all.node(what.node);
    demand(what.cause == core::Cause::crash || node.state() != State::leads ||
               node.priority() > 0 || node.news().has_heir(),
           all, what.node, "a leader that is not eligible");
  }
};

}  // namespace

core::Monitors<Drumbeat> Drumbeat::monitors() {
  core::Monitors<Drumbeat> out;
  out.push_back(std::make_unique<BeatsAscend>());
  out.push_back(std::make_unique<WeightHolds>());
  out.push_back(std::make_unique<HeirIsNearer>());
  out.push_back(std::make_unique<OneHeir>());
  out.push_back(std::make_unique<LeadersBeat>());
  out.push_back(std::make_unique<Eligible>());
  return out;
}

}  // namespace bellwether::algorithms
