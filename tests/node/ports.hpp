// SPDX-License-Identifier: MIT
// Ports on loopback for programs under test, where there is no namespace to be alone in.
#pragma once

#include <cstddef>
#include <vector>

#include "node/namespace.hpp"

namespace bellwether::bed {

/// UDP ports of 127.0.0.1 that no process uses, and that no other test gets while this one has
/// them. The kernel hands none of them out by itself.
class ReservedPorts {
 public:
  explicit ReservedPorts(std::size_t count);
  int operator[](std::size_t index) const { return ports_.at(index); }

 private:
  bool reserve(int port);

  std::vector<int> ports_;
  std::vector<Descriptor> marks_;  // names in the kernel, which end with this program
};

}  // namespace bellwether::bed
