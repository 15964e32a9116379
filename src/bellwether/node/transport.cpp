// SPDX-License-Identifier: MIT
#include "bellwether/node/transport.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <cstring>
#include <map>
#include <optional>
#include <set>

namespace bellwether::node {

namespace {

namespace asio = boost::asio;
constexpr const char* group_v6 = "ff02::4265:6c6c";
constexpr const char* group_v4 = "239.192.66.119";
constexpr int frames_at_once = 64;  // then others have their turn
constexpr std::size_t ipv6_and_udp = 48;
constexpr std::size_t ipv4_and_udp = 28;

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;
  int family() const { return storage.ss_family; }
};

[[noreturn]] void fail(const std::string& what, const std::string& cure) {
  throw BadNetwork(what + ": " + std::strerror(errno) + "; " + cure);
}

Address numeric(int family, const char* text, std::uint16_t port, unsigned scope = 0) {
  Address out;
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

/// "192.0.2.1:7745", "[2001:db8::1]:7745", "boat3:7745"; the port may be left out.
Address resolved(const std::string& text, std::uint16_t standard_port, const char* key) {
  std::string host = text, port = std::to_string(standard_port);
  const auto colon = text.rfind(':');
  if (text.starts_with("[")) {
    const auto close = text.find(']');
    if (close == std::string::npos)
      throw BadNetwork(std::string(key) + " = \"" + text + "\": write [ADDRESS]:PORT");
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
    throw BadNetwork(std::string(key) + " = \"" + text + "\": " + gai_strerror(error) +
                     "; write HOST:PORT");
  Address out;
  out.size = found->ai_addrlen;
  std::memcpy(&out.storage, found->ai_addr, found->ai_addrlen);
  freeaddrinfo(found);
  return out;
}

template <class T>
void set_option(int fd, int level, int name, const T& value, const std::string& what) {
  if (setsockopt(fd, level, name, &value, sizeof value) != 0)
    fail(what, "the kernel refuses it; try another `cast`");
}

int open_udp(int family) {
  const int fd = socket(family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) fail("no socket", "is this kind of network there at all? try another `cast`");
  const int room = 1 << 20;
  setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
  if (family == AF_INET6) {
    const int on = 1;
    setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  }
  return fd;
}

void bind_to(int fd, const Address& address, const std::string& place, std::uint16_t port) {
  if (bind(fd, reinterpret_cast<const sockaddr*>(&address.storage), address.size) == 0) return;
  if (errno == EADDRINUSE)
    throw BadNetwork(place + ": UDP port " + std::to_string(port) +
                     " is in use; stop the other program, or choose another port with --port");
  fail(place + ": UDP port " + std::to_string(port) + " cannot be opened", "choose another --port");
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

/// Interfaces that are up and carry multicast, but for loopback.
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

/// Where datagrams are read to. A longer one than any of ours is cut, and then refused.
constexpr int batch_size = 8;
struct Batch {
  static constexpr std::size_t longest = 9216;
  std::array<std::array<std::uint8_t, longest>, batch_size> buffers{};
  std::array<iovec, batch_size> places{};
  std::array<mmsghdr, batch_size> messages{};
  Batch() {
    for (std::size_t i = 0; i < batch_size; ++i) {
      places[i] = {buffers[i].data(), longest};
      messages[i].msg_hdr.msg_iov = &places[i];
      messages[i].msg_hdr.msg_iovlen = 1;
    }
  }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
};

}  // namespace

struct Transport::State : std::enable_shared_from_this<State> {
  struct Socket {
    Socket(asio::io_context& io, int fd) : descriptor(io, fd) {}
    asio::posix::stream_descriptor descriptor;
    std::vector<Address> targets;
    unsigned index = 0;  // of the interface
    std::size_t longest = 0;
  };

  State(asio::io_context& context, const Config& given, Receive taker)
      : io(context), config(given), receive(std::move(taker)) {}

  void open_all();
  void open_interface(const std::string& name);
  void open_peers();
  void wait(const std::shared_ptr<Socket>& socket);
  void read_some(Socket& socket, int most);
  std::shared_ptr<Socket> add(const std::string& name, int fd) {
    auto socket = std::make_shared<Socket>(io, fd);
    sockets[name] = socket;
    return socket;
  }

  asio::io_context& io;
  Config config;
  Receive receive;
  std::map<std::string, std::shared_ptr<Socket>> sockets;
  Batch batch;
  std::uint64_t failed = 0;
};

void Transport::State::open_all() {
  if (!config.peers.empty()) return open_peers();
  const auto names = config.interfaces.empty() ? usable_interfaces() : config.interfaces;
  if (names.empty())
    throw BadNetwork(
        "no network interface is up; name one with --interface, or a neighbour with --peer");
  for (const std::string& name : names) open_interface(name);
}

void Transport::State::open_interface(const std::string& name) {
  const unsigned index = name.size() < IFNAMSIZ ? if_nametoindex(name.c_str()) : 0;
  if (index == 0)
    throw BadNetwork("interface \"" + name +
                     "\": there is none of this name; `ip link` lists what there is");
  const bool v6 = config.cast == Cast::ipv6;
  const int fd = open_udp(v6 ? AF_INET6 : AF_INET);
  const auto socket = add(name, fd);
  try {
    if (setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, name.c_str(),
                   static_cast<socklen_t>(name.size())) != 0)
      fail("interface \"" + name + "\"", "it needs root, or a kernel from 5.7 on");
    bind_to(fd, numeric(v6 ? AF_INET6 : AF_INET, v6 ? "::" : "0.0.0.0", config.port),
            "interface \"" + name + "\"", config.port);
    // Several nodes on one loopback hear each other; elsewhere nobody wants to hear itself.
    const int loop = name == "lo" ? 1 : 0;
    const std::string what = "multicast on \"" + name + "\"";
    if (v6) {
      ipv6_mreq join{};
      inet_pton(AF_INET6, group_v6, &join.ipv6mr_multiaddr);
      join.ipv6mr_interface = index;
      set_option(fd, IPPROTO_IPV6, IPV6_ADD_MEMBERSHIP, join, what);
      set_option(fd, IPPROTO_IPV6, IPV6_MULTICAST_IF, static_cast<int>(index), what);
      set_option(fd, IPPROTO_IPV6, IPV6_MULTICAST_LOOP, loop, what);
      socket->targets.push_back(numeric(AF_INET6, group_v6, config.port, index));
    } else if (config.cast == Cast::ipv4) {
      ip_mreqn join{};
      inet_pton(AF_INET, group_v4, &join.imr_multiaddr);
      join.imr_ifindex = static_cast<int>(index);
      set_option(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, join, what);
      set_option(fd, IPPROTO_IP, IP_MULTICAST_IF, join, what);
      set_option(fd, IPPROTO_IP, IP_MULTICAST_LOOP, loop, what);
      socket->targets.push_back(numeric(AF_INET, group_v4, config.port));
    } else {
      set_option(fd, SOL_SOCKET, SO_BROADCAST, 1, "broadcast on \"" + name + "\"");
      socket->targets.push_back(numeric(AF_INET, "255.255.255.255", config.port));
    }
  } catch (...) {
    sockets.erase(name);
    throw;
  }
  socket->index = index;
  socket->longest =
      (config.mtu != 0 ? config.mtu : mtu_of(name)) - (v6 ? ipv6_and_udp : ipv4_and_udp);
  wait(socket);
}

void Transport::State::open_peers() {
  std::optional<Address> own;
  if (!config.bind.empty()) {
    own = resolved(config.bind.find(':') != std::string::npos && config.bind.front() != '['
                       ? "[" + config.bind + "]"
                       : config.bind,
                   config.port, "bind");
  }
  for (const std::string& peer : config.peers) {
    const Address address = resolved(peer, config.port, "peer");
    const bool v6 = address.family() == AF_INET6;
    if (own && own->family() != address.family())
      throw BadNetwork("peer = \"" + peer + "\": bind has an address of the other family");
    const std::string name = v6 ? "peers over IPv6" : "peers over IPv4";
    if (!sockets.contains(name)) {
      const int fd = open_udp(v6 ? AF_INET6 : AF_INET);
      const auto socket = add(name, fd);
      bind_to(fd, own ? *own : numeric(v6 ? AF_INET6 : AF_INET, v6 ? "::" : "0.0.0.0", config.port),
              config.bind.empty() ? "all addresses" : "address " + config.bind, config.port);
      // The path to a peer is not known: what every path of IPv6 carries.
      socket->longest = (config.mtu != 0 ? config.mtu : 1280) - ipv6_and_udp;
      wait(socket);
    }
    sockets[name]->targets.push_back(address);
  }
}

void Transport::State::wait(const std::shared_ptr<Socket>& socket) {
  socket->descriptor.async_wait(
      asio::posix::stream_descriptor::wait_read,
      [self = weak_from_this(), weak = std::weak_ptr<Socket>(socket)](const auto& error) {
        const auto state = self.lock();
        const auto ready = weak.lock();
        if (error || !state || !ready) return;
        state->read_some(*ready, frames_at_once);
        state->wait(ready);
      });
}

/// Several at a time: who gets fewer than it asked for knows that there are no more.
void Transport::State::read_some(Socket& socket, int most) {
  for (int taken = 0; taken < most;) {
    const int got = recvmmsg(socket.descriptor.native_handle(), batch.messages.data(), batch_size,
                             MSG_DONTWAIT, nullptr);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;  // nothing left; or an error of an earlier send, which is no news
    for (int i = 0; i < got; ++i) {
      const std::size_t size = batch.messages[static_cast<std::size_t>(i)].msg_len;
      receive({batch.buffers[static_cast<std::size_t>(i)].data(), size});
    }
    if (got < batch_size) return;
    taken += got;
  }
}

Transport::Transport(asio::io_context& io, const Config& config, Receive receive)
    : state_(std::make_shared<State>(io, config, std::move(receive))) {
  state_->open_all();
}
Transport::~Transport() = default;

void Transport::send(std::span<const std::uint8_t> frame) {
  for (const auto& [name, socket] : state_->sockets)
    for (const Address& target : socket->targets)
      if (sendto(socket->descriptor.native_handle(), frame.data(), frame.size(), MSG_DONTWAIT,
                 reinterpret_cast<const sockaddr*>(&target.storage), target.size) < 0)
        ++state_->failed;
}

void Transport::drain() {
  constexpr int most = 4096;             // a flood must not keep a node from its timers
  const auto sockets = state_->sockets;  // what is heard may change them
  for (const auto& [name, socket] : sockets) state_->read_some(*socket, most);
}

bool Transport::look_again() {
  if (!state_->config.peers.empty()) return false;
  bool changed = false;
  std::erase_if(state_->sockets, [&](const auto& each) {
    const bool gone = if_nametoindex(each.first.c_str()) != each.second->index;
    changed = changed || gone;
    return gone;
  });
  const auto wanted =
      state_->config.interfaces.empty() ? usable_interfaces() : state_->config.interfaces;
  for (const std::string& name : wanted) {
    if (state_->sockets.contains(name) || if_nametoindex(name.c_str()) == 0) continue;
    try {
      state_->open_interface(name);
      changed = true;
    } catch (const BadNetwork&) {
      // Not ready yet, or not for us: the next look may find it otherwise.
    }
  }
  return changed;
}

std::size_t Transport::longest_frame() const {
  std::size_t longest = Batch::longest;
  for (const auto& [name, socket] : state_->sockets) longest = std::min(longest, socket->longest);
  return longest;
}

std::vector<std::string> Transport::places() const {
  if (!state_->config.peers.empty()) return state_->config.peers;
  std::vector<std::string> out;
  for (const auto& [name, socket] : state_->sockets) out.push_back(name);
  return out;
}

std::uint64_t Transport::failed_sends() const {
  return state_->failed;
}

}  // namespace bellwether::node
