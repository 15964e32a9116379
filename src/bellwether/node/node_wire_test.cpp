// SPDX-License-Identifier: MIT
// Wires whose frames a test carries from one to the other.
#include "bellwether/node/node_wire.hpp"

#include <gtest/gtest.h>

namespace bellwether::node {
namespace {

using namespace std::chrono_literals;

constexpr NodeId here{1}, there{7};
const core::Bytes probe{9, 9};

Keyring keys_of(std::uint8_t filled, const std::string& group = "boats") {
  SecretKey key;
  key.fill(filled);
  return Keyring({key}, group);
}

/// A node, and what it has sent.
struct Peer {
  Peer(NodeId id, std::uint64_t session, Keyring keys, const std::string& group = "boats",
       const std::string& algorithm = "")
      : wire(
            {id, session, group_mark(group), probe, algorithm, {"cel-2", "drumbeat"}},
            std::move(keys), [this] { return ++drawn; },
            [this](std::span<const std::uint8_t> frame) {
              sent.emplace_back(frame.begin(), frame.end());
            }) {}
  core::Bytes say(const FrameBody& letter) {
    wire.send(letter);
    return sent.back();
  }
  core::Bytes answers() { return say(wire.take_answers(1s)); }

  std::uint64_t drawn = 100;
  std::vector<core::Bytes> sent;
  NodeWire wire;
};

FrameBody with(core::Bytes election) {
  FrameBody letter;
  letter.election = std::move(election);
  return letter;
}

bool patient(const core::Bytes& frame) {
  return (frame.at(0) & patient_bit) != 0;
}

class NodeWireTest : public ::testing::Test {
 protected:
  std::optional<FreshLetter> hear(const core::Bytes& frame) {
    now += 1ms;
    return me.wire.receive(now, now, frame);
  }
  /// This one is asked, and proves that it is alive.
  std::optional<FreshLetter> prove(Peer& peer) {
    now += 1s;
    EXPECT_FALSE(hear(peer.say(with({1}))));
    EXPECT_TRUE(me.wire.has_answers());
    EXPECT_FALSE(peer.wire.receive(now, now, me.answers()));
    EXPECT_FALSE(me.wire.has_answers());
    EXPECT_TRUE(peer.wire.has_answers());
    return hear(peer.answers());
  }
  const WireCounters& counts() const { return me.wire.counters(); }

  Time now = 10s;
  Peer me{here, 50, keys_of(1)};
};

TEST_F(NodeWireTest, AStrangerIsBelievedOnceItHasProvedToBeAlive) {
  Peer peer(there, 60, keys_of(1));
  const auto first = prove(peer);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->from, there);
  EXPECT_FALSE(first->restarted);
  EXPECT_EQ(counts().unproven, 1u);
  FrameBody letter = with({4, 5});
  letter.leader = there;
  letter.epoch = 3;
  const core::Bytes frame = peer.say(letter);
  const auto next = hear(frame);
  ASSERT_TRUE(next);
  letter.algorithm = algorithm_mark("");
  EXPECT_EQ(next->letter, letter);
  EXPECT_EQ(next->letter.said(), (Said{there, 3, 0}));
  EXPECT_FALSE(hear(frame)) << "heard before";
  EXPECT_EQ(counts().repeated, 1u);
  EXPECT_EQ(counts().frames_heard, 4u);
  EXPECT_EQ(counts().restarted, 0u);
}

TEST_F(NodeWireTest, ANewLifeReplacesTheOneBefore) {
  Peer before(there, 60, keys_of(1)), after(there, 61, keys_of(1));
  ASSERT_TRUE(prove(before));
  const auto first = prove(after);
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->restarted);
  EXPECT_EQ(counts().restarted, 1u);
  EXPECT_FALSE(hear(before.say(with({1})))) << "two nodes use one id, and the later is believed";
  EXPECT_EQ(counts().duplicate_id, 1u);
  EXPECT_EQ(me.wire.suspicions().sentences(now).size(), 1u);
  EXPECT_TRUE(hear(after.say(with({1}))));
}

TEST_F(NodeWireTest, WhatIsRefusedIsCountedByReasonAndSuspected) {
  const auto refused = [&](Refusal why) { return counts().refused[static_cast<std::size_t>(why)]; };
  EXPECT_FALSE(hear({1, 2, 3}));
  EXPECT_EQ(refused(Refusal::garbage), 1u);
  EXPECT_FALSE(hear(Peer(there, 60, keys_of(1, "other"), "other").say(with({1}))));
  EXPECT_EQ(refused(Refusal::other_group), 1u);
  EXPECT_TRUE(me.wire.suspicions().sentences(now).empty()) << "others may be here";
  EXPECT_FALSE(hear(Peer(there, 60, keys_of(2)).say(with({1}))));
  EXPECT_EQ(refused(Refusal::wrong_key), 1u);
  EXPECT_FALSE(hear(Peer(there, 60, Keyring()).say(with({1}))));
  EXPECT_EQ(refused(Refusal::not_sealed), 1u);
  EXPECT_EQ(me.wire.suspicions().sentences(now).size(), 2u);
  EXPECT_FALSE(me.wire.has_answers()) << "none of them is asked";
  EXPECT_EQ(counts().frames_heard, 4u);
}

TEST_F(NodeWireTest, AnotherAlgorithmIsRefusedInWords) {
  Peer drums(here, 50, keys_of(1), "boats", "drumbeat");
  const auto sentence_about = [&](const std::string& algorithm) {
    Peer peer(there, 60, keys_of(1), "boats", algorithm);
    for (int i = 0; i < 3; ++i)
      EXPECT_FALSE(drums.wire.receive(now, now, peer.say(with(probe)), {}));
    const auto said = drums.wire.suspicions().take_unlogged(now);
    now += 2min;
    return said.size() == 1 ? said.front() : "";
  };
  EXPECT_EQ(sentence_about("cel-2"),
            "node 7 (an unknown address) runs cel-2, this node runs drumbeat: their frames are "
            "refused; give all nodes of the group the same algorithm");
  EXPECT_NE(sentence_about("mine").find("runs another algorithm, this node"), std::string::npos);
  EXPECT_FALSE(drums.wire.has_answers()) << "nobody was asked for a proof";
  EXPECT_EQ(sentence_about("drumbeat"), "");
  EXPECT_EQ(drums.wire.counters().other_algorithm, 6u);
}

TEST_F(NodeWireTest, ItsOwnFramesAreIgnoredAndThoseOfItsIdElsewhereASuspicion) {
  EXPECT_FALSE(hear(me.say(with({1}))));
  EXPECT_EQ(counts().own_id_elsewhere, 0u);
  Peer other(here, 51, keys_of(1));
  EXPECT_FALSE(prove(other));
  EXPECT_EQ(counts().own_id_elsewhere, 1u);
  EXPECT_EQ(me.wire.suspicions().take_unlogged(now),
            std::vector<std::string>{"two nodes use the id 1: this node and an unknown address; "
                                     "give each node its own id"});
}

/// A recording of this node's own frames, of a session before it was restarted: it proves nothing.
TEST_F(NodeWireTest, ItsOwnFramesOfThePastAreRefusedInSilence) {
  Peer past(here, 49, keys_of(1));
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(hear(past.say(with({1}))));
  EXPECT_EQ(counts().unproven, 100u);
  EXPECT_EQ(counts().own_id_elsewhere, 0u);
  EXPECT_TRUE(me.wire.suspicions().sentences(now).empty());
}

TEST_F(NodeWireTest, WhatTheElectionRejectsIsCounted) {
  me.wire.reject_malformed(now);
  me.wire.reject_too_many();
  me.wire.reject_too_many();
  EXPECT_EQ(counts().malformed, 1u);
  EXPECT_EQ(counts().too_many, 2u);
  EXPECT_EQ(me.wire.suspicions().sentences(now).size(), 1u);
}

TEST_F(NodeWireTest, OnlyAProbeThatSaysWhatWasSaidBeforeIsPatient) {
  FrameBody letter = with(probe);
  EXPECT_FALSE(patient(me.say(letter))) << "the first word";
  EXPECT_TRUE(patient(me.say(letter)));
  letter.epoch = 5;
  EXPECT_FALSE(patient(me.say(letter))) << "another epoch";
  EXPECT_TRUE(patient(me.say(letter)));
  letter.slack_ms = 40;
  EXPECT_FALSE(patient(me.say(letter))) << "it is late now";
  letter.election = {1};
  EXPECT_FALSE(patient(me.say(letter))) << "a body with news";
  letter.election = probe;
  letter.asks = {{there, 5}};
  EXPECT_FALSE(patient(me.say(letter))) << "a question";
  letter.asks.clear();
  EXPECT_TRUE(patient(me.say(letter)));
  EXPECT_EQ(counts().frames_sent, 8u);
  std::uint64_t number = 0, bytes = 0;
  for (const core::Bytes& frame : me.sent) {
    const Peeked peeked = peek(frame, group_mark("boats"), me.wire.keys());
    EXPECT_EQ(peeked.heading.number, ++number) << "a number, and so a nonce, serves once";
    bytes += frame.size();
  }
  EXPECT_EQ(counts().bytes_sent, bytes);
}

TEST_F(NodeWireTest, WhoeverAsksIsAnsweredUpToABound) {
  Peer peer(there, 60, keys_of(1));
  for (std::uint64_t number = 1; number <= 200;) {
    FrameBody letter;
    letter.asks.push_back({NodeId{99}, number});  // of another
    for (int i = 0; i < 40; ++i) letter.asks.push_back({here, number++});
    EXPECT_FALSE(hear(peer.say(letter))) << "it has not proved anything";
  }
  EXPECT_EQ(counts().unproven, 5u);
  std::vector<Challenge> proofs;
  std::vector<std::size_t> sizes;
  while (me.wire.has_answers()) {
    const FrameBody answers = me.wire.take_answers(now);
    sizes.push_back(answers.proofs.size());
    proofs.insert(proofs.end(), answers.proofs.begin(), answers.proofs.end());
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{48, 48, 32}));
  for (std::size_t i = 0; i < proofs.size(); ++i)
    EXPECT_EQ(proofs[i], (Challenge{there, i + 1})) << i;
}

TEST_F(NodeWireTest, KeysChangeWhileItRuns) {
  Peer peer(there, 60, keys_of(2));
  EXPECT_FALSE(hear(peer.say(with({1}))));
  EXPECT_EQ(counts().unproven, 0u);
  me.wire.set_keys(keys_of(2));
  EXPECT_TRUE(prove(peer));
}

}  // namespace
}  // namespace bellwether::node
