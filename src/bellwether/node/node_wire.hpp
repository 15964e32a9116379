// SPDX-License-Identifier: MIT
// The wire of a node: which frames it believes, and the frames that it sends. It has the keys, the
// sessions and the counts of what was refused. Time and frames are handed in and frames are handed
// out, so it is tried without sockets (transport.hpp has those).
//
//   1. peek: of our group, sealed as we seal, not heard before? else counted and dropped.
//   2. open: with one of our keys, and a letter of our election inside? else counted and dropped.
//   3. judge: of a session that has proved to be alive? else its sender is asked for a proof.
#pragma once

#include <functional>

#include "bellwether/node/sessions.hpp"
#include "bellwether/node/suspicions.hpp"

namespace bellwether::node {

struct WireCounters {
  std::uint64_t frames_sent = 0, bytes_sent = 0, frames_heard = 0, bytes_heard = 0;
  std::array<std::uint64_t, 5> refused{};  // by Refusal
  std::uint64_t repeated = 0, unproven = 0, duplicate_id = 0, malformed = 0, too_many = 0;
  std::uint64_t other_algorithm = 0;
  std::uint64_t restarted = 0, own_id_elsewhere = 0;
};

/// Who sends: this node, in its present session.
struct WireIdentity {
  NodeId self{};
  std::uint64_t session = 0;
  GroupMark group{};
  core::Bytes probe;  // the election's body that says nothing new
  std::string algorithm{};
  std::vector<std::string> algorithms{};  // those that others may run
};

/// A letter that is believed.
struct FreshLetter {
  NodeId from{};
  bool restarted = false;  // the first one of a new session: the session before is over
  FrameBody letter;
};

class NodeWire {
 public:
  using SendFrame = std::function<void(std::span<const std::uint8_t> frame)>;

  NodeWire(WireIdentity identity, Keyring keys, Sessions::Draw draw, SendFrame send);

  /// A frame that arrived at `at` and is read now. Nothing: it is dropped, and counted.
  std::optional<FreshLetter> receive(Time at, Time now, std::span<const std::uint8_t> frame,
                                     const FrameSource& source = {});
  /// The election could not read the body of the letter that came last.
  void reject_malformed(Time now);
  /// It could, and has no room for its sender.
  void reject_too_many() { ++counters_.too_many; }

  void send(FrameBody letter);
  /// Whether there are questions or proofs to be sent.
  bool has_answers() const { return !proofs_.empty() || sessions_.has_asks(); }
  /// As many of them as fit one letter.
  FrameBody take_answers(Time now);

  const Keyring& keys() const { return keys_; }
  void set_keys(Keyring keys) { keys_ = std::move(keys); }
  Suspicions& suspicions() { return suspicions_; }
  const Suspicions& suspicions() const { return suspicions_; }
  const WireCounters& counters() const { return counters_; }

 private:
  void refuse(Time now, Refusal why, const FrameSource& source);
  void refuse_algorithm(Time now, NodeId sender, AlgorithmMark its, const FrameSource& source);
  /// Whether the letter is to be believed.
  bool judge(Time now, const FrameHeader& heading, Freshness freshness, const FrameSource& source);

  WireIdentity identity_;
  Keyring keys_;
  SendFrame send_;
  Sessions sessions_;
  std::uint64_t next_frame_ = 1;
  std::optional<Said> said_;               // in the last letter
  std::vector<Challenge> proofs_;          // to be sent
  std::map<NodeId, FrameSource> sources_;  // of the last frame that was believed
  FrameSource last_source_;                // of the frame that came last
  Suspicions suspicions_;
  WireCounters counters_;
};

}  // namespace bellwether::node
