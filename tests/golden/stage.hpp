// SPDX-License-Identifier: MIT
// What a script can do to a network, whatever the protocol. What happens is told as text.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bellwether/core/ids.hpp"
#include "bellwether/core/time.hpp"

namespace bellwether::golden {

using core::NodeId;
using core::Port;
using core::Time;

/// The script asks for what is not possible; what() says why, without the place.
class BadScript : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline std::string text(NodeId id) {
  return std::to_string(core::raw(id));
}
inline std::string text(NodeId from, NodeId to) {
  return text(from) + "->" + text(to);
}

class Stage {
 public:
  Stage() = default;
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  virtual ~Stage() = default;

  /// A link that is up at both ends from the beginning.
  virtual void link(NodeId a, NodeId b) = 0;
  virtual void start(std::span<const NodeId> some) = 0;
  virtual void start_all() = 0;
  /// `at` is told that its channel to `peer` is up.
  virtual void up(NodeId at, NodeId peer) = 0;
  /// `at` is told that its channel to `peer` is down; what it has in transit there is lost.
  virtual void down(NodeId at, NodeId peer) = 0;
  /// The oldest message, or all that are in transit on this channel now.
  virtual void deliver(NodeId from, NodeId to, bool all = false) = 0;
  virtual void lose(NodeId from, NodeId to) = 0;
  /// Until nothing is in transit. Rounds: the oldest message of each channel, by (from, to).
  virtual void settle(bool quietly = false) = 0;
  virtual void set_time(std::optional<NodeId> at, Time now) = 0;
  virtual void fire(NodeId at, std::string_view timer) = 0;
  /// Its memory, its timers and what it has in transit are gone; its peers are not told.
  virtual void crash(NodeId id) = 0;
  /// Back without memory and without links, and started.
  virtual void restart(NodeId id) = 0;
  virtual void show_all() = 0;
  /// More closely: what it knows of others, and its timers.
  virtual void show(NodeId id) = 0;
  virtual void transit() = 0;

  /// What has been told since the last call.
  std::string take() { return std::exchange(told_, {}); }

 protected:
  void tell(std::string_view line) {
    told_ += line;
    told_ += '\n';
  }

 private:
  std::string told_;
};

using OptionTexts = std::vector<std::pair<std::string, std::string>>;  // name, value

/// Isolated nodes that run an algorithm of the catalogue.
std::unique_ptr<Stage> make_stage(std::string_view algorithm, const std::vector<NodeId>& ids,
                                  const OptionTexts& options);

}  // namespace bellwether::golden
