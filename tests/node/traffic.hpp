// SPDX-License-Identifier: MIT
// What is on the wire: counters, UDP sockets and captures inside a namespace, floods.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "node/namespace.hpp"

namespace bellwether::bed {

/// Bytes are those of Ethernet frames without their check sequence.
struct Traffic {
  std::uint64_t frames_sent = 0, bytes_sent = 0, frames_received = 0, bytes_received = 0;

  Traffic& operator+=(const Traffic& other);
  Traffic operator-(const Traffic& earlier) const;
};

/// Since it was made, by interface.
std::map<std::string, Traffic> traffic_of(const Namespace& where);

/// Any bytes; a string, since tests like to write words.
using Payload = std::string;

struct Datagram {
  Payload payload;
  std::string source;  // address
  int source_port = 0;
};

enum class Ip { v4, v6 };

/// A UDP socket of a host. Multicast and broadcast leave through the interface that it is bound to.
class UdpSocket {
 public:
  /// Port 0: any that is free.
  UdpSocket(const Namespace& where, Ip version, std::string interface, int port = 0);

  void join(const std::string& group);
  /// Whether the kernel took it; it refuses while there is no route, for example.
  bool send(const Payload& payload, const std::string& destination, int port);
  std::optional<Datagram> receive(std::chrono::milliseconds timeout);
  /// All that comes until nothing has come for so long, or there are so many.
  std::vector<Datagram> receive_all(std::chrono::milliseconds silence,
                                    std::size_t most = std::size_t(-1));

 private:
  Descriptor socket_;
  Ip version_;
  std::string interface_;
  int index_;
};

/// A frame as the wire had it, with the UDP datagram in it.
struct Captured {
  std::chrono::steady_clock::time_point at;  // as the kernel saw it pass
  std::string interface;
  bool outgoing = false;  // sent by this host, not received
  std::string source, destination;
  int source_port = 0, port = 0;
  Payload payload;
  std::string frame;  // from the first byte of Ethernet on; see replay()
};

/// Collects the UDP datagrams to a port that pass the interfaces of a host, both ways, from now on.
/// Fragments of datagrams are left out. It stops at `most` frames, since
/// it is meant for inspection.
class Capture {
 public:
  Capture(const Namespace& where, int port, std::size_t most = 100000);
  ~Capture();
  Capture(Capture&&) noexcept;
  Capture& operator=(Capture&&) = delete;

  std::vector<Captured> all() const;
  /// Those that came in.
  std::vector<Captured> received() const;
  std::size_t size() const;

 private:
  struct Collector;
  std::unique_ptr<Collector> collector_;
};

/// How much to send how fast. It ends after `count`, and sooner if `over` says so.
struct Flood {
  std::size_t count = 1;
  double per_second = 0;  // 0: as fast as it goes
  std::function<bool()> over = {};
};

/// Sends what `payload` makes of 0, 1, 2, ... as UDP; how many the kernel took.
std::size_t inject(const Namespace& where, const std::string& interface,
                   const std::function<Payload(std::size_t)>& payload,
                   const std::string& destination, int port, const Flood& flood = {});

/// Puts captured frames on the wire again, byte for byte with their old senders, round and round.
std::size_t replay(const Namespace& where, const std::string& interface,
                   const std::vector<Captured>& frames, const Flood& flood);

}  // namespace bellwether::bed
