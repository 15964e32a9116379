// SPDX-License-Identifier: MIT
// The sample execution of the sources (Tbarka 2019, Fig. 2.3 and section 3.6), claim by claim: the
// heights of all nodes in each stage (a) to (h) and at the end, as literals.
// testdata/height_sample_execution.txt plays the same steps and explains the ids.
#include <gtest/gtest.h>

#include "golden/interaction.hpp"

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
  SampleExecution() : net_({H, G, D, E, F, B, C, A}, {.clock = Height::Clock::perfect}) {
    for (const auto& [a, b] : {std::pair{H, G}, {G, D}, {G, E}, {G, F}, {D, B}, {E, B}, {F, C},
                               {B, A}, {C, A}})
      net_.link(a, b);
    net_.start_all();
    net_.settle();
  }

  struct Expected {
    ReferenceLevel rl;
    std::int64_t delta;
    LeaderPair lp;
  };
  void expect(std::initializer_list<NodeId> nodes, Expected e) const {
    for (const NodeId id : nodes) {
      const HeightTuple height{e.rl, e.delta, e.lp, id};
      EXPECT_EQ(net_.node(id).height(), height)
          << to_text(net_.node(id).height()) << " is not " << to_text(height);
    }
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

  Interaction<Height> net_;
};

TEST_F(SampleExecution, goes_through_the_stages_of_the_figure) {
  {
    SCOPED_TRACE("(a) a leader-oriented DAG; H leads");
    expect({H}, {zero, 0, old_leader});
    expect({G}, {zero, 1, old_leader});
    expect({D, E, F}, {zero, 2, old_leader});
    expect({B, C}, {zero, 3, old_leader});
    expect({A}, {zero, 4, old_leader});
  }
  play_b();
  {
    SCOPED_TRACE("(b) G has lost its last way down and starts a search");
    expect({G}, {search, 0, old_leader});
    expect({D, E, F}, {zero, 2, old_leader});
    expect({B, C}, {zero, 3, old_leader});
    expect({A}, {zero, 4, old_leader});
  }
  play_c();
  {
    SCOPED_TRACE("(c) D, E and F take part");
    expect({G}, {search, 0, old_leader});
    expect({D, E, F}, {search, -1, old_leader});
    expect({B, C}, {zero, 3, old_leader});
    expect({A}, {zero, 4, old_leader});
  }
  play_d();
  {
    SCOPED_TRACE("(d) B and C take part");
    expect({G}, {search, 0, old_leader});
    expect({D, E, F}, {search, -1, old_leader});
    expect({B, C}, {search, -2, old_leader});
    expect({A}, {zero, 4, old_leader});
  }
  play_e();
  {
    SCOPED_TRACE("(e) A reflects the search");
    expect({G}, {search, 0, old_leader});
    expect({D, E, F}, {search, -1, old_leader});
    expect({B, C}, {search, -2, old_leader});
    expect({A}, {reflected, 0, old_leader});
  }
  play_f();
  {
    SCOPED_TRACE("(f) B and C take on the reflected level");
    expect({G}, {search, 0, old_leader});
    expect({D, E, F}, {search, -1, old_leader});
    expect({B, C}, {reflected, -1, old_leader});
    expect({A}, {reflected, 0, old_leader});
  }
  play_g();
  {
    SCOPED_TRACE("(g) so do D, E and F");
    expect({G}, {search, 0, old_leader});
    expect({D, E, F}, {reflected, -2, old_leader});
    expect({B, C}, {reflected, -1, old_leader});
    expect({A}, {reflected, 0, old_leader});
  }
  play_h();
  {
    SCOPED_TRACE("(h) G elects itself at time 7");
    expect({G}, {zero, 0, new_leader});
    expect({D, E, F}, {reflected, -2, old_leader});
    expect({B, C}, {reflected, -1, old_leader});
    expect({A}, {reflected, 0, old_leader});
  }
  net_.settle();
  {
    // A has delta 3; section 3.6 misprints -3.
    SCOPED_TRACE("the end: everybody follows G");
    expect({G}, {zero, 0, new_leader});
    expect({D, E, F}, {zero, 1, new_leader});
    expect({B, C}, {zero, 2, new_leader});
    expect({A}, {zero, 3, new_leader});
  }
  // The figure leaves H alone; ours has elected itself when it was told, at time 1.
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
    for (const NodeId id : {G, D, E, F, B, C, A}) out.push_back(net_.node(id).leader());
    return out;
  };
  const std::vector<std::optional<NodeId>> all_h(7, H);
  EXPECT_EQ(leaders(), all_h);
  play_b(), play_c(), play_d(), play_e(), play_f(), play_g();
  EXPECT_EQ(leaders(), all_h);
  play_h();
  EXPECT_EQ(net_.node(G).leader(), G);
  net_.settle();
  EXPECT_EQ(leaders(), (std::vector<std::optional<NodeId>>(7, G)));
}

}  // namespace
}  // namespace bellwether::golden
