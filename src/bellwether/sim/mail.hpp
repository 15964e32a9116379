// SPDX-License-Identifier: MIT
// Messages on their way. Small ones travel inside their event; a large one is kept once, whatever
// the number of receivers, and the event carries its number. While the run is watched, what is in
// transit is also kept by the end it left from.
#pragma once

#include <cstring>
#include <deque>
#include <vector>

#include "bellwether/core/any_message.hpp"
#include "bellwether/core/event_queue.hpp"
#include "bellwether/sim/links.hpp"
#include "bellwether/sim/slab.hpp"

namespace bellwether::sim {

using core::QueuedEvent;

class Mail {
 public:
  using Ticket = Slab::Ticket;

  explicit Mail(const core::MessageKind& kind) : kind_(kind), slab_(kind) {}

  const core::MessageKind& kind() const { return kind_; }
  bool small() const { return kind_.small; }
  /// Of an event that carries a message.
  static std::size_t payload_bytes(const core::MessageKind& kind) {
    return kind.small ? kind.bytes : sizeof(Ticket);
  }

  /// Keeps a large message, with one receiver: the sender's, until all are served. `taken`: it may
  /// be moved from.
  Ticket keep(void* message, bool taken) { return slab_.keep(message, taken, 1); }
  void share(Ticket ticket) { slab_.share(ticket); }
  void release(Ticket ticket) { slab_.release(ticket); }
  const void* look(Ticket ticket) const { return slab_.look(ticket); }
  std::uint64_t digest(Ticket ticket) const { return slab_.digest(ticket); }

  /// The message of an event, and into one.
  const void* in(const QueuedEvent& event) const {
    return small() ? event.payload() : look(ticket_in(event));
  }
  Ticket ticket_in(const QueuedEvent& event) const {
    Ticket ticket = 0;
    if (!small()) std::memcpy(&ticket, event.payload(), sizeof ticket);
    return ticket;
  }
  void put(QueuedEvent& event, const void* message, Ticket ticket) {
    if (small()) return kind_.copy(event.payload(), message);
    share(ticket);
    std::memcpy(event.payload(), &ticket, sizeof ticket);
  }

  // In transit, by end.
  void watch(std::size_t ends) { transit_.resize(ends); }
  const std::deque<core::AnyMessage>& from(End e) const { return transit_[e]; }
  bool watched() const { return !transit_.empty(); }
  void leaves(End e, const void* message) {
    transit_[e].push_back(core::AnyMessage::copy_of(kind_, message));
  }
  void arrives(End e, const void* message) {
    auto& way = transit_[e];
    way.erase(std::find_if(way.begin(), way.end(), [&](const core::AnyMessage& each) {
      return kind_.equal(each.value(), message);
    }));
  }
  void clear(End e) { transit_[e].clear(); }

 private:
  const core::MessageKind& kind_;
  Slab slab_;
  std::vector<std::deque<core::AnyMessage>> transit_;
};

}  // namespace bellwether::sim
