// SPDX-License-Identifier: MIT
// What is to happen, and when: the event queue, and what the bits of an event mean.
#pragma once

#include "bellwether/core/event_queue.hpp"
#include "bellwether/core/time.hpp"

namespace bellwether::sim {

using core::EventQueue;
using core::QueuedEvent;
using core::Time;

enum class EventKind : std::uint32_t {
  deliver,    // subject: the sender's end (a plain run: the receiver); detail: the port
  timer,      // subject: the node; detail: serial
  tell_up,    // subject: the end
  tell_down,  // likewise
  start,      // subject: the node
  change,     // of the network
  medium,     // subject: the node; detail: serial
  sample      // subject: pace_mark for a pacer's turn; detail: serial
};

inline constexpr std::uint32_t low_bits = (1u << 29) - 1;  // below the kind, in `detail`
inline constexpr std::uint32_t pace_mark = 1;

inline EventKind kind_of(const QueuedEvent& event) {
  return static_cast<EventKind>(event.detail >> 29);
}
inline std::uint32_t low_detail(const QueuedEvent& event) {
  return event.detail & low_bits;
}

class Agenda {
 public:
  explicit Agenda(std::size_t payload_bytes) : queue_(payload_bytes) {}

  Time now() const { return Time{static_cast<std::int64_t>(queue_.now())}; }
  static std::uint64_t at(Time t) { return static_cast<std::uint64_t>(t.count()); }
  QueuedEvent& push(Time t, EventKind kind, std::uint32_t subject, std::uint32_t detail) {
    QueuedEvent& event = queue_.push(at(t));
    event.subject = subject;
    event.detail = static_cast<std::uint32_t>(kind) << 29 | detail;
    return event;
  }
  EventQueue& queue() { return queue_; }
  const EventQueue& queue() const { return queue_; }

 private:
  EventQueue queue_;
};

}  // namespace bellwether::sim
