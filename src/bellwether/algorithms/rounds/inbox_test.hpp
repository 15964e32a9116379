// SPDX-License-Identifier: MIT
// What a node is handed in a round, for tests that write it by hand: an inbox only points to
// messages, and a container has to hold them.
#pragma once

#include <vector>

#include "bellwether/core/inbox.hpp"

namespace bellwether::algorithms {

template <class Message>
struct Letter {
  core::Port port;
  Message message;
};

template <class Message>
class Letters : public std::vector<Letter<Message>> {
 public:
  using std::vector<Letter<Message>>::vector;

  /// Valid until these are changed, or asked once more.
  operator core::Inbox<Message>() const {
    incoming_.clear();
    for (const Letter<Message>& letter : *this) incoming_.push_back({letter.port, &letter.message});
    return core::Inbox<Message>(incoming_);
  }

 private:
  mutable std::vector<core::Incoming> incoming_;
};

}  // namespace bellwether::algorithms
