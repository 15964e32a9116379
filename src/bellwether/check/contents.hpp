// SPDX-License-Identifier: MIT
// What is on its way on a channel, as a number: rows of messages, each kept once. 0 is nothing. In
// unordered channels a row is sorted: it is a bag.
#pragma once

#include <map>
#include <mutex>

#include "bellwether/check/messages.hpp"
#include "bellwether/check/pool.hpp"

namespace bellwether::check {

class Contents {
 public:
  explicit Contents(ChannelOrder order);
  const std::vector<MessageId>& operator[](Number content) const { return rows_[content]; }
  Number with(Number content, MessageId message);
  Number without(Number content, std::size_t place);
  Number of(std::vector<MessageId> row);      // in the order of the channel
  Number of_bag(std::vector<MessageId> row);  // sorted first, where there is no order
  ChannelOrder order() const { return order_; }
  std::uint64_t bytes() const;

 private:
  ChannelOrder order_;
  std::mutex mutex_;
  Pool<std::vector<MessageId>> rows_;
  std::map<std::vector<MessageId>, Number> numbers_;
};

}  // namespace bellwether::check
