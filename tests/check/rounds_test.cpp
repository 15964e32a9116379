// SPDX-License-Identifier: MIT
// The search of synchronous protocols: every graph, every order of the ids, every draw.
#include <gtest/gtest.h>

#include "bellwether/core/algorithm_of.hpp"
#include "bellwether/core/problem.hpp"
#include "check/searches.hpp"

namespace bellwether::searches {
namespace {

/// Two nodes toss coins until they differ; then the one with the 1 leads, and says so.
class Coin {
 public:
  static constexpr std::string_view name = "coin";
  struct Options {
    bool again = true;  // toss again when they are equal
    static constexpr auto fields = std::tuple{core::field("again", &Options::again)};
    friend bool operator==(const Options&, const Options&) = default;
  };
  struct Toss {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "toss";
    core::NodeId id{};
    bool coin = false;
    static constexpr auto fields =
        std::tuple{core::field("id", &Toss::id), core::field("coin", &Toss::coin)};
    friend bool operator==(const Toss&, const Toss&) = default;
  };
  using Message = std::variant<Toss>;
  using Timer = core::NoTimer;

  Coin() = default;
  Coin(core::NodeId id, Options options) : id_(id), again_(options.again) {}
  void round(core::Step<Message, Timer>& step, core::Inbox<Message> inbox) {
    if (leader_ || gave_up_) return;
    for (const auto& received : inbox) {
      const Toss& other = std::get<Toss>(received.message);
      if (other.coin != coin_) leader_ = coin_ ? id_ : other.id;
      if (other.coin == coin_ && !again_) gave_up_ = true;
    }
    if (leader_ || gave_up_) return;
    coin_ = step.choose(2) == 1;
    step.broadcast(Toss{id_, coin_});
  }
  bool halted() const { return leader_.has_value() || gave_up_; }
  std::optional<core::NodeId> leader() const { return leader_; }
  friend bool operator==(const Coin&, const Coin&) = default;

 private:
  core::NodeId id_{};
  bool again_ = true;
  bool coin_ = false;
  bool gave_up_ = false;
  std::optional<core::NodeId> leader_;

 public:
  static constexpr auto fields =
      std::tuple{core::field("coin", &Coin::coin_), core::field("gave_up", &Coin::gave_up_),
                 core::field("leader", &Coin::leader_)};
};

Spec pair() {
  Spec spec;
  spec.algorithm = "coin";
  check::set_graph(spec, "line:2");
  return spec;
}

TEST(RoundSearch, TriesEveryDraw) {
  const Spec spec = pair();
  // Four outcomes of the first round, of which those that agree come back to themselves.
  const Verdict verdict = check::check(core::algorithm_of<Coin>(), spec, {});
  EXPECT_EQ(verdict.ended, SearchEnd::complete) << verdict.sentence;
  EXPECT_EQ(verdict.states, 4u);
  EXPECT_EQ(verdict.rests, 2u);
  EXPECT_TRUE(verdict.agreed);
}

TEST(RoundSearch, FindsTheDrawThatGoesWrong) {
  Spec spec = pair();
  spec.options = {{"again", "false"}};
  const Verdict verdict = check::check(core::algorithm_of<Coin>(), spec, {});
  EXPECT_EQ(verdict.ended, SearchEnd::violation);
  EXPECT_EQ(verdict.property, "agreement");
  ASSERT_EQ(verdict.narration.size(), 2u);
  EXPECT_EQ(verdict.narration[0].what,
            "round 1: 1 to 2 toss(id=1 coin=false); 2 to 1 toss(id=2 coin=false)");
}

TEST(RoundSearch, FindsADiameterThatIsTooSmall) {
  Spec spec = on("flood-max", "line:4");
  EXPECT_EQ(search(spec).ended, SearchEnd::complete);
  spec.options = {{"diameter", "1"}};
  const Verdict verdict = search(spec);
  EXPECT_EQ(verdict.ended, SearchEnd::violation);
  EXPECT_EQ(verdict.property, "agreement");
  EXPECT_EQ(verdict.actions, 2u);
}

TEST(RoundSearch, EveryOrderOfIdsOnARing) {
  Spec spec = on_all("time-slice", 5, true);
  EXPECT_EQ(spec.graphs.size(), 24u);
  const Verdict verdict = search(spec);
  EXPECT_EQ(verdict.ended, SearchEnd::complete) << verdict.sentence;
  EXPECT_EQ(verdict.searches, 24u);
  EXPECT_EQ(verdict.rests, 24u);
}

TEST(RoundSearch, RefusesWhatHasNoMeaning) {
  Spec spec = on("flood-max", "line:3");
  spec.losses = 1;
  EXPECT_THROW(search(spec), core::Problem);
  spec.losses = 0;
  spec.properties = {"no-such-property"};
  EXPECT_THROW(search(spec), core::Problem);
}

}  // namespace
}  // namespace bellwether::searches
