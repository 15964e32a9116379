// SPDX-License-Identifier: MIT
// The page and its sessions, for browsers on this machine. Requests without the token are
// refused, and so are requests from pages of another origin.
#pragma once

#include "bellwether/view/session.hpp"

#include <boost/asio/ip/tcp.hpp>

namespace bellwether::view {

struct ServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  // 0: any that is free
  std::string token;       // empty: drawn
};

class Server {
 public:
  /// Listens. Throws Problem.
  Server(boost::asio::io_context& io, ServerState server_state, ServerOptions options);

  /// What to open in a browser.
  std::string url() const;
  /// Serves until `stop`.
  void start();
  void stop();

 private:
  using Tcp = boost::asio::ip::tcp;
  boost::asio::awaitable<void> accept();
  boost::asio::awaitable<void> serve(Tcp::socket socket);

  boost::asio::io_context& io_;
  ServerState server_state_;
  ServerOptions options_;
  Tcp::acceptor acceptor_;
};

}  // namespace bellwether::view
