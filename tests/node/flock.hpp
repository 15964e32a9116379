// SPDX-License-Identifier: MIT
// Daemons on the hosts of a network: real processes, asked through their control sockets as an
// application would. The node on host i (from 0) has id i + 1.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bellwether/client/client.hpp"
#include "node/test_bed.hpp"

namespace bellwether::bed {

using client::Client;
using client::Leadership;
using namespace std::chrono_literals;
using Places = std::vector<std::size_t>;

struct FlockOptions {
  std::chrono::milliseconds period{100};
  std::chrono::milliseconds timeout{300};
  std::string algorithm = "cel-2";
  bool sealed = true;
  std::vector<std::string> arguments = {};  // for all
};

/// The program under test: $BELLWETHER_NODE_PROGRAM, or the one that was built.
std::string node_program();

/// Whether it is another one: sanitizers need more memory, and want to be loaded first.
bool is_other_build();

/// A folder of its own that vanishes with its owner.
class TestFolder {
 public:
  TestFolder();
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path folder_;
};

/// A number of /metrics.
std::uint64_t metric_of(const Client& client, const std::string& name);

class Flock {
 public:
  explicit Flock(Network& network, FlockOptions options = {});

  void start(std::size_t place, const std::vector<std::string>& more = {},
             const SpawnOptions& spawn = {});
  void start_all();
  /// kill -9.
  void kill(std::size_t place);
  /// SIGTERM, and wait for the end; its status.
  int stop(std::size_t place);
  bool runs(std::size_t place) const;
  Process& daemon(std::size_t place) { return *daemons_.at(place); }
  std::size_t size() const { return daemons_.size(); }
  std::string socket(std::size_t place) const;
  std::string key_file() const { return folder_.path("group.key"); }
  const TestFolder& folder() const { return folder_; }
  std::string log(std::size_t place) const;
  std::string logs() const;  // of all, for failures

  Client client(std::size_t place) const { return Client(socket(place), 2s); }
  /// Nothing where the daemon does not answer.
  std::optional<Leadership> leadership(std::size_t place) const;
  /// Whom all of these name, if they name the same one of themselves.
  std::optional<std::uint64_t> common_leader(const Places& places) const;
  /// Waits until all groups have their common leader, and that one knows just its group.
  bool settle(const std::vector<Places>& groups, std::chrono::milliseconds within = 20s) const;
  bool settle(std::chrono::milliseconds within = 20s) const { return settle({all()}, within); }
  Places all() const;
  Places all_but(std::size_t place) const;
  std::size_t leading_place() const;  // of a flock that has settled
  std::uint64_t metric(std::size_t place, const std::string& name) const {
    return metric_of(client(place), name);
  }

 private:
  Network& network_;
  FlockOptions options_;
  TestFolder folder_;
  std::vector<std::unique_ptr<Process>> daemons_;
};

}  // namespace bellwether::bed
