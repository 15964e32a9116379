// SPDX-License-Identifier: MIT
#include "node/traffic.hpp"

#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

namespace bellwether::bed {
namespace {

using std::chrono::milliseconds;

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
};

Address address_of(Ip version, const std::string& text, int port, int index) {
  Address address;
  if (version == Ip::v4) {
    auto& whole = reinterpret_cast<sockaddr_in&>(address.storage);
    whole.sin_family = AF_INET;
    whole.sin_port = htons(static_cast<std::uint16_t>(port));
    address.size = sizeof whole;
    if (inet_pton(AF_INET, text.c_str(), &whole.sin_addr) == 1) return address;
  } else {
    auto& whole = reinterpret_cast<sockaddr_in6&>(address.storage);
    whole.sin6_family = AF_INET6;
    whole.sin6_port = htons(static_cast<std::uint16_t>(port));
    address.size = sizeof whole;
    if (inet_pton(AF_INET6, text.c_str(), &whole.sin6_addr) == 1) {
      const bool link =
          IN6_IS_ADDR_LINKLOCAL(&whole.sin6_addr) || IN6_IS_ADDR_MC_LINKLOCAL(&whole.sin6_addr);
      if (link) whole.sin6_scope_id = static_cast<std::uint32_t>(index);
      return address;
    }
  }
  throw std::runtime_error(text + " is no address of IP" + (version == Ip::v4 ? "v4" : "v6"));
}

void set_option(const Descriptor& socket, int level, int name, const void* value, std::size_t size,
                const std::string& what) {
  if (setsockopt(socket.get(), level, name, value, static_cast<socklen_t>(size)) != 0) fail(what);
}

bool readable(const Descriptor& socket, milliseconds timeout) {
  pollfd one{socket.get(), POLLIN, 0};
  return poll(&one, 1, static_cast<int>(timeout.count())) > 0;
}

/// Calls `send` as often and as fast as the flood says.
template <class Send>
std::size_t pour(const Flood& flood, const Send& send) {
  const auto start = std::chrono::steady_clock::now();
  std::size_t taken = 0;
  for (std::size_t i = 0; i < flood.count; ++i) {
    if (flood.over && flood.over()) break;
    if (flood.per_second > 0) {
      const std::chrono::duration<double> due(static_cast<double>(i) / flood.per_second);
      std::this_thread::sleep_until(
          start + std::chrono::duration_cast<std::chrono::steady_clock::duration>(due));
    }
    if (send(i)) ++taken;
  }
  return taken;
}

}  // namespace

Traffic& Traffic::operator+=(const Traffic& other) {
  frames_sent += other.frames_sent;
  bytes_sent += other.bytes_sent;
  frames_received += other.frames_received;
  bytes_received += other.bytes_received;
  return *this;
}

Traffic Traffic::operator-(const Traffic& earlier) const {
  return {frames_sent - earlier.frames_sent, bytes_sent - earlier.bytes_sent,
          frames_received - earlier.frames_received, bytes_received - earlier.bytes_received};
}

std::map<std::string, Traffic> traffic_of(const Namespace& where) {
  std::map<std::string, Traffic> all;
  where.within([&] {
    std::ifstream table("/proc/thread-self/net/dev");
    for (std::string line; std::getline(table, line);) {
      const std::size_t colon = line.find(':');
      if (colon == std::string::npos) continue;  // the headings
      std::istringstream numbers(line.substr(colon + 1));
      std::array<std::uint64_t, 10> column{};
      for (auto& number : column) numbers >> number;
      const std::size_t begin = line.find_first_not_of(' ');
      all[line.substr(begin, colon - begin)] = {column[9], column[8], column[1], column[0]};
    }
  });
  return all;
}

UdpSocket::UdpSocket(const Namespace& where, Ip version, std::string interface, int port)
    : socket_(where.socket(version == Ip::v4 ? AF_INET : AF_INET6, SOCK_DGRAM, 0)),
      version_(version),
      interface_(std::move(interface)),
      index_(where.index_of(interface_)) {
  const int yes = 1, room = 4 << 20;
  set_option(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes, "no port can be shared");
  setsockopt(socket_.get(), SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
  setsockopt(socket_.get(), SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room);
  set_option(socket_, SOL_SOCKET, SO_BINDTODEVICE, interface_.data(), interface_.size(),
             "no socket can be bound to " + interface_);
  if (version == Ip::v4) {
    ip_mreqn through{};
    through.imr_ifindex = index_;
    set_option(socket_, SOL_SOCKET, SO_BROADCAST, &yes, sizeof yes, "no broadcast");
    set_option(socket_, IPPROTO_IP, IP_MULTICAST_IF, &through, sizeof through, "no multicast");
  } else {
    set_option(socket_, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes, "no socket for IPv6 alone");
    set_option(socket_, IPPROTO_IPV6, IPV6_MULTICAST_IF, &index_, sizeof index_, "no multicast");
  }
  const Address any = address_of(version, version == Ip::v4 ? "0.0.0.0" : "::", port, 0);
  if (bind(socket_.get(), any.get(), any.size) != 0)
    fail("the port " + std::to_string(port) + " cannot be had");
}

void UdpSocket::join(const std::string& group) {
  const Address address = address_of(version_, group, 0, index_);
  group_req request{};
  request.gr_interface = static_cast<std::uint32_t>(index_);
  request.gr_group = address.storage;
  set_option(socket_, version_ == Ip::v4 ? IPPROTO_IP : IPPROTO_IPV6, MCAST_JOIN_GROUP, &request,
             sizeof request, "the group " + group + " cannot be joined");
}

bool UdpSocket::send(const Payload& payload, const std::string& destination, int port) {
  const Address to = address_of(version_, destination, port, index_);
  return sendto(socket_.get(), payload.data(), payload.size(), 0, to.get(), to.size) >= 0;
}

std::optional<Datagram> UdpSocket::receive(milliseconds timeout) {
  if (!readable(socket_, timeout)) return std::nullopt;
  std::array<char, 65536> bytes;
  sockaddr_storage from{};
  socklen_t size = sizeof from;
  const ssize_t got = recvfrom(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT,
                               reinterpret_cast<sockaddr*>(&from), &size);
  if (got < 0) return std::nullopt;
  std::array<char, INET6_ADDRSTRLEN> text{};
  Datagram datagram{Payload(bytes.data(), static_cast<std::size_t>(got)), "", 0};
  if (version_ == Ip::v4) {
    const auto& whole = reinterpret_cast<const sockaddr_in&>(from);
    datagram.source = inet_ntop(AF_INET, &whole.sin_addr, text.data(), text.size());
    datagram.source_port = ntohs(whole.sin_port);
  } else {
    const auto& whole = reinterpret_cast<const sockaddr_in6&>(from);
    datagram.source = inet_ntop(AF_INET6, &whole.sin6_addr, text.data(), text.size());
    datagram.source_port = ntohs(whole.sin6_port);
  }
  return datagram;
}

std::vector<Datagram> UdpSocket::receive_all(milliseconds silence, std::size_t most) {
  std::vector<Datagram> all;
  while (all.size() < most) {
    auto datagram = receive(silence);
    if (!datagram) break;
    all.push_back(std::move(*datagram));
  }
  return all;
}

std::size_t inject(const Namespace& where, const std::string& interface,
                   const std::function<Payload(std::size_t)>& payload,
                   const std::string& destination, int port, const Flood& flood) {
  const bool v6 = destination.find(':') != std::string::npos;
  UdpSocket socket(where, v6 ? Ip::v6 : Ip::v4, interface);
  return pour(flood, [&](std::size_t i) { return socket.send(payload(i), destination, port); });
}

std::size_t replay(const Namespace& where, const std::string& interface,
                   const std::vector<Captured>& frames, const Flood& flood) {
  if (frames.empty()) return 0;
  const Descriptor wire = where.socket(AF_PACKET, SOCK_RAW, 0);  // 0: it hears nothing itself
  sockaddr_ll to{};
  to.sll_family = AF_PACKET;
  to.sll_protocol = htons(ETH_P_ALL);
  to.sll_ifindex = where.index_of(interface);
  return pour(flood, [&](std::size_t i) {
    const std::string& frame = frames[i % frames.size()].frame;
    return sendto(wire.get(), frame.data(), frame.size(), 0, reinterpret_cast<const sockaddr*>(&to),
                  sizeof to) >= 0;
  });
}

}  // namespace bellwether::bed
