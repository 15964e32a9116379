// SPDX-License-Identifier: MIT
#include "bellwether/operate/doctor.hpp"

#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>

#include "bellwether/client/client.hpp"
#include "bellwether/json/json.hpp"
#include "bellwether/node/config.hpp"
#include "bellwether/terminal/command.hpp"

#ifndef BELLWETHER_VERSION
#define BELLWETHER_VERSION "unknown"
#endif

namespace bellwether::operate {
namespace {

namespace fs = std::filesystem;
using Severity = Diagnosis::Severity;

/// From 5.7 on, a process without rights may bind a socket to an interface.
Diagnosis kernel() {
  utsname name{};
  uname(&name);
  int major = 0, minor = 0;
  std::sscanf(name.release, "%d.%d", &major, &minor);
  const bool new_enough = major > 5 || (major == 5 && minor >= 7);
  Diagnosis out{Severity::good, "node", "kernel", std::string("Linux ") + name.release, ""};
  if (!new_enough && geteuid() != 0)
    out = {Severity::note, "node", "kernel", out.found + ", older than 5.7",
           "run the node as root; --user drops the privileges"};
  return out;
}

struct Interfaces {
  std::set<std::string> ipv6, ipv4;  // up, with multicast and an address of that kind
};

Interfaces interfaces() {
  Interfaces out;
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return out;
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(all, &freeifaddrs);
  for (const ifaddrs* each = all; each; each = each->ifa_next) {
    constexpr unsigned wanted = IFF_UP | IFF_RUNNING | IFF_MULTICAST;
    if (!each->ifa_addr || (each->ifa_flags & IFF_LOOPBACK) != 0 ||
        (each->ifa_flags & wanted) != wanted)
      continue;
    if (each->ifa_addr->sa_family == AF_INET) out.ipv4.insert(each->ifa_name);
    if (each->ifa_addr->sa_family == AF_INET6) {
      const auto& address = reinterpret_cast<const sockaddr_in6*>(each->ifa_addr)->sin6_addr;
      if (IN6_IS_ADDR_LINKLOCAL(&address)) out.ipv6.insert(each->ifa_name);
    }
  }
  return out;
}

Diagnosis neighbours() {
  const Interfaces here = interfaces();
  if (!here.ipv6.empty())
    return {Severity::good, "node", "network",
            fmt::format("multicast by IPv6 on {}", fmt::join(here.ipv6, ", ")), ""};
  if (!here.ipv4.empty())
    return {Severity::note, "node", "network",
            fmt::format("no IPv6 link-local address; IPv4 on {}", fmt::join(here.ipv4, ", ")),
            "bellwether node --cast ipv4"};
  return {Severity::note, "node", "network", "no interface with multicast is up",
          "bring one up, or name the neighbours: bellwether node --peer HOST:PORT"};
}

bool port_is_free(std::uint16_t port) {
  const int fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return true;  // no IPv6: no other program has it there
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_port = htons(port);
  const bool free = bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  close(fd);
  return free;
}

/// A node that runs here already, or the places where one would put its socket.
Diagnoses running_node() {
  const node::Config usual;
  const std::string path = node::default_socket();
  try {
    const auto now = Client(path, std::chrono::seconds(2)).leader();
    return {{Severity::good, "node", "control socket",
             fmt::format("node {} answers at {}", now.id, path), "bellwether status"}};
  } catch (const ClientError&) {
  }
  Diagnoses out;
  if (port_is_free(usual.port))
    out.push_back({Severity::good, "node", "UDP port", fmt::format("{} is free", usual.port), ""});
  else
    out.push_back({Severity::note, "node", "UDP port", fmt::format("{} is taken", usual.port),
                   "give all nodes of the group another port: bellwether node --port N"});
  fs::path folder = fs::path(path).parent_path();
  while (!folder.empty() && !fs::exists(folder)) folder = folder.parent_path();
  if (access(folder.c_str(), W_OK) == 0)
    out.push_back({Severity::good, "node", "control socket", path + " can be made", ""});
  else
    out.push_back(
        {Severity::note, "node", "control socket", path + " cannot be made",
         "run the node as root, or choose another path: export BELLWETHER_SOCKET=$HOME/node.sock"});
  return out;
}

Diagnosis identity() {
  if (fs::exists("/etc/machine-id"))
    return {Severity::good, "node", "id",
            fmt::format("{}, from /etc/machine-id", node::machine_node_id()), ""};
  return {Severity::note, "node", "id",
          "there is no /etc/machine-id: the id is derived from the host's name",
          "give each node its own id: bellwether node --id N"};
}

Diagnosis niceness() {
  rlimit limit{};
  getrlimit(RLIMIT_NICE, &limit);
  if (geteuid() == 0 || limit.rlim_cur >= 30)
    return {Severity::good, "node", "scheduling", "the daemon may raise its priority (nice)", ""};
  return {Severity::note, "node", "scheduling", "the daemon may not raise its priority (nice)",
          "use the unit of systemd (package bellwether-node), or run the node as root"};
}

std::string state_text(Severity state) {
  switch (state) {
    case Severity::good:
      return "ok";
    case Severity::note:
      return "note";
    case Severity::missing:
      break;
  }
  return "missing";
}

std::string table(const Diagnoses& findings) {
  std::string out;
  std::string part;
  for (const Diagnosis& each : findings) {
    if (each.part != part) out += fmt::format("{}{}\n", out.empty() ? "" : "\n", each.part);
    part = each.part;
    out += fmt::format("  {:<7}  {}: {}\n", state_text(each.state), each.what, each.found);
    if (!each.cure.empty() && each.state != Severity::good)
      out += fmt::format("           -> {}\n", each.cure);
  }
  return out;
}

std::string json_text(const Diagnoses& findings) {
  auto rows = json::Json::array();
  for (const Diagnosis& each : findings)
    rows.push_back({{"part", each.part},
                    {"what", each.what},
                    {"state", state_text(each.state)},
                    {"found", each.found},
                    {"cure", each.cure}});
  return json::Json{{"version", BELLWETHER_VERSION}, {"findings", rows}}.dump() + "\n";
}

}  // namespace

std::string in_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::string rest = path ? path : "/usr/local/bin:/usr/bin:/bin";
  while (!rest.empty()) {
    const std::size_t end = rest.find(':');
    const std::string candidate = rest.substr(0, end) + "/" + program;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    rest = end == rest.npos ? "" : rest.substr(end + 1);
  }
  return "";
}

Diagnoses examine_node() {
  Diagnoses out{kernel(), neighbours()};
  for (Diagnosis& each : running_node()) out.push_back(std::move(each));
  out.push_back(identity());
  out.push_back(niceness());
  return out;
}

void add_doctor(terminal::Command& app, std::function<Diagnoses()> more, int& status) {
  terminal::Command* sub =
      app.add_subcommand("doctor", "Check what this machine lacks, and say how to get it");
  const auto json = std::make_shared<bool>(false);
  sub->add_flag("--json", *json, "Print one JSON object");
  sub->footer(
      "Exit status: 0, also with notes; 1 if a part of the program cannot work on this machine.");
  sub->callback([json, more = std::move(more), &status] {
    Diagnoses all = more ? more() : Diagnoses{};
    for (Diagnosis& each : examine_node()) all.push_back(std::move(each));
    if (!*json) fmt::print("bellwether {}\n\n", BELLWETHER_VERSION);
    fmt::print("{}", *json ? json_text(all) : table(all));
    status = std::any_of(all.begin(), all.end(),
                         [](const Diagnosis& f) { return f.state == Severity::missing; });
  });
}

}  // namespace bellwether::operate
