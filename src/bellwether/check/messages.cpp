// SPDX-License-Identifier: MIT
#include "bellwether/check/messages.hpp"

namespace bellwether::check {

void note_stamp(void* context, std::uint64_t group, std::uint64_t& magnitude) {
  auto& stamps = *static_cast<std::vector<std::uint64_t>*>(context);
  stamps.push_back(group);
  stamps.push_back(magnitude);
}

MessageId Messages::number_of(void* message) {
  const std::uint64_t digest = core::digest_of(kind_, message);
  for (auto [at, end] = numbers_.equal_range(digest); at != end; ++at)
    if (kind_.equal((*this)[at->second], message)) return at->second;
  StoredMessage kept;
  kept.stamps = stamps_of(message);
  kept.no_op_lasts = nodes_.no_op_lasts(message, restarts_);
  kept.message = core::AnyMessage::moved(kind_, message);
  const MessageId id = all_.add(std::move(kept));
  numbers_.emplace(digest, id);
  return id;
}

std::vector<std::uint64_t> Messages::stamps_of(const void* message) const {
  std::vector<std::uint64_t> stamps;
  if (!nodes_.can().stamps) return stamps;
  // Of a copy: to change a reading takes apart what messages share.
  MessageDraft copy(kind_, message);
  nodes_.for_each_stamp(copy.value(), &note_stamp, &stamps);
  return stamps;
}

}  // namespace bellwether::check
