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
  std::chrono::milliseconds listen_first{0};
  std::string algorithm = "drumbeat";
  bool sealed = true;
  std::vector<std::string> arguments = {};  // for all
};

/// Of nodes that never take each other's silence for a loss, however busy the machine is: with them
/// nothing happens but what a test does.
inline FlockOptions unhurried() {
  return {.timeout = 10min, .listen_first = 300ms, .arguments = {"--set", "slack=10min"}};
}
/// With an election by a map, a test knows who leads: the highest priority, the most central among
/// these, the highest id. A better node takes the lead as soon as it comes.
inline FlockOptions by_map(FlockOptions options = {}) {
  options.algorithm = "cel-2";
  return options;
}
inline FlockOptions unhurried_by_map() {
  return by_map({.timeout = 10min, .listen_first = 300ms});
}

/// The program under test: $BELLWETHER_NODE_PROGRAM, or the one that was built.
std::string node_program();
/// All that a file holds; empty where there is none.
std::string text_of(const std::string& path);

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

/// Waits until each of these nodes has heard each other one after this call.
bool hear_each_other(const std::vector<Client>& clients);
/// Waits until all of these nodes, and no others, are linked each with each, and all know it.
/// Then nothing is news any more.
bool are_all_linked(const std::vector<Client>& clients);

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
  /// A command against the node on a host.
  Outcome ask(std::size_t place, std::vector<std::string> words);
  std::string key_file() const { return folder_.path("group.key"); }
  const TestFolder& folder() const { return folder_; }
  std::string log(std::size_t place) const;
  std::string logs() const;  // of all, for failures

  Client client(std::size_t place) const { return Client(socket(place), patience); }
  /// Nothing where the daemon does not answer.
  std::optional<Leadership> leadership(std::size_t place) const;
  /// The node that all of these name, if they name the same one of themselves.
  std::optional<std::uint64_t> common_leader(const Places& places) const;
  /// Waits until each group has its common leader and a common epoch, and all of it know just the
  /// group.
  bool settle(const std::vector<Places>& groups, std::chrono::milliseconds within = patience) const;
  bool settle(std::chrono::milliseconds within = patience) const { return settle({all()}, within); }
  /// The same for one group, and this one leads it.
  bool settle_on(std::size_t leader, const Places& group) const;
  bool settle_on(std::size_t leader) const { return settle_on(leader, all()); }
  bool hear_each_other(const Places& places) const { return bed::hear_each_other(clients(places)); }
  bool are_all_linked(const Places& places) const { return bed::are_all_linked(clients(places)); }
  /// How far away one is from another, as that one knows it; nothing: it does not know it.
  std::optional<std::uint64_t> hops(std::size_t from, std::size_t to) const;
  Places all() const;
  Places all_but(std::size_t place) const;
  std::size_t leading_place() const;  // of a flock that has settled
  std::uint64_t metric(std::size_t place, const std::string& name) const {
    return metric_of(client(place), name);
  }

 private:
  std::vector<Client> clients(const Places& places) const;
  bool is_settled(const Places& group, std::optional<std::size_t> leader) const;

  Network& network_;
  FlockOptions options_;
  TestFolder folder_;
  std::vector<std::unique_ptr<Process>> daemons_;
};

}  // namespace bellwether::bed
