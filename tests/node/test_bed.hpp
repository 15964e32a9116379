// SPDX-License-Identifier: MIT
// A network of hosts on one machine, on the real kernel: each host is a network namespace, a switch
// in a namespace of its own joins them. Cables can be pulled, links cut one way, frames lost.
//
//   Network network;
//   network.lan(3);
//   Process daemon = network[0].spawn({"bellwether", "node", "--interface", "lan0"});
//   network.pull(network[0]);
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "node/cable.hpp"
#include "node/eventually.hpp"
#include "node/namespace.hpp"
#include "node/process.hpp"
#include "node/traffic.hpp"

namespace bellwether::bed {

/// One machine. Its interfaces: `lan0` on the LAN, `to-NAME` on a link to NAME, `cable0`, `cable1`
/// and so on at cables. All have an IPv4 and an IPv6 link-local address.
class Host {
 public:
  explicit Host(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  const Namespace& space() const { return space_; }
  /// In the order in which they were made, without loopback.
  const std::vector<std::string>& interfaces() const { return interfaces_; }
  /// The IPv4 address; of the first interface if none is named.
  const std::string& address(const std::string& interface = "") const;
  /// The IPv6 link-local address, likewise.
  std::string link_local(const std::string& interface = "") const;

  /// The program is killed with its owner, or when the thread that started it ends.
  Process spawn(const std::vector<std::string>& words, const SpawnOptions& options = {}) const;
  /// Runs a program to its end.
  Outcome run(const std::vector<std::string>& words,
              std::chrono::milliseconds timeout = patience) const;

  /// Of one interface, or of all but loopback together.
  Traffic traffic(const std::string& interface = "") const;
  UdpSocket udp(Ip version, int port = 0, const std::string& interface = "") const;
  Capture capture(int port) const { return Capture(space_, port); }
  bool has_carrier(const std::string& interface = "") const;

  /// Sends a payload, or as many of it as the flood says; how many the kernel took.
  std::size_t inject(const Payload& payload, const std::string& destination, int port,
                     const Flood& flood = {}, const std::string& interface = "") const;
  /// Sends random bytes, from 0 to `longest` at a time.
  std::size_t inject_garbage(std::uint64_t seed, std::size_t longest,
                             const std::string& destination, int port, const Flood& flood,
                             const std::string& interface = "") const;
  /// Puts captured frames on the wire of this host.
  std::size_t replay(const std::vector<Captured>& frames, const Flood& flood,
                     const std::string& interface = "") const;

 private:
  friend class Network;
  const std::string& or_first(const std::string& interface) const;

  std::string name_;
  Namespace space_;
  std::vector<std::string> interfaces_;
  std::map<std::string, std::string> addresses_;
};

class Network {
 public:
  using Group = std::vector<std::reference_wrapper<Host>>;

  /// Why no network can be had here, in a sentence for GTEST_SKIP; nothing if it can.
  static std::optional<std::string> unavailable();

  Network();
  ~Network();
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  // --- hosts and links -------------------------------------------------------------------------
  /// A host without an interface. Names have up to 12 small letters, digits and hyphens.
  Host& add(const std::string& name);
  /// A host on the LAN, of which there is one.
  Host& lan_host(const std::string& name);
  /// A link between two hosts.
  void link(Host& a, Host& b);
  /// A cable between two or more hosts; it belongs to the network.
  Cable& cable(const Group& hosts, std::uint64_t seed = 1, Cable::Ends ends = Cable::Ends::any);

  // New hosts named h1, h2, ..., in well-known shapes.
  void lan(std::size_t hosts);
  void line(std::size_t hosts);
  void ring(std::size_t hosts);
  void star(std::size_t hosts);  // the first in the middle
  /// Connected: a random tree and half as many links again.
  void random(std::size_t hosts, std::uint64_t seed);
  /// A LAN that is one cable: each frame goes to all others, under its conditions.
  Cable& cabled_lan(std::size_t hosts, std::uint64_t seed = 1, Cable::Ends ends = Cable::Ends::any);

  std::size_t size() const { return hosts_.size(); }
  Host& operator[](std::size_t index) { return *hosts_.at(index); }
  Host& host(const std::string& name);
  /// Pairs of indices of hosts: what link() and the shapes made.
  const std::vector<std::pair<std::size_t, std::size_t>>& links() const { return links_; }

  // --- faults ----------------------------------------------------------------------------------
  /// All cables of the host are out, silently: its interfaces keep their carrier.
  void pull(Host& host);
  /// Likewise, but the host notices: its interfaces lose their carrier.
  void unplug_with_carrier(Host& host);
  /// The cables of the host are in again.
  void plug(Host& host);

  /// No frame of `from` reaches `to`, wherever they meet; the other way they do.
  void block(Host& from, Host& to);
  void unblock(Host& from, Host& to);
  /// Both ways, silently.
  void cut(Host& a, Host& b);
  void join(Host& a, Host& b);
  /// Hosts of different groups do not hear each other. Those in no group hear all.
  void partition(const std::vector<Group>& groups);
  /// Each copy of a frame on the LAN and on links is lost with this probability. Cables have
  /// Conditions for it.
  void lose(double percent);
  /// The same for one way between two hosts.
  void lose(Host& from, Host& to, double percent);
  /// No blocks, cuts, partitions or losses any more. What was pulled stays so.
  void heal();

  /// All interfaces of the host, or one, and what they are plugged into.
  void set_mtu(Host& host, int mtu, const std::string& interface = "");

  // --- measures --------------------------------------------------------------------------------
  /// All frames that hosts sent, each counted once, at its sender.
  Traffic sent() const;

 private:
  struct Port;
  struct Segment;
  struct Plug;
  using Way = std::pair<const Host*, const Host*>;

  Segment& new_segment();
  void attach_links(const std::vector<std::pair<std::size_t, std::size_t>>& pairs);
  void plug_in(std::vector<Plug> plugs);
  void await_carrier(const Port& port) const;
  void await_speech(const Port& port) const;
  Group add_many(std::size_t count);
  void set_plug(Host& host, bool connected, bool carrier);
  void set_block(Host& from, Host& to, bool blocked);
  void apply_rules();

  std::vector<std::unique_ptr<Host>> hosts_;
  std::unique_ptr<Namespace> switch_;
  std::vector<std::unique_ptr<Segment>> segments_;
  Segment* lan_ = nullptr;
  std::vector<std::pair<std::size_t, std::size_t>> links_;
  std::map<Way, double> losses_;  // percent; 100 is a block
  double loss_ = 0;
};

}  // namespace bellwether::bed
