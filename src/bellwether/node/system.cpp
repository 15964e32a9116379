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

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "bellwether/core/problem.hpp"
#include "bellwether/node/config.hpp"

namespace bellwether::node {

SteadyTime::SteadyTime()
    : offset_(std::chrono::system_clock::now().time_since_epoch() -
              std::chrono::steady_clock::now().time_since_epoch()) {}

core::Time SteadyTime::now() const {
  return std::chrono::steady_clock::now().time_since_epoch() + offset_;
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
                        "\": there is no such user on this machine; leave it out, "
                        "or create it with: useradd --system " +
                        name);
  return {entry->pw_uid, entry->pw_gid};
}

void become(const std::string& name, const UserIds& ids) {
  if (geteuid() == ids.user) return;
  if (initgroups(name.c_str(), ids.group) != 0 || setgid(ids.group) != 0 || setuid(ids.user) != 0)
    throw core::Problem("user = \"" + name + "\": " + std::strerror(errno) +
                        "; only root can become another user");
}

EpochFile::EpochFile(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  held_ = File(open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  if (held_ && flock(held_.fd(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw core::Problem(
        "state = \"" + path_ +
        "\": another node that runs keeps its epoch here; give each node its own file");
  if (std::ifstream in(path_); in) {
    std::string text;
    in >> text;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), reserved_);
    if (error != std::errc{} || end != text.data() + text.size() || reserved_ >> 62 != 0)
      throw core::Problem("state = \"" + path_ +
                          "\": this file holds no epoch; remove it if it is not "
                          "needed");
  }
  if (!write(reserved_))
    throw core::Problem("state = \"" + path_ + "\": " + std::strerror(errno) +
                        "; is the folder there, and is it yours?");
}

File::~File() {
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
  File file(open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640));
  const bool aside = static_cast<bool>(file);
  if (!aside) file = File(open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0640));
  if (!file) return false;
  const bool written =
      ::write(file.fd(), text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
      (aside || ftruncate(file.fd(), static_cast<off_t>(text.size())) == 0) &&
      fdatasync(file.fd()) == 0;
  if (!written) return false;
  if (!aside && held_) return true;  // it is the file that is held
  if (flock(file.fd(), LOCK_EX | LOCK_NB) != 0) return false;
  if (aside && rename(part.c_str(), path_.c_str()) != 0) return false;
  held_ = std::move(file);
  return true;
}

}  // namespace bellwether::node
