// SPDX-License-Identifier: MIT
// The leases of the locks of one node: each name has one holder at a time. A lease ends when its
// holder releases it, or by itself. The daemon forgets all of them when it restarts; then no lock
// starts its command before the node has led for longer than a lease again.
#pragma once

#include <map>
#include <string>

#include "bellwether/core/time.hpp"

namespace bellwether::node {

/// `POST /v1/lock`: grant this lock to this holder for this time; 0: the holder releases it.
struct LockRequest {
  std::string name, holder;
  core::Duration lease{};
};

class LockLeases {
 public:
  static constexpr std::size_t most = 64;  // names; more are not granted

  /// Whether the holder has the lock from now on.
  bool grant(core::Time now, const LockRequest& request) {
    std::erase_if(leases_, [&](const auto& each) { return each.second.end <= now; });
    const auto at = leases_.find(request.name);
    const bool own = at != leases_.end() && at->second.holder == request.holder;
    if (request.lease <= core::Duration{0}) {
      if (own) leases_.erase(at);
      return false;
    }
    if (at != leases_.end() ? !own : leases_.size() >= most) return false;
    leases_[request.name] = {request.holder, now + request.lease};
    return true;
  }

 private:
  struct Lease {
    std::string holder;
    core::Time end{};
  };
  std::map<std::string, Lease> leases_;
};

}  // namespace bellwether::node
