// SPDX-License-Identifier: MIT
// A recording: all that an engine was told, line by line, and what it answered. `bellwether run
// --replay` tells it the same again, in the same code, and finds the first answer that differs.
//
//   {"format":"bellwether recording","version":1,"algorithm":"cel-2","id":3,...}
//   {"at":1731790000123456789,"do":"hear","from":7,"body":"03a1..","sent":"9f..","leader":7}
#pragma once

#include <cstdio>
#include <memory>

#include "bellwether/node/engine.hpp"

namespace bellwether::node {

enum class Told : unsigned char {
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
constexpr auto names_of(Told) {
  return std::array<std::string_view, 9>{"start",    "hear",     "see",   "alarm",   "lose",
                                         "farewell", "priority", "slack", "slack-of"};
}

/// One call of an engine.
struct Call {
  Time at{};
  Told told{};
  NodeId who{};              // hear, see, lose, slack_of
  std::uint64_t number = 0;  // priority; slack in nanoseconds
  core::Bytes body;          // hear
  friend bool operator==(const Call&, const Call&) = default;
};

/// What the engine made of it.
struct Answer {
  std::uint64_t sent = 0;  // a digest of all bodies that it sent
  std::uint32_t frames = 0;
  std::optional<NodeId> leader;
  friend bool operator==(const Answer&, const Answer&) = default;
};

/// Tells an engine; its bodies stay in outgoing(), behind those that were there.
Heard tell(Engine& engine, const Call& call);
/// The same, with its answer, for which all that it sent is read: `heard` shows in it.
Answer answer_to(const Call& call, Engine& engine);

std::string header_line(const EngineSpec& spec);
std::string call_line(const Call& call, const Answer& answer);
/// Throw Problem with a sentence without a place.
EngineSpec read_header(const std::string& line);
struct Recorded {
  Call call;
  Answer answer;
};
Recorded read_call(const std::string& line);
/// Whether a file begins as a recording does.
bool is_recording(const std::string& first_line);

/// Stands between a node and its engine. Where nothing is recorded, it costs nothing.
class Recorder {
 public:
  /// Nothing is recorded.
  Recorder() = default;
  /// Throws Problem where the file cannot be written.
  Recorder(const std::string& path, std::uint64_t most_bytes, const EngineSpec& spec);
  Heard tell(Engine& engine, const Call& call);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void write(const std::string& line);

  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t left_ = 0;
};

}  // namespace bellwether::node
