// SPDX-License-Identifier: MIT
// What observers are handed around each step. Observers never touch nodes or queue.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bellwether/core/happening.hpp"
#include "bellwether/core/host.hpp"
#include "bellwether/observe/trace/schedule.hpp"

namespace bellwether::observe {

using core::Cause;
using core::NodeId;
using core::NodeIndex;
using core::Port;
using core::Time;

/// A message, a timer or a state without its type: printed only on request.
class View {
 public:
  View() = default;
  static View of_message(const core::MessageKind& kind, const void* message) {
    return View(&kind, message, [](const View& v, core::Form form, std::string& out) {
      static_cast<const core::MessageKind*>(v.context_)->print(v.value_, form, out);
    });
  }
  static View of_timer(const core::Nodes& nodes, const core::TimerName& timer) {
    return View(&nodes, &timer, [](const View& v, core::Form form, std::string& out) {
      static_cast<const core::Nodes*>(v.context_)
          ->print(*static_cast<const core::TimerName*>(v.value_), form, out);
    });
  }
  static View of_state(const core::Nodes& nodes, NodeIndex u) {
    View view(&nodes, nullptr, [](const View& v, core::Form form, std::string& out) {
      static_cast<const core::Nodes*>(v.context_)->print(v.node_, form, out);
    });
    view.node_ = u;
    return view;
  }
  /// Of a value whose type is known.
  template <class T>
  static View of(const T& value) {
    return View(&value, &value, [](const View& v, core::Form form, std::string& out) {
      core::print_as(form, out, *static_cast<const T*>(v.value_));
    });
  }
  explicit operator bool() const { return context_ != nullptr; }
  /// Of one and the same thing.
  friend bool operator==(const View&, const View&) = default;
  std::string text() const { return written(core::Form::text); }
  std::string json() const { return written(core::Form::json); }
  std::string name() const { return written(core::Form::name); }

 private:
  using Write = void (*)(const View&, core::Form, std::string&);
  View(const void* context, const void* value, Write write)
      : context_(context), value_(value), write_(write) {}
  std::string written(core::Form form) const {
    std::string out;
    if (context_ != nullptr) write_(*this, form, out);
    return out;
  }
  const void* context_ = nullptr;
  const void* value_ = nullptr;
  NodeIndex node_ = 0;
  Write write_ = nullptr;
};

/// What became of a message when it was handed to the channel.
enum class Fate : unsigned char { sent, lost, duplicated, no_link };
constexpr auto names_of(Fate) {
  return std::array<std::string_view, 4>{"sent", "lost", "doubled", "no-link"};
}

struct SendRecord {
  NodeId to{};
  View message;
  Fate fate = Fate::sent;
  Time arrives{};            // if nothing happens to the link meanwhile
  NodeIndex node_index = 0;  // of the receiver in the list of nodes: anonymous ones share their id
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
  NodeIndex node_index = 0;             // of the node in the list of nodes
  std::optional<NodeIndex> peer_index;  // of the peer
};

/// A message that died on its way.
struct DropRecord {
  Time at{};
  NodeId from{};
  NodeId to{};
  View message;
  std::string_view why;
  NodeIndex from_index = 0;
  NodeIndex to_index = 0;
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
