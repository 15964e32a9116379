// SPDX-License-Identifier: MIT
// A run as a file: JSON Lines, one object per step. docs/traces.md describes the format.
#pragma once

#include <deque>
#include <iosfwd>

#include "bellwether/observe/trace/record.hpp"

namespace bellwether::observe {

struct TraceSend {
  NodeId to{};
  std::string message;
  Fate fate = Fate::sent;
  Time arrives{};  // zero when the message was lost or had no link
  friend bool operator==(const TraceSend&, const TraceSend&) = default;
};

/// A StepRecord whose views have become text, so that it can be kept.
struct TraceStep {
  std::uint64_t number = 0;
  Time at{};
  NodeId node{};
  Cause cause{};
  std::optional<NodeId> peer;
  std::string message;  // empty but for receive
  std::string timer;    // empty but for timeout
  std::vector<TraceSend> sends;
  std::optional<NodeId> leader_before;
  std::optional<NodeId> leader_after;
  std::string state;
  friend bool operator==(const TraceStep&, const TraceStep&) = default;
};

struct TraceDrop {
  Time at{};
  NodeId from{};
  NodeId to{};
  std::string message;
  std::string why;
  std::size_t after_steps = 0;  // how many steps stand before it in the file
  friend bool operator==(const TraceDrop&, const TraceDrop&) = default;
};

/// Times in a trace go from 0 to here, some 126 years: sums of two of them do not overflow.
inline constexpr Time latest_time{4'000'000'000'000'000'000};

struct Trace {
  RunHeader header;
  std::vector<TraceStep> steps;
  std::vector<TraceDrop> drops;
  bool complete = false;  // false: the run or the file was cut short
};

TraceStep to_trace(const StepRecord& record);

// What people read of a step; the parts of step_line, and the columns of the listing.
/// "from 3: token(id=5)", "link up: 3", "start"
std::string happened(const TraceStep& step);
/// "token(id=5) -> 2, 4 (lost)"; empty when nothing was sent.
std::string sent(const TraceStep& step);
/// "none -> 5"; empty when nothing changed.
std::string leader_change(const TraceStep& step);
/// All but the state, which is long: "#7 1.5 ms node 2, from 3: token(id=5); sends ...; leader
/// ...".
std::string step_line(const TraceStep& step);

/// A stream that fails stays as it is: its owner looks whether all was written.
class TraceWriter : public Observer {
 public:
  explicit TraceWriter(std::ostream& out) : out_(out) {}
  void begin(const RunHeader& header) override;
  void step(const StepRecord& record) override;
  void drop(const DropRecord& record) override;
  void end() override;
  void step(const TraceStep& step);
  void drop(const TraceDrop& drop);

 private:
  void write_line();

  std::ostream& out_;
  std::string line_;  // reused: one allocation for the whole run
  std::uint64_t steps_ = 0;
};

/// A trace that was kept, as a file.
void write_trace(std::ostream& out, const Trace& trace);

/// Keeps the last steps, for the moment when something goes wrong.
class TailObserver : public Observer {
 public:
  explicit TailObserver(std::size_t keep = 20) : keep_(keep) {}
  void step(const StepRecord& record) override;
  /// Oldest first.
  std::vector<std::string> lines() const;

 private:
  std::size_t keep_;
  std::deque<TraceStep> last_;
};

/// Throws Problem on anything that TraceWriter would not have written, but for an early end.
Trace read_trace(std::istream& in, const std::string& path);

}  // namespace bellwether::observe
