// SPDX-License-Identifier: MIT
// Messages on their way. Small ones travel inside the event; a large one is kept once, whatever
// the number of receivers, and the event carries its number.
#pragma once

#include <cstdint>
#include <deque>
#include <type_traits>
#include <utility>
#include <vector>

namespace bellwether::sim {

inline constexpr std::size_t largest_inline_message = 32;

template <class Message>
inline constexpr bool travels_inline = std::is_trivially_copyable_v<Message> &&
                                       sizeof(Message) <= largest_inline_message;

/// Shared storage with a count of the receivers still to come.
template <class Message>
class Slab {
 public:
  using Ticket = std::uint32_t;

  Ticket keep(Message message, std::uint32_t receivers) {
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
  const Message& look(Ticket ticket) const { return slots_[ticket].message; }
  /// One receiver more.
  void share(Ticket ticket) { ++slots_[ticket].receivers; }
  /// One receiver fewer; the message leaves with the last.
  void release(Ticket ticket) {
    Slot& slot = slots_[ticket];
    if (--slot.receivers > 0) return;
    // What it holds of the memory leaves at once.
    if constexpr (!std::is_trivially_destructible_v<Message>) slot.message = Message{};
    free_.push_back(ticket);
  }
  std::size_t kept() const { return slots_.size() - free_.size(); }

 private:
  struct Slot {
    Slot(Message&& m, std::uint32_t r) : message(std::move(m)), receivers(r) {}
    Message message;
    std::uint32_t receivers;
  };
  std::deque<Slot> slots_;  // a message keeps its place while others come
  std::vector<Ticket> free_;
};

}  // namespace bellwether::sim
