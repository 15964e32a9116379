// SPDX-License-Identifier: MIT
#include "node/daemons_on_loopback.hpp"

#include <csignal>
#include <fstream>
#include <utility>

namespace bellwether::bed {

DaemonsOnLoopback::DaemonsOnLoopback(std::size_t count, std::vector<std::string> arguments)
    : arguments_(std::move(arguments)),
      ports_(count),
      here_(Namespace::Here{}),
      processes_(count),
      spawn_(count) {
  folder_.write("group.key", std::string(64, 'e') + "\n");
  for (std::size_t i = 0; i < count; ++i) spawn_[i].own_sys = false;
  for (std::size_t i = 0; i < count; ++i) start(i);
}

void DaemonsOnLoopback::start(std::size_t place, std::uint64_t id) {
  std::vector<std::string> words{node_program(), "node",
                                 "--id",         std::to_string(id == 0 ? place + 1 : id),
                                 "--key",        folder_.path("group.key"),
                                 "--bind",       "127.0.0.1",
                                 "--port",       std::to_string(port(place)),
                                 "--socket",     socket(place)};
  for (std::size_t other = 0; other < processes_.size(); ++other)
    if (other != place)
      words.insert(words.end(), {"--peer", "127.0.0.1:" + std::to_string(port(other))});
  words.insert(words.end(), arguments_.begin(), arguments_.end());
  processes_[place] = std::make_unique<Process>(here_, words, spawn_[place]);
}

bool DaemonsOnLoopback::agree(const Places& places, std::uint64_t leader) const {
  return eventually([&] {
    try {
      const auto wanted =
          leader > 0 ? std::optional(leader) : client(places.front()).leader().leader;
      for (const std::size_t place : places)
        if (!wanted || client(place).leader().leader != wanted) return false;
      return true;
    } catch (const client::ClientError&) {
      return false;
    }
  });
}

std::vector<Client> DaemonsOnLoopback::clients() const {
  std::vector<Client> out;
  for (std::size_t place = 0; place < processes_.size(); ++place) out.push_back(client(place));
  return out;
}

std::string DaemonsOnLoopback::logs() const {
  std::string out;
  for (const auto& process : processes_) out += process->log() + "---\n";
  return out;
}

void DaemonsOnLoopback::let_clock_jump(std::size_t place, const std::string& library) {
  set_clock(place, 0);
  spawn_[place].environment = {{"LD_PRELOAD", library},
                               {"CLOCK_JUMP_FILE", folder_.path("clock" + std::to_string(place))}};
  processes_[place]->kill(SIGTERM);
  processes_[place]->wait(patience);
  start(place);
}

void DaemonsOnLoopback::set_clock(std::size_t place, long seconds_ahead, long asleep) const {
  const std::string path = folder_.path("clock" + std::to_string(place));
  std::ofstream(path + ".new") << seconds_ahead << " " << asleep << "\n";
  std::filesystem::rename(path + ".new", path);  // a reader sees all of it, or nothing
}

}  // namespace bellwether::bed
