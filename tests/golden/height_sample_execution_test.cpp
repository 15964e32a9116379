// SPDX-License-Identifier: MIT
// The sample execution of the sources (Tbarka 2019, Fig. 2.3 and section 3.6), claim by claim: the
// heights of all nodes in each stage (a) to (h) and at the end, as literals.
// testdata/height_sample_execution.txt plays the same steps and explains the ids.
#include <gtest/gtest.h>

#include "bellwether/algorithms/moving/height.hpp"
#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/core/typed.hpp"
#include "golden/stage.hpp"

namespace bellwether::golden {
namespace {

using algorithms::Height;
using algorithms::HeightTuple;
using algorithms::LeaderPair;
using algorithms::ReferenceLevel;

// Leader pairs of the same time are won by the smallest id: H leads at the beginning.
constexpr NodeId H{1}, G{2}, D{3}, E{4}, F{5}, B{6}, C{7}, A{8};

constexpr ReferenceLevel zero{};
constexpr ReferenceLevel search{1, G, 0};
constexpr ReferenceLevel reflected{1, G, 1};
constexpr LeaderPair old_leader{0, H};
constexpr LeaderPair new_leader{-7, G};

class SampleExecution : public testing::Test {
 protected:
  SampleExecution()
      : net_(catalogue::algorithm("height").make({{"clock", "perfect"}}),
             {H, G, D, E, F, B, C, A}) {
    for (const auto& [a, b] :
         {std::pair{H, G}, {G, D}, {G, E}, {G, F}, {D, B}, {E, B}, {F, C}, {B, A}, {C, A}})
      net_.link(a, b);
    net_.start_all();
    net_.settle();
  }

  const Height& node(NodeId id) const {
    return static_cast<const core::Typed<Height>&>(net_.nodes()).node(net_.place(id));
  }
  struct Expected {
    ReferenceLevel rl;
    std::int32_t delta;
    LeaderPair lp;
  };
  void expect(std::initializer_list<NodeId> nodes, const Expected& e) const {
    for (const NodeId id : nodes) {
      const HeightTuple height{e.rl, e.delta, e.lp, id};
      EXPECT_EQ(node(id).height(), height)
          << to_text(node(id).height()) << " is not " << to_text(height);
    }
  }
  /// The layers of the figure, from G down to A.
  void expect_stage(const char* stage, const Expected& g, const Expected& def, const Expected& bc,
                    const Expected& a) const {
    SCOPED_TRACE(stage);
    expect({G}, g);
    expect({D, E, F}, def);
    expect({B, C}, bc);
    expect({A}, a);
  }
  void deliver(NodeId from, std::initializer_list<NodeId> to) {
    for (const NodeId each : to) net_.deliver(from, each);
  }

  // Each plays from the stage before.
  void play_b() {
    net_.set_time({}, Time{1});
    net_.down(G, H);
    net_.down(H, G);
  }
  void play_c() { deliver(G, {D, E, F}); }
  void play_d() {
    deliver(D, {B, G});
    deliver(E, {B, G});
    deliver(F, {C, G});
  }
  void play_e() {
    deliver(B, {A, D, E});
    deliver(C, {A, F});
  }
  void play_f() { deliver(A, {B, C}); }
  void play_g() {
    deliver(B, {D, E, A});
    deliver(C, {F, A});
  }
  void play_h() {
    net_.set_time({}, Time{7});
    deliver(D, {G, B});
    deliver(E, {G, B});
    deliver(F, {G, C});
  }

  Stage net_;
};

TEST_F(SampleExecution, goes_through_the_stages_of_the_figure) {
  constexpr LeaderPair h = old_leader;
  expect({H}, {zero, 0, h});
  expect_stage("(a) a leader-oriented DAG; H leads",  //
               {zero, 1, h}, {zero, 2, h}, {zero, 3, h}, {zero, 4, h});
  play_b();
  expect_stage("(b) G has lost its last way down and starts a search",  //
               {search, 0, h}, {zero, 2, h}, {zero, 3, h}, {zero, 4, h});
  play_c();
  expect_stage("(c) D, E and F take part",  //
               {search, 0, h}, {search, -1, h}, {zero, 3, h}, {zero, 4, h});
  play_d();
  expect_stage("(d) B and C take part",  //
               {search, 0, h}, {search, -1, h}, {search, -2, h}, {zero, 4, h});
  play_e();
  expect_stage("(e) A reflects the search",  //
               {search, 0, h}, {search, -1, h}, {search, -2, h}, {reflected, 0, h});
  play_f();
  expect_stage("(f) B and C take on the reflected level",  //
               {search, 0, h}, {search, -1, h}, {reflected, -1, h}, {reflected, 0, h});
  play_g();
  expect_stage("(g) so do D, E and F",  //
               {search, 0, h}, {reflected, -2, h}, {reflected, -1, h}, {reflected, 0, h});
  play_h();
  constexpr LeaderPair g = new_leader;
  expect_stage("(h) G elects itself at time 7",  //
               {zero, 0, g}, {reflected, -2, h}, {reflected, -1, h}, {reflected, 0, h});
  net_.settle();
  // A has delta 3; section 3.6 misprints -3.
  expect_stage("the end: everybody follows G",  //
               {zero, 0, g}, {zero, 1, g}, {zero, 2, g}, {zero, 3, g});
  // The figure leaves H alone; ours has elected itself when it was notified, at time 1.
  expect({H}, {zero, 0, {-1, H}});
}

TEST_F(SampleExecution, is_at_rest_where_the_figure_is) {
  net_.take();
  net_.transit();
  EXPECT_EQ(net_.take(), "nothing\n");  // (a)
  play_b();
  net_.take();
  net_.transit();  // (b) G's new height is on its way to all its neighbours, and nothing else is
  EXPECT_EQ(net_.take(),
            "2->3 update (1,2,0|0|0,1|2)\n2->4 update (1,2,0|0|0,1|2)\n"
            "2->5 update (1,2,0|0|0,1|2)\n");
}

TEST_F(SampleExecution, changes_no_leader_before_stage_h) {
  const auto leaders = [&] {
    std::vector<std::optional<NodeId>> out;
    for (const NodeId id : {G, D, E, F, B, C, A}) out.push_back(node(id).leader());
    return out;
  };
  const std::vector<std::optional<NodeId>> all_h(7, H);
  EXPECT_EQ(leaders(), all_h);
  play_b(), play_c(), play_d(), play_e(), play_f(), play_g();
  EXPECT_EQ(leaders(), all_h);
  play_h();
  EXPECT_EQ(node(G).leader(), G);
  net_.settle();
  EXPECT_EQ(leaders(), (std::vector<std::optional<NodeId>>(7, G)));
}

}  // namespace
}  // namespace bellwether::golden
