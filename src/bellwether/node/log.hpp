// SPDX-License-Identifier: MIT
// Structured logs: an event, and what belongs to it, as text or as one JSON object a line. A reader
// that does not read never stops the node: what it does not take is dropped and counted.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bellwether/node/config.hpp"

namespace bellwether::node {

using LogFields = std::vector<std::pair<std::string, std::string>>;

class Log {
 public:
  /// Throws Problem where the file cannot be written.
  explicit Log(const Config& config);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  void debug(const std::string& event, const LogFields& fields = {}) {
    write(LogLevel::debug, event, fields);
  }
  void info(const std::string& event, const LogFields& fields = {}) {
    write(LogLevel::info, event, fields);
  }
  void warning(const std::string& event, const LogFields& fields = {}) {
    write(LogLevel::warning, event, fields);
  }
  void error(const std::string& event, const LogFields& fields = {}) {
    write(LogLevel::error, event, fields);
  }
  void write(LogLevel level, const std::string& event, const LogFields& fields);
  bool enabled(LogLevel level) const { return level >= level_; }
  void set_level(LogLevel level) { level_ = level; }
  /// The file anew, after it has been rotated away.
  void reopen();
  std::uint64_t dropped() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> state_;
  LogLevel level_;
};

/// `event key=value key="two words"`
std::string log_text(const std::string& event, const LogFields& fields);
/// `{"time":"2026-11-16T21:00:00.123Z","level":"info","event":"...","key":"value"}`
std::string log_json(const std::string& time, LogLevel level, const std::string& event,
                     const LogFields& fields);

}  // namespace bellwether::node
