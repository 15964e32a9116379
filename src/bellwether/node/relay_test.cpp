// SPDX-License-Identifier: MIT
#include "bellwether/node/relay.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "bellwether/core/prng.hpp"

namespace bellwether::node {
namespace {

using namespace std::chrono_literals;
using core::Prng;
using RelayMessage = Relay::RelayMessage;
using Transmission = Relay::Transmission;

constexpr NodeId a{1}, b{2}, c{3}, d{4};

/// One relay, and what is around it.
struct Hand {
  NodeId self = a;
  RelayOptions options = {};
  Relay relay{self, 0x5e, options};
  Time now = 1s;
  std::optional<NodeId> leader = {};
  std::vector<NodeId> neighbours = {};
  std::map<NodeId, NodeId> hops = {};  // the next hop towards each member

  Relay::NodeContext here() {
    return {now, leader, neighbours, [this](NodeId id) -> std::optional<NodeId> {
              const auto found = hops.find(id);
              if (found == hops.end()) return std::nullopt;
              return found->second;
            }};
  }
  Relay::Outputs take() { return std::exchange(relay.effects(), {}); }
  std::vector<Transmission> sends() { return take().sends; }
  ParcelId submit(To to, core::Bytes payload = {1, 2, 3}) {
    return std::get<ParcelId>(relay.submit(here(), to, std::move(payload)));
  }
  std::string refusal(To to, core::Bytes payload = {}) {
    return std::get<Rejection>(relay.submit(here(), to, std::move(payload))).why;
  }
  Relay::Outputs receive(NodeId from, const RelayMessage& message) {
    relay.receive(here(), from, message);
    return take();
  }
  Relay::Outputs at(Time time) {
    now = time;
    relay.wake(here());
    return take();
  }
};

ParcelId id_of(NodeId origin, std::uint64_t number = 1) {
  return {origin, 0x77, number};
}
Parcel parcel_of(NodeId origin, To to, std::uint32_t hops_left = 9, std::uint64_t number = 1) {
  return {id_of(origin, number), to, hops_left, {42}};
}
using Sends = std::vector<Transmission>;

/// Node a between b, whence things come, and c, towards which the leader d is.
Hand between() {
  return {.leader = d, .neighbours = {b, c}, .hops = {{b, b}, {c, c}, {d, c}}};
}

TEST(Relay, IdsHaveAText) {
  EXPECT_EQ(to_text({NodeId{7}, 0x1f3a, 12}), "7-1f3a-12");
  EXPECT_EQ(to_text({NodeId{~0ull}, ~0ull, ~0ull}),
            "18446744073709551615-ffffffffffffffff-18446744073709551615");
}

TEST(Relay, IsTriedUntilTheNextHopSendsAReceipt) {
  Hand hand = between();
  const ParcelId id = hand.submit(To::leader);
  EXPECT_EQ(id, (ParcelId{a, 0x5e, 1}));
  const Sends once{{c, Parcel{id, To::leader, 255, {1, 2, 3}}}};
  EXPECT_EQ(hand.sends(), once);
  EXPECT_EQ(hand.relay.next_alarm(), 1s + 100ms);
  EXPECT_EQ(hand.at(1s + 99ms).sends, Sends{});
  EXPECT_EQ(hand.at(1s + 100ms).sends, once);
  EXPECT_EQ(hand.at(1s + 100ms).sends, Sends{});           // nothing is due any more
  EXPECT_EQ(hand.receive(b, Receipt{id}).sends, Sends{});  // b was not asked
  EXPECT_EQ(hand.at(1s + 200ms).sends, once);
  hand.receive(c, Receipt{id});
  EXPECT_EQ(hand.at(1s + 999ms).sends, Sends{});
  EXPECT_EQ(hand.relay.held(), 1u);  // until the arrival
}

TEST(Relay, TheOriginBeginsAnewUntilItGivesUp) {
  Hand hand = between();
  const ParcelId id = hand.submit(To::leader);
  std::vector<Time> sent;
  std::vector<ParcelId> given_up;
  while (hand.relay.next_alarm()) {
    const auto effects = hand.at(*hand.relay.next_alarm());
    if (!effects.sends.empty()) sent.push_back(hand.now - 1s);
    given_up = effects.given_up;
    hand.receive(c, Receipt{id});
  }
  // The first receipt comes with the first alarm.
  EXPECT_EQ(sent, (std::vector<Time>{100ms, 1s, 3s, 7s, 15s, 23s}));
  EXPECT_EQ(given_up, std::vector{id});
  EXPECT_EQ(hand.now, 31s);
  EXPECT_EQ(hand.relay.held(), 0u);
}

TEST(Relay, TheOriginTakesItBackAndBeginsWithAllHops) {
  Hand hand = between();
  const ParcelId id = hand.submit(To::leader);
  hand.receive(c, Receipt{id});
  hand.hops[d] = b;  // the way leads back through here
  EXPECT_EQ(hand.receive(c, Parcel{id, To::leader, 4, {1, 2, 3}}).sends,
            (Sends{{c, Receipt{id}}, {b, Parcel{id, To::leader, 3, {1, 2, 3}}}}));
  hand.receive(b, Receipt{id});
  EXPECT_EQ(hand.relay.next_alarm(), 2s);
  EXPECT_EQ(hand.at(2s).sends, (Sends{{b, Parcel{id, To::leader, 255, {1, 2, 3}}}}));
}

TEST(Relay, AnArrivalGoesBackByWhomTheParcelCameWhereNoRouteIsKnown) {
  Hand hand = between();
  const Parcel parcel = parcel_of(NodeId{9}, To::leader);
  hand.receive(b, parcel);
  hand.receive(c, Receipt{parcel.id});
  EXPECT_EQ(hand.relay.held(), 0u);
  const Sends back{{b, Arrival{parcel.id, 6}}};
  EXPECT_EQ(hand.receive(c, Arrival{parcel.id, 7}).sends, back);
  EXPECT_EQ(hand.receive(b, Arrival{parcel.id, 7}).sends, Sends{}) << "not to where it comes from";
  hand.neighbours = {c};
  EXPECT_EQ(hand.receive(c, Arrival{parcel.id, 7}).sends, Sends{}) << "b is no neighbour any more";
}

TEST(Relay, ALeaderWithoutAListConfirmsByWhomTheParcelCame) {
  Hand hand{.leader = a, .neighbours = {b, c}};
  const Parcel parcel = parcel_of(NodeId{9}, To::leader);
  const Sends answer{{b, Receipt{parcel.id}}, {b, Arrival{parcel.id, 255}}};
  const auto effects = hand.receive(b, parcel);
  EXPECT_EQ(effects.sends, answer);
  EXPECT_EQ(effects.delivered.size(), 1u);
  EXPECT_EQ(hand.receive(b, parcel).sends, answer) << "and again, where the arrival was lost";
}

TEST(Relay, SendersAreNotRememberedWithoutALimit) {
  Hand hand{.options = {.most_remembered = 2}, .leader = d, .neighbours = {b, c}, .hops = {{d, c}}};
  for (std::uint64_t number = 1; number <= 3; ++number)
    hand.receive(b, parcel_of(NodeId{9}, To::leader, 9, number));
  EXPECT_EQ(hand.receive(c, Arrival{id_of(NodeId{9}, 1), 7}).sends, Sends{});
  EXPECT_EQ(hand.receive(c, Arrival{id_of(NodeId{9}, 3), 7}).sends.size(), 1u);
}

TEST(Relay, ToMembersNeedsNeighboursOnly) {
  Hand hand{.neighbours = {b, c}};
  const ParcelId id = hand.submit(To::members);
  EXPECT_EQ(hand.sends(), (Sends{{std::nullopt, Parcel{id, To::members, 255, {1, 2, 3}}}}));
  hand.receive(b, Receipt{id});
  hand.receive(c, Receipt{id});
  EXPECT_EQ(hand.at(hand.now + 1s).sends, Sends{});
}

TEST(Relay, AnArrivalConfirms) {
  Hand hand = between();
  const ParcelId id = hand.submit(To::leader);
  hand.take();
  const auto effects = hand.receive(c, Arrival{id, 3});
  EXPECT_EQ(effects.confirmed, std::vector{id});
  EXPECT_EQ(effects.sends, Sends{});
  EXPECT_EQ(hand.relay.held(), 0u);
  EXPECT_FALSE(hand.relay.next_alarm());
  EXPECT_TRUE(hand.receive(c, Arrival{id, 3}).confirmed.empty());  // once
  // A copy that comes back by a detour has nothing left to do.
  EXPECT_EQ(hand.receive(c, Parcel{id, To::leader, 3, {1, 2, 3}}).sends, (Sends{{c, Receipt{id}}}));
  EXPECT_EQ(hand.relay.held(), 0u);
}

TEST(Relay, FollowsTheLeaderAndTheRoute) {
  Hand hand = between();
  hand.hops.erase(d);
  const ParcelId id = hand.submit(To::leader);
  EXPECT_EQ(hand.sends(), Sends{});  // no route yet
  EXPECT_EQ(hand.at(2s).sends, Sends{});
  EXPECT_GT(hand.relay.next_alarm(), 2s);
  const Parcel parcel{id, To::leader, 255, {1, 2, 3}};
  hand.hops[d] = c;
  EXPECT_EQ(hand.at(2s + 1ms).sends, (Sends{{c, parcel}}));  // at once
  hand.hops[d] = b;
  EXPECT_EQ(hand.at(2s + 2ms).sends, (Sends{{b, parcel}}));
  hand.leader.reset();
  EXPECT_EQ(hand.at(2500ms).sends, Sends{});
  hand.leader = c;
  EXPECT_EQ(hand.at(2501ms).sends, (Sends{{c, parcel}}));
  hand.leader = a;  // the origin leads by now
  const auto effects = hand.at(2502ms);
  EXPECT_EQ(effects.delivered, std::vector{parcel});
  EXPECT_EQ(effects.confirmed, std::vector{id});
  EXPECT_EQ(effects.sends, Sends{});
  EXPECT_EQ(hand.relay.held(), 0u);
}

TEST(Relay, AHopTakesCustody) {
  Hand hand = between();
  const Parcel parcel = parcel_of(b, To::leader, 9);
  const Transmission receipt{b, Receipt{parcel.id}}, passed{c, parcel_of(b, To::leader, 8)};
  EXPECT_EQ(hand.receive(b, parcel).sends, (Sends{receipt, passed}));
  EXPECT_EQ(hand.receive(b, parcel).sends, Sends{receipt});  // it has custody already
  EXPECT_EQ(hand.at(1100ms).sends, Sends{passed});
  EXPECT_TRUE(hand.receive(c, Receipt{parcel.id}).sends.empty());
  EXPECT_EQ(hand.relay.held(), 0u);
  EXPECT_EQ(hand.receive(b, parcel).sends, (Sends{receipt, passed}));  // custody again
  hand.leader.reset();
  const auto effects = hand.at(1100ms + 30s);
  EXPECT_TRUE(effects.sends.empty() && effects.given_up.empty());  // it is not its own
  EXPECT_EQ(hand.relay.held(), 0u);
  EXPECT_FALSE(hand.relay.next_alarm());
}

TEST(Relay, HopsAreBounded) {
  Hand hand = between();
  const Sends receipt{{b, Receipt{id_of(b)}}};
  EXPECT_EQ(hand.receive(b, parcel_of(b, To::leader, 0)).sends, receipt);
  EXPECT_EQ(hand.receive(b, parcel_of(b, To::members, 0)).sends, receipt);
  EXPECT_EQ(hand.relay.held(), 0u);
  // The last hop delivers and has no neighbour to pass it on to.
  const auto last = hand.receive(b, parcel_of(b, To::members, 1));
  EXPECT_EQ(last.sends, receipt);
  EXPECT_EQ(last.delivered.size(), 1u);
  EXPECT_EQ(hand.receive(c, Arrival{id_of(b, 2), 0}).sends, Sends{});
  EXPECT_EQ(hand.receive(c, Arrival{id_of(b, 2), 1}).sends, (Sends{{b, Arrival{id_of(b, 2), 0}}}));
}

TEST(Relay, DoesNotRunToAndFro) {
  Hand hand = between();
  const Parcel parcel = parcel_of(b, To::leader, 9);
  // c routes through a, a through c: one of them will learn better.
  EXPECT_EQ(hand.receive(c, parcel).sends, (Sends{{c, Receipt{parcel.id}}}));
  EXPECT_EQ(hand.relay.next_alarm(), 1100ms);
  hand.receive(c, Receipt{parcel.id});  // an old one: a has sent nothing yet
  EXPECT_EQ(hand.relay.held(), 1u);
  EXPECT_EQ(hand.at(1100ms).sends, (Sends{{c, parcel_of(b, To::leader, 8)}}));
  // c gives it back before its receipt is here: a keeps it, for c no longer does.
  hand.receive(c, parcel);
  hand.receive(c, Receipt{parcel.id});
  EXPECT_EQ(hand.relay.held(), 1u);
  hand.hops[d] = b;
  EXPECT_EQ(hand.at(1101ms).sends, (Sends{{b, parcel_of(b, To::leader, 8)}}));
  // And an arrival does not go back to where it comes from.
  EXPECT_EQ(hand.receive(b, Arrival{parcel.id, 5}).sends, Sends{});
  EXPECT_EQ(hand.relay.held(), 0u);  // no node needs to carry it any more
}

TEST(Relay, TheLeaderDeliversOnceAndSaysSoEachTime) {
  Hand hand = between();
  hand.leader = a;
  const Parcel parcel = parcel_of(d, To::leader);
  const Sends answer{{b, Receipt{parcel.id}}, {c, Arrival{parcel.id, 255}}};
  const auto first = hand.receive(b, parcel);
  EXPECT_EQ(first.delivered, std::vector{parcel});
  EXPECT_EQ(first.sends, answer);
  hand.leader = b;  // it has been delivered, whichever node leads now
  const auto second = hand.receive(b, parcel);
  EXPECT_TRUE(second.delivered.empty());
  EXPECT_EQ(second.sends, answer);
  EXPECT_EQ(hand.relay.held(), 0u);
}

TEST(Relay, WhoBecomesLeaderDeliversWhatItCarries) {
  Hand hand = between();
  const Parcel parcel = parcel_of(b, To::leader, 9);
  hand.receive(b, parcel);
  hand.leader = a;
  const auto effects = hand.at(1s);
  ASSERT_EQ(effects.delivered.size(), 1u);
  EXPECT_EQ(effects.delivered[0].id, parcel.id);
  EXPECT_EQ(effects.sends, (Sends{{b, Arrival{parcel.id, 255}}}));
  EXPECT_EQ(hand.relay.held(), 0u);
}

TEST(Relay, SubmitsToItselfWhereItLeads) {
  Hand hand{.leader = a};
  const ParcelId id = hand.submit(To::leader, {7});
  const auto effects = hand.take();
  EXPECT_EQ(effects.delivered, (std::vector<Parcel>{{id, To::leader, 255, {7}}}));
  EXPECT_EQ(effects.confirmed, std::vector{id});
  EXPECT_TRUE(effects.sends.empty());
  EXPECT_EQ(hand.relay.held(), 0u);
}

TEST(Relay, MembersGetItUntilEachNeighbourHasIt) {
  Hand hand = between();
  const ParcelId id = hand.submit(To::members);
  const Parcel parcel{id, To::members, 255, {1, 2, 3}};
  const Sends to_all{{std::nullopt, parcel}};
  const auto first = hand.take();
  EXPECT_EQ(first.sends, to_all);
  EXPECT_TRUE(first.delivered.empty());  // not at its origin
  EXPECT_EQ(hand.receive(b, Receipt{id}).sends, Sends{});
  std::vector<Time> sent;
  while (hand.now < 5s)
    if (!hand.at(*hand.relay.next_alarm()).sends.empty()) sent.push_back(hand.now - 1s);
  EXPECT_EQ(sent, (std::vector<Time>{100ms, 300ms, 700ms, 1500ms, 2300ms, 3100ms, 3900ms, 4700ms}));
  // c passes it on: it has it. Nothing is left to send here, so a sends c a receipt.
  const auto heard = hand.receive(c, Parcel{id, To::members, 254, {1, 2, 3}});
  EXPECT_EQ(heard.sends, (Sends{{c, Receipt{id}}}));
  EXPECT_TRUE(heard.delivered.empty());
  EXPECT_EQ(hand.relay.next_alarm(), 31s);
  // A newcomer gets it at once, and is asked as if it were the first.
  hand.neighbours = {b, c, d};
  EXPECT_EQ(hand.at(10s).sends, to_all);
  EXPECT_EQ(hand.relay.next_alarm(), 10100ms);
  hand.neighbours = {b, c};  // gone: no neighbour to wait for
  EXPECT_EQ(hand.at(10050ms).sends, Sends{});
  EXPECT_EQ(hand.relay.next_alarm(), 31s);
  EXPECT_TRUE(hand.at(31s).given_up.empty());
  EXPECT_EQ(hand.relay.held(), 0u);
  // A neighbour that got it late still sends it.
  const auto late = hand.receive(b, Parcel{id, To::members, 254, {1, 2, 3}});
  EXPECT_EQ(late.sends, (Sends{{b, Receipt{id}}}));
  EXPECT_TRUE(late.delivered.empty());
}

TEST(Relay, ANewcomerDoesNotWaitForOthers) {
  Hand hand{.neighbours = {b}};
  const ParcelId id = hand.submit(To::members);
  const Sends to_all = hand.sends();
  EXPECT_EQ(hand.at(1100ms).sends, to_all);  // b is asked again in 200 ms
  hand.neighbours = {b, c};
  EXPECT_EQ(hand.at(1101ms).sends, to_all);
  hand.neighbours = {c, d};  // b went, but c still does not have it
  EXPECT_EQ(hand.at(1102ms).sends, to_all);
  hand.receive(c, Receipt{id});
  EXPECT_EQ(hand.at(1103ms).sends, Sends{});
  EXPECT_EQ(hand.at(1202ms).sends, to_all);
}

TEST(Relay, AMemberDeliversOnceAndPassesItOn) {
  Hand hand = between();
  const Parcel parcel = parcel_of(b, To::members, 9);
  const auto first = hand.receive(b, parcel);
  EXPECT_EQ(first.delivered, std::vector{parcel});
  EXPECT_EQ(first.sends, (Sends{{std::nullopt, parcel_of(b, To::members, 8)}}));
  const auto second = hand.receive(b, parcel);  // its own sending will tell b
  EXPECT_TRUE(second.delivered.empty());
  EXPECT_EQ(second.sends, Sends{});
  hand.receive(c, Receipt{parcel.id});
  EXPECT_EQ(hand.receive(b, parcel).sends, (Sends{{b, Receipt{parcel.id}}}));
  hand.at(31s);
  EXPECT_EQ(hand.relay.held(), 0u);
  const auto third = hand.receive(b, parcel);
  EXPECT_TRUE(third.delivered.empty());
  EXPECT_EQ(third.sends, (Sends{{b, Receipt{parcel.id}}}));
}

TEST(Relay, TheLastMemberSendsAReceipt) {
  Hand hand{.neighbours = {b, d}};
  // The origin, d, has it in any case.
  const auto effects = hand.receive(b, parcel_of(d, To::members));
  EXPECT_EQ(effects.delivered.size(), 1u);
  EXPECT_EQ(effects.sends, (Sends{{b, Receipt{id_of(d)}}}));
}

TEST(Relay, AnEarlierLifeIsSpreadButNotDelivered) {
  Hand hand = between();
  const auto effects = hand.receive(b, parcel_of(a, To::members));
  EXPECT_TRUE(effects.delivered.empty());
  EXPECT_EQ(effects.sends.size(), 1u);
  EXPECT_TRUE(hand.receive(b, Arrival{id_of(a), 3}).confirmed.empty());
}

TEST(Relay, RefusesWithASentence) {
  Hand hand{.options = {.most_payload = 3, .most_parcels = 2}, .neighbours = {b}};
  EXPECT_EQ(hand.refusal(To::leader),
            "there is no leader at the moment; send it again when there is one");
  EXPECT_EQ(hand.refusal(To::members, {1, 2, 3, 4}), "the payload has 4 bytes: send at most 3");
  hand.submit(To::members);
  hand.submit(To::members);
  EXPECT_EQ(hand.refusal(To::members),
            "2 messages are on their way already, which is the most: send it again later");
  hand.take();
  hand.leader = b;
  // What comes in is left to its sender, which will try again.
  EXPECT_EQ(hand.receive(b, parcel_of(b, To::leader)).sends, Sends{});
  EXPECT_EQ(hand.receive(b, parcel_of(b, To::members)).sends, Sends{});
  EXPECT_EQ(hand.relay.held(), 2u);
  hand.leader = a;  // a leader needs no room
  EXPECT_EQ(hand.receive(b, parcel_of(b, To::leader)).delivered.size(), 1u);
  hand.submit(To::leader);
  EXPECT_EQ(hand.take().delivered.size(), 1u);
  Parcel large = parcel_of(b, To::leader, 9, 2);
  large.payload = {1, 2, 3, 4};
  EXPECT_EQ(hand.receive(b, large).sends, Sends{});
}

TEST(Relay, ForgetsTheOldestFirst) {
  Hand hand{.options = {.most_remembered = 3}, .leader = a};
  const auto delivered = [&](std::uint64_t number) {
    return hand.receive(b, parcel_of(b, To::leader, 9, number)).delivered.size();
  };
  for (std::uint64_t i = 1; i <= 4; ++i) EXPECT_EQ(delivered(i), 1u);
  EXPECT_EQ(delivered(2), 0u);
  EXPECT_EQ(delivered(1), 1u);
  EXPECT_EQ(delivered(2), 1u);
}

TEST(Relay, OneIdForTwoMessagesIsALie) {
  Hand hand = between();
  hand.receive(b, parcel_of(b, To::leader));
  EXPECT_TRUE(hand.receive(c, parcel_of(b, To::members)).delivered.empty());
  hand.receive(b, parcel_of(b, To::members, 9, 2));
  EXPECT_EQ(hand.receive(c, parcel_of(b, To::leader, 9, 2)).sends, Sends{});
  hand.receive(c, Arrival{id_of(b, 2), 4});
  EXPECT_EQ(hand.relay.held(), 2u);
}

TEST(Relay, NoWaitIsABusyLoop) {
  Hand hand{.options = {.retry = 0s, .again = 0s, .keep = 0s}, .neighbours = {b}};
  hand.submit(To::members);
  EXPECT_GT(hand.relay.next_alarm(), hand.now);
}

TEST(Relay, MessagesHaveOneEncoding) {
  Prng prng(9);
  for (int i = 0; i < 2000; ++i) {
    core::Bytes payload(prng.below(40));
    for (auto& byte : payload) byte = static_cast<std::uint8_t>(prng.next());
    const ParcelId id{NodeId{prng.next() >> prng.below(64)}, prng.next(), prng.below(1000)};
    const auto hops = static_cast<std::uint32_t>(prng.next() >> 32);
    const std::vector<RelayMessage> messages{
        Parcel{id, static_cast<To>(prng.below(2)), hops, payload}, Receipt{id}, Arrival{id, hops}};
    for (const RelayMessage& message : messages) {
      core::Bytes bytes = core::encode(message);
      EXPECT_EQ(core::decode<RelayMessage>(bytes), message);
      bytes.push_back(0);
      EXPECT_FALSE(core::decode<RelayMessage>(bytes));
      bytes.resize(prng.below(bytes.size() - 1));
      EXPECT_FALSE(core::decode<RelayMessage>(bytes));
    }
    const auto garbage = core::decode<RelayMessage>(payload);
    EXPECT_TRUE(!garbage || core::encode(*garbage) == payload);
  }
  EXPECT_FALSE(core::decode<RelayMessage>(core::Bytes{0, 1, 1, 1}));
  EXPECT_FALSE(core::decode<RelayMessage>(core::Bytes{4, 1, 1, 1}));
  EXPECT_FALSE(core::decode<RelayMessage>(core::Bytes{1, 1, 1, 1, 2, 1, 0}));  // unknown addressee
  EXPECT_FALSE(
      core::decode<RelayMessage>(core::Bytes{1, 1, 1, 1, 1, 1, 99, 0}));  // payload too short
}

}  // namespace
}  // namespace bellwether::node
