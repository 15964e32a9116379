// SPDX-License-Identifier: MIT
#include "node/namespace.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

#include "node/eventually.hpp"

namespace bellwether::bed {
namespace {

constexpr const char* mark = "BELLWETHER_BED_INSIDE";

/// Writes a kernel setting of the namespace that the thread is in; one that this kernel does not
/// have needs no setting.
void set_sysctl(const std::string& name, const char* value) {
  const Descriptor file(::open(("/proc/sys/net/" + name).c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.open() && errno == ENOENT) return;
  if (!file.open() || write(file.get(), value, std::strlen(value)) < 0)
    fail("the setting net/" + name + " cannot be written");
}

ifreq request_for(const std::string& interface) {
  ifreq request{};
  if (interface.size() >= sizeof request.ifr_name)
    throw std::runtime_error("the interface name " + interface + " is longer than 15 characters");
  std::copy(interface.begin(), interface.end(), std::begin(request.ifr_name));
  return request;
}

sockaddr internet(const in_addr& address) {
  sockaddr_in whole{};
  whole.sin_family = AF_INET;
  whole.sin_addr = address;
  sockaddr result{};
  std::memcpy(&result, &whole, sizeof result);
  return result;
}

/// Runs a program to its end, silently; its status.
int status_of(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const int nowhere = ::open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3; ++fd) dup2(nowhere, fd);
    execv(argv[0], argv.data());
    _exit(127);
  }
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return status;
}

bool may_make_namespaces() {
  try {
    const Namespace trial;
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    close();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

Descriptor::~Descriptor() {
  close();
}

void Descriptor::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

Namespace::Namespace(Speech speech) {
  std::exception_ptr trouble;
  // The thread leaves for the new namespace; the rest of the program stays where it is.
  std::thread([&] {
    try {
      if (unshare(CLONE_NEWNET) != 0) fail("no network namespace can be made");
      fd_ = Descriptor(::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC));
      control_ = Descriptor(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
      if (!fd_.open() || !control_.open()) fail("the new network namespace cannot be held");
      for (const char* scope : {"ipv6/conf/all/", "ipv6/conf/default/"}) {
        set_sysctl(std::string(scope) + "accept_dad", "0");
        set_sysctl(std::string(scope) + "accept_ra", "0");
        set_sysctl(std::string(scope) + "router_solicitations", "0");
        if (speech == Speech::quiet) set_sysctl(std::string(scope) + "disable_ipv6", "1");
      }
    } catch (...) {
      trouble = std::current_exception();
    }
  }).join();
  if (trouble) std::rethrow_exception(trouble);
  set_up("lo", true);
}

std::string Namespace::path() const {
  return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(fd());
}

void Namespace::within(const std::function<void()>& work) const {
  std::exception_ptr trouble;
  std::thread([&] {
    try {
      if (setns(fd(), CLONE_NEWNET) != 0) fail("the network namespace cannot be entered");
      work();
    } catch (...) {
      trouble = std::current_exception();
    }
  }).join();
  if (trouble) std::rethrow_exception(trouble);
}

Descriptor Namespace::socket(int domain, int type, int protocol) const {
  Descriptor made;
  within([&] { made = Descriptor(::socket(domain, type | SOCK_CLOEXEC, protocol)); });
  if (!made.open()) fail("no socket can be had in the network namespace");
  return made;
}

void Namespace::control(unsigned long request, void* argument, const std::string& what) const {
  if (ioctl(control_.get(), request, argument) != 0) fail(what);
}

int Namespace::index_of(const std::string& interface) const {
  ifreq request = request_for(interface);
  control(SIOCGIFINDEX, &request, "there is no interface " + interface);
  return request.ifr_ifindex;
}

void Namespace::set_up(const std::string& interface, bool up) const {
  ifreq request = request_for(interface);
  const int now = flags(interface);
  request.ifr_flags = static_cast<short>(up ? now | IFF_UP : now & ~IFF_UP);
  control(SIOCSIFFLAGS, &request, interface + " cannot be set " + (up ? "up" : "down"));
}

void Namespace::set_address(const std::string& interface, const std::string& ipv4,
                            int prefix) const {
  in_addr address{};
  if (inet_pton(AF_INET, ipv4.c_str(), &address) != 1)
    throw std::runtime_error(ipv4 + " is no IPv4 address");
  ifreq request = request_for(interface);
  request.ifr_addr = internet(address);
  control(SIOCSIFADDR, &request, interface + " cannot have the address " + ipv4);
  address.s_addr = htonl(~std::uint32_t{0} << (32 - prefix));
  request.ifr_addr = internet(address);
  control(SIOCSIFNETMASK, &request, interface + " cannot have its netmask");
}

void Namespace::set_mac(const std::string& interface, const std::string& mac) const {
  std::array<unsigned, 6> bytes{};
  if (std::sscanf(mac.c_str(), "%2x:%2x:%2x:%2x:%2x:%2x", &bytes[0], &bytes[1], &bytes[2],
                  &bytes[3], &bytes[4], &bytes[5]) != 6)
    throw std::runtime_error(mac + " is no hardware address");
  ifreq request = request_for(interface);
  request.ifr_hwaddr.sa_family = ARPHRD_ETHER;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    request.ifr_hwaddr.sa_data[i] = static_cast<char>(bytes[i]);
  control(SIOCSIFHWADDR, &request, interface + " cannot have the address " + mac);
}

void Namespace::set_mtu(const std::string& interface, int mtu) const {
  ifreq request = request_for(interface);
  request.ifr_mtu = mtu;
  control(SIOCSIFMTU, &request, interface + " cannot have the MTU " + std::to_string(mtu));
}

void Namespace::compute_checksums(const std::string& interface) const {
  ethtool_value off{ETHTOOL_STXCSUM, 0};
  ifreq request = request_for(interface);
  request.ifr_data = reinterpret_cast<char*>(&off);
  control(SIOCETHTOOL, &request, interface + " cannot compute checksums");
}

int Namespace::flags(const std::string& interface) const {
  ifreq request = request_for(interface);
  control(SIOCGIFFLAGS, &request, "there is no interface " + interface);
  return request.ifr_flags;
}

bool Namespace::is_up(const std::string& interface) const {
  return (flags(interface) & IFF_UP) != 0;
}

bool Namespace::has_carrier(const std::string& interface) const {
  return (flags(interface) & IFF_RUNNING) != 0;
}

void Namespace::await_carrier(const std::string& interface) const {
  if (!eventually([&] { return has_carrier(interface); }))
    throw std::runtime_error(interface + " gets no carrier");
  // The flag comes first, then the rest, all under one lock. The next holder of it has both.
  set_up(interface, true);
}

void Namespace::enslave(const std::string& bridge, const std::string& port, bool member) const {
  ifreq request = request_for(bridge);
  request.ifr_ifindex = index_of(port);
  control(member ? SIOCBRADDIF : SIOCBRDELIF, &request,
          port + " cannot " + (member ? "join " : "leave ") + bridge);
}

std::string Namespace::link_local(const std::string& interface) const {
  constexpr unsigned link_scope = 0x20, tentative = 0x40;
  std::string found;
  within([&] {
    std::ifstream table("/proc/thread-self/net/if_inet6");
    std::string digits, name;
    unsigned index = 0, prefix = 0, scope = 0, flags = 0;
    table >> std::hex;
    while (table >> digits >> index >> prefix >> scope >> flags >> name) {
      if (name != interface || scope != link_scope || (flags & tentative) != 0) continue;
      in6_addr address{};
      for (std::size_t i = 0; i < 16; ++i)
        address.s6_addr[i] =
            static_cast<std::uint8_t>(std::stoul(digits.substr(2 * i, 2), nullptr, 16));
      std::array<char, INET6_ADDRSTRLEN> text{};
      found = inet_ntop(AF_INET6, &address, text.data(), text.size());
    }
  });
  return found;
}

std::optional<std::string> tool(const std::string& name) {
  for (const char* folder : {"/usr/sbin/", "/sbin/", "/usr/bin/", "/bin/", "/usr/local/sbin/"})
    if (access((folder + name).c_str(), X_OK) == 0) return folder + name;
  return std::nullopt;
}

bool in_own_namespaces() {
  // The mark names the process, which stays the same: no other process's /run is ever covered.
  const char* who = std::getenv(mark);
  return who != nullptr && who == std::to_string(getpid());
}

void enter_own_namespaces() {
  if (in_own_namespaces()) {
    // The daemon finds a /run in which it may write. Without it the rest still works.
    if (mount("tmpfs", "/run", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755") != 0)
      std::perror("no tmpfs on /run");
    return;
  }
  if (may_make_namespaces()) return;
  const auto unshare_tool = tool("unshare");
  const auto ip = tool("ip");
  // A trial first: once the program has become another there is no way back.
  if (!unshare_tool || !ip ||
      status_of({*unshare_tool, "-Urmn", *ip, "link", "set", "lo", "up"}) != 0)
    return;
  std::array<char, 4096> self{};
  if (readlink("/proc/self/exe", self.data(), self.size() - 1) <= 0) return;
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words{*unshare_tool, "-Urmn", self.data()};
  std::string word;
  std::getline(in, word, '\0');  // the name of the program, which is known better already
  while (std::getline(in, word, '\0')) words.push_back(word);
  std::vector<char*> argv;
  for (std::string& each : words) argv.push_back(each.data());
  argv.push_back(nullptr);
  setenv(mark, std::to_string(getpid()).c_str(), 1);
  execv(argv[0], argv.data());
  unsetenv(mark);
}

}  // namespace bellwether::bed
