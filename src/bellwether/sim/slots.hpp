// SPDX-License-Identifier: MIT
// Where the links of a network that moves are kept. The world gives the number of a link that went
// down to the next one that comes up, at once. Here a link stays in its slot until both its ends
// have been notified, so that a number may have had several slots; a slot without a link is reused.
// Wired links stand first and keep their place.
#pragma once

#include <cstdint>
#include <vector>

namespace bellwether::sim {

class Slots {
 public:
  using Slot = std::uint32_t;

  Slots() = default;
  /// Links 0..wired-1 are wires, links wired..wired+radio-1 are there from the start.
  Slots(std::uint32_t wired, std::uint32_t radio) : wired_(wired), slots_(wired + radio) {
    for (std::uint32_t i = 0; i < radio; ++i) slot_of_.push_back(wired + i);
  }

  bool is_radio(std::uint32_t link) const { return link >= wired_; }
  /// Where a radio link is.
  Slot of(std::uint32_t link) const { return slot_of_[link - wired_]; }
  /// A place for a radio link that comes up.
  Slot open(std::uint32_t link) {
    Slot slot = slots_;
    if (free_.empty()) {
      ++slots_;
    } else {
      slot = free_.back();
      free_.pop_back();
    }
    const std::uint32_t number = link - wired_;
    if (slot_of_.size() <= number) slot_of_.resize(number + 1);
    slot_of_[number] = slot;
    return slot;
  }
  /// The slot is no longer needed.
  void close(Slot slot) { free_.push_back(slot); }

  std::uint32_t size() const { return slots_; }
  std::size_t free() const { return free_.size(); }

 private:
  std::uint32_t wired_ = 0;
  std::uint32_t slots_ = 0;
  std::vector<Slot> slot_of_;
  std::vector<Slot> free_;
};

}  // namespace bellwether::sim
