// SPDX-License-Identifier: MIT
// A server with a node that is none, in a thread of its own, and clients with blocking sockets.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <filesystem>
#include <future>
#include <optional>
#include <string>
#include <thread>

#include "bellwether/node/fake_control_test.hpp"
#include "bellwether/node/http_server.hpp"

namespace bellwether::node {

struct TemporaryFolder {
  TemporaryFolder() {
    std::string name = "/tmp/bellwether-http-XXXXXX";
    path = ::mkdtemp(name.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string path;
};

/// What came back, taken apart.
struct Answered {
  unsigned status = 0;
  std::string head, body;
  bool has(const std::string& line) const {
    return head.find("\r\n" + line + "\r\n") != std::string::npos;
  }
};

class TestClient {
 public:
  explicit TestClient(const std::string& path) : TestClient(AF_UNIX) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    connect(address);
  }
  explicit TestClient(unsigned short port) : TestClient(AF_INET) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connect(address);
  }
  TestClient(TestClient&& other) noexcept
      : socket_(std::exchange(other.socket_, -1)), data_(std::move(other.data_)) {}
  TestClient(const TestClient&) = delete;
  TestClient& operator=(const TestClient&) = delete;
  ~TestClient() { close(); }

  void close() {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  }
  void stop_sending() { ::shutdown(socket_, SHUT_WR); }
  void hear_little() {
    const int size = 1;
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  }

  /// False: the server no longer listens.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  /// Whether the other side closes, while nothing is read of what it has said.
  bool is_left() {
    pollfd hung{socket_, POLLRDHUP, 0};
    return ::poll(&hung, 1, 120'000) > 0;
  }

  /// Goes on until there is an answer, or the server no longer listens.
  void send_without_end(std::string_view bytes) {
    char first = 0;
    while (send(bytes) && ::recv(socket_, &first, 1, MSG_PEEK | MSG_DONTWAIT) < 0) {
    }
  }

  /// Up to and with `mark`; what there is if the connection ends before.
  std::string read_until(const std::string& mark) {
    std::size_t end = std::string::npos;
    while ((end = data_.find(mark)) == std::string::npos && more()) {
    }
    return take(end == std::string::npos ? data_.size() : end + mark.size());
  }
  std::string read_rest() {
    while (more()) {
    }
    return take(data_.size());
  }
  /// Whether the other side closes, with nothing more to say.
  bool ends() { return read_rest().empty() && !timed_out_; }

  Answered read_answer(bool head_only = false) {
    Answered result;
    result.head = read_until("\r\n\r\n");
    if (!result.head.starts_with("HTTP/1.") || result.head.size() < 12) return result;
    result.status = static_cast<unsigned>(std::stoul(result.head.substr(9, 3)));
    const std::string name = "\r\nContent-Length: ";
    const std::size_t at = result.head.find(name);
    if (head_only || at == std::string::npos) return result;
    const std::size_t length = std::stoul(result.head.substr(at + name.size()));
    while (data_.size() < length && more()) {
    }
    result.body = take(std::min(length, data_.size()));
    return result;
  }
  Answered ask(const std::string& request) {
    send(request);
    return read_answer(request.starts_with("HEAD"));
  }
  static std::string get_request(const std::string& target) {
    return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  }
  Answered get(const std::string& target) { return ask(get_request(target)); }
  Answered post(const std::string& target, const std::string& body = "") {
    return ask("POST " + target + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " +
               std::to_string(body.size()) + "\r\n\r\n" + body);
  }

 private:
  explicit TestClient(int family) : socket_(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    // Long enough for any load; a test that runs into it fails.
    const timeval patience{120, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  }
  void connect(const auto& address) {
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      throw std::runtime_error("nobody to connect to");
    }
  }
  bool more() {
    char buffer[4096];
    const ssize_t got = ::recv(socket_, buffer, sizeof buffer, 0);
    timed_out_ = got < 0 && errno == EAGAIN;
    EXPECT_FALSE(timed_out_) << "nothing comes, and nobody closes";
    if (got > 0) data_.append(buffer, static_cast<std::size_t>(got));
    return got > 0;
  }
  std::string take(std::size_t size) {
    std::string result = data_.substr(0, size);
    data_.erase(0, size);
    return result;
  }

  int socket_;
  std::string data_;
  bool timed_out_ = false;
};

/// Of a server that drops no client for being slow: on a busy machine every client may be.
inline HttpOptions unhurried() {
  HttpOptions options;
  options.patience = options.heartbeat = std::chrono::hours(1);
  return options;
}

class LiveServer {
 public:
  explicit LiveServer(HttpOptions options = unhurried()) : path_(folder_.path + "/socket") {
    options.socket = path_;
    options.listen = "127.0.0.1:0";
    server_.emplace(io_, control, options);
    port_ = server_->port();
    thread_ = std::thread([this] { io_.run(); });
  }
  ~LiveServer() {
    run([&] { server_.reset(); });
    work_.reset();
    thread_.join();
  }
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

  /// Does something in the server's thread, and waits until it is done.
  void run(const std::function<void()>& what) {
    std::promise<void> done;
    boost::asio::post(io_, [&] {
      what();
      done.set_value();
    });
    done.get_future().wait();
  }
  /// What something in the server's thread says.
  auto see(const auto& what) {
    std::optional<decltype(what())> result;
    run([&] { result = what(); });
    return *std::move(result);
  }
  void publish(const ControlEvent& event) {
    run([&] { server_->publish(event); });
  }
  std::size_t clients() {
    return see([&] { return server_->clients(); });
  }
  /// Whether there are `count` clients before long.
  bool settles_at(std::size_t count) {
    for (int i = 0; i < 24000; ++i) {
      if (clients() == count) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }
  /// A client whose first bytes are there before the server looks at it: it has no chance to be
  /// late with them.
  TestClient prompt(const std::string& bytes, bool over_tcp = false) {
    std::optional<TestClient> made;
    run([&] {
      made.emplace(client(over_tcp));
      made->send(bytes);
    });
    return *std::move(made);
  }
  TestClient local() { return TestClient(path_); }
  TestClient tcp() { return TestClient(port_); }
  TestClient client(bool over_tcp) { return over_tcp ? tcp() : local(); }
  const std::string& path() const { return path_; }
  HttpServer& server() { return *server_; }

  FakeControl control;  // belongs to the server's thread

 private:
  TemporaryFolder folder_;
  std::string path_;
  unsigned short port_ = 0;
  boost::asio::io_context io_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_ =
      boost::asio::make_work_guard(io_);
  std::optional<HttpServer> server_;
  std::thread thread_;
};

}  // namespace bellwether::node
