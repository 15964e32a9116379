// SPDX-License-Identifier: MIT
#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>
#include <mutex>
#include <string_view>
#include <thread>

#include "node/traffic.hpp"

namespace bellwether::bed {
namespace {

/// Two bytes in the order of the network.
int number_at(std::string_view bytes, std::size_t place) {
  return static_cast<std::uint8_t>(bytes[place]) << 8 | static_cast<std::uint8_t>(bytes[place + 1]);
}

std::string address_at(std::string_view bytes, std::size_t place, int family) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  return inet_ntop(family, bytes.data() + place, text.data(), text.size());
}

/// The datagram in a frame; false if there is none.
bool parse(Captured& captured) {
  const std::string_view frame = captured.frame;
  if (frame.size() < ETH_HLEN) return false;
  const int type = number_at(frame, 12);
  const std::string_view packet = frame.substr(ETH_HLEN);
  std::size_t header = 40;
  if (type == ETH_P_IP) {
    if (packet.size() < 20) return false;
    header = 4 * (static_cast<std::uint8_t>(packet[0]) & 0xFU);
    constexpr int fragment = 0x3FFF;  // more of them, or an offset
    if (packet[9] != IPPROTO_UDP || (number_at(packet, 6) & fragment) != 0) return false;
    captured.source = address_at(packet, 12, AF_INET);
    captured.destination = address_at(packet, 16, AF_INET);
  } else if (type == ETH_P_IPV6) {
    if (packet.size() < 40 || packet[6] != IPPROTO_UDP) return false;
    captured.source = address_at(packet, 8, AF_INET6);
    captured.destination = address_at(packet, 24, AF_INET6);
  } else {
    return false;
  }
  if (packet.size() < header + 8) return false;
  captured.source_port = number_at(packet, header);
  captured.port = number_at(packet, header + 2);
  const auto length = static_cast<std::size_t>(number_at(packet, header + 4));
  if (length < 8) return false;
  captured.payload = packet.substr(header + 8, length - 8);
  return true;
}

/// When the frame passed, not when we came to read it: on a busy machine that is much later. The
/// kernel gives it by the wall clock.
std::chrono::steady_clock::time_point time_of(msghdr& message) {
  using namespace std::chrono;
  // Both clocks in one moment. A thread interrupted between them reads again; and in this order a
  // frame never seems to have passed before it was sent.
  system_clock::duration wall{};
  steady_clock::time_point before, now;
  for (int tries = 0; tries < 10; ++tries) {
    before = steady_clock::now();
    wall = system_clock::now().time_since_epoch();
    now = steady_clock::now();
    if (now - before < microseconds(50)) break;
  }
  for (cmsghdr* each = CMSG_FIRSTHDR(&message); each != nullptr;
       each = CMSG_NXTHDR(&message, each)) {
    if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_TIMESTAMPNS) continue;
    timespec stamp{};
    std::memcpy(&stamp, CMSG_DATA(each), sizeof stamp);
    const nanoseconds ago = wall - (seconds(stamp.tv_sec) + nanoseconds(stamp.tv_nsec));
    return now - std::max(ago, nanoseconds(0));
  }
  return now;
}

}  // namespace

struct Capture::Collector {
  Collector(const Namespace& where, int wanted, std::size_t limit)
      : port(wanted),
        most(limit),
        wire(where.socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK, htons(ETH_P_ALL))),
        bell(eventfd(0, EFD_CLOEXEC)) {
    const int room = 8 << 20, yes = 1;
    setsockopt(wire.get(), SOL_SOCKET, SO_TIMESTAMPNS, &yes, sizeof yes);
    setsockopt(wire.get(), SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    setsockopt(wire.get(), SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room);
    thread = std::thread([this] { work(); });
  }

  ~Collector() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t rung = write(bell.get(), &one, sizeof one);
    thread.join();
  }

  void work() {
    std::array<pollfd, 2> both{{{wire.get(), POLLIN, 0}, {bell.get(), POLLIN, 0}}};
    while (poll(both.data(), both.size(), -1) >= 0 && both[1].revents == 0) take();
  }

  void take() {
    sockaddr_ll from{};
    iovec piece{bytes.data(), bytes.size()};
    alignas(cmsghdr) std::array<char, 256> extra{};
    msghdr message{};
    message.msg_name = &from;
    message.msg_namelen = sizeof from;
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = extra.data();
    message.msg_controllen = extra.size();
    const ssize_t got = recvmsg(wire.get(), &message, 0);
    if (got > 0) keep({bytes.data(), static_cast<std::size_t>(got)}, from, time_of(message));
  }

  void keep(std::string_view frame, const sockaddr_ll& from,
            std::chrono::steady_clock::time_point at) {
    Captured captured;
    captured.at = at;
    captured.frame = frame;
    captured.outgoing = from.sll_pkttype == PACKET_OUTGOING;
    if (!parse(captured) || captured.port != port) return;
    ifreq request{};
    request.ifr_ifindex = from.sll_ifindex;
    if (ioctl(wire.get(), SIOCGIFNAME, &request) == 0) captured.interface = request.ifr_name;
    const std::lock_guard lock(mutex);
    if (all.size() < most) all.push_back(std::move(captured));
  }

  const int port;
  const std::size_t most;
  Descriptor wire, bell;
  std::array<char, 65536> bytes{};
  mutable std::mutex mutex;
  std::vector<Captured> all;
  std::thread thread;
};

Capture::Capture(const Namespace& where, int port, std::size_t most)
    : collector_(std::make_unique<Collector>(where, port, most)) {}

Capture::~Capture() = default;

Capture::Capture(Capture&&) noexcept = default;

std::vector<Captured> Capture::all() const {
  const std::lock_guard lock(collector_->mutex);
  return collector_->all;
}

std::vector<Captured> Capture::received() const {
  std::vector<Captured> those = all();
  std::erase_if(those, [](const Captured& each) { return each.outgoing; });
  return those;
}

std::size_t Capture::size() const {
  const std::lock_guard lock(collector_->mutex);
  return collector_->all.size();
}

}  // namespace bellwether::bed
