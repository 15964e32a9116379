// SPDX-License-Identifier: MIT
// What a daemon asks of its machine: clocks, the service manager, the rights of another user, and a
// file that remembers the epoch.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bellwether/core/time.hpp"

namespace bellwether::node {

/// Nanoseconds since 1970 when the node began, and from then on by a clock that is never set and
/// that counts also while the machine is suspended. So readings rise from one start of a node to
/// the next, setting the wall clock does no harm, and a node whose machine slept notices it.
class SteadyTime {
 public:
  SteadyTime();
  core::Time now() const;

 private:
  core::Duration offset_{};
};

/// Tells systemd, where it listens: "READY=1", "STOPPING=1", "WATCHDOG=1".
void tell_service_manager(const std::string& message);
/// Half of the time in which it wants to hear from us; nothing where it does not.
std::optional<core::Duration> watchdog_period();

struct UserIds {
  unsigned user = 0;
  unsigned group = 0;
};
/// Throws Problem where there is no such user.
UserIds find_user(const std::string& name);
/// For good. Throws Problem.
void become(const std::string& name, const UserIds& ids);

/// A file that is open until this goes.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  explicit operator bool() const { return fd_ >= 0; }
  int fd() const { return fd_; }

 private:
  int fd_ = -1;
};

/// Refuses a path for a file to write that is a folder, a pipe or, unless `device_too`, a device.
/// Throws Problem with the key.
void check_output_file(const std::string& key, const std::string& path, bool device_too = false);

/// Those of these paths that are not there yet are removed with this, unless they are kept: a
/// daemon that does not start leaves nothing behind.
class NewFiles {
 public:
  explicit NewFiles(const std::vector<std::string>& paths);
  ~NewFiles();
  NewFiles(const NewFiles&) = delete;
  NewFiles& operator=(const NewFiles&) = delete;
  void keep() { paths_.clear(); }

 private:
  std::vector<std::string> paths_;
};

/// Keeps the epoch through restarts. A write reserves a span of epochs, so that few are needed.
class EpochFile {
 public:
  /// Throws Problem where the file is there and not ours, is another node's that runs, or cannot
  /// be written.
  explicit EpochFile(std::string path);
  std::uint64_t at_least() const { return reserved_; }
  /// Whether it could be kept.
  bool keep(std::uint64_t epoch);
  /// At a graceful end: exactly this one.
  bool settle(std::uint64_t epoch);
  void give_to(const UserIds& ids) const;

 private:
  bool write(std::uint64_t epoch);
  std::string path_;
  FileDescriptor held_;  // locked: no other node may have it
  std::uint64_t reserved_ = 0;
};

}  // namespace bellwether::node
