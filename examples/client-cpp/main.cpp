// SPDX-License-Identifier: MIT
// Asks the node on this machine who leads, greets the leader, and follows the changes.
//
//   client-cpp [SOCKET]      with a node that runs: bellwether node
#include <cstdio>

#include "bellwether/client/client.hpp"

namespace {

void print(const bellwether::client::Leadership& now) {
  if (!now.leader)
    std::printf("no leader\n");
  else
    std::printf("%llu leads with epoch %llu%s\n", static_cast<unsigned long long>(*now.leader),
                static_cast<unsigned long long>(now.epoch), now.is_leader ? ": that is us" : "");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
  const bellwether::Client node(argc > 1 ? argv[1] : bellwether::client::default_address());

  const auto now = node.leader();
  print(now);
  if (now.leader) std::printf("sent: %s\n", node.to_leader("hello from C++").c_str());

  // Returns when the node ends. While `is_leader` is true, work; and send the epoch with every
  // command, so that the receiver can reject a former leader.
  node.watch([](const bellwether::client::Event& event) {
    if (event.leadership) print(*event.leadership);
    return true;
  });
} catch (const bellwether::ClientError& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
