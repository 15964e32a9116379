// SPDX-License-Identifier: MIT
// Properties that cannot fail show nothing. Here each monitor of the height algorithm is shown a
// configuration that breaks its property, and names the node; and one that does not.
#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "bellwether/algorithms/moving/height.hpp"

namespace bellwether::claims {
namespace {

using algorithms::Height;
using algorithms::HeightTuple;
using core::Cause;
using core::NodeId;
using core::NodeIndex;
using core::Port;
using core::Time;

/// (tau, oid, r | delta | nlts, lid | id)
HeightTuple at(std::int64_t tau, std::uint64_t oid, std::uint8_t r, std::int32_t delta,
               std::int64_t nlts, std::uint64_t lid, std::uint64_t id) {
  return {{tau, NodeId{oid}, r}, delta, {nlts, NodeId{lid}}, NodeId{id}};
}

constexpr std::uint64_t late = 1000;

void hear(Height& node, Port port, const HeightTuple& height, std::uint64_t stamp = late) {
  Height::Step step;
  step.begin({}, Time{});
  node.receive(step, port, Height::Update{height, stamp, false});
}

/// A node with this height, nlts < 0, and these views behind ports 0, 1, ... It owes its height to
/// a neighbour that is in no picture, and so never is a sink.
Height made(const HeightTuple& own, const std::vector<HeightTuple>& views = {},
            Height::Options options = {}) {
  Height node(own.id, options);
  Height::Step step;
  step.begin({}, Time{});
  HeightTuple below = own;
  below.id = NodeId{999};
  --below.delta;
  node.link_up(step, Port{99});
  hear(node, Port{99}, below);
  for (std::uint32_t p = 0; p < views.size(); ++p) {
    node.link_up(step, Port{p});
    hear(node, Port{p}, views[p]);
  }
  EXPECT_EQ(node.height(), own);
  return node;
}

class Picture final : public core::Snapshot<Height> {
 public:
  /// Links are up at both ends; each takes the next free port of both.
  explicit Picture(std::vector<Height> nodes,
                   const std::vector<std::pair<NodeIndex, NodeIndex>>& links = {})
      : nodes_(std::move(nodes)), ways_(nodes_.size()) {
    for (const auto& [a, b] : links) {
      const auto at_a = static_cast<std::uint32_t>(ways_[a].size());
      const auto at_b = static_cast<std::uint32_t>(ways_[b].size());
      ways_[a].push_back({b, Port{at_a}, Port{at_b}, {}});
      ways_[b].push_back({a, Port{at_b}, Port{at_a}, {}});
    }
  }
  /// On their way from a over its port, the oldest first.
  void transit(NodeIndex a, std::uint32_t port, const std::vector<HeightTuple>& heights) {
    for (const HeightTuple& h : heights)
      flying_[{a, port}].push_back(Height::Update{h, late, false});
  }
  void kill(NodeIndex i) { dead_ = i; }
  void set_clock(Time clock) { clock_ = clock; }

  NodeIndex size() const override { return static_cast<NodeIndex>(nodes_.size()); }
  const Height& node(NodeIndex i) const override { return nodes_[i]; }
  NodeId id(NodeIndex i) const override { return nodes_[i].height().id; }
  bool alive(NodeIndex i) const override { return i != dead_; }
  Time clock(NodeIndex) const override { return clock_; }
  std::vector<core::ChannelView<Height::Message>> channels(NodeIndex i) const override {
    auto out = ways_[i];
    for (auto& way : out)
      if (const auto found = flying_.find({i, raw(way.port)}); found != flying_.end())
        for (const auto& message : found->second) way.transit.push_back(&message);
    return out;
  }

 private:
  std::vector<Height> nodes_;
  std::vector<std::vector<core::ChannelView<Height::Message>>> ways_;
  std::map<std::pair<NodeIndex, std::uint32_t>, std::vector<Height::Message>> flying_;
  NodeIndex dead_ = ~NodeIndex{0};
  Time clock_{late};
};

/// One monitor and what it says.
class Watch {
 public:
  explicit Watch(std::string_view name) {
    for (auto& each : Height::monitors())
      if (each->name() == name) monitor_ = std::move(each);
    EXPECT_NE(monitor_, nullptr) << name;
  }
  std::string after(const Picture& picture, NodeIndex node, Cause cause = Cause::receive,
                    std::optional<NodeIndex> peer = {}) {
    return said([&] { monitor_->after(picture, {cause, node, peer}); });
  }
  std::string at_rest(const Picture& picture) {
    return said([&] { monitor_->at_rest(picture); });
  }

 private:
  template <class Call>
  static std::string said(Call&& call) {
    try {
      call();
    } catch (const core::Violation& violation) {
      return violation.what();
    }
    return "";
  }
  std::unique_ptr<core::Monitor<Height>> monitor_;
};

bool names(const std::string& sentence, std::uint64_t id) {
  return sentence.ends_with(" at node " + std::to_string(id));
}

const HeightTuple leader = at(0, 0, 0, 0, -5, 7, 7);
const HeightTuple second = at(0, 0, 0, 1, -5, 7, 8);
const HeightTuple third = at(0, 0, 0, 2, -5, 7, 9);

TEST(HeightProperties, AFiresOnTimesFromTheFuture) {
  constexpr Height::Options perfect{.clock =
                                        Height::ClockKind::perfect};  // others refuse the future
  const auto judged = [&](const HeightTuple& own, const std::vector<HeightTuple>& views,
                          int clock) {
    Picture picture({made(own, views, perfect), made(second, {}, perfect)}, {{0, 1}});
    picture.set_clock(Time{clock});
    return Watch("A").after(picture, 0);
  };
  const HeightTuple searching = at(9, 7, 0, 1, -5, 7, 8);
  EXPECT_EQ(judged(leader, {}, 5), "");
  EXPECT_TRUE(names(judged(leader, {}, 4), 7));
  EXPECT_EQ(judged(searching, {}, 9), "");
  EXPECT_TRUE(names(judged(searching, {}, 8), 8));
  EXPECT_EQ(judged(leader, {searching}, 9), "");
  EXPECT_TRUE(names(judged(leader, {searching}, 8), 7));  // what it knows of others counts, too
}

TEST(HeightProperties, BFiresOnHeightsThatAreNotTheLastOrOutOfOrder) {
  Watch b("B");
  const HeightTuple old_leader = at(0, 0, 0, 1, -4, 7, 8);
  const HeightTuple search = at(6, 8, 0, 0, -5, 7, 8);
  const auto picture = [&](const HeightTuple& own, const HeightTuple& view,
                           const std::vector<HeightTuple>& transit) {
    Picture out({made(at(0, 0, 0, 0, -6, 6, 6), {view}), made(own)}, {{0, 1}});
    out.transit(1, 0, transit);
    return b.after(out, 1);
  };
  EXPECT_EQ(picture(second, second, {}), "");
  EXPECT_EQ(picture(search, old_leader, {second, search}), "");
  EXPECT_TRUE(names(picture(second, third, {}), 8));                 // the view is not exact
  EXPECT_TRUE(names(picture(second, second, {search}), 8));          // nor is the last message
  EXPECT_TRUE(names(picture(old_leader, second, {old_leader}), 8));  // an older leader pair
  EXPECT_TRUE(names(picture(second, search, {second}), 8));          // a smaller reference level
  // What the other end sends is looked at, too.
  const Picture back({made(leader, {second}), made(second, {third})}, {{0, 1}});
  EXPECT_TRUE(names(b.after(back, 1), 7));
}

TEST(HeightProperties, CFiresOnReferenceLevelsWithoutSense) {
  Watch c("C");
  EXPECT_EQ(c.after(Picture({made(second)}), 0), "");
  EXPECT_EQ(c.after(Picture({made(at(3, 7, 1, 0, -5, 7, 8))}), 0), "");
  for (const HeightTuple& h :
       {at(0, 7, 0, 0, -5, 7, 8), at(0, 0, 1, 0, -5, 7, 8), at(3, 0, 0, 0, -5, 7, 8)})
    EXPECT_TRUE(names(c.after(Picture({made(h)}), 0), 8)) << to_text(h);
}

TEST(HeightProperties, DFiresOnFollowersThatDoNotFitTheTreeOfAdoption) {
  const Picture fine({made(leader), made(second), made(third)});
  Watch d("D");
  EXPECT_EQ(d.after(fine, 0), "");
  EXPECT_EQ(d.after(fine, 1, Cause::receive, 0), "");
  EXPECT_EQ(d.after(fine, 2, Cause::receive, 1), "");
  const Picture far({made(leader), made(second), made(at(0, 0, 0, 5, -5, 7, 9))});
  EXPECT_TRUE(names(d.after(far, 2, Cause::receive, 1), 9));
  const Picture searching({made(leader), made(at(9, 8, 0, 1, -5, 7, 8)), made(third)});
  EXPECT_TRUE(names(d.after(searching, 1, Cause::receive, 0), 8));
  Watch nowhere("D");
  EXPECT_EQ(nowhere.after(fine, 0), "");
  EXPECT_TRUE(names(nowhere.after(fine, 2, Cause::receive, 1), 9));  // 8 has not adopted it yet
  Watch changed("D");  // after a change nothing is claimed of this leader any more
  EXPECT_EQ(changed.after(fine, 0), "");
  EXPECT_EQ(changed.after(fine, 2, Cause::link_up), "");
  EXPECT_EQ(changed.after(far, 2, Cause::receive, 1), "");
}

TEST(HeightProperties, EFiresOnADeltaThatChangesAlone) {
  Watch e("E");
  EXPECT_EQ(e.after(Picture({made(second)}), 0), "");
  EXPECT_EQ(e.after(Picture({made(at(9, 8, 0, 4, -5, 7, 8))}), 0), "");
  EXPECT_EQ(e.after(Picture({made(at(0, 0, 0, 4, -6, 7, 8))}), 0), "");
  EXPECT_EQ(e.after(Picture({made(second)}), 0), "");
  EXPECT_TRUE(names(e.after(Picture({made(at(0, 0, 0, 2, -5, 7, 8))}), 0), 8));
}

/// A line 7 - 8 - 9 in which 6 leads; 7 has just started a search.
const HeightTuple origin = at(20, 7, 0, 0, -5, 6, 7);
const HeightTuple middle = at(0, 0, 0, 2, -5, 6, 8);
const HeightTuple end = at(0, 0, 0, 3, -5, 6, 9);

Picture line(const HeightTuple& a, const HeightTuple& b, const HeightTuple& c) {
  return Picture({made(a, {b}), made(b, {a, c}), made(c, {b})}, {{0, 1}, {1, 2}});
}

/// Shows the beginning of the search to a property: all is well so far.
Watch searching(std::string_view name) {
  Watch watch(name);
  const Picture before = line(at(0, 0, 0, 1, -5, 6, 7), middle, end);
  const Picture begun = line(origin, middle, end);
  for (NodeIndex i = 0; i < 3; ++i) EXPECT_EQ(watch.after(before, i), "");
  EXPECT_EQ(watch.after(begun, 0), "");
  return watch;
}

const HeightTuple takes_part = at(20, 7, 0, -1, -5, 6, 8);
const HeightTuple reflects = at(20, 7, 1, 0, -5, 6, 9);
const HeightTuple passes_back = at(20, 7, 1, -1, -5, 6, 8);

TEST(HeightProperties, SearchesThatGoRight) {
  for (const char* name : {"F", "G", "H"}) {
    Watch watch = searching(name);
    EXPECT_EQ(watch.after(line(origin, takes_part, end), 1), "") << name;
    EXPECT_EQ(watch.after(line(origin, takes_part, reflects), 2), "") << name;
    EXPECT_EQ(watch.after(line(origin, passes_back, reflects), 1), "") << name;
  }
}

TEST(HeightProperties, FFiresOnASearchThatCameWithALeaderPair) {
  Watch f = searching("F");
  const HeightTuple other = at(0, 0, 0, 2, -4, 6, 8);
  EXPECT_EQ(f.after(Picture({made(origin), made(other), made(end)}, {{0, 1}, {1, 2}}), 1), "");
  EXPECT_TRUE(names(f.after(line(origin, takes_part, end), 1), 8));
}

TEST(HeightProperties, GFiresOnAReflectionBesideANodeThatTakesNoPart) {
  Watch g = searching("G");
  EXPECT_TRUE(names(g.after(line(origin, at(20, 7, 1, 0, -5, 6, 8), end), 1), 8));
}

TEST(HeightProperties, HFiresOnASearchThatRunsTheWrongWay) {
  Watch uphill = searching("H");
  EXPECT_TRUE(names(uphill.after(line(origin, at(20, 7, 0, 3, -5, 6, 8), end), 1), 8));
  Watch ahead = searching("H");
  EXPECT_EQ(ahead.after(line(origin, takes_part, end), 1), "");
  EXPECT_TRUE(names(ahead.after(line(at(20, 7, 1, 0, -5, 6, 7), takes_part, end), 0), 7));
  Watch back = searching("H");
  EXPECT_EQ(back.after(line(origin, takes_part, end), 1), "");
  EXPECT_EQ(back.after(line(origin, takes_part, reflects), 2), "");
  EXPECT_TRUE(names(back.after(line(origin, at(20, 7, 1, 3, -5, 6, 8), reflects), 1), 8));
}

TEST(HeightProperties, IFiresOnASink) {
  // A clock that cannot move on starts a search that is not above the others.
  constexpr auto latest = std::numeric_limits<std::int64_t>::max();
  Height stuck(NodeId{5}, {});
  Height::Step step;
  step.begin({}, Time{});
  stuck.link_up(step, Port{0});
  hear(stuck, Port{0}, at(0, 0, 0, 0, -2, 7, 9), latest);
  Watch i("I");
  EXPECT_EQ(i.after(Picture({stuck}), 0), "");
  hear(stuck, Port{0}, at(latest, 9, 1, 0, -2, 7, 9), latest);
  EXPECT_TRUE(stuck.sink());
  Picture picture({stuck});
  EXPECT_TRUE(names(i.after(picture, 0), 5));
  picture.kill(0);
  EXPECT_EQ(i.after(picture, 0, Cause::crash), "");
}

TEST(HeightProperties, JFiresOnADeltaThatDoesNotFitItsLeader) {
  Watch j("J");
  EXPECT_EQ(j.after(Picture({made(leader)}), 0), "");
  EXPECT_EQ(j.after(Picture({made(second)}), 0), "");
  EXPECT_EQ(j.after(Picture({made(at(9, 8, 0, -4, -5, 7, 8))}), 0), "");
  EXPECT_TRUE(names(j.after(Picture({made(at(0, 0, 0, -1, -5, 7, 8))}), 0), 8));
  EXPECT_TRUE(names(j.after(Picture({made(at(0, 0, 0, 0, -5, 7, 8))}), 0), 8));
  EXPECT_TRUE(names(j.after(Picture({made(at(0, 0, 0, 2, -5, 7, 7))}), 0), 7));
  const Picture view({made(leader, {at(0, 0, 0, 0, -5, 7, 8)}), made(second)}, {{0, 1}});
  EXPECT_TRUE(names(j.after(view, 0), 7));
}

TEST(HeightProperties, Theorem1FiresOnComponentsThatAreNotLeaderOriented) {
  Watch theorem("theorem-1");
  EXPECT_EQ(theorem.at_rest(line(leader, second, third)), "");
  EXPECT_EQ(theorem.at_rest(Picture({made(leader)})), "");
  const Picture blurred({made(leader, {third}), made(second, {leader})}, {{0, 1}});
  EXPECT_TRUE(names(theorem.at_rest(blurred), 7));
  const Picture split({made(leader), made(at(0, 0, 0, 1, -4, 7, 8))}, {{0, 1}});
  EXPECT_TRUE(names(theorem.at_rest(split), 7));
  EXPECT_TRUE(names(theorem.at_rest(Picture({made(leader), made(second)})), 8));  // no way down
  EXPECT_TRUE(names(theorem.at_rest(line(leader, second, at(0, 0, 0, 0, -5, 7, 9))), 9));
  EXPECT_TRUE(names(theorem.at_rest(line(leader, at(0, 0, 0, -1, -5, 7, 8), third)), 7));
  Picture dead({made(leader), made(second)});
  dead.kill(1);
  EXPECT_EQ(theorem.at_rest(dead), "");
}

TEST(HeightProperties, ThePastIsNotClaimedAfterACrashNorWhenYielding) {
  const HeightTuple senseless = at(3, 0, 0, 0, -5, 7, 8);
  Picture wrong({made(senseless, {}, {.clock = Height::ClockKind::perfect})});  // breaks A and C
  wrong.set_clock(Time{2});
  Watch a("A"), c("C");
  EXPECT_TRUE(names(a.after(wrong, 0), 8));
  EXPECT_EQ(a.after(wrong, 0, Cause::crash), "");
  EXPECT_EQ(a.after(wrong, 0), "");
  EXPECT_TRUE(names(c.after(wrong, 0, Cause::crash), 8));
  EXPECT_TRUE(names(c.after(wrong, 0), 8));
  Picture yielding(
      {made(second, {}, {.clock = Height::ClockKind::perfect, .rejoin = Height::Rejoin::yield})});
  yielding.set_clock(Time{2});
  EXPECT_EQ(Watch("A").after(yielding, 0), "");
}

}  // namespace
}  // namespace bellwether::claims
