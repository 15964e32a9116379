// SPDX-License-Identifier: MIT
#include "bellwether/node/log.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>

#include "bellwether/core/print.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/node/system.hpp"

namespace bellwether::node {

namespace {

/// Writes what the other side takes now, and drops the rest.
class PatientSink : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  explicit PatientSink(std::string path) : path_(std::move(path)) { open_file(); }
  ~PatientSink() override { close_file(); }

  void open_file() {
    close_file();
    if (path_.empty()) {
      fd_ = STDERR_FILENO;
      return;
    }
    check_output_file("log_file", path_, true);
    fd_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
    if (fd_ < 0)
      throw core::Problem("log_file = \"" + path_ + "\": " + std::strerror(errno) +
                          "; name a file in a folder that exists and that you may write to");
  }
  std::uint64_t dropped() const { return dropped_; }

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t text;
    formatter_->format(message, text);
    pollfd ready{fd_, POLLOUT, 0};
    if (poll(&ready, 1, 0) != 1 || (ready.revents & POLLOUT) == 0 ||
        ::write(fd_, text.data(), text.size()) < 0)
      ++dropped_;
  }
  void flush_() override {}

 private:
  void close_file() {
    if (fd_ > STDERR_FILENO) close(fd_);
    fd_ = -1;
  }
  std::string path_;
  int fd_ = -1;
  std::uint64_t dropped_ = 0;
};

std::string utc_now() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  tm parts{};
  gmtime_r(&now.tv_sec, &parts);
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  std::array<char, 8> millis{};
  std::snprintf(millis.data(), millis.size(), ".%03dZ", static_cast<int>(now.tv_nsec / 1'000'000));
  return std::string(text.data(), size) + millis.data();
}

spdlog::level::level_enum spd_level(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warning:
      return spdlog::level::warn;
    case LogLevel::error:
      break;
  }
  return spdlog::level::err;
}

bool is_plain_number(const std::string& text) {
  return !text.empty() && text.size() < 16 &&
         text.find_first_not_of("0123456789") == std::string::npos &&
         (text.size() == 1 || text.front() != '0');
}

}  // namespace

struct Log::Impl {
  std::shared_ptr<PatientSink> sink;
  std::unique_ptr<spdlog::logger> logger;
  LogFormat format{};
};

Log::Log(const Config& config) : state_(std::make_unique<Impl>()), level_(config.log_level) {
  state_->sink = std::make_shared<PatientSink>(config.log_file);
  state_->logger = std::make_unique<spdlog::logger>("bellwether", state_->sink);
  state_->logger->set_level(spdlog::level::trace);  // `level_` decides
  state_->format = config.log_format;
  state_->logger->set_pattern(config.log_format == LogFormat::json ? "%v"
                                                                   : "%Y-%m-%d %H:%M:%S.%e %l %v");
}
Log::~Log() = default;

void Log::write(LogLevel level, const std::string& event, const LogFields& fields) {
  if (!enabled(level)) return;
  const std::string line = state_->format == LogFormat::json
                               ? log_json(utc_now(), level, event, fields)
                               : log_text(event, fields);
  state_->logger->log(spd_level(level), spdlog::string_view_t(line));
}

void Log::reopen() {
  state_->sink->open_file();
}

std::uint64_t Log::dropped() const {
  return state_->sink->dropped();
}

std::string log_text(const std::string& event, const LogFields& fields) {
  std::string out = event;
  for (const auto& [key, value] : fields) {
    out += " " + key + "=";
    const bool quoted = value.empty() || value.find_first_of(" \"=\n\t") != std::string::npos;
    if (quoted)
      core::write_json(out, value);
    else
      out += value;
  }
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return out;
}

std::string log_json(const std::string& time, LogLevel level, const std::string& event,
                     const LogFields& fields) {
  std::string out = "{\"time\":\"" + time + "\",\"level\":\"";
  out += core::name_of(level);
  out += "\",\"event\":";
  core::write_json(out, event);
  for (const auto& [key, value] : fields) {
    out += ",";
    core::write_json(out, key);
    out += ":";
    if (is_plain_number(value))
      out += value;
    else
      core::write_json(out, value);
  }
  return out + "}";
}

}  // namespace bellwether::node
