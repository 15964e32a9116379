// SPDX-License-Identifier: MIT
#include "bellwether/node/http_listen.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <system_error>

#include "bellwether/core/problem.hpp"

namespace bellwether::node {
namespace {

constexpr int backlog = 128;

std::string reason(int error) {
  return std::generic_category().message(error);
}

[[noreturn]] void refuse(const std::string& sentence) {
  throw core::Problem(sentence);
}

Listening open_socket(int family, const std::string& name) {
  Listening socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (socket.get() < 0) refuse("cannot open a socket for " + name + ": " + reason(errno));
  return socket;
}

const sockaddr* general(const auto& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

sockaddr_un path_address(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path || path.find('\0') != std::string::npos) {
    refuse("the path " + path + " is too long for a socket; give one of at most " +
           std::to_string(sizeof address.sun_path - 1) + " bytes with --socket");
  }
  std::copy(path.begin(), path.end(), address.sun_path);
  return address;
}

/// Removes a socket without a daemon; refuses if a daemon answers, or if it is something else.
void make_way(const std::string& path, const sockaddr_un& address) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0) return;  // bind says what is wrong, if anything is
  if (!S_ISSOCK(found.st_mode)) {
    refuse(path + " is there and is no socket; remove it, or give another path with --socket");
  }
  const Listening probe = open_socket(AF_UNIX, path);
  if (::connect(probe.get(), general(address), sizeof address) == 0 || errno == EAGAIN) {
    refuse("another daemon answers on " + path +
           "; stop it, or give this one another socket with --socket");
  }
  if (errno == ENOENT) return;
  if (errno != ECONNREFUSED) {
    refuse("cannot tell who is at " + path + ": " + reason(errno) +
           "; remove it, or give another path with --socket");
  }
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
    refuse("cannot replace the stale socket " + path + ": " + reason(errno) +
           "; remove it, or give another path with --socket");
  }
}

struct Endpoint {
  std::string host;
  unsigned short port = 0;
};

std::optional<unsigned short> parse_port(std::string_view text) {
  unsigned short port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return port;
}

/// "host:port" or "[host]:port".
std::optional<Endpoint> parse_endpoint(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto port = parse_port(text.substr(colon + 1));
  if (!port) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
    if (host.find(':') == std::string_view::npos) return std::nullopt;
  } else if (host.find(':') != std::string_view::npos) {
    return std::nullopt;  // without brackets the begin of the port is ambiguous
  }
  return Endpoint{std::string(host), *port};
}

bool is_loopback(const in_addr& address) {
  return (ntohl(address.s_addr) >> 24U) == 127;
}

void listen_there(const Listening& socket, const sockaddr* address, socklen_t length,
                  const std::string& name) {
  const int yes = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(socket.get(), address, length) != 0 || ::listen(socket.get(), backlog) != 0) {
    const int error = errno;
    if (error == EADDRINUSE) {
      refuse(name + " is in use by another program; give another port with --http");
    }
    refuse("cannot listen on " + name + ": " + reason(error) +
           "; give another address with --http");
  }
}

}  // namespace

Listening::~Listening() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Listening listen_at_path(const std::string& path, unsigned mode) {
  const sockaddr_un address = path_address(path);
  make_way(path, address);
  Listening socket = open_socket(AF_UNIX, path);
  if (::bind(socket.get(), general(address), sizeof address) != 0) {
    const int error = errno;
    refuse("cannot make the socket " + path + ": " + reason(error) +
           "; give a path in a folder that is there and may be written to with --socket");
  }
  // The mode before the first client: until `listen`, no client can connect.
  if (::chmod(path.c_str(), static_cast<mode_t>(mode)) != 0 ||
      ::listen(socket.get(), backlog) != 0) {
    const int error = errno;
    ::unlink(path.c_str());
    refuse("cannot open the socket " + path + ": " + reason(error) +
           "; give another path with --socket");
  }
  return socket;
}

Listening listen_at_loopback(const std::string& text) {
  const auto endpoint = parse_endpoint(text);
  const std::string cure = "; write it as 127.0.0.1:7746 or [::1]:7746 after --http";
  if (!endpoint) refuse("'" + text + "' is not an address with a port" + cure);
  const std::string foreign = "HTTP is for this machine only, and " + text +
                              " is not a loopback address" + cure +
                              ", and put a proxy with a login before it for others";
  const std::string host = endpoint->host == "localhost" ? "127.0.0.1" : endpoint->host;
  sockaddr_in four{};
  four.sin_family = AF_INET;
  four.sin_port = htons(endpoint->port);
  if (::inet_pton(AF_INET, host.c_str(), &four.sin_addr) == 1) {
    if (!is_loopback(four.sin_addr)) refuse(foreign);
    Listening socket = open_socket(AF_INET, text);
    listen_there(socket, general(four), sizeof four, text);
    return socket;
  }
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(endpoint->port);
  if (::inet_pton(AF_INET6, host.c_str(), &six.sin6_addr) == 1) {
    if (!IN6_IS_ADDR_LOOPBACK(&six.sin6_addr)) refuse(foreign);
    Listening socket = open_socket(AF_INET6, text);
    listen_there(socket, general(six), sizeof six, text);
    return socket;
  }
  refuse("'" + text + "' is not an address with a port" + cure);
}

unsigned short port_of(int descriptor) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &length) != 0) return 0;
  // The port is at the same place for both families.
  sockaddr_in four{};
  std::memcpy(&four, &address, sizeof four);
  return ntohs(four.sin_port);
}

FileIdentity identity_of(const std::string& path) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0) return {};
  return {found.st_dev, found.st_ino};
}

bool names_loopback(std::string_view text) {
  std::string host(text);
  std::transform(host.begin(), host.end(), host.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (const auto endpoint = parse_endpoint(host)) host = endpoint->host;
  if (host == "localhost" || host == "[::1]" || host == "::1") return true;
  in_addr four{};
  return ::inet_pton(AF_INET, host.c_str(), &four) == 1 && is_loopback(four);
}

}  // namespace bellwether::node
