// SPDX-License-Identifier: MIT
// Messages of one kind by number, each with its digest and a count of the receivers still to come.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bellwether/core/any_message.hpp"

namespace bellwether::sim {

class Slab {
 public:
  using Ticket = std::uint32_t;

  explicit Slab(const core::MessageKind& kind)
      : kind_(kind), stride_(sizeof(Slot) + (kind.bytes + 15) / 16 * 16) {}
  Slab(const Slab&) = delete;
  Slab& operator=(const Slab&) = delete;
  ~Slab() {
    for (Ticket ticket = 0; ticket < made_; ++ticket)
      if (slot(ticket).receivers > 0) kind_.destroy(&slot(ticket) + 1);
  }

  /// `taken`: the message may be moved from.
  Ticket keep(void* message, bool taken, std::uint32_t receivers) {
    const Ticket ticket = place();
    Slot& kept = slot(ticket);
    taken ? kind_.move(&kept + 1, message) : kind_.copy(&kept + 1, message);
    kept.receivers = receivers;
    kept.digest = core::digest_of(kind_, &kept + 1);
    return ticket;
  }
  const void* look(Ticket ticket) const { return &slot(ticket) + 1; }
  std::uint64_t digest(Ticket ticket) const { return slot(ticket).digest; }
  /// One receiver more.
  void share(Ticket ticket) { ++slot(ticket).receivers; }
  /// One receiver fewer; the message leaves with the last.
  void release(Ticket ticket) {
    Slot& kept = slot(ticket);
    if (--kept.receivers > 0) return;
    kind_.destroy(&kept + 1);
    free_.push_back(ticket);
  }
  std::size_t kept() const { return made_ - free_.size(); }

 private:
  struct alignas(16) Slot {  // in front of the message
    std::uint64_t digest;
    std::uint32_t receivers;
  };
  static constexpr Ticket per_block = 64;

  Slot& slot(Ticket ticket) const {
    return *reinterpret_cast<Slot*>(blocks_[ticket / per_block].get() +
                                    ticket % per_block * stride_);
  }
  Ticket place() {
    if (!free_.empty()) {
      const Ticket ticket = free_.back();
      free_.pop_back();
      return ticket;
    }
    if (made_ % per_block == 0)
      blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(per_block * stride_));
    return made_++;
  }

  const core::MessageKind& kind_;
  const std::size_t stride_;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;  // a message stays where it is
  Ticket made_ = 0;
  std::vector<Ticket> free_;
};

}  // namespace bellwether::sim
