// SPDX-License-Identifier: MIT
// Debian's keepalived (VRRPv3) on the hosts of a network, as a rival of the daemon.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "node/flock.hpp"

namespace bench {

using namespace bellwether;

class Keepalived {
 public:
  /// Whether it is installed.
  static bool available();

  /// The last host has the highest priority. Advertisements every 100 ms.
  explicit Keepalived(bed::Network& network);
  void start_all();
  void kill(std::size_t place);
  /// How often a host has become master so far.
  std::size_t times_master(std::size_t place) const;
  bool is_master(std::size_t place) const;
  bed::Process& process(std::size_t place) { return *processes_.at(place); }
  long rss_kib(std::size_t place) const;        // of all its processes
  double cpu_seconds(std::size_t place) const;  // likewise

 private:
  std::vector<int> family(std::size_t place) const;

  bed::Network& network_;
  bed::TestFolder folder_;
  std::vector<std::unique_ptr<bed::Process>> processes_;
};

}  // namespace bench
