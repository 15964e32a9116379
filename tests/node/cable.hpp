// SPDX-License-Identifier: MIT
// A cable in user space: what `tc netem` does where the kernel has it. Each frame that one end
// sends is copied to every other end, delayed, lost, duplicated or reordered as configured.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "node/namespace.hpp"

namespace bellwether::bed {

/// What happens to a frame on its way to each receiver, drawn for each of them. Shares in percent.
struct Conditions {
  std::chrono::microseconds delay{0};
  std::chrono::microseconds jitter{0};  // up to this much more; the order of frames stays
  double loss = 0;
  double duplicate = 0;
  double reorder = 0;                    // these frames are overtaken by those that follow:
  std::chrono::microseconds held{5000};  // they arrive this much later
};

class Cable {
 public:
  /// What its ends are: TAP devices, or veth pairs with a packet socket at the far end, which need
  /// no /dev/net/tun. `any` takes TAP devices where they can be had.
  enum class Ends { any, tap, veth };
  /// Whether this program may open /dev/net/tun.
  static bool has_tap();

  explicit Cable(std::uint64_t seed, Ends ends = Ends::any);
  ~Cable();
  Cable(const Cable&) = delete;
  Cable& operator=(const Cable&) = delete;

  /// A new end as an interface of a namespace, up and running; ends are numbered from 0.
  std::size_t add_end(const Namespace& where, const std::string& interface, const std::string& mac);

  /// From the next frame on.
  void set(const Conditions& conditions);
  Conditions conditions() const;

  /// The silent pull: the interface stays up, with carrier.
  void pull(std::size_t end);
  /// The interface loses its carrier.
  void unplug(std::size_t end);
  void plug(std::size_t end);
  /// Frames of one end do not reach the other; the other way they do.
  void block(std::size_t from, std::size_t to);
  void unblock(std::size_t from, std::size_t to);
  void unblock_all();

  /// Copies, one for each receiver.
  struct Counts {
    std::uint64_t delivered = 0, lost = 0, duplicated = 0, reordered = 0;
    std::uint64_t on_the_way = 0;  // at this moment
  };
  Counts counts() const;

 private:
  class Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace bellwether::bed
