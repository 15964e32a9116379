// SPDX-License-Identifier: MIT
// Faults put into real algorithms on purpose, one each: the search must find every one of them,
// and nothing in the algorithm as it is.
#include <gtest/gtest.h>

#include "bellwether/check/explore_test.hpp"
#include "check/searches.hpp"

namespace bellwether::searches {
namespace {

using namespace algorithms;

/// The mutant is wrong and the original, in the same search, is not.
template <class Mutant>
void caught(const char* what, const Spec& spec, const typename Mutant::Options& options = {}) {
  SCOPED_TRACE(what);
  const auto wrong = check::explore<Mutant>(spec, options, true).found;
  EXPECT_EQ(wrong.ended, Ended::violation);
  const Verdict right = search(spec);
  EXPECT_EQ(right.ended, Ended::complete) << right.sentence;
  std::string graph;
  for (const auto& e : spec.graphs.front())
    graph += " " + std::to_string(e.a + 1) + "-" + std::to_string(e.b + 1);
  std::printf("  %s:%s of %u nodes, %llu states, %zu steps: %s\n", what, graph.c_str(), spec.nodes,
              static_cast<unsigned long long>(wrong.states), wrong.path.size(),
              wrong.sentence.c_str());
}

template <class Step, class Keep>
void keep_sends(Step& step, Keep&& keep) {
  std::vector<typename Step::Send> kept;
  for (auto& each : step.sends())
    if (keep(each)) kept.push_back(std::move(each));
  step.sends().swap(kept);
}

/// Swallows the tokens that it should pass on.
struct SwallowsTokens : ChangRoberts {
  using ChangRoberts::ChangRoberts;
  void receive(Step& step, core::Port port, const Message& message) {
    ChangRoberts::receive(step, port, message);
    keep_sends(step, [](const auto& send) { return !std::holds_alternative<Token>(send.message); });
  }
};

TEST(Mutants, RingThatSwallowsTokens) {
  Spec spec = on("chang-roberts", "ring:3");
  spec.one_way = true;
  caught<SwallowsTokens>("chang-roberts that passes no token on", spec);
}

/// Passes the announcement on with its own name in it.
struct TakesCredit : ChangRoberts {
  TakesCredit() = default;
  TakesCredit(core::NodeId id, Options options) : ChangRoberts(id, options), me(id) {}
  core::NodeId me{};
  void receive(Step& step, core::Port port, const Message& message) {
    ChangRoberts::receive(step, port, message);
    if (state() == State::leader) return;
    for (auto& send : step.sends())
      if (auto* news = std::get_if<Leader>(&send.message)) news->id = me;
  }
};

TEST(Mutants, RingThatTakesCredit) {
  Spec spec = on("chang-roberts", "ring:3");
  spec.one_way = true;
  caught<TakesCredit>("chang-roberts that announces itself", spec);
}

/// Tells all but one who leads.
struct Forgetful : Bully {
  using Bully::Bully;
  template <class Do>
  void without_one(Step& step, Do&& act) {
    act();
    bool gone = false;
    keep_sends(step, [&](const auto& send) {
      const bool news = std::holds_alternative<Leader>(send.message);
      return !news || std::exchange(gone, true);
    });
  }
  void start(Step& step) {
    without_one(step, [&] { Bully::start(step); });
  }
  void receive(Step& step, core::Port port, const Message& message) {
    without_one(step, [&] { Bully::receive(step, port, message); });
  }
  void timeout(Step& step, Timer timer) {
    without_one(step, [&] { Bully::timeout(step, timer); });
  }
};

TEST(Mutants, BullyThatForgetsOne) {
  Spec spec = on("bully", "complete:3");
  spec.from = From::cold;
  caught<Forgetful>("bully that does not tell one of the others", spec);
}

/// Begins every life with the same version.
struct Ageless : Cel2 {
  using Cel2::Cel2;
  static constexpr std::string_view name = "ageless";
  void start(Step& step) {
    step.begin(step.ports(), core::Time{});
    Cel2::start(step);
  }
  void link_up(Step& step, core::Port port) {
    step.begin(step.ports(), core::Time{});
    Cel2::link_up(step, port);
  }
  void receive(Step& step, core::Port port, const Message& message) {
    step.begin(step.ports(), core::Time{});
    Cel2::receive(step, port, message);
  }
};

TEST(Mutants, VersionsThatBeginAtZero) {
  Spec spec = on("cel-2", "13", "13,23,x1,r1,12");
  spec.notify = Notify::instant;
  spec.order = ChannelOrder::fifo;
  caught<Ageless>("cel-2 whose versions begin at 0", spec);
}

/// Never compares what it knows.
struct Deaf : Cel2 {
  using Cel2::Cel2;
  void receive(Step& step, core::Port port, const Message& message) {
    if (!std::holds_alternative<Digest>(message)) Cel2::receive(step, port, message);
  }
};

TEST(Mutants, DigestsThatNobodyReads) {
  Spec spec = on("cel-2", "12,13", "12");
  spec.losses = 1;
  caught<Deaf>("cel-2 that reads no digest", spec);
}

/// Says nothing to who comes with an older leader (the misprint of H-2).
struct Silent : Height {
  using Height::Height;
  void receive(Step& step, core::Port port, const Message& message) {
    const LeaderPair theirs = std::get<Update>(message).height.lp;
    const LeaderPair mine = height().lp;
    Height::receive(step, port, message);
    if (mine < theirs) step.sends().clear();
  }
};

TEST(Mutants, HeightThatDoesNotAnswer) {
  Spec spec = on("height", "empty:2", "12");
  spec.options = {{"hello", "false"}};
  Height::Options options;
  options.hello = false;
  caught<Silent>("height that does not answer an older leader", spec, options);
}

TEST(Mutants, LeLannWithoutOrder) {
  Spec spec = on("lelann", "ring:3");
  spec.one_way = true;
  EXPECT_EQ(search(spec).ended, Ended::complete);
  spec.order = ChannelOrder::unordered;
  EXPECT_THROW(search(spec), check::BadCheck);
  spec.beyond_model = true;
  spec.properties = {"all"};
  const Verdict verdict = search(spec);
  EXPECT_EQ(verdict.ended, Ended::violation);
  std::printf("  lelann without order: %s: %s\n", verdict.property.c_str(),
              verdict.sentence.c_str());
}

}  // namespace
}  // namespace bellwether::searches
