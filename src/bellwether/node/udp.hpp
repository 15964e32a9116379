// SPDX-License-Identifier: MIT
// UDP sockets and addresses of the kernel, with errors that say what to do.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <vector>

namespace bellwether::node {

struct UdpAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;
  int family() const { return storage.ss_family; }
};

UdpAddress numeric(int family, const char* text, std::uint16_t port, unsigned scope = 0);
/// "192.0.2.1:7745", "[2001:db8::1]:7745", "boat3:7745"; the port may be left out.
UdpAddress resolved(const std::string& text, std::uint16_t standard_port, const char* key);

/// Throws Problem with what errno says.
[[noreturn]] void fail(const std::string& what, const std::string& cure);

template <class T>
void set_option(int fd, int level, int name, const T& value, const std::string& what) {
  if (setsockopt(fd, level, name, &value, sizeof value) != 0)
    fail(what, "the kernel refuses it; try another `cast`");
}

/// A file descriptor, closed with its owner.
class UdpSocket {
 public:
  explicit UdpSocket(int family);
  ~UdpSocket();
  UdpSocket(UdpSocket&& other) noexcept;
  UdpSocket& operator=(UdpSocket&&) = delete;

  int fd() const { return fd_; }
  int release();
  void bind_device(const std::string& interface);
  void bind_to(const UdpAddress& address, const std::string& place, std::uint16_t port);
  /// Others may bind the same address from now on, if they have said so, too.
  void share();

 private:
  int fd_;
};

/// The kernel drops datagrams whose first byte has this bit, or those that do not have it. False
/// where it cannot.
bool drop_by_bit(int fd, std::uint8_t bit, bool drop_if_set);

std::size_t mtu_of(const std::string& interface);
/// Interfaces that are up and carry multicast, but for loopback.
std::vector<std::string> usable_interfaces();

}  // namespace bellwether::node
