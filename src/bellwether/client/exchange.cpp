// SPDX-License-Identifier: MIT
// The sockets: addresses, and one request with its answer.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <system_error>

#include "bellwether/client/decode.hpp"
#include "bellwether/client/http.hpp"

namespace bellwether::client {
namespace {

constexpr Milliseconds retry_connect{10};

[[noreturn]] void refuse_address(const std::string& text, const std::string& why) {
  throw ClientError(Trouble::bad_input,
                    "\"" + printable(text) + "\" " + why +
                        "; write the path of the node's socket, such as "
                        "/run/bellwether/node.sock, or 127.0.0.1:7746, or [::1]:7746");
}

template <class Socket>
Address packed(const std::string& text, const Socket& socket) {
  Address out;
  out.text = text;
  static_assert(sizeof socket <= sizeof out.socket);
  std::memcpy(&out.socket, &socket, sizeof socket);
  out.size = sizeof socket;
  return out;
}

Address unix_address(const std::string& path) {
  sockaddr_un socket{};
  socket.sun_family = AF_UNIX;
  if (path.size() >= sizeof socket.sun_path)
    refuse_address(path, "is longer than the 107 bytes of a socket path");
  if (path.find('\0') != std::string::npos) refuse_address(path, "has a zero byte in it");
  std::memcpy(socket.sun_path, path.c_str(), path.size() + 1);
  return packed(path, socket);
}

std::string system_text(int error) {
  return std::error_code(error, std::generic_category()).message();
}

}  // namespace

Address parse_address(const std::string& text) {
  if (text.empty()) refuse_address(text, "is not an address");
  const std::size_t colon = text.rfind(':');
  if (text.find('/') != std::string::npos || colon == std::string::npos) return unix_address(text);
  std::uint16_t port = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + colon + 1, end, port);
  if (error != std::errc{} || rest != end || port == 0)
    refuse_address(text, "has no port from 1 to 65535 after the colon");
  std::string host = text.substr(0, colon);
  if (host == "localhost") host = "127.0.0.1";
  sockaddr_in v4{};
  if (inet_pton(AF_INET, host.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    return packed(text, v4);
  }
  sockaddr_in6 v6{};
  if (host.starts_with('[') && host.ends_with(']') &&
      inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), &v6.sin6_addr) == 1) {
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(port);
    return packed(text, v6);
  }
  refuse_address(text, "has no address before its port");
}

Exchange::Exchange(Address address, std::string request, Milliseconds limit, bool endless)
    : address_(std::move(address)),
      request_(std::move(request)),
      limit_(limit),
      deadline_(Clock::now() + limit),
      endless_(endless) {
  descriptor_ = ::socket(address_.socket.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor_ < 0) fail(Trouble::unreachable, "no socket can be opened: " + system_text(errno));
  try {
    try_connect();
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

Exchange::~Exchange() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Exchange::fail(Trouble trouble, const std::string& what) const {
  throw ClientError(trouble, address_.text + ": " + what);
}

void Exchange::fail_to_connect(int error) const {
  constexpr const char* start = "is the daemon running? start it with: bellwether node";
  switch (error) {
    case ENOENT:
      fail(Trouble::unreachable, std::string("there is no such socket; ") + start);
    case ECONNREFUSED:
      fail(Trouble::unreachable, std::string("no daemon listens there; ") + start);
    case EACCES:
    case EPERM:
      fail(Trouble::unreachable,
           "you may not open this socket; become a member of the group that owns it (see ls -l)");
    case ENOTSOCK:
    case EPROTOTYPE:
      fail(Trouble::unreachable, "this is not the socket of a node; give --socket another path");
    default:
      fail(Trouble::unreachable, "cannot be reached (" + system_text(error) + "); " + start);
  }
}

bool Exchange::try_connect() {
  const auto* socket = reinterpret_cast<const sockaddr*>(&address_.socket);
  if (::connect(descriptor_, socket, address_.size) == 0) {
    state_ = Stage::sending;
    return true;
  }
  // A Unix socket with too many in its queue says EAGAIN; there is nothing to poll for then.
  if (errno == EAGAIN) return false;
  if (errno != EINPROGRESS && errno != EINTR) fail_to_connect(errno);
  state_ = Stage::connecting;
  return true;
}

bool Exchange::finish_connect() {
  pollfd ready{descriptor_, POLLOUT, 0};
  if (::poll(&ready, 1, 0) <= 0) return false;
  int error = 0;
  socklen_t size = sizeof error;
  if (::getsockopt(descriptor_, SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
  if (error != 0) fail_to_connect(error);
  state_ = Stage::sending;
  return true;
}

bool Exchange::send_more() {
  const ssize_t sent = ::send(descriptor_, request_.data() + sent_, request_.size() - sent_,
                              MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent < 0) {
    if (errno == EAGAIN || errno == EWOULDBLOCK) return false;
    if (errno == EINTR) return true;
    state_ = Stage::reading;  // a server that closes early may have said why
    return true;
  }
  sent_ += static_cast<std::size_t>(sent);
  if (sent_ == request_.size()) state_ = Stage::reading;
  return true;
}

bool Exchange::read_more() {
  std::array<char, 16384> bytes;
  const ssize_t got = ::recv(descriptor_, bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (got < 0) {
    if (errno == EAGAIN || errno == EWOULDBLOCK) return false;
    if (errno == EINTR) return true;
  }
  if (got <= 0) {
    try {
      // A connection that breaks is no end of an answer of unknown length.
      if (got < 0) throw Malformed("the connection broke: " + system_text(errno));
      parser_.end();
    } catch (const Malformed& cut) {
      fail(Trouble::unreachable, std::string(cut.what()) + "; has the daemon stopped?");
    }
    return true;
  }
  try {
    parser_.feed({bytes.data(), static_cast<std::size_t>(got)});
  } catch (const Malformed& bad) {
    fail(Trouble::bad_answer,
         std::string("the reply is not that of a Bellwether node: ") + bad.what());
  }
  if (endless_ && parser_.head_done() && parser_.status() == 200)
    deadline_ = Clock::time_point::max();
  return true;
}

bool Exchange::advance() {
  if (done()) return false;
  bool moved = false;
  switch (state_) {
    case Stage::unconnected:
      moved = try_connect();
      break;
    case Stage::connecting:
      moved = finish_connect();
      break;
    case Stage::sending:
      moved = send_more();
      break;
    case Stage::reading:
      moved = read_more();
      break;
  }
  // Late is only who has nothing to say; and who says little at a time is late, too.
  if (!done() && Clock::now() >= deadline_)
    fail(Trouble::silent, "no complete reply within " + std::to_string(limit_.count()) +
                              " ms; is the daemon stopped or the machine overloaded?");
  return moved;
}

Waiting Exchange::waiting() const {
  if (state_ == Stage::unconnected)
    return {-1, 0, std::min(deadline_, Clock::now() + retry_connect)};
  const bool writing = state_ == Stage::connecting || state_ == Stage::sending;
  return {descriptor_, writing ? short{POLLOUT} : short{POLLIN}, deadline_};
}

void wait_for(const Waiting& waiting, Clock::time_point until) {
  const auto left = std::min(waiting.until, until) - Clock::now();
  if (left <= Clock::duration::zero()) return;
  // Rounded up, and never for so long that a number of milliseconds overflows.
  const auto wait = std::min<std::int64_t>(
      std::chrono::ceil<Milliseconds>(std::min<Clock::duration>(left, std::chrono::hours(1)))
          .count(),
      3'600'000);
  pollfd ready{waiting.descriptor, waiting.events, 0};
  ::poll(&ready, 1, static_cast<int>(wait));
}

std::string checked_body(Exchange& exchange) {
  std::string body = exchange.answer().take_body();
  const unsigned status = exchange.answer().status();
  if (status >= 200 && status < 300) return body;
  const auto sentence = read_error(body);
  throw ClientError(Trouble::refused,
                    exchange.address().text + ": " +
                        (sentence ? printable(*sentence)
                                  : "the reply has status " + std::to_string(status) +
                                        "; is this a Bellwether node, and of this version?"));
}

}  // namespace bellwether::client
