// SPDX-License-Identifier: MIT
#include "node/ports.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace bellwether::bed {
namespace {

constexpr int first_port = 21000, last_port = 31999;  // Linux gives away those from 32768 on

/// A name that one process has at a time, in whichever folder it works.
Descriptor take_name(const std::string& name) {
  Descriptor mark(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::copy(name.begin(), name.end(), address.sun_path + 1);  // a zero before it: no file
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (bind(mark.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0) mark.close();
  return mark;
}

bool is_free(int port) {
  const Descriptor trial(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return bind(trial.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

}  // namespace

ReservedPorts::ReservedPorts(std::size_t count) {
  const int span = last_port - first_port + 1;
  // Not all from the same place on: most find theirs at once.
  for (int i = 0; i < span && ports_.size() < count; ++i) {
    const int port = first_port + (getpid() * 16 + i) % span;
    if (reserve(port)) ports_.push_back(port);
  }
  if (ports_.size() < count) throw std::runtime_error("there are not enough free ports");
}

bool ReservedPorts::reserve(int port) {
  Descriptor mark = take_name("bellwether-test-port-" + std::to_string(port));
  if (!mark.open() || !is_free(port)) return false;
  marks_.push_back(std::move(mark));
  return true;
}

}  // namespace bellwether::bed
