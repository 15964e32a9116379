// SPDX-License-Identifier: MIT
#include "bellwether/node/system.hpp"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>

#include "bellwether/core/problem.hpp"
#include "bellwether/node/config.hpp"

namespace bellwether::node {

namespace {

core::Duration boot_time() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace

SteadyTime::SteadyTime()
    : offset_(std::chrono::system_clock::now().time_since_epoch() - boot_time()) {}

core::Time SteadyTime::now() const {
  return boot_time() + offset_;
}

void tell_service_manager(const std::string& message) {
  const char* place = std::getenv("NOTIFY_SOCKET");
  if (!place || (*place != '/' && *place != '@')) return;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::size_t length = std::strlen(place);
  if (length >= sizeof address.sun_path) return;
  std::memcpy(address.sun_path, place, length);
  if (*place == '@') address.sun_path[0] = '\0';  // an abstract one
  const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return;
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length);
  sendto(fd, message.data(), message.size(), MSG_NOSIGNAL,
         reinterpret_cast<const sockaddr*>(&address), size);
  close(fd);
}

std::optional<core::Duration> watchdog_period() {
  const char* text = std::getenv("WATCHDOG_USEC");
  if (!text) return std::nullopt;
  if (const char* whose = std::getenv("WATCHDOG_PID"); whose && std::atol(whose) != getpid())
    return std::nullopt;
  const long long micros = std::atoll(text);
  if (micros <= 0) return std::nullopt;
  return std::chrono::microseconds(micros) / 2;
}

UserIds find_user(const std::string& name) {
  const passwd* entry = getpwnam(name.c_str());
  if (!entry)
    throw core::Problem("user = \"" + name +
                        "\": this machine has no such user; remove `user`, "
                        "or create the user: useradd --system " +
                        name);
  return {entry->pw_uid, entry->pw_gid};
}

void become(const std::string& name, const UserIds& ids) {
  if (geteuid() == ids.user) return;
  if (initgroups(name.c_str(), ids.group) != 0 || setgid(ids.group) != 0 || setuid(ids.user) != 0)
    throw core::Problem("user = \"" + name + "\": " + std::strerror(errno) +
                        "; only root can become another user");
}

void check_output_file(const std::string& key, const std::string& path, bool device_too) {
  struct stat found {};
  if (path.empty() || stat(path.c_str(), &found) != 0 || S_ISREG(found.st_mode)) return;
  if (device_too && S_ISCHR(found.st_mode)) return;
  throw core::Problem(
      key, S_ISDIR(found.st_mode)
               ? "\"" + path + "\" is a folder; name a file in it"
               : "\"" + path + "\" is a device, a pipe or a socket; name a regular file");
}

NewFiles::NewFiles(const std::vector<std::string>& paths) {
  struct stat found {};
  for (const std::string& path : paths)
    if (!path.empty() && lstat(path.c_str(), &found) != 0) paths_.push_back(path);
}

NewFiles::~NewFiles() {
  for (const std::string& path : paths_) unlink(path.c_str());
}

EpochFile::EpochFile(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  check_output_file("state", path_);
  held_ = FileDescriptor(open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  if (held_ && flock(held_.fd(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw core::Problem(
        "state = \"" + path_ +
        "\": another running node keeps its epoch here; give each node its own file");
  if (std::ifstream in(path_); in) {
    std::string text(32, '\0');  // longer than any epoch
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    text.resize(std::min(text.find_first_of(" \r\n"), text.size()));
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), reserved_);
    if (error != std::errc{} || end != text.data() + text.size() || reserved_ >> 62 != 0)
      throw core::Problem("state = \"" + path_ +
                          "\": this file holds no epoch; name another file, or remove it");
  }
  if (!write(reserved_))
    throw core::Problem("state = \"" + path_ + "\": " + std::strerror(errno) +
                        "; name a file in a folder that exists and that you may write to");
}

FileDescriptor::~FileDescriptor() {
  if (fd_ >= 0) close(fd_);
}

bool EpochFile::keep(std::uint64_t epoch) {
  constexpr std::uint64_t span = 64;
  if (path_.empty() || epoch <= reserved_) return true;
  reserved_ = epoch + span;
  return write(reserved_);
}

bool EpochFile::settle(std::uint64_t epoch) {
  return path_.empty() || write(epoch);
}

void EpochFile::give_to(const UserIds& ids) const {
  if (path_.empty()) return;
  if (chown(path_.c_str(), ids.user, ids.group) != 0)
    throw core::Problem("state = \"" + path_ + "\": " + std::strerror(errno));
}

/// Whole or not at all where the folder is ours; in place where only the file is.
bool EpochFile::write(std::uint64_t epoch) {
  const std::string text = std::to_string(epoch) + "\n";
  const std::string part = path_ + ".part";
  FileDescriptor file(open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640));
  const bool aside = static_cast<bool>(file);
  if (!aside) file = FileDescriptor(open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0640));
  if (!file) return false;
  const bool written =
      ::write(file.fd(), text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
      (aside || ftruncate(file.fd(), static_cast<off_t>(text.size())) == 0) &&
      fdatasync(file.fd()) == 0;
  if (written && !aside && held_) return true;  // it is the file that is held
  const bool kept = written && flock(file.fd(), LOCK_EX | LOCK_NB) == 0 &&
                    (!aside || rename(part.c_str(), path_.c_str()) == 0);
  if (kept)
    held_ = std::move(file);
  else if (aside)
    unlink(part.c_str());
  return kept;
}

}  // namespace bellwether::node
