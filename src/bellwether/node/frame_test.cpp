// SPDX-License-Identifier: MIT
#include "bellwether/node/frame.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/core/arbitrary.hpp"
#include "bellwether/core/prng.hpp"
#include "bellwether/core/problem.hpp"

namespace bellwether::node {
namespace {

SecretKey key(std::uint8_t filled) {
  SecretKey out;
  out.fill(filled);
  return out;
}

FrameBody a_letter() {
  FrameBody letter;
  letter.leader = NodeId{3};
  letter.epoch = 12;
  letter.election = {1, 2, 3};
  letter.proofs = {{NodeId{5}, 99}};
  letter.algorithm = algorithm_mark("height");
  return letter;
}

const GroupMark mark = group_mark("boats");
const FrameHeader heading{NodeId{7}, 0x1122334455667788, 42};

TEST(Frame, NoTwoElectionsHaveTheSameMark) {
  std::set<AlgorithmMark> marks;
  for (const core::Algorithm& each : catalogue::all()) marks.insert(algorithm_mark(each.name));
  EXPECT_EQ(marks.size(), catalogue::all().size());
}

TEST(Frame, ComesBackAsItWasSealedAndPlain) {
  for (const Keyring& keys : {Keyring(), Keyring({key(1)}, "boats")}) {
    const auto frame = to_frame(heading, a_letter(), mark, keys);
    const Peeked peeked = peek(frame, mark, keys);
    ASSERT_EQ(peeked.refusal, Refusal::none);
    EXPECT_EQ(peeked.heading, heading);
    const Opened opened = open(frame, keys);
    ASSERT_EQ(opened.refusal, Refusal::none);
    EXPECT_EQ(opened.letter, a_letter());
  }
}

TEST(Frame, SaysInClearThatItIsPatientAndNobodyElseCan) {
  FrameHeader patient = heading;
  patient.patient = true;
  for (const Keyring& keys : {Keyring(), Keyring({key(1)}, "boats")}) {
    auto frame = to_frame(patient, a_letter(), mark, keys);
    EXPECT_TRUE(frame[0] & patient_bit);
    EXPECT_EQ(peek(frame, mark, keys).heading, patient);
    EXPECT_EQ(open(frame, keys).letter, a_letter());
    frame[0] ^= patient_bit;
    if (!keys.plain()) {
      EXPECT_EQ(open(frame, keys).refusal, Refusal::wrong_key);
    }
  }
}

TEST(Frame, NothingOfALetterCanBeReadOrChanged) {
  const Keyring keys({key(1)}, "boats");
  const auto frame = to_frame(heading, a_letter(), mark, keys);
  const auto text = core::encode(a_letter());
  EXPECT_EQ(std::search(frame.begin(), frame.end(), text.begin(), text.end()), frame.end());
  for (std::size_t i = 0; i < frame.size(); ++i) {
    auto bent = frame;
    bent[i] ^= 1;
    const bool refused = peek(bent, mark, keys).refusal != Refusal::none ||
                         open(bent, keys).refusal != Refusal::none;
    EXPECT_TRUE(refused) << "byte " << i;
  }
  for (std::size_t size = 0; size < frame.size(); ++size) {
    const std::span part(frame.data(), size);
    EXPECT_TRUE(peek(part, mark, keys).refusal != Refusal::none ||
                open(part, keys).refusal != Refusal::none);
  }
}

TEST(Frame, AFrameIsWrittenInOneWayOnly) {
  const Keyring keys;
  const auto frame = to_frame(heading, a_letter(), mark, keys);
  for (std::size_t i = 0; i < frame.size(); ++i) {
    auto bent = frame;
    bent[i] ^= 1;
    const Peeked peeked = peek(bent, mark, keys);
    if (peeked.refusal != Refusal::none) continue;
    const Opened opened = open(bent, keys);
    if (opened.refusal != Refusal::none) continue;
    EXPECT_EQ(to_frame(peeked.heading, opened.letter, mark, keys), bent) << "byte " << i;
  }
}

TEST(Frame, OtherGroupsOtherKeysAndPlainFramesAreRefusedByName) {
  const Keyring keys({key(1)}, "boats");
  const auto frame = to_frame(heading, a_letter(), mark, keys);
  EXPECT_EQ(peek(frame, group_mark("cars"), keys).refusal, Refusal::other_group);
  EXPECT_EQ(open(frame, Keyring({key(2)}, "boats")).refusal, Refusal::wrong_key);
  EXPECT_EQ(open(frame, Keyring({key(1)}, "cars")).refusal, Refusal::wrong_key)
      << "a key holds for one group";
  EXPECT_EQ(peek(frame, mark, Keyring()).refusal, Refusal::not_sealed);
  EXPECT_EQ(peek(to_frame(heading, a_letter(), mark, Keyring()), mark, keys).refusal,
            Refusal::not_sealed);
}

TEST(Frame, TheFirstKeySealsAndAllOpen) {
  const Keyring both({key(1), key(2)}, "g"), other_way({key(2), key(1)}, "g"), old({key(1)}, "g");
  EXPECT_EQ(open(to_frame(heading, a_letter(), mark, both), other_way).refusal, Refusal::none);
  EXPECT_EQ(open(to_frame(heading, a_letter(), mark, other_way), both).refusal, Refusal::none);
  EXPECT_EQ(open(to_frame(heading, a_letter(), mark, both), old).refusal, Refusal::none);
  EXPECT_EQ(open(to_frame(heading, a_letter(), mark, other_way), old).refusal, Refusal::wrong_key);
}

TEST(Frame, GarbageIsBorne) {
  core::Prng prng(5);
  const Keyring plain;
  for (int i = 0; i < 20000; ++i) {
    core::Bytes bytes(prng.below(120));
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(prng.next());
    if (bytes.size() > 5) {  // what passes for one of ours
      bytes[0] = 0xB0;
      std::copy(mark.begin(), mark.end(), bytes.begin() + 1);
    }
    if (peek(bytes, mark, plain).refusal == Refusal::none) open(bytes, plain);
  }
}

TEST(Frame, LettersOfAllKindsRoundTrip) {
  core::Prng prng(6);
  for (int i = 0; i < 500; ++i) {
    const auto letter = core::arbitrary<FrameBody>(prng);
    EXPECT_EQ(core::decode<FrameBody>(core::encode(letter)), letter);
  }
}

TEST(Frame, ALetterWithoutChallengesIsNoLongerThanPromised) {
  FrameBody letter;
  letter.leader = NodeId{(std::uint64_t{1} << 48) - 1};
  letter.epoch = std::uint64_t{1} << 62;
  letter.slack_ms = 0xFFFF'FFFF;
  letter.election.resize(1200);
  EXPECT_LE(core::encoded_size(letter), 1200 + letter_overhead);
}

class KeyFile : public testing::Test {
 protected:
  std::string write(const std::string& text, mode_t mode = 0600) {
    std::ofstream(path) << text;
    chmod(path.c_str(), mode);
    return path;
  }
  std::string complaint(const std::string& text, mode_t mode = 0600) {
    try {
      Keyring::load(write(text, mode), "g");
      return "";
    } catch (const core::Problem& error) {
      return error.what();
    }
  }
  void TearDown() override { std::filesystem::remove(path); }
  const std::string path = testing::TempDir() + "keys-" + std::to_string(getpid());
};

TEST_F(KeyFile, OneKeyALineAndComments) {
  const std::string text =
      "# since May\n" + new_key_line() + "\n\n  " + std::string(64, 'A') + "  # the old one\r\n";
  EXPECT_EQ(Keyring::load(write(text), "g").names().size(), 2u);
}

TEST_F(KeyFile, WhatIsNoKeyIsNamedWithItsLine) {
  EXPECT_NE(complaint("").find("no key"), std::string::npos);
  EXPECT_NE(complaint("\n" + std::string(63, 'a')).find(":2: a key is a line of 64"),
            std::string::npos);
  EXPECT_NE(complaint(std::string(64, 'g')).find(":1: "), std::string::npos);
  const std::string line = std::string(64, 'a') + "\n";
  EXPECT_NE(complaint(line + line).find("duplicate"), std::string::npos);
  EXPECT_NE(complaint(line, 0644).find("chmod 600"), std::string::npos);
  std::string many;
  for (int i = 0; i < 9; ++i) many += new_key_line() + "\n";
  EXPECT_NE(complaint(many).find("more than 8"), std::string::npos);
}

}  // namespace
}  // namespace bellwether::node
