// SPDX-License-Identifier: MIT
// One datagram. In clear: what it is, of which group, under which key, and who sent it in which of
// its lives as which of its frames; these three are the nonce, so none is ever used twice. Sealed,
// or plain where that was asked for: a letter.
//
//   byte 0       0xB1 sealed, 0xB0 plain; 0xB3 and 0xB2 where the frame is patient
//   1 to 4       the mark of the group
//   5            the name of the key; 0 in plain frames
//   6 to 29      sender, session, number: eight bytes each, low byte first
//   30 ...       the letter, sealed with bytes 0 to 5 as associated data; the tag is the last 16
//
// The letter names the algorithm of its sender by a mark, since some bodies of the layers mean the
// same in all elections: two nodes with different ones would be neighbours that never agree.
#pragma once

#include "bellwether/core/codec.hpp"
#include "bellwether/node/keyring.hpp"
#include "bellwether/node/relay.hpp"

namespace bellwether::node {

inline constexpr std::size_t heading_size = 30;
inline constexpr std::size_t associated_size = 6;
inline constexpr std::uint8_t patient_bit = 2;  // of byte 0

/// Prove that you are there now: name this number in a frame of yours.
struct Challenge {
  NodeId to{};
  std::uint64_t number = 0;
  static constexpr auto fields =
      std::tuple{core::field("to", &Challenge::to), core::field("number", &Challenge::number)};
  friend bool operator==(const Challenge&, const Challenge&) = default;
};

/// What each letter says of its sender.
struct Said {
  std::optional<NodeId> leader;  // whom it takes for the leader, and its epoch
  std::uint64_t epoch = 0;
  std::uint32_t slack_ms = 0;  // it is late: give it this much more time
  friend bool operator==(const Said&, const Said&) = default;
};

/// Of its name: no two elections of the catalogue have the same one.
using AlgorithmMark = std::uint16_t;
AlgorithmMark algorithm_mark(std::string_view name);

struct FrameBody {
  std::optional<NodeId> leader;  // whom the sender takes for the leader, and its epoch
  std::uint64_t epoch = 0;
  std::uint32_t slack_ms = 0;  // the sender is late: give it this much more time
  std::vector<Challenge> asks;
  std::vector<Challenge> proofs;  // the numbers that were asked for, back to who asked
  core::Bytes election;           // a message of the election's layers; empty: none
  AlgorithmMark algorithm = 0;    // which election its sender runs
  std::optional<NodeId> relay_to;
  std::optional<Relay::RelayMessage> relay;
  Said said() const { return {leader, epoch, slack_ms}; }
  static constexpr auto fields = std::tuple{core::field("leader", &FrameBody::leader),
                                            core::field("epoch", &FrameBody::epoch),
                                            core::field("slack_ms", &FrameBody::slack_ms),
                                            core::field("asks", &FrameBody::asks),
                                            core::field("proofs", &FrameBody::proofs),
                                            core::field("election", &FrameBody::election),
                                            core::field("algorithm", &FrameBody::algorithm),
                                            core::field("relay_to", &FrameBody::relay_to),
                                            core::field("relay", &FrameBody::relay)};
  friend bool operator==(const FrameBody&, const FrameBody&) = default;
};

/// All of a letter but the election's message, at most, where there are no asks and proofs.
inline constexpr std::size_t letter_overhead = 40;
inline constexpr std::size_t frame_overhead = heading_size + tag_size + letter_overhead;

struct FrameHeader {
  NodeId sender{};
  std::uint64_t session = 0;
  std::uint64_t number = 0;
  bool patient = false;  // it says nothing new: a sign of life that can be read later
  friend bool operator==(const FrameHeader&, const FrameHeader&) = default;
};

using GroupMark = std::array<std::uint8_t, 4>;

core::Bytes to_frame(const FrameHeader& heading, const FrameBody& letter, const GroupMark& group,
                     const Keyring& keys);

enum class Refusal : unsigned char { none, garbage, other_group, not_sealed, wrong_key };
constexpr auto names_of(Refusal) {
  return std::array<std::string_view, 5>{"none", "garbage", "other-group", "not-sealed",
                                         "wrong-key"};
}

/// Cheap: nothing is opened yet. Nothing where it cannot be a frame of this group.
struct Peeked {
  Refusal refusal = Refusal::none;
  FrameHeader heading;
};
Peeked peek(std::span<const std::uint8_t> frame, const GroupMark& group, const Keyring& keys);

struct Opened {
  Refusal refusal = Refusal::none;
  FrameBody letter;
};
/// After `peek`.
Opened open(std::span<const std::uint8_t> frame, const Keyring& keys);

}  // namespace bellwether::node
