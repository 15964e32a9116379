// SPDX-License-Identifier: MIT
#include "node_rival.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>

namespace bench {

bool Keepalived::available() {
  return bed::tool("keepalived").has_value();
}

Keepalived::Keepalived(bed::Network& network) : network_(network), processes_(network.size()) {}

void Keepalived::start_all() {
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    const std::string name = std::to_string(i);
    const std::string config = folder_.write(
        name + ".conf", fmt::format("global_defs {{\n  vrrp_version 3\n}}\n"
                                    "vrrp_instance flock {{\n  state BACKUP\n  interface {}\n"
                                    "  virtual_router_id 51\n  priority {}\n  advert_int 0.1\n"
                                    "  virtual_ipaddress {{\n    10.99.99.99/24\n  }}\n}}\n",
                                    network_[i].interfaces()[0], 100 + i));
    processes_[i] = std::make_unique<bed::Process>(network_[i].spawn(
        {*bed::tool("keepalived"), "--dont-fork", "--log-console", "--vrrp", "--use-file", config,
         "--pid", folder_.path(name + ".pid"), "--vrrp_pid", folder_.path(name + ".vrrp.pid")}));
  }
}

void Keepalived::kill(std::size_t place) {
  processes_[place]->kill_group(SIGKILL);
  processes_[place]->wait(std::chrono::seconds(5));
}

std::size_t Keepalived::times_master(std::size_t place) const {
  const std::string log = processes_[place]->log();
  std::size_t times = 0;
  for (auto at = log.find("Entering MASTER STATE"); at != std::string::npos;
       at = log.find("Entering MASTER STATE", at + 1))
    ++times;
  return times;
}

bool Keepalived::is_master(std::size_t place) const {
  const std::string log = processes_[place]->log();
  const auto master = log.rfind("Entering MASTER STATE");
  const auto backup = log.rfind("Entering BACKUP STATE");
  return master != std::string::npos && (backup == std::string::npos || backup < master);
}

std::vector<int> Keepalived::family(std::size_t place) const {
  std::vector<int> out{processes_[place]->pid()};
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::string id = std::to_string(out[i]);
    std::ifstream in("/proc/" + id + "/task/" + id + "/children");
    for (int child = 0; in >> child;) out.push_back(child);
  }
  return out;
}

long Keepalived::rss_kib(std::size_t place) const {
  long sum = 0;
  for (const int pid : family(place)) {
    std::ifstream in("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(in, line);)
      if (line.starts_with("VmRSS:")) sum += std::stol(line.substr(6));
  }
  return sum;
}

double Keepalived::cpu_seconds(std::size_t place) const {
  double sum = 0;
  for (const int pid : family(place)) {
    std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
    std::string text((std::istreambuf_iterator<char>(in)), {});
    const auto behind = text.rfind(')');
    if (behind == std::string::npos) continue;
    std::istringstream rest(text.substr(behind + 2));
    std::string word;
    double user = 0, system = 0;
    for (int i = 3; i < 14 && rest >> word; ++i) continue;
    rest >> user >> system;
    sum += (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
  }
  return sum;
}

}  // namespace bench
