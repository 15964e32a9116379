// SPDX-License-Identifier: MIT
// What observers are handed around each step. Observers never touch nodes or queue.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bellwether/core/codec.hpp"
#include "bellwether/core/digest.hpp"
#include "bellwether/core/print.hpp"
#include "bellwether/core/property.hpp"
#include "bellwether/observe/schedule.hpp"

namespace bellwether::observe {

using core::Cause;
using core::NodeId;
using core::NodeIndex;
using core::Port;
using core::Time;

/// Any described value without its type: printed only when somebody asks.
class View {
 public:
  View() = default;
  template <class T>
  static View of(const T& value) {
    View view;
    view.value_ = &value;
    view.print_ = [](std::string& out, const void* v) {
      core::print(out, *static_cast<const T*>(v));
    };
    view.json_ = [](std::string& out, const void* v) {
      core::write_json(out, *static_cast<const T*>(v));
    };
    return view;
  }
  explicit operator bool() const { return value_ != nullptr; }
  std::string text() const { return call(print_); }
  std::string json() const { return call(json_); }

 private:
  using Write = void (*)(std::string&, const void*);
  std::string call(Write write) const {
    std::string out;
    if (value_ != nullptr) write(out, value_);
    return out;
  }
  const void* value_ = nullptr;
  Write print_ = nullptr;
  Write json_ = nullptr;
};

/// What became of a message when it was handed to the channel.
enum class Fate : unsigned char { sent, lost, doubled, no_link };
constexpr auto names_of(Fate) {
  return std::array<std::string_view, 4>{"sent", "lost", "doubled", "no-link"};
}

struct SendRecord {
  NodeId to{};
  View message;
  Fate fate = Fate::sent;
  Time arrives{};       // if nothing happens to the link meanwhile
  NodeIndex place = 0;  // of the receiver in the list of nodes: anonymous ones share their id
};

struct StepRecord {
  std::uint64_t number = 0;  // 1, 2, 3, ...
  Time at{};
  NodeId node{};
  Cause cause{};
  std::optional<NodeId> peer;  // receive: the sender; link-up, link-down: the other end
  View message;                // receive
  View timer;                  // timeout
  std::span<const SendRecord> sends;
  std::optional<NodeId> leader_before;
  std::optional<NodeId> leader_after;
  View state;                           // after the step
  NodeIndex place = 0;                  // of the node in the list of nodes
  std::optional<NodeIndex> peer_place;  // of the peer
};

/// A message that died on its way.
struct DropRecord {
  Time at{};
  NodeId from{};
  NodeId to{};
  View message;
  std::string_view why;
  NodeIndex from_place = 0;
  NodeIndex to_place = 0;
};

struct RunHeader {
  std::string algorithm;
  std::string scenario;
  std::uint64_t seed = 0;
  std::vector<NodeId> nodes;
  std::optional<Schedule> schedule = std::nullopt;  // of a run that can be replayed
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void begin(const RunHeader&) {}
  virtual void step(const StepRecord&) = 0;
  virtual void drop(const DropRecord&) {}
  virtual void end() {}
};

}  // namespace bellwether::observe
