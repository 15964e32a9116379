// SPDX-License-Identifier: MIT
#include <random>
#include <stdexcept>

#include "node/test_bed.hpp"

namespace bellwether::bed {

const std::string& Host::or_first(const std::string& interface) const {
  if (!interface.empty()) return interface;
  if (interfaces_.empty()) throw std::runtime_error(name_ + " has no interface; link it first");
  return interfaces_.front();
}

const std::string& Host::address(const std::string& interface) const {
  const auto known = addresses_.find(or_first(interface));
  if (known == addresses_.end()) throw std::runtime_error(name_ + " has no interface " + interface);
  return known->second;
}

std::string Host::link_local(const std::string& interface) const {
  return space_.link_local(or_first(interface));
}

Process Host::spawn(const std::vector<std::string>& words, const SpawnOptions& options) const {
  return Process(space_, words, options);
}

Outcome Host::run(const std::vector<std::string>& words, std::chrono::milliseconds timeout) const {
  return bed::run(space_, words, timeout);
}

Traffic Host::traffic(const std::string& interface) const {
  const auto all = traffic_of(space_);
  if (!interface.empty()) {
    const auto known = all.find(interface);
    if (known == all.end()) throw std::runtime_error(name_ + " has no interface " + interface);
    return known->second;
  }
  Traffic sum;
  for (const std::string& each : interfaces_) sum += all.at(each);
  return sum;
}

UdpSocket Host::udp(Ip version, int port, const std::string& interface) const {
  return UdpSocket(space_, version, or_first(interface), port);
}

bool Host::has_carrier(const std::string& interface) const {
  return space_.has_carrier(or_first(interface));
}

std::size_t Host::inject(const Payload& payload, const std::string& destination, int port,
                         const Flood& flood, const std::string& interface) const {
  return bed::inject(
      space_, or_first(interface), [&](std::size_t) { return payload; }, destination, port, flood);
}

std::size_t Host::inject_garbage(std::uint64_t seed, std::size_t longest,
                                 const std::string& destination, int port, const Flood& flood,
                                 const std::string& interface) const {
  std::mt19937_64 random(seed);
  const auto garbage = [&](std::size_t) {
    Payload payload(random() % (longest + 1), '\0');
    for (char& byte : payload) byte = static_cast<char>(random() & 0xFF);
    return payload;
  };
  return bed::inject(space_, or_first(interface), garbage, destination, port, flood);
}

std::size_t Host::replay(const std::vector<Captured>& frames, const Flood& flood,
                         const std::string& interface) const {
  return bed::replay(space_, or_first(interface), frames, flood);
}

}  // namespace bellwether::bed
