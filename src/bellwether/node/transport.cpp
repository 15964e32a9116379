// SPDX-License-Identifier: MIT
#include "bellwether/node/transport.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>

#include <algorithm>
#include <array>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <map>
#include <optional>

#include "bellwether/core/problem.hpp"
#include "bellwether/node/frame.hpp"

namespace bellwether::node {

namespace {

namespace asio = boost::asio;
constexpr const char* group_v6 = "ff02::4265:6c6c";
constexpr const char* group_v4 = "239.192.66.119";
constexpr int frames_at_once = 64;  // then others have their turn
constexpr std::size_t ipv6_and_udp = 48;
constexpr std::size_t ipv4_and_udp = 28;

/// Where datagrams are read to. A longer one than any of ours is cut, and then refused.
constexpr int batch_size = 8;
struct ReceiveBuffers {
  static constexpr std::size_t longest = 9216;
  struct alignas(cmsghdr) Stamp {
    std::array<char, CMSG_SPACE(sizeof(timespec))> bytes;
  };
  std::array<std::array<std::uint8_t, longest>, batch_size> buffers{};
  std::array<Stamp, batch_size> stamps{};
  std::array<sockaddr_storage, batch_size> sources{};
  std::array<iovec, batch_size> endpoints{};
  std::array<mmsghdr, batch_size> messages{};
  ReceiveBuffers() {
    for (std::size_t i = 0; i < batch_size; ++i) {
      endpoints[i] = {buffers[i].data(), longest};
      messages[i].msg_hdr.msg_iov = &endpoints[i];
      messages[i].msg_hdr.msg_iovlen = 1;
      messages[i].msg_hdr.msg_control = &stamps[i];
      messages[i].msg_hdr.msg_name = &sources[i];
    }
  }
  ReceiveBuffers(const ReceiveBuffers&) = delete;
  ReceiveBuffers& operator=(const ReceiveBuffers&) = delete;

  int read(int fd) {
    for (mmsghdr& each : messages) {
      each.msg_hdr.msg_controllen = sizeof(Stamp);
      each.msg_hdr.msg_namelen = sizeof(sockaddr_storage);
    }
    return recvmmsg(fd, messages.data(), batch_size, MSG_DONTWAIT, nullptr);
  }
  void read_source(std::size_t i, FrameSource& out) const {
    out.ipv6 = sources[i].ss_family == AF_INET6;
    if (out.ipv6) {
      const auto& in = reinterpret_cast<const sockaddr_in6&>(sources[i]);
      std::memcpy(out.address.data(), &in.sin6_addr, sizeof in.sin6_addr);
      out.port = ntohs(in.sin6_port);
    } else {
      const auto& in = reinterpret_cast<const sockaddr_in&>(sources[i]);
      std::memcpy(out.address.data(), &in.sin_addr, sizeof in.sin_addr);
      out.port = ntohs(in.sin_port);
    }
  }
  /// By the wall clock, which may be set: the caller knows what can be.
  Duration age(std::size_t i) {
    const cmsghdr* stamp = CMSG_FIRSTHDR(&messages[i].msg_hdr);
    if (!stamp || stamp->cmsg_level != SOL_SOCKET || stamp->cmsg_type != SCM_TIMESTAMPNS) return {};
    timespec then{}, now{};
    std::memcpy(&then, CMSG_DATA(stamp), sizeof then);
    clock_gettime(CLOCK_REALTIME, &now);
    return std::chrono::seconds(now.tv_sec - then.tv_sec) +
           std::chrono::nanoseconds(now.tv_nsec - then.tv_nsec);
  }
};

}  // namespace

struct Transport::Impl : std::enable_shared_from_this<Impl> {
  using Descriptor = asio::posix::stream_descriptor;
  struct UdpEndpoint {
    UdpEndpoint(asio::io_context& io, UdpSocket&& udp) : prompt(io, udp.release()) {}
    Descriptor prompt;
    // Unknown to the reactor, which would wake for it. There may be none: then all is prompt.
    std::optional<UdpSocket> patient;
    std::optional<Descriptor> hasty;  // the same, watched while its buffer would overflow
    int patient_heard = 0;            // since the last drain
    std::vector<UdpAddress> targets;
    FrameSource source;  // with the name of the interface; the rest is read with each frame
    unsigned index = 0;  // of the interface
    std::size_t longest = 0;
  };
  using UdpEndpointPtr = std::shared_ptr<UdpEndpoint>;

  Impl(asio::io_context& context, const Config& given, Receive taker)
      : io(context), config(given), receive(std::move(taker)) {}

  void open_all();
  void open_interface(const std::string& name);
  UdpSocket open_near(const std::string& name, unsigned index, bool shared);
  void open_peers();
  void wait(const UdpEndpointPtr& endpoint, Descriptor& descriptor);
  int read_some(int fd, int most, FrameSource& source);
  void read_patient(UdpEndpoint& endpoint, int most);
  void hurry(const UdpEndpointPtr& endpoint, bool wanted);

  asio::io_context& io;
  Config config;
  Receive receive;
  std::map<std::string, UdpEndpointPtr> endpoints;
  ReceiveBuffers batch;
};

void Transport::Impl::open_all() {
  if (!config.peers.empty()) return open_peers();
  const auto names = config.interfaces.empty() ? usable_interfaces() : config.interfaces;
  if (names.empty())
    throw core::Problem(
        "no network interface is up; name one with --interface, or a neighbour with --peer");
  for (const std::string& name : names) open_interface(name);
}

/// A socket that hears what is cast near an interface.
UdpSocket Transport::Impl::open_near(const std::string& name, unsigned index, bool shared) {
  const bool v6 = config.cast == Cast::ipv6;
  UdpSocket udp(v6 ? AF_INET6 : AF_INET);
  if (shared) udp.share();
  udp.bind_device(name);
  udp.bind_to(numeric(v6 ? AF_INET6 : AF_INET, v6 ? "::" : "0.0.0.0", config.port),
              "interface \"" + name + "\"", config.port);
  // Several nodes on one loopback hear each other; elsewhere no node wants to hear itself.
  const int loop = name == "lo" ? 1 : 0;
  const std::string what = "multicast on \"" + name + "\"";
  if (v6) {
    ipv6_mreq join{};
    inet_pton(AF_INET6, group_v6, &join.ipv6mr_multiaddr);
    join.ipv6mr_interface = index;
    set_option(udp.fd(), IPPROTO_IPV6, IPV6_ADD_MEMBERSHIP, join, what);
    set_option(udp.fd(), IPPROTO_IPV6, IPV6_MULTICAST_IF, static_cast<int>(index), what);
    set_option(udp.fd(), IPPROTO_IPV6, IPV6_MULTICAST_LOOP, loop, what);
  } else if (config.cast == Cast::ipv4) {
    ip_mreqn join{};
    inet_pton(AF_INET, group_v4, &join.imr_multiaddr);
    join.imr_ifindex = static_cast<int>(index);
    set_option(udp.fd(), IPPROTO_IP, IP_ADD_MEMBERSHIP, join, what);
    set_option(udp.fd(), IPPROTO_IP, IP_MULTICAST_IF, join, what);
    set_option(udp.fd(), IPPROTO_IP, IP_MULTICAST_LOOP, loop, what);
  } else {
    set_option(udp.fd(), SOL_SOCKET, SO_BROADCAST, 1, "broadcast on \"" + name + "\"");
  }
  return udp;
}

/// Two sockets hear everything, and the kernel sorts: what is news to one, which wakes the node,
/// and what can wait to the other.
void Transport::Impl::open_interface(const std::string& name) {
  const unsigned index = name.size() < IFNAMSIZ ? if_nametoindex(name.c_str()) : 0;
  if (index == 0)
    throw core::Problem("interface \"" + name +
                        "\": there is none of this name; `ip link` lists what there is");
  UdpSocket prompt = open_near(name, index, false);  // alone, or the port is in use
  prompt.share();
  UdpSocket patient = open_near(name, index, true);
  const bool sorted =
      drop_by_bit(patient.fd(), patient_bit, false) && drop_by_bit(prompt.fd(), patient_bit, true);
  const auto endpoint = std::make_shared<UdpEndpoint>(io, std::move(prompt));
  if (sorted) endpoint->patient.emplace(std::move(patient));
  endpoint->targets.push_back(
      config.cast == Cast::ipv6   ? numeric(AF_INET6, group_v6, config.port, index)
      : config.cast == Cast::ipv4 ? numeric(AF_INET, group_v4, config.port)
                                  : numeric(AF_INET, "255.255.255.255", config.port));
  endpoint->source.interface = name;
  endpoint->index = index;
  endpoint->longest = (config.mtu != 0 ? config.mtu : mtu_of(name)) -
                      (config.cast == Cast::ipv6 ? ipv6_and_udp : ipv4_and_udp);
  endpoints[name] = endpoint;
  wait(endpoint, endpoint->prompt);
}

/// Of one cast only one socket hears what comes to an address: all of it is read promptly.
void Transport::Impl::open_peers() {
  std::optional<UdpAddress> own;
  if (!config.bind.empty()) {
    own = resolved(config.bind.find(':') != std::string::npos && config.bind.front() != '['
                       ? "[" + config.bind + "]"
                       : config.bind,
                   config.port, "bind");
  }
  for (const std::string& peer : config.peers) {
    const UdpAddress address = resolved(peer, config.port, "peer");
    const bool v6 = address.family() == AF_INET6;
    if (own && own->family() != address.family())
      throw core::Problem("peer = \"" + peer + "\": bind has an address of the other family");
    auto& endpoint = endpoints[v6 ? "peers over IPv6" : "peers over IPv4"];
    if (!endpoint) {
      UdpSocket udp(v6 ? AF_INET6 : AF_INET);
      udp.bind_to(own ? *own : numeric(v6 ? AF_INET6 : AF_INET, v6 ? "::" : "0.0.0.0", config.port),
                  config.bind.empty() ? "all addresses" : "address " + config.bind, config.port);
      endpoint = std::make_shared<UdpEndpoint>(io, std::move(udp));
      // The path to a peer is not known: what every path of IPv6 carries.
      endpoint->longest = (config.mtu != 0 ? config.mtu : 1280) - ipv6_and_udp;
      wait(endpoint, endpoint->prompt);
    }
    endpoint->targets.push_back(address);
  }
}

void Transport::Impl::wait(const UdpEndpointPtr& endpoint, Descriptor& descriptor) {
  descriptor.async_wait(
      Descriptor::wait_read, [self = weak_from_this(), &descriptor,
                              weak = std::weak_ptr<UdpEndpoint>(endpoint)](const auto& error) {
        const auto state = self.lock();
        const auto there = weak.lock();
        if (error || !state || !there) return;
        const bool prompt = &descriptor == &there->prompt;
        if (!prompt && !there->hasty) return;         // no longer
        state->read_patient(*there, frames_at_once);  // in the order in which things were said
        if (prompt) state->read_some(descriptor.native_handle(), frames_at_once, there->source);
        state->wait(there, descriptor);
      });
}

/// Several at a time: fewer than were asked for mean that there are no more.
int Transport::Impl::read_some(int fd, int most, FrameSource& source) {
  int taken = 0;
  while (taken < most) {
    const int got = batch.read(fd);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;  // nothing left; or an error of an earlier send, which is no news
    for (std::size_t i = 0; i < static_cast<std::size_t>(got); ++i) {
      batch.read_source(i, source);
      receive({batch.buffers[i].data(), batch.messages[i].msg_len}, batch.age(i), source);
    }
    taken += got;
    if (got < batch_size) break;
  }
  return taken;
}

void Transport::Impl::read_patient(UdpEndpoint& endpoint, int most) {
  if (endpoint.patient)
    endpoint.patient_heard += read_some(endpoint.patient->fd(), most, endpoint.source);
}

void Transport::Impl::hurry(const UdpEndpointPtr& endpoint, bool wanted) {
  if (wanted == endpoint->hasty.has_value()) return;
  if (!wanted) return endpoint->hasty.reset();
  const int fd = fcntl(endpoint->patient->fd(), F_DUPFD_CLOEXEC, 0);
  if (fd < 0) return;
  wait(endpoint, endpoint->hasty.emplace(io, fd));
}

Transport::Transport(asio::io_context& io, const Config& config, Receive receive)
    : state_(std::make_shared<Impl>(io, config, std::move(receive))) {
  state_->open_all();
}
Transport::~Transport() = default;

void Transport::send(std::span<const std::uint8_t> frame) {
  for (const auto& [name, endpoint] : state_->endpoints)
    for (const UdpAddress& target : endpoint->targets)
      sendto(endpoint->prompt.native_handle(), frame.data(), frame.size(), MSG_DONTWAIT,
             reinterpret_cast<const sockaddr*>(&target.storage), target.size);
}

void Transport::drain() {
  constexpr int most = 4096;                 // a flood must not keep a node from its timers
  constexpr int crowd = 512;                 // half of what there is room for
  const auto endpoints = state_->endpoints;  // what is heard may change them
  for (const auto& [name, endpoint] : endpoints) {
    state_->read_patient(*endpoint, most);
    state_->hurry(endpoint, std::exchange(endpoint->patient_heard, 0) > crowd);
    state_->read_some(endpoint->prompt.native_handle(), most, endpoint->source);
  }
}

bool Transport::look_again() {
  if (!state_->config.peers.empty()) return false;
  bool changed = false;
  std::erase_if(state_->endpoints, [&](const auto& each) {
    const bool gone = if_nametoindex(each.first.c_str()) != each.second->index;
    changed = changed || gone;
    return gone;
  });
  const auto wanted =
      state_->config.interfaces.empty() ? usable_interfaces() : state_->config.interfaces;
  for (const std::string& name : wanted) {
    if (state_->endpoints.contains(name) || if_nametoindex(name.c_str()) == 0) continue;
    try {
      state_->open_interface(name);
      changed = true;
    } catch (const core::Problem&) {
      // Not ready yet, or not for us: the next look may find it otherwise.
    }
  }
  return changed;
}

std::size_t Transport::longest_frame() const {
  std::size_t longest = ReceiveBuffers::longest;
  for (const auto& [name, endpoint] : state_->endpoints)
    longest = std::min(longest, endpoint->longest);
  return longest;
}

std::vector<std::string> Transport::endpoints() const {
  if (!state_->config.peers.empty()) return state_->config.peers;
  std::vector<std::string> out;
  for (const auto& [name, endpoint] : state_->endpoints) out.push_back(name);
  return out;
}

}  // namespace bellwether::node
