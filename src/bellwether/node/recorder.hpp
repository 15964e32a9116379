// SPDX-License-Identifier: MIT
// A recording: every call of an engine, line by line, and what it answered. `bellwether run
// --replay` repeats the calls in the same code and reports the first answer that differs.
//
//   {"format":"bellwether recording","version":1,"algorithm":"cel-2","id":3,...}
//   {"at":1731790000123456789,"do":"hear","from":7,"body":"03a1..","sent":"9f..","leader":7}
#pragma once

#include <cstdio>
#include <memory>

#include "bellwether/node/engine.hpp"

namespace bellwether::node {

enum class CallKind : unsigned char {
  start,
  hear,
  see,
  alarm,
  lose,
  farewell,
  priority,
  slack,
  slack_of
};
constexpr auto names_of(CallKind) {
  return std::array<std::string_view, 9>{"start",    "hear",     "see",   "alarm",   "lose",
                                         "farewell", "priority", "slack", "slack-of"};
}

/// One call of an engine.
struct EngineCall {
  Time at{};
  CallKind kind{};
  NodeId who{};              // hear, see, lose, slack_of
  std::uint64_t number = 0;  // priority; slack in nanoseconds
  core::Bytes body;          // hear
  friend bool operator==(const EngineCall&, const EngineCall&) = default;
};

/// What the engine made of it.
struct CallResult {
  std::uint64_t sent = 0;  // a digest of all bodies that it sent
  std::uint32_t frames = 0;
  std::optional<NodeId> leader;
  friend bool operator==(const CallResult&, const CallResult&) = default;
};

/// Makes this call and reads what the engine sent: its bodies stay in outgoing(), behind those that
/// were there.
CallResult answer_to(const EngineCall& call, Engine& engine);

std::string header_line(const EngineSpec& spec);
std::string call_line(const EngineCall& call, const CallResult& answer);
/// Throw Problem with a sentence without a place.
EngineSpec read_header(const std::string& line);
struct Recorded {
  EngineCall call;
  CallResult answer;
};
Recorded read_call(const std::string& line);
/// Whether a file begins as a recording does.
bool is_recording(const std::string& first_line);

/// A decorator of an engine: it passes each call on, and writes the call and its answer down. Where
/// there is no recording there is no recorder, and nothing is copied, digested or formatted.
class Recorder final : public EngineInputs {
 public:
  /// Throws Problem where the file cannot be written. Records until `most_bytes` are full.
  Recorder(const std::string& path, std::uint64_t most_bytes, const EngineSpec& spec,
           Engine& engine);

  void start(Time now) override;
  FrameResult on_frame(Time now, NodeId from, std::span<const std::uint8_t> body) override;
  void on_probe(Time now, NodeId from) override;
  void alarm(Time now) override;
  void on_neighbour_lost(Time now, NodeId neighbour) override;
  void farewell(Time now) override;
  bool set_priority(Time now, std::uint32_t priority) override;
  void set_slack(Time now, Duration own) override;
  void set_slack(Time now, NodeId neighbour, Duration its) override;

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  FrameResult record(const EngineCall& call);
  void write(const std::string& line);

  Engine& engine_;
  std::unique_ptr<std::FILE, CloseFile> file_;  // nothing: it is full
  std::uint64_t left_ = 0;
};

}  // namespace bellwether::node
