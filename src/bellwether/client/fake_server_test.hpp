// SPDX-License-Identifier: MIT
// A server that says what a test tells it to say, on a Unix socket or on loopback TCP.
#pragma once

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <list>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace bellwether::client_test {

/// A folder for a socket, which goes away with its owner.
class SocketFolder {
 public:
  SocketFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "bellwether-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  ~SocketFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  SocketFolder(const SocketFolder&) = delete;
  SocketFolder& operator=(const SocketFolder&) = delete;
  std::string socket() const { return path_ + "/node.sock"; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

/// The server's end of one connection.
class Peer {
 public:
  explicit Peer(int descriptor) : descriptor_(descriptor) {}

  /// Reads one request: head and body.
  std::string request() {
    std::string text;
    std::size_t whole = std::string::npos;
    while (text.size() < whole) {
      char bytes[4096];
      const ssize_t got = ::recv(descriptor_, bytes, sizeof bytes, 0);
      if (got <= 0) break;
      text.append(bytes, static_cast<std::size_t>(got));
      const std::size_t end = text.find("\r\n\r\n");
      if (end == std::string::npos) continue;
      constexpr std::string_view key = "Content-Length: ";
      const std::size_t length = text.substr(0, end).find(key);
      whole = end + 4 +
              (length == std::string::npos
                   ? 0
                   : static_cast<std::size_t>(std::atoll(text.c_str() + length + key.size())));
    }
    return text;
  }
  /// False when the client no longer listens.
  bool say(std::string_view text) {
    while (!text.empty()) {
      const ssize_t sent = ::send(descriptor_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  bool answer(std::string_view body, std::string_view status = "200 OK") {
    return say("HTTP/1.1 " + std::string(status) + "\r\nContent-Length: " +
               std::to_string(body.size()) + "\r\n\r\n" + std::string(body));
  }
  /// Keeps quiet until the other side, or the server, hangs up.
  void linger() {
    char byte = 0;
    while (::recv(descriptor_, &byte, 1, 0) > 0) {
    }
  }
  /// Ends the connection as a killed process with unread bytes does: the other end gets a reset.
  void reset() {
    const linger_option now{1, 0};
    ::setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  }

 private:
  using linger_option = struct ::linger;
  int descriptor_;
};

class FakeServer {
 public:
  using Script = std::function<void(Peer&)>;

  /// On a Unix socket at `path`, or on TCP when that is empty.
  FakeServer(const std::string& path, Script script) : script_(std::move(script)), path_(path) {
    if (path.empty()) {
      sockaddr_in any{};
      any.sin_family = AF_INET;
      any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      open(AF_INET, any);
      socklen_t size = sizeof any;
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&any), &size);
      address_ = "127.0.0.1:" + std::to_string(ntohs(any.sin_port));
    } else {
      sockaddr_un place{};
      place.sun_family = AF_UNIX;
      std::strncpy(place.sun_path, path.c_str(), sizeof place.sun_path - 1);
      open(AF_UNIX, place);
      address_ = path;
    }
    thread_ = std::thread([this] { serve(); });
  }

  ~FakeServer() {
    {
      const std::lock_guard guard(mutex_);
      over_ = true;
      ::shutdown(listener_, SHUT_RDWR);
      for (const int each : open_) ::shutdown(each, SHUT_RDWR);
    }
    thread_.join();
    for (std::thread& each : peers_) each.join();
    ::close(listener_);
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  FakeServer(const FakeServer&) = delete;
  FakeServer& operator=(const FakeServer&) = delete;

  const std::string& address() const { return address_; }

 private:
  template <class Socket>
  void open(int family, const Socket& place) {
    listener_ = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (::bind(listener_, reinterpret_cast<const sockaddr*>(&place), sizeof place) != 0 ||
        ::listen(listener_, 64) != 0)
      throw std::runtime_error("no socket for the test's server");
  }

  void serve() {
    for (;;) {
      const int peer = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      const std::lock_guard guard(mutex_);
      if (peer < 0 || over_) {
        if (peer >= 0) ::close(peer);
        return;
      }
      open_.push_back(peer);
      peers_.emplace_back([this, peer] {
        Peer end(peer);
        script_(end);
        const std::lock_guard inner(mutex_);
        open_.remove(peer);
        ::close(peer);
      });
    }
  }

  Script script_;
  std::string path_, address_;
  int listener_ = -1;
  std::thread thread_;
  std::mutex mutex_;
  bool over_ = false;
  std::list<int> open_;
  std::vector<std::thread> peers_;
};

}  // namespace bellwether::client_test
