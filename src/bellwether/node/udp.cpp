// SPDX-License-Identifier: MIT
#include "bellwether/node/udp.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <linux/filter.h>
#include <net/if.h>
#include <netdb.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

#include "bellwether/core/problem.hpp"

namespace bellwether::node {

void fail(const std::string& what, const std::string& cure) {
  throw core::Problem(what, {}, std::string(std::strerror(errno)) + "; " + cure);
}

UdpAddress numeric(int family, const char* text, std::uint16_t port, unsigned scope) {
  UdpAddress out;
  if (family == AF_INET6) {
    auto& in = reinterpret_cast<sockaddr_in6&>(out.storage);
    in.sin6_family = AF_INET6;
    in.sin6_port = htons(port);
    in.sin6_scope_id = scope;
    inet_pton(AF_INET6, text, &in.sin6_addr);
    out.size = sizeof in;
  } else {
    auto& in = reinterpret_cast<sockaddr_in&>(out.storage);
    in.sin_family = AF_INET;
    in.sin_port = htons(port);
    inet_pton(AF_INET, text, &in.sin_addr);
    out.size = sizeof in;
  }
  return out;
}

UdpAddress resolved(const std::string& text, std::uint16_t standard_port, const char* key) {
  std::string host = text, port = std::to_string(standard_port);
  const auto colon = text.rfind(':');
  if (text.starts_with("[")) {
    const auto close = text.find(']');
    if (close == std::string::npos)
      throw core::Problem(std::string(key) + " = \"" + text + "\": write [ADDRESS]:PORT");
    host = text.substr(1, close - 1);
    if (close + 1 < text.size()) port = text.substr(close + 2);
  } else if (colon != std::string::npos && text.find(':') == colon) {
    host = text.substr(0, colon);
    port = text.substr(colon + 1);
  }
  addrinfo hints{};
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  if (const int error = getaddrinfo(host.c_str(), port.c_str(), &hints, &found); error != 0)
    throw core::Problem(std::string(key) + " = \"" + text + "\": " + gai_strerror(error) +
                        "; write HOST:PORT");
  UdpAddress out;
  out.size = found->ai_addrlen;
  std::memcpy(&out.storage, found->ai_addr, found->ai_addrlen);
  freeaddrinfo(found);
  return out;
}

UdpSocket::UdpSocket(int family)
    : fd_(socket(family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
  if (fd_ < 0) fail("no socket", "is this kind of network there at all? try another `cast`");
  const int room = 1 << 20, on = 1;
  setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
  setsockopt(fd_, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  if (family == AF_INET6) setsockopt(fd_, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
}

UdpSocket::~UdpSocket() {
  if (fd_ >= 0) close(fd_);
}

UdpSocket::UdpSocket(UdpSocket&& other) noexcept : fd_(other.release()) {}

int UdpSocket::release() {
  return std::exchange(fd_, -1);
}

void UdpSocket::bind_device(const std::string& interface) {
  if (setsockopt(fd_, SOL_SOCKET, SO_BINDTODEVICE, interface.c_str(),
                 static_cast<socklen_t>(interface.size())) != 0)
    fail("interface \"" + interface + "\"", "it needs root, or a kernel from 5.7 on");
}

void UdpSocket::bind_to(const UdpAddress& address, const std::string& place, std::uint16_t port) {
  if (bind(fd_, reinterpret_cast<const sockaddr*>(&address.storage), address.size) == 0) return;
  if (errno == EADDRINUSE)
    throw core::Problem(
        place, {},
        "UDP port " + std::to_string(port) +
            " is in use; stop the other program, or choose another port with --port");
  fail(place + ": UDP port " + std::to_string(port) + " cannot be opened", "choose another --port");
}

void UdpSocket::share() {
  set_option(fd_, SOL_SOCKET, SO_REUSEADDR, 1, "sharing a port");
}

bool drop_by_bit(int fd, std::uint8_t bit, bool drop_if_set) {
  constexpr std::uint32_t udp_heading = 8, all = 0xFFFFFFFF;
  const std::uint32_t if_set = drop_if_set ? 0 : all, if_not = drop_if_set ? all : 0;
  std::array<sock_filter, 4> program{{
      BPF_STMT(BPF_LD | BPF_B | BPF_ABS, udp_heading),  // beyond the end: dropped
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bit, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, if_set),
      BPF_STMT(BPF_RET | BPF_K, if_not),
  }};
  const sock_fprog filter{program.size(), program.data()};
  return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) == 0;
}

std::size_t mtu_of(const std::string& interface) {
  ifreq request{};
  std::copy_n(interface.begin(), std::min(interface.size(), sizeof request.ifr_name - 1),
              request.ifr_name);
  const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const bool known = fd >= 0 && ioctl(fd, SIOCGIFMTU, &request) == 0;
  if (fd >= 0) close(fd);
  return known ? static_cast<std::size_t>(request.ifr_mtu) : 1500;
}

std::vector<std::string> usable_interfaces() {
  std::set<std::string> names;
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return {};
  for (const ifaddrs* each = all; each; each = each->ifa_next)
    if ((each->ifa_flags & IFF_UP) && (each->ifa_flags & IFF_MULTICAST) &&
        !(each->ifa_flags & IFF_LOOPBACK))
      names.insert(each->ifa_name);
  freeifaddrs(all);
  return {names.begin(), names.end()};
}

}  // namespace bellwether::node
