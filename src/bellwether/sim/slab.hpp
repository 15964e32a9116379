// SPDX-License-Identifier: MIT
// Messages by number, each with a count of the receivers still to come.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "bellwether/core/any_message.hpp"

namespace bellwether::sim {

class Slab {
 public:
  using Ticket = std::uint32_t;

  Ticket keep(core::AnyMessage message, std::uint32_t receivers) {
    if (free_.empty()) {
      slots_.emplace_back(std::move(message), receivers);
      return static_cast<Ticket>(slots_.size() - 1);
    }
    const Ticket ticket = free_.back();
    free_.pop_back();
    slots_[ticket].message = std::move(message);
    slots_[ticket].receivers = receivers;
    return ticket;
  }
  const core::AnyMessage& look(Ticket ticket) const { return slots_[ticket].message; }
  /// One receiver more.
  void share(Ticket ticket) { ++slots_[ticket].receivers; }
  /// One receiver fewer; the message leaves with the last.
  void release(Ticket ticket) {
    Slot& slot = slots_[ticket];
    if (--slot.receivers > 0) return;
    slot.message = {};  // what it holds of the memory leaves at once
    free_.push_back(ticket);
  }
  std::size_t kept() const { return slots_.size() - free_.size(); }

 private:
  struct Slot {
    Slot(core::AnyMessage&& m, std::uint32_t r) : message(std::move(m)), receivers(r) {}
    core::AnyMessage message;
    std::uint32_t receivers;
  };
  std::deque<Slot> slots_;  // a message keeps its place while others come
  std::vector<Ticket> free_;
};

}  // namespace bellwether::sim
