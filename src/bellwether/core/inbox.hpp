// SPDX-License-Identifier: MIT
// What reaches a node in a round: messages that lie with their senders, read through their type.
#pragma once

#include <cstddef>
#include <iterator>
#include <span>

#include "bellwether/core/ids.hpp"

namespace bellwether::core {

/// One message without its type.
struct Incoming {
  Port port;
  const void* message;
};

template <class Message>
struct Received {
  Port port;
  const Message& message;
};

template <class Message>
class Inbox {
 public:
  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = Received<Message>;
    using iterator_category = std::input_iterator_tag;

    Iterator() = default;
    explicit Iterator(const Incoming* at) : at_(at) {}
    Received<Message> operator*() const {
      return {at_->port, *static_cast<const Message*>(at_->message)};
    }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return Iterator(at_++); }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const Incoming* at_ = nullptr;
  };

  explicit Inbox(std::span<const Incoming> all) : all_(all) {}

  bool empty() const { return all_.empty(); }
  std::size_t size() const { return all_.size(); }
  Iterator begin() const { return Iterator(all_.data()); }
  Iterator end() const { return Iterator(all_.data() + all_.size()); }
  Received<Message> front() const { return *begin(); }

 private:
  std::span<const Incoming> all_;
};

}  // namespace bellwether::core
