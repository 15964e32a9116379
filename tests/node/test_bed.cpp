// SPDX-License-Identifier: MIT
#include "node/test_bed.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <random>
#include <set>
#include <stdexcept>

namespace bellwether::bed {
namespace {

using namespace std::chrono_literals;

/// Runs `ip` or `nft` in a namespace with orders on its standard input.
void order(const Namespace& where, const std::string& program,
           const std::vector<std::string>& words, const std::string& orders) {
  const auto path = tool(program);
  if (!path) throw std::runtime_error(program + " is not installed");
  std::vector<std::string> all{*path};
  all.insert(all.end(), words.begin(), words.end());
  const Outcome outcome = run(where, all, patience, {.input = orders, .own_sys = false});
  if (outcome.status != 0)
    throw std::runtime_error(program + " refused: " + outcome.err + outcome.out + "\n" + orders);
}

std::string find_obstacle() {
  for (const auto& [program, package] : {std::pair("ip", "iproute2"), {"nft", "nftables"}})
    if (!tool(program))
      return std::string(program) + " is not installed; install the package " + package;
  try {
    const Namespace trial(Namespace::Speech::quiet);
    order(trial, "ip", {"-batch", "-"},
          "link add trial-1 type bridge mcast_snooping 0\n"
          "link add trial-2 type veth peer name trial-3\n");
    order(trial, "nft", {"-f", "-"}, "table bridge trial {\n}\n");
  } catch (const std::exception& trouble) {
    return std::string(trouble.what()) +
           "; run as root, or allow user namespaces to ordinary users";
  }
  return "";
}

/// A hardware address that says where it is, so that runs are alike.
std::string mac_of(std::size_t segment, std::size_t port) {
  std::array<char, 18> text{};
  std::snprintf(text.data(), text.size(), "02:be:%02x:%02x:00:%02x",
                static_cast<unsigned>(segment >> 8) & 0xFFU, static_cast<unsigned>(segment) & 0xFFU,
                static_cast<unsigned>(port + 1) & 0xFFU);
  return text.data();
}

std::string address_of(std::size_t segment, std::size_t port) {
  return "10." + std::to_string(segment >> 8) + "." + std::to_string(segment & 0xFF) + "." +
         std::to_string(port + 1);
}

}  // namespace

/// Where a host is plugged in.
struct Network::Port {
  Host* host;
  std::string interface;  // of the host
  std::string name;       // of the other end, in the switch
  bool in_bridge = true;
};

/// What joins two or more hosts: a bridge of the switch, or a cable.
struct Network::Segment {
  std::size_t number;
  std::string bridge;
  std::vector<Port> ports = {};
  std::unique_ptr<Cable> cable = {};

  std::optional<std::size_t> port_of(const Host& host) const {
    for (std::size_t i = 0; i < ports.size(); ++i)
      if (ports[i].host == &host) return i;
    return std::nullopt;
  }
};

struct Network::Plug {
  Segment* segment;
  Host* host;
  std::string interface;
};

std::optional<std::string> Network::unavailable() {
  static const std::string obstacle = find_obstacle();
  if (obstacle.empty()) return std::nullopt;
  return "network namespaces cannot be had here: " + obstacle;
}

Network::Network() : switch_(std::make_unique<Namespace>(Namespace::Speech::quiet)) {}

Network::~Network() = default;  // with the last descriptor the kernel takes everything down

Host& Network::add(const std::string& name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  if (name.empty() || name.size() > 12 || !std::all_of(name.begin(), name.end(), fits))
    throw std::runtime_error("\"" + name +
                             "\" is no name of a host; write up to 12 small letters, digits, -");
  for (const auto& known : hosts_)
    if (known->name() == name) throw std::runtime_error("there is a host " + name + " already");
  hosts_.push_back(std::make_unique<Host>(name));
  return *hosts_.back();
}

Network::Group Network::add_many(std::size_t count) {
  Group group;
  for (std::size_t i = 0; i < count; ++i)
    group.push_back(add("h" + std::to_string(hosts_.size() + 1)));
  return group;
}

Host& Network::host(const std::string& name) {
  for (const auto& each : hosts_)
    if (each->name() == name) return *each;
  throw std::runtime_error("there is no host " + name);
}

Network::Segment& Network::new_segment() {
  const std::size_t number = segments_.size();
  segments_.push_back(
      std::make_unique<Segment>(Segment{number, "bridge-" + std::to_string(number)}));
  return *segments_.back();
}

/// Everything at once: one process makes all the devices.
void Network::plug_in(std::vector<Plug> plugs) {
  std::string orders;
  for (const Plug& plug : plugs) {
    Segment& segment = *plug.segment;
    const std::size_t index = segment.ports.size();
    if (index >= 250) throw std::runtime_error("a LAN has at most 250 hosts");
    if (index == 0) orders += "link add " + segment.bridge + " up type bridge mcast_snooping 0\n";
    Port port{plug.host, plug.interface,
              "port-" + std::to_string(segment.number) + "-" + std::to_string(index)};
    orders += "link add " + port.name + " master " + segment.bridge + " up type veth peer name " +
              port.interface + " address " + mac_of(segment.number, index) + " netns " +
              plug.host->space().path() + "\n";
    plug.host->interfaces_.push_back(port.interface);
    plug.host->addresses_[port.interface] = address_of(segment.number, index);
    segment.ports.push_back(std::move(port));
  }
  order(*switch_, "ip", {"-batch", "-"}, orders);
  for (const Plug& plug : plugs) {
    const Namespace& space = plug.host->space();
    space.compute_checksums(plug.interface);
    space.set_address(plug.interface, plug.host->address(plug.interface), 24);
    space.set_up(plug.interface, true);
  }
  for (const Plug& plug : plugs)
    await_speech(plug.segment->ports[*plug.segment->port_of(*plug.host)]);
}

/// Until frames go both ways.
void Network::await_carrier(const Port& port) const {
  const Namespace& space = port.host->space();
  if (!space.is_up(port.interface)) return;  // a test set it down; nothing will come
  if (!port.name.empty()) switch_->await_carrier(port.name);
  space.await_carrier(port.interface);
}

/// Until IPv6 can be spoken, too.
void Network::await_speech(const Port& port) const {
  await_carrier(port);
  if (!eventually([&] { return !port.host->link_local(port.interface).empty(); }))
    throw std::runtime_error(port.interface + " of " + port.host->name() +
                             " got no IPv6 link-local address");
}

Host& Network::lan_host(const std::string& name) {
  if (lan_ == nullptr) lan_ = &new_segment();
  Host& host = add(name);
  plug_in({{lan_, &host, "lan0"}});
  return host;
}

void Network::lan(std::size_t hosts) {
  if (lan_ == nullptr) lan_ = &new_segment();
  std::vector<Plug> plugs;
  for (Host& host : add_many(hosts)) plugs.push_back({lan_, &host, "lan0"});
  plug_in(std::move(plugs));
}

void Network::attach_links(const std::vector<std::pair<std::size_t, std::size_t>>& pairs) {
  std::vector<Plug> plugs;
  for (const auto& [a, b] : pairs) {
    const auto same = [a = a, b = b](const auto& pair) {
      return pair == std::pair(a, b) || pair == std::pair(b, a);
    };
    if (a == b || std::any_of(links_.begin(), links_.end(), same))
      throw std::runtime_error("a link joins two hosts that no other link joins");
    Segment& segment = new_segment();
    plugs.push_back({&segment, hosts_[a].get(), "to-" + hosts_[b]->name()});
    plugs.push_back({&segment, hosts_[b].get(), "to-" + hosts_[a]->name()});
    links_.push_back({a, b});
  }
  plug_in(std::move(plugs));
}

void Network::link(Host& a, Host& b) {
  const auto index_of = [&](const Host& host) {
    const auto found = std::find_if(hosts_.begin(), hosts_.end(),
                                    [&](const auto& each) { return each.get() == &host; });
    return static_cast<std::size_t>(found - hosts_.begin());
  };
  attach_links({{index_of(a), index_of(b)}});
}

void Network::line(std::size_t hosts) {
  const std::size_t first = hosts_.size();
  add_many(hosts);
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 1; i < hosts; ++i) pairs.push_back({first + i - 1, first + i});
  attach_links(pairs);
}

void Network::ring(std::size_t hosts) {
  const std::size_t first = hosts_.size();
  line(hosts);
  if (hosts > 2) attach_links({{first + hosts - 1, first}});
}

void Network::star(std::size_t hosts) {
  const std::size_t first = hosts_.size();
  add_many(hosts);
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 1; i < hosts; ++i) pairs.push_back({first, first + i});
  attach_links(pairs);
}

void Network::random(std::size_t hosts, std::uint64_t seed) {
  const std::size_t first = hosts_.size();
  add_many(hosts);
  std::mt19937_64 draw(seed);
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 1; i < hosts; ++i) pairs.insert({first + draw() % i, first + i});
  const std::size_t all = hosts * (hosts - std::min<std::size_t>(hosts, 1)) / 2;
  const std::size_t wanted = std::min(all, pairs.size() + hosts / 2);
  while (pairs.size() < wanted) {
    const std::size_t a = draw() % hosts, b = draw() % hosts;
    if (a != b) pairs.insert({first + std::min(a, b), first + std::max(a, b)});
  }
  attach_links({pairs.begin(), pairs.end()});
}

Cable& Network::cable(const Group& hosts, std::uint64_t seed, Cable::Ends ends) {
  Segment& segment = new_segment();
  segment.cable = std::make_unique<Cable>(seed, ends);
  for (Host& host : hosts) {
    const auto is_cable = [](const std::string& name) { return name.starts_with("cable"); };
    const auto count = std::count_if(host.interfaces_.begin(), host.interfaces_.end(), is_cable);
    const std::string interface = "cable" + std::to_string(count);
    const std::size_t index = segment.ports.size();
    segment.cable->add_end(host.space(), interface, mac_of(segment.number, index));
    host.space().set_address(interface, address_of(segment.number, index), 24);
    host.interfaces_.push_back(interface);
    host.addresses_[interface] = address_of(segment.number, index);
    segment.ports.push_back({&host, interface, ""});
  }
  for (const Port& port : segment.ports) await_speech(port);
  return *segment.cable;
}

Cable& Network::cabled_lan(std::size_t hosts, std::uint64_t seed, Cable::Ends ends) {
  return cable(add_many(hosts), seed, ends);
}

void Network::set_plug(Host& host, bool connected, bool carrier) {
  for (const auto& segment : segments_) {
    const auto index = segment->port_of(host);
    if (!index) continue;
    Port& port = segment->ports[*index];
    if (Cable* cable = segment->cable.get()) {
      if (connected)
        cable->plug(*index);
      else if (carrier)
        cable->pull(*index);
      else
        cable->unplug(*index);
    } else {
      if (port.in_bridge != connected) switch_->enslave(segment->bridge, port.name, connected);
      port.in_bridge = connected;
      switch_->set_up(port.name, carrier);
    }
    if (connected) await_carrier(port);
  }
}

void Network::pull(Host& host) {
  set_plug(host, false, true);
}

void Network::unplug_with_carrier(Host& host) {
  set_plug(host, false, false);
}

void Network::plug(Host& host) {
  set_plug(host, true, true);
}

void Network::set_block(Host& from, Host& to, bool blocked) {
  bool meet = false;
  for (const auto& segment : segments_) {
    const auto source = segment->port_of(from), target = segment->port_of(to);
    if (!source || !target || source == target) continue;
    meet = true;
    if (!segment->cable) continue;
    if (blocked)
      segment->cable->block(*source, *target);
    else
      segment->cable->unblock(*source, *target);
  }
  if (!meet) throw std::runtime_error(from.name() + " and " + to.name() + " share no link");
  if (blocked)
    losses_[{&from, &to}] = 100;
  else
    losses_.erase({&from, &to});
}

void Network::block(Host& from, Host& to) {
  set_block(from, to, true);
  apply_rules();
}

void Network::unblock(Host& from, Host& to) {
  set_block(from, to, false);
  apply_rules();
}

void Network::cut(Host& a, Host& b) {
  set_block(a, b, true);
  set_block(b, a, true);
  apply_rules();
}

void Network::join(Host& a, Host& b) {
  set_block(a, b, false);
  set_block(b, a, false);
  apply_rules();
}

void Network::partition(const std::vector<Group>& groups) {
  const auto meet = [&](const Host& a, const Host& b) {
    return std::any_of(segments_.begin(), segments_.end(), [&](const auto& segment) {
      return segment->port_of(a) && segment->port_of(b);
    });
  };
  for (const Group& one : groups)
    for (const Group& other : groups) {
      if (&one == &other) continue;
      for (Host& a : one)
        for (Host& b : other)
          if (meet(a, b)) set_block(a, b, true);
    }
  apply_rules();
}

void Network::lose(double percent) {
  loss_ = percent;
  apply_rules();
}

void Network::lose(Host& from, Host& to, double percent) {
  if (percent > 0)
    losses_[{&from, &to}] = percent;
  else
    losses_.erase({&from, &to});
  apply_rules();
}

void Network::heal() {
  for (const auto& segment : segments_)
    if (segment->cable) segment->cable->unblock_all();
  losses_.clear();
  loss_ = 0;
  apply_rules();
}

/// All rules anew, in one transaction of the kernel: there is no moment between two states.
void Network::apply_rules() {
  const auto draw = [](double percent) {
    if (percent >= 100) return std::string("drop\n");
    return "numgen random mod 10000 < " + std::to_string(static_cast<int>(percent * 100)) +
           " drop\n";
  };
  std::string rules;
  for (const auto& segment : segments_)
    for (const auto& [way, percent] : losses_) {
      const auto from = segment->port_of(*way.first), to = segment->port_of(*way.second);
      if (segment->cable || !from || !to) continue;
      rules += "iifname \"" + segment->ports[*from].name + "\" oifname \"" +
               segment->ports[*to].name + "\" " + draw(percent);
    }
  if (loss_ > 0) rules += draw(loss_);
  order(*switch_, "nft", {"-f", "-"},
        "table bridge faults\n"
        "delete table bridge faults\n"
        "table bridge faults {\n"
        "chain forward {\n"
        "type filter hook forward priority 0; policy accept;\n" +
            rules + "}\n}\n");
}

void Network::set_mtu(Host& host, int mtu, const std::string& interface) {
  for (const auto& segment : segments_)
    for (const Port& port : segment->ports) {
      if (port.host != &host || (!interface.empty() && port.interface != interface)) continue;
      host.space().set_mtu(port.interface, mtu);
      if (!segment->cable) switch_->set_mtu(port.name, mtu);
    }
}

Traffic Network::sent() const {
  Traffic sum;
  for (const auto& host : hosts_) sum += host->traffic();
  sum.frames_received = sum.bytes_received = 0;
  return sum;
}

}  // namespace bellwether::bed
