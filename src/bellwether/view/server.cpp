// SPDX-License-Identifier: MIT
#include "bellwether/view/server.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <random>

#include "bellwether/core/problem.hpp"
#include "bellwether/embedded/files.hpp"
#include "bellwether/view/gate.hpp"

namespace bellwether::view {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::use_awaitable;
using PageRequest = http::request<http::string_body>;
using PageResponse = http::response<http::string_body>;

constexpr std::size_t longest_message = 16u << 20;

std::string drawn_token() {
  std::random_device device;
  std::string out;
  constexpr std::string_view digits = "0123456789abcdef";
  for (int i = 0; i < 32; ++i) out.push_back(digits[device() % 16]);
  return out;
}

std::string_view view_of(beast::string_view text) {
  return {text.data(), text.size()};
}

PageResponse plain(const PageRequest& request, http::status status, std::string text) {
  PageResponse out{status, request.version()};
  out.set(http::field::content_type, "text/plain; charset=utf-8");
  out.body() = std::move(text) + "\n";
  return out;
}

PageResponse file(const PageRequest& request, const std::string& token) {
  if (request.method() != http::verb::get && request.method() != http::verb::head)
    return plain(request, http::status::method_not_allowed, "only GET");
  const std::string name = file_of(view_of(request.target()));
  for (const embedded::File& each : embedded::files()) {
    if (each.name != name) continue;
    PageResponse out{http::status::ok, request.version()};
    const std::string_view type = media_type(name);
    out.set(http::field::content_type, beast::string_view(type.data(), type.size()));
    out.set(http::field::set_cookie,
            std::string(cookie_name) + "=" + token + "; HttpOnly; SameSite=Strict; Path=/");
    out.set("Content-Security-Policy",
            "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
            "media-src 'self' blob:; worker-src 'self' blob:; connect-src 'self'; "
            "frame-ancestors 'none'");
    out.set("X-Content-Type-Options", "nosniff");
    out.set("Referrer-Policy", "no-referrer");
    out.set(http::field::cache_control, "no-store");
    if (request.method() == http::verb::get) out.body() = std::string(each.content);
    return out;
  }
  return plain(request, http::status::not_found, "there is no such page");
}

using WebSocket = websocket::stream<beast::tcp_stream>;

asio::awaitable<void> send(WebSocket& socket, std::string text, std::string frame) {
  socket.text(true);
  co_await socket.async_write(asio::buffer(text), use_awaitable);
  if (frame.empty()) co_return;
  socket.binary(true);
  co_await socket.async_write(asio::buffer(frame), use_awaitable);
}

/// Until the tab is closed.
asio::awaitable<void> talk(asio::io_context& io, beast::tcp_stream stream, PageRequest request,
                           const ServerState& server_state) {
  WebSocket socket(std::move(stream));
  socket.set_option(websocket::stream_base::timeout::suggested(beast::role_type::server));
  socket.read_message_max(longest_message);
  co_await socket.async_accept(request, use_awaitable);
  Session session(io, server_state, [&](std::string text, std::string frame) {
    return send(socket, std::move(text), std::move(frame));
  });
  co_await session.hello();
  while (true) {
    beast::flat_buffer buffer;
    co_await socket.async_read(buffer, use_awaitable);
    co_await session.handle(beast::buffers_to_string(buffer.data()));
  }
}

}  // namespace

Server::Server(asio::io_context& io, ServerState server_state, ServerOptions options)
    : io_(io), server_state_(std::move(server_state)), options_(std::move(options)), acceptor_(io) {
  if (options_.token.empty()) options_.token = drawn_token();
  boost::system::error_code error;
  const auto address = asio::ip::make_address(options_.address, error);
  if (error)
    throw core::Problem("--address \"" + options_.address +
                        "\": not an IP address; write for example 127.0.0.1");
  const Tcp::endpoint endpoint(address, options_.port);
  acceptor_.open(endpoint.protocol());
  acceptor_.set_option(Tcp::acceptor::reuse_address(true));
  acceptor_.bind(endpoint, error);
  if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
  if (error)
    throw core::Problem("port " + std::to_string(options_.port) + " of " + options_.address + ": " +
                        error.message() + "; choose another with --port, or leave --port out");
  options_.port = acceptor_.local_endpoint().port();
}

std::string Server::url() const {
  const bool v6 = options_.address.find(':') != std::string::npos;
  return "http://" + (v6 ? "[" + options_.address + "]" : options_.address) + ":" +
         std::to_string(options_.port) + "/?token=" + options_.token;
}

void Server::start() {
  asio::co_spawn(io_, accept(), asio::detached);
}

void Server::stop() {
  boost::system::error_code ignored;
  acceptor_.close(ignored);
}

asio::awaitable<void> Server::accept() {
  while (acceptor_.is_open()) {
    Tcp::socket socket(io_);
    try {
      co_await acceptor_.async_accept(socket, use_awaitable);
    } catch (const boost::system::system_error&) {
      continue;  // stopped; or too many files for the moment
    }
    // However a visit ends, others go on.
    asio::co_spawn(io_, serve(std::move(socket)), [](std::exception_ptr) {});
  }
}

asio::awaitable<void> Server::serve(Tcp::socket socket) {
  beast::tcp_stream stream(std::move(socket));
  beast::flat_buffer buffer(64 * 1024);
  while (true) {
    stream.expires_after(std::chrono::seconds(60));
    PageRequest request;
    co_await http::async_read(stream, buffer, request, use_awaitable);
    const Visitor visitor{view_of(request.target()), view_of(request[http::field::host]),
                          view_of(request[http::field::origin]),
                          view_of(request[http::field::cookie])};
    const auto refused =
        refusal_at_the_door(visitor, options_.token, options_.address, options_.port);
    if (!refused && websocket::is_upgrade(request) && file_of(visitor.target) == "ws") {
      stream.expires_never();
      co_return co_await talk(io_, std::move(stream), std::move(request), server_state_);
    }
    PageResponse response =
        refused ? plain(request, http::status::forbidden, *refused) : file(request, options_.token);
    response.keep_alive(request.keep_alive());
    response.prepare_payload();
    co_await http::async_write(stream, response, use_awaitable);
    if (!response.keep_alive()) co_return;
  }
}

}  // namespace bellwether::view
