// SPDX-License-Identifier: MIT
// The messages of a search, each kept once, by number.
#pragma once

#include <unordered_map>

#include "bellwether/check/plan.hpp"
#include "bellwether/check/pool.hpp"
#include "bellwether/core/host.hpp"

namespace bellwether::check {

using MessageId = Number;

/// A copy of a message, to be changed.
class MessageDraft {
 public:
  MessageDraft(const core::MessageKind& kind, const void* message)
      : kind_(kind), room_(::operator new(kind.bytes)) {
    kind_.copy(room_, message);
  }
  MessageDraft(const MessageDraft&) = delete;
  MessageDraft& operator=(const MessageDraft&) = delete;
  ~MessageDraft() {
    kind_.destroy(room_);
    ::operator delete(room_);
  }
  void* value() { return room_; }

 private:
  const core::MessageKind& kind_;
  void* room_;
};

/// One thread adds at a time; any thread that knows a number may ask about it.
class Messages {
 public:
  /// `restarts`: nodes may come back without memory.
  Messages(const core::Nodes& nodes, bool restarts)
      : nodes_(nodes), kind_(nodes.messages()), restarts_(restarts) {}

  /// The number of this message, whose value is left behind.
  MessageId number_of(void* message);

  const void* operator[](MessageId id) const { return all_[id].message.value(); }
  MessageDraft draft(MessageId id) const { return {kind_, (*this)[id]}; }
  /// Readings of clocks, each after its group.
  const std::vector<std::uint64_t>& stamps(MessageId id) const { return all_[id].stamps; }
  /// A message that changes nothing now never will, in this life of the node.
  bool no_op_lasts(MessageId id) const { return all_[id].no_op_lasts; }
  std::uint64_t bytes() const { return std::uint64_t{all_.size()} * (kind_.bytes + 150); }

 private:
  struct StoredMessage {
    core::AnyMessage message;
    std::vector<std::uint64_t> stamps;
    bool no_op_lasts = false;
  };
  std::vector<std::uint64_t> stamps_of(const void* message) const;

  const core::Nodes& nodes_;
  const core::MessageKind& kind_;
  const bool restarts_;
  Pool<StoredMessage> all_;
  std::unordered_multimap<std::uint64_t, MessageId> numbers_;  // by digest
};

/// Writes readings of clocks down, each after its group: `context` is the vector.
void note_stamp(void* context, std::uint64_t group, std::uint64_t& magnitude);

}  // namespace bellwether::check
