// SPDX-License-Identifier: MIT
// What no_op_lasts says of the elections that keep a map, checked against random histories: a
// message that has changed nothing once is delivered again and again, and must never change
// anything.
#include <gtest/gtest.h>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/algorithms/moving/cel.hpp"
#include "bellwether/algorithms/moving/cel_2.hpp"
#include "bellwether/algorithms/moving/topology_aware.hpp"
#include "bellwether/algorithms/moving/topology_aware_2.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

constexpr std::uint64_t names[] = {3, 5, 7, 9};

Ids any_ids(core::Prng& prng) {
  Ids out;
  for (const std::uint64_t name : names)
    if (prng.below(2) == 0) out.push_back(NodeId{name});
  return out;
}

Known any_known(core::Prng& prng) {
  std::vector<MemberView> views;
  for (const std::uint64_t name : names)
    if (prng.below(2) == 0)
      views.push_back({NodeId{name}, 1 + prng.below(4), core::Shared<Ids>(any_ids(prng))});
  return Known(std::move(views));
}

UpdatesMessage any_updates(core::Prng& prng) {
  UpdatesMessage out;
  for (std::uint64_t n = 1 + prng.below(2); n > 0; --n) {
    const std::uint64_t from = prng.below(4);
    out.updates.push_back({NodeId{names[prng.below(4)]}, any_ids(prng), any_ids(prng), from,
                           from + 1 + prng.below(2)});
  }
  return out;
}

Cel::Message any_message(const Cel&, core::Prng& prng) {
  return Cel::Knowledge{any_known(prng)};
}
TopologyAware::Message any_message(const TopologyAware&, core::Prng& prng) {
  if (prng.below(2) == 0) return TopologyAware::KnownMessage{any_known(prng)};
  return any_updates(prng);
}
/// Also what the node itself holds: equal maps and digests are what confirms.
template <class P>
typename P::Message map_or_digest(const P& node, core::Prng& prng) {
  const Known map = prng.below(3) == 0 ? node.known() : any_known(prng);
  if (prng.below(3) == 0) return Digest{core::digest(map), prng.below(2) == 0};
  return Knowledge{map, prng.below(3) == 0 ? any_ids(prng) : Ids{}};
}
Cel2::Message any_message(const Cel2& node, core::Prng& prng) {
  return map_or_digest(node, prng);
}
TopologyAware2::Message any_message(const TopologyAware2& node, core::Prng& prng) {
  if (prng.below(2) == 0) return any_updates(prng);
  return map_or_digest(node, prng);
}

template <class P>
bool claims_to_last(const typename P::Message& message) {
  // No node has an entry of 5 from before a restart, so none sends one: there are no restarts.
  return P::no_op_lasts(message, {}, false);
}
bool may_come(const TopologyAware::Message& message) {
  if (const auto* map = std::get_if<TopologyAware::KnownMessage>(&message))
    return find(map->known, NodeId{5}) == nullptr;
  const auto& updates = std::get<UpdatesMessage>(message).updates;
  return std::none_of(updates.begin(), updates.end(),
                      [](const Updt& each) { return each.src == NodeId{5}; });
}
template <class Message>
bool may_come(const Message&) {
  return true;
}

/// Node 5, whose links to 3 and 7 come and go, and a twin on which messages are tried.
template <class P>
class RandomLife : private core::HandHost {
 public:
  explicit RandomLife(std::uint64_t seed) : HandHost(core::hosted<P>({})), prng_(seed) {
    for (const std::uint64_t id : {5, 3, 7, 5}) add(NodeId{id});
    step(self, core::Call::start());
  }

  void live() {
    const std::uint64_t what = prng_.below(10);
    if (what == 0) return link_up();
    if (what == 1) return link_down();
    if (what == 2) return fire_any();
    const typename P::Message message = any_message(as<P>(self), prng_);
    const std::vector<Port> up = ports(self);
    const Port port =
        up.empty() || prng_.below(8) == 0 ? core::stranger : up[prng_.below(up.size())];
    if (!may_come(message)) return;
    if (claims_to_last<P>(message) && is_no_op(message, port) && idle_.size() < 60)
      idle_.emplace_back(message, port);
    step(self, core::Call::receive(port, &message));
  }
  void check() {
    for (const auto& [message, port] : idle_) {
      ++checked;
      ASSERT_TRUE(is_no_op(message, port))
          << to_text(as<P>(self).known()) << " gets " << core::text_of(message);
    }
  }

  std::size_t checked = 0;

 private:
  static constexpr NodeIndex self = 0, twin = 3;

  bool is_no_op(const typename P::Message& message, Port port) {
    hosted().assign(place(twin), place(self));
    ends(twin) = ends(self);
    const bool up = port != core::stranger && end(self, port).up;
    const auto outcome = step(twin, core::Call::receive(up ? port : core::stranger, &message));
    return nodes().same(place(twin), place(self)) && outcome.sends.empty() &&
           outcome.alarms.empty();
  }
  void link_up() {
    const NodeIndex peer = prng_.below(2) == 0 ? 1 : 2;
    if (!port_to(self, peer)) tell_up(self, open(self, {.far = peer}));
  }
  void link_down() {
    const std::vector<Port> up = ports(self);
    if (!up.empty()) tell_down(self, up[prng_.below(up.size())]);
  }
  void fire_any() {
    if (armed(self).empty()) return;
    const core::TimerName timer = armed(self)[prng_.below(armed(self).size())].timer;
    fire(self, timer);
  }
  void on_send(NodeIndex, Port, const core::AnyMessage&) override {}  // there is no neighbour

  core::Prng prng_;
  std::vector<std::pair<typename P::Message, Port>> idle_;
};

template <class P>
struct NoOpLasts : testing::Test {};
using MapKeepers = testing::Types<Cel, TopologyAware, Cel2, TopologyAware2>;
TYPED_TEST_SUITE(NoOpLasts, MapKeepers);

TYPED_TEST(NoOpLasts, InAnyLife) {
  std::size_t checked = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    RandomLife<TypeParam> life(seed);
    for (int i = 0; i < 60; ++i) {
      life.live();
      life.check();
      ASSERT_FALSE(testing::Test::HasFatalFailure()) << "seed " << seed;
    }
    checked += life.checked;
  }
  EXPECT_GT(checked, 100'000u);
}

TEST(NoOpLastsTopologyAware, NotWhereAFormerLifeIsRemembered) {
  ByHand<TopologyAware> hand{ids_of({3, 7})};
  TopologyAware node{NodeId{5}, {}};
  hand.ports = {Port{0}};
  node.start(hand.next());
  node.receive(hand.next(), Port{0}, UpdatesMessage{{Updt{NodeId{5}, {}, ids_of({3}), 2, 3}}});
  const TopologyAware::Message empty = UpdatesMessage{};
  TopologyAware copy = node;
  copy.receive(hand.next(), Port{0}, empty);
  EXPECT_EQ(copy, node);
  hand.ports = {Port{0}, Port{1}};
  node.link_up(hand.next(), Port{1});
  copy = node;
  copy.receive(hand.next(), Port{0}, empty);
  EXPECT_NE(copy, node) << "what waited is applied";
  EXPECT_FALSE(TopologyAware::no_op_lasts(empty, {}, true));
}

}  // namespace
}  // namespace bellwether::algorithms
