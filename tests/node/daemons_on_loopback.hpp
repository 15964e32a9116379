// SPDX-License-Identifier: MIT
// A few daemons on 127.0.0.1, each with a port of its own and the others as peers. No namespaces.
#pragma once

#include "node/flock.hpp"
#include "node/ports.hpp"

namespace bellwether::bed {

class DaemonsOnLoopback {
 public:
  /// `arguments`: for all of them.
  explicit DaemonsOnLoopback(std::size_t count, std::vector<std::string> arguments = {});
  /// `id`: another than its own, which is its place from one.
  void start(std::size_t place, std::uint64_t id = 0);
  Process& process(std::size_t place) { return *processes_.at(place); }
  Client client(std::size_t place) const { return Client(socket(place), patience); }
  std::uint64_t metric(std::size_t place, const std::string& name) const {
    return metric_of(client(place), name);
  }
  std::vector<Client> clients() const;
  /// Whether all of these come to name this one; 0: the same one, whoever it is.
  bool agree(const Places& places, std::uint64_t leader = 0) const;
  std::string logs() const;

  /// From its next start on, which is now, the node's clocks can be set.
  void let_clock_jump(std::size_t place, const std::string& library);
  /// The wall clock is set, and the machine was suspended for this time.
  void set_clock(std::size_t place, long seconds_ahead, long asleep = 0) const;

  std::string socket(std::size_t place) const { return folder_.path(std::to_string(place)); }

 private:
  int port(std::size_t place) const { return ports_[place]; }

  TestFolder folder_;
  std::vector<std::string> arguments_;
  ReservedPorts ports_;
  Namespace here_;
  std::vector<std::unique_ptr<Process>> processes_;
  std::vector<SpawnOptions> spawn_;
};

}  // namespace bellwether::bed
