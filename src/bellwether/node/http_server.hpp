// SPDX-License-Identifier: MIT
// HTTP on a Unix socket and, if asked for, on loopback TCP, for the one thread of the daemon.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>
#include <string>

#include "bellwether/node/api.hpp"

namespace bellwether::node {

struct HttpOptions {
  std::string socket;  // path of the Unix socket; empty: none
  unsigned socket_mode = 0660;
  std::string listen;  // "127.0.0.1:7746" or "[::1]:7746"; empty: none
  std::size_t most_clients = 64;
  std::size_t most_body = 8192;  // bytes of a request's body
  std::size_t most_header = 8192;
  std::size_t most_backlog = 65536;  // bytes that a slow listener of events may lag behind
  Duration patience = std::chrono::seconds(30);  // for a request to be complete, an answer to leave
  Duration heartbeat = std::chrono::seconds(15);  // between signs of life to listeners of events
};

class HttpServer {
 public:
  /// Opens its sockets. Throws Problem with one sentence that names the place and the
  /// cure: the path is a file that is no socket, another daemon answers there, the address is not
  /// loopback, the port is in use, no permission. A stale socket without a daemon is replaced.
  HttpServer(boost::asio::io_context& io, Control& control, HttpOptions options);
  ~HttpServer();  // closes everything and removes the socket file
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// To all listeners of /v1/events; also wakes requests that wait for their inbox. Never calls
  /// `control` itself: that happens later, from the io_context.
  void publish(const ControlEvent& event);
  /// Those that are served; not those that were refused and asked to come back later.
  std::size_t clients() const;
  /// Whether anyone listens to /v1/events.
  bool has_listeners() const;
  /// The port of `listen`, where it was given as 0.
  unsigned short port() const;
  /// Gives the Unix socket to a user before root is dropped. Throws Problem.
  void give_to(unsigned user, unsigned group);

 private:
  struct Impl;
  std::shared_ptr<Impl> state_;
};

/// The same without sockets, for fuzzing and tests: reads one request out of `bytes`, with the same
/// parser and limits, and gives back what the server would send. Empty: the request is not
/// complete. A request that would wait is answered at once. `tcp`: as if it came over loopback TCP.
std::string answer_bytes(Control& control, std::string_view bytes, const HttpOptions& options = {},
                         bool tcp = false);

}  // namespace bellwether::node
