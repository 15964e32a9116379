// SPDX-License-Identifier: MIT
#include "node/flock.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

namespace bellwether::bed {

std::string node_program() {
  if (const char* given = std::getenv("BELLWETHER_NODE_PROGRAM"); given && *given) return given;
  return BELLWETHER_NODE_PROGRAM;
}

bool is_other_build() {
  return std::getenv("BELLWETHER_NODE_PROGRAM") != nullptr;
}

TestFolder::TestFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "bellwether-XXXXXX").string();
  if (!mkdtemp(name.data())) fail("no folder for the test");
  folder_ = name;
}
TestFolder::~TestFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}
std::string TestFolder::write(const std::string& name, const std::string& text) const {
  std::ofstream(path(name)) << text;
  chmod(path(name).c_str(), 0600);
  return path(name);
}

Flock::Flock(Network& network, FlockOptions options)
    : network_(network), options_(std::move(options)), daemons_(network.size()) {
  folder_.write("group.key", std::string(62, '0') + "07\n");
}

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

Outcome Flock::ask(std::size_t place, std::vector<std::string> words) {
  words.insert(words.begin(), node_program());
  words.insert(words.end(), {"--socket", socket(place)});
  return network_[place].run(words);
}

std::string Flock::socket(std::size_t place) const {
  return folder_.path("h" + std::to_string(place + 1) + ".sock");
}

void Flock::start(std::size_t place, const std::vector<std::string>& more,
                  const SpawnOptions& spawn) {
  std::vector<std::string> words{node_program(), "node",
                                 "--id",         std::to_string(place + 1),
                                 "--socket",     socket(place),
                                 "--algorithm",  options_.algorithm,
                                 "--period",     std::to_string(options_.period.count()) + "ms",
                                 "--timeout",    std::to_string(options_.timeout.count()) + "ms"};
  if (options_.listen_first.count() > 0)
    words.insert(words.end(),
                 {"--listen-first", std::to_string(options_.listen_first.count()) + "ms"});
  for (const std::string& interface : network_[place].interfaces())
    words.insert(words.end(), {"--interface", interface});
  if (options_.sealed)
    words.insert(words.end(), {"--key", key_file()});
  else
    words.emplace_back("--plain");
  words.insert(words.end(), options_.arguments.begin(), options_.arguments.end());
  words.insert(words.end(), more.begin(), more.end());
  SpawnOptions with = spawn;
  with.log_file = folder_.path("h" + std::to_string(place + 1) + ".log");
  daemons_[place] = std::make_unique<Process>(network_[place].spawn(words, with));
}

void Flock::start_all() {
  for (std::size_t i = 0; i < size(); ++i) start(i);
}

void Flock::kill(std::size_t place) {
  daemons_[place]->kill(SIGKILL);
  daemons_[place]->wait(patience);
}

int Flock::stop(std::size_t place) {
  daemons_[place]->kill(SIGTERM);
  return daemons_[place]->wait(patience).value_or(-1);
}

bool Flock::runs(std::size_t place) const {
  return daemons_[place] && !daemons_[place]->exited();
}

std::string Flock::log(std::size_t place) const {
  std::ifstream in(folder_.path("h" + std::to_string(place + 1) + ".log"));
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string Flock::logs() const {
  std::string out;
  for (std::size_t i = 0; i < size(); ++i)
    out += "--- node " + std::to_string(i + 1) + (runs(i) ? "" : " (not running)") + "\n" + log(i);
  return out;
}

std::optional<Leadership> Flock::leadership(std::size_t place) const {
  try {
    return client(place).leader();
  } catch (const client::ClientError&) {
    return std::nullopt;
  }
}

std::optional<std::uint64_t> Flock::common_leader(const Places& places) const {
  std::optional<std::uint64_t> common;
  for (const std::size_t place : places) {
    const auto said = leadership(place);
    if (!said || !said->leader || (common && *common != *said->leader)) return std::nullopt;
    common = said->leader;
  }
  for (const std::size_t place : places)
    if (common == place + 1) return common;
  return std::nullopt;
}

bool Flock::is_settled(const Places& group, std::optional<std::size_t> leader) const {
  const auto common = common_leader(group);
  if (!common || (leader && *common != *leader + 1)) return false;
  std::set<std::uint64_t> wanted, epochs;
  for (const std::size_t place : group) wanted.insert(place + 1);
  for (const std::size_t place : group) {
    std::set<std::uint64_t> known;
    try {
      const auto said = client(place).members();
      for (const auto& member : said.members) known.insert(member.id);
      epochs.insert(said.epoch);
    } catch (const client::ClientError&) {
      return false;
    }
    if (known != wanted) return false;
  }
  return epochs.size() == 1;
}

bool Flock::settle(const std::vector<Places>& groups, std::chrono::milliseconds within) const {
  return eventually(
      within,
      [&] {
        return std::all_of(groups.begin(), groups.end(),
                           [&](const Places& group) { return is_settled(group, std::nullopt); });
      },
      10ms);
}

bool Flock::settle_on(std::size_t leader, const Places& group) const {
  return eventually(
      patience, [&] { return is_settled(group, leader); }, 10ms);
}

std::vector<Client> Flock::clients(const Places& places) const {
  std::vector<Client> out;
  for (const std::size_t place : places) out.push_back(client(place));
  return out;
}

std::optional<std::uint64_t> Flock::hops(std::size_t from, std::size_t to) const {
  for (const auto& member : client(from).members().members)
    if (member.id == to + 1) return member.hops;
  return std::nullopt;
}

Places Flock::all() const {
  Places out;
  for (std::size_t i = 0; i < size(); ++i) out.push_back(i);
  return out;
}

Places Flock::all_but(std::size_t place) const {
  Places out = all();
  std::erase(out, place);
  return out;
}

std::size_t Flock::leading_place() const {
  for (std::size_t i = 0; i < size(); ++i)
    if (const auto said = leadership(i); said && said->leader)
      return static_cast<std::size_t>(*said->leader - 1);
  fail("nobody names a leader");
}

bool hear_each_other(const std::vector<Client>& clients) {
  // An age is given in whole milliseconds, rounded down, as of a moment before the answer arrives:
  // what was heard before `begin` is at least as old as the time since then, less 1 ms.
  const auto begin = std::chrono::steady_clock::now();
  return eventually([&] {
    return std::all_of(clients.begin(), clients.end(), [&](const Client& each) {
      const auto asked = std::chrono::steady_clock::now();
      const auto heard = each.status().neighbours;
      return heard.size() + 1 == clients.size() &&
             std::all_of(heard.begin(), heard.end(),
                         [&](const auto& other) { return other.age + 1ms < asked - begin; });
    });
  });
}

/// Each has all others for neighbours; and where there is a map, every one has all of it.
bool are_all_linked(const std::vector<Client>& clients) {
  std::set<std::uint64_t> ids;
  for (const Client& each : clients) ids.insert(each.leader().id);
  std::string links;
  for (const std::uint64_t a : ids)
    for (const std::uint64_t b : ids)
      if (a < b) {
        links += links.empty() ? "" : ",";
        links += "[" + std::to_string(a) + "," + std::to_string(b) + "]";
      }
  return eventually([&] {
    return std::all_of(clients.begin(), clients.end(), [&](const Client& each) {
      const client::Status status = each.status();
      const std::string map = each.get("/v1/map");
      return status.neighbours.size() + 1 == clients.size() &&
             (status.algorithm == "drumbeat" ||
              map.find("\"links\":[" + links + "]") != std::string::npos);
    });
  });
}

std::uint64_t metric_of(const Client& client, const std::string& name) {
  std::istringstream in(client.get("/metrics"));
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("bellwether_" + name + " "))
      return std::stoull(line.substr(line.rfind(' ') + 1));
  fail("there is no metric " + name);
}

}  // namespace bellwether::bed
