// SPDX-License-Identifier: MIT
#include "bellwether/node/http_server.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <cerrno>
#include <list>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "bellwether/core/problem.hpp"
#include "bellwether/node/http_listen.hpp"

namespace bellwether::node {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;
using Socket = asio::generic::stream_protocol::socket;
using Parser = http::request_parser<http::string_body>;
using HttpRequest = http::request<http::string_body>;

/// How long a client may take to read its last reply before the connection is closed.
constexpr Duration farewell = std::chrono::seconds(1);
/// How long no connection is accepted after the system had no descriptor left.
constexpr Duration breather = std::chrono::milliseconds(100);

/// What is written to a client, and what comes then.
struct HttpReply {
  std::string bytes;
  bool keep = false;    // another request may follow
  bool events = false;  // events follow
  std::optional<Duration> wait;
};

HttpReply written(const Response& response, unsigned version, bool keep, bool head) {
  HttpReply reply;
  reply.events = response.events;
  reply.keep = keep && !response.events;
  reply.wait = response.wait;
  std::string& out = reply.bytes;
  out = version == 10 ? "HTTP/1.0 " : "HTTP/1.1 ";
  out += std::to_string(response.status) + ' ';
  const auto reason = http::obsolete_reason(static_cast<http::status>(response.status));
  out.append(reason.data(), reason.size());
  out += "\r\nContent-Type: " + response.type + "\r\nCache-Control: no-store\r\n";
  if (!response.allow.empty()) out += "Allow: " + response.allow + "\r\n";
  if (!response.events) out += "Content-Length: " + std::to_string(response.body.size()) + "\r\n";
  if (!reply.keep) {
    out += "Connection: close\r\n";
  } else if (version == 10) {
    out += "Connection: keep-alive\r\n";
  }
  out += "\r\n";
  if (!head) out += response.body;
  return reply;
}

HttpReply refusal(unsigned status, std::string_view sentence, bool head = false) {
  Response response;
  response.status = status;
  response.body = error_json(sentence);
  return written(response, 11, false, head);
}

/// Why a request over TCP is refused. A web page can make a browser ask this machine, under a name
/// of its own that points here; its requests carry that name, or an Origin.
std::optional<std::string_view> from_a_page(const HttpRequest& request) {
  if (request.find(http::field::origin) != request.end()) {
    return "this interface is not for web pages: send no Origin header";
  }
  const auto [first, last] = request.equal_range(http::field::host);
  if (first == last && request.version() >= 11) {
    return "the Host header is missing; send 'Host: localhost'";
  }
  for (auto field = first; field != last; ++field) {
    const auto host = field->value();
    if (!names_loopback({host.data(), host.size()})) {
      return "the Host header names another machine; send 'Host: localhost'";
    }
  }
  return std::nullopt;
}

HttpReply reply_to(Control& control, const HttpRequest& request, bool tcp) {
  const bool head = request.method() == http::verb::head;
  if (tcp) {
    if (const auto why = from_a_page(request)) return refusal(403, *why, head);
  }
  const Response response = answer(control, {std::string(request.method_string()),
                                             std::string(request.target()), request.body()});
  return written(response, request.version(), request.keep_alive(), head);
}

void set_limits(Parser& parser, const HttpOptions& options) {
  parser.header_limit(
      static_cast<std::uint32_t>(std::min<std::size_t>(options.most_header, 1U << 30U)));
  parser.body_limit(options.most_body);
}

/// The reply to a request that cannot be read; nothing if no client is there to receive it.
std::optional<HttpReply> unreadable(error_code why, bool header_done, const HttpOptions& options) {
  static const error_code sample = http::make_error_code(http::error::bad_method);
  if (why.category() != sample.category()) return std::nullopt;
  if (why == http::error::end_of_stream || why == http::error::partial_message) return std::nullopt;
  if (why == http::error::body_limit || (why == http::error::buffer_overflow && header_done)) {
    return refusal(413, "the body is longer than the " + std::to_string(options.most_body) +
                            " bytes that are taken");
  }
  if (why == http::error::header_limit || why == http::error::buffer_overflow) {
    return refusal(431, "the header is longer than the " + std::to_string(options.most_header) +
                            " bytes that are taken");
  }
  return refusal(400, "this is not HTTP: " + why.message());
}

class Connection;

/// What all clients share. Outlives the server while a handler is on its way; `closed` then.
struct Hub : std::enable_shared_from_this<Hub> {
  struct Door {
    asio::posix::stream_descriptor descriptor;
    asio::steady_timer breather;
    bool tcp;
  };

  Hub(asio::io_context& context, Control& controlled, HttpOptions given)
      : io(context), control(controlled), options(std::move(given)), pulse(context) {}

  void open();
  void accept(Door& door);
  void admit(int descriptor, bool tcp);
  void beat();
  void publish(const ControlEvent& event);
  void wake();
  void close();
  std::size_t served() const;

  asio::io_context& io;
  Control& control;
  HttpOptions options;
  std::list<Door> doors;
  std::vector<std::shared_ptr<Connection>> clients;
  asio::steady_timer pulse;
  FileIdentity file;  // of the Unix socket
  unsigned short port = 0;
  bool waking = false;
  bool closed = false;
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  enum class Activity : unsigned char { reading, answering, waiting, listening, leaving, closed };

  Connection(std::shared_ptr<Hub> hub, Socket socket, bool tcp)
      : hub_(std::move(hub)),
        socket_(std::move(socket)),
        timer_(hub_->io),
        // Room for more than a header, so that the parser and not the buffer finds it too long.
        buffer_(hub_->options.most_header + 4096),
        tcp_(tcp) {}

  bool waits() const { return phase_ == Activity::waiting; }
  bool served() const { return phase_ != Activity::leaving && !turned_away_; }
  /// It takes events, or does so as soon as its snapshot has left.
  bool listens() const {
    return phase_ == Activity::listening || (phase_ == Activity::answering && reply_.events);
  }

  void turn_away(HttpReply reply) {
    turned_away_ = true;
    send(std::move(reply));
  }

  void read() {
    phase_ = Activity::reading;
    parser_.emplace();
    set_limits(*parser_, hub_->options);
    arm(hub_->options.patience);
    http::async_read_header(
        socket_, buffer_, *parser_,
        [self = shared_from_this()](error_code error, std::size_t) { self->header_read(error); });
  }

  void send(HttpReply reply) {
    phase_ = Activity::answering;
    reply_ = std::move(reply);
    arm(hub_->options.patience);
    asio::async_write(
        socket_, asio::buffer(reply_.bytes),
        [self = shared_from_this()](error_code error, std::size_t) { self->sent(error); });
  }

  /// For who listens to events: one more.
  void tell(const std::string& text) {
    if (!listens()) return;
    const bool begins = phase_ == Activity::answering;  // its snapshot is under way
    const std::size_t lag = leaving_.size() + queued_.size();
    if (lag != 0 && lag + text.size() > hub_->options.most_backlog) return close();
    queued_ += text;
    if (!begins && leaving_.empty()) flush();
  }

  /// For who waits: something has arrived, perhaps for this one.
  void look_again() {
    if (phase_ != Activity::waiting) return;
    HttpReply reply = reply_to(hub_->control, parser_->get(), tcp_);
    if (reply.wait) return;
    stop_waiting(std::move(reply));
  }

  void close() {
    if (phase_ == Activity::closed) return;
    phase_ = Activity::closed;
    ++alarm_;
    timer_.cancel();
    error_code ignored;
    socket_.close(ignored);
    std::erase(hub_->clients, shared_from_this());
  }

 private:
  void arm(Duration time) {
    timer_.expires_after(time);
    timer_.async_wait([self = shared_from_this(), alarm = ++alarm_](error_code error) {
      if (!error && alarm == self->alarm_) self->time_is_up();
    });
  }

  void disarm() {
    ++alarm_;
    timer_.cancel();
  }

  void time_is_up() {
    if (phase_ == Activity::waiting) return stop_waiting(std::move(reply_));
    const bool begun = phase_ == Activity::reading && (parser_->got_some() || buffer_.size() != 0);
    if (!begun) return close();
    late_ = true;
    error_code ignored;
    socket_.cancel(ignored);  // the pending read fails and calls give_up
  }

  /// The request could not be read: replies why if that is possible, and closes.
  void give_up(error_code error) {
    if (late_) return send(refusal(408, "the request did not arrive in time"));
    auto reply = unreadable(error, parser_->is_header_done(), hub_->options);
    if (!reply) return close();
    send(*std::move(reply));
  }

  void header_read(error_code error) {
    if (phase_ == Activity::closed) return;
    if (error || late_) return give_up(error);
    if (parser_->is_done() || parser_->get()[http::field::expect] != "100-continue") {
      return read_body();
    }
    static constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
    asio::async_write(socket_, asio::buffer(go_on),
                      [self = shared_from_this()](error_code failed, std::size_t) {
                        if (self->phase_ == Activity::closed) return;
                        if (failed || self->late_) return self->give_up(failed);
                        self->read_body();
                      });
  }

  void read_body() {
    http::async_read(
        socket_, buffer_, *parser_,
        [self = shared_from_this()](error_code error, std::size_t) { self->request_read(error); });
  }

  void request_read(error_code error) {
    if (phase_ == Activity::closed) return;
    if (error || late_) return give_up(error);
    HttpReply reply = reply_to(hub_->control, parser_->get(), tcp_);
    if (!reply.wait) return send(std::move(reply));
    phase_ = Activity::waiting;
    arm(*reply.wait);
    reply_ = std::move(reply);
    socket_.async_wait(Socket::wait_read,
                       [self = shared_from_this(), alarm = alarm_](error_code failed) {
                         if (failed || alarm != self->alarm_) return;
                         self->spoken_to_while_waiting();
                       });
  }

  /// Either the client has left, or its next request is there. That one has time.
  void spoken_to_while_waiting() {
    char byte = 0;
    const ssize_t got = ::recv(socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) close();
  }

  void stop_waiting(HttpReply reply) {
    error_code ignored;
    socket_.cancel(ignored);
    reply.wait.reset();
    send(std::move(reply));
  }

  void sent(error_code error) {
    if (phase_ == Activity::closed) return;
    if (error) return close();
    reply_.bytes = {};
    if (reply_.events) {
      phase_ = Activity::listening;
      disarm();
      if (!queued_.empty()) flush();
      return discard();
    }
    if (reply_.keep) return read();
    // A connection that is closed while the client still talks is reset, and the answer is lost.
    phase_ = Activity::leaving;
    socket_.shutdown(Socket::shutdown_send, error);
    arm(std::min(farewell, hub_->options.patience));
    discard();
  }

  /// Reads on only to learn when the client is gone.
  void discard() {
    socket_.async_read_some(asio::buffer(scrap_),
                            [self = shared_from_this()](error_code error, std::size_t) {
                              if (self->phase_ == Activity::closed) return;
                              if (error) return self->close();
                              self->discard();
                            });
  }

  void flush() {
    leaving_.swap(queued_);
    arm(hub_->options.patience);
    asio::async_write(socket_, asio::buffer(leaving_),
                      [self = shared_from_this()](error_code error, std::size_t) {
                        if (self->phase_ == Activity::closed) return;
                        if (error) return self->close();
                        self->leaving_ = {};
                        self->disarm();
                        if (!self->queued_.empty()) self->flush();
                      });
  }

  std::shared_ptr<Hub> hub_;
  Socket socket_;
  asio::steady_timer timer_;
  boost::beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
  HttpReply reply_;
  std::string leaving_, queued_;  // events on their way, and those behind them
  std::array<char, 256> scrap_{};
  std::uint64_t alarm_ = 0;  // tells the alarm that counts from those before it
  Activity phase_ = Activity::reading;
  bool tcp_;
  bool late_ = false;
  bool turned_away_ = false;
};

void Hub::open() {
  const auto add = [&](Listening listening, bool tcp) {
    doors.push_back(
        Door{asio::posix::stream_descriptor(io, listening.get()), asio::steady_timer(io), tcp});
    listening.release();
  };
  // The port first: if it is taken, no file has been made yet.
  if (!options.listen.empty()) {
    add(listen_at_loopback(options.listen), true);
    port = port_of(doors.back().descriptor.native_handle());
  }
  if (!options.socket.empty()) {
    add(listen_at_path(options.socket, options.socket_mode), false);
    file = identity_of(options.socket);
  }
  for (Door& door : doors) accept(door);
  beat();
}

void Hub::accept(Door& door) {
  door.descriptor.async_wait(asio::posix::stream_descriptor::wait_read, [self = shared_from_this(),
                                                                         &door](error_code error) {
    if (error || self->closed) return;
    const int descriptor =
        ::accept4(door.descriptor.native_handle(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (descriptor >= 0) self->admit(descriptor, door.tcp);
    const bool exhausted = descriptor < 0 && (errno == EMFILE || errno == ENFILE ||
                                              errno == ENOBUFS || errno == ENOMEM);
    if (!exhausted) return self->accept(door);
    // The client stays in the queue of the listener: without a pause this would spin.
    door.breather.expires_after(breather);
    door.breather.async_wait([self, &door](error_code stopped) {
      if (!stopped && !self->closed) self->accept(door);
    });
  });
}

void Hub::admit(int descriptor, bool tcp) {
  // As many again may be closing. More are closed without a reply.
  if (clients.size() >= 2 * options.most_clients) {
    ::close(descriptor);
    return;
  }
  const bool full = served() >= options.most_clients;
  const int yes = 1;
  if (tcp) ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  Socket socket(io);
  error_code error;
  socket.assign(asio::generic::stream_protocol(tcp ? AF_INET : AF_UNIX, 0), descriptor, error);
  if (error) {
    ::close(descriptor);
    return;
  }
  const auto client = std::make_shared<Connection>(shared_from_this(), std::move(socket), tcp);
  clients.push_back(client);
  if (!full) return client->read();
  client->turn_away(refusal(503, "there are " + std::to_string(options.most_clients) +
                                     " clients already; try again later"));
}

void Hub::beat() {
  pulse.expires_after(options.heartbeat);
  pulse.async_wait([self = shared_from_this()](error_code error) {
    if (error || self->closed) return;
    const auto everybody = self->clients;  // telling may end one
    for (const auto& client : everybody) client->tell(": alive\n\n");
    self->beat();
  });
}

void Hub::publish(const ControlEvent& event) {
  const std::string text = event_text(event);
  const auto everybody = clients;
  bool some_wait = false;
  for (const auto& client : everybody) {
    some_wait = some_wait || client->waits();
    client->tell(text);
  }
  if (!some_wait || waking) return;
  waking = true;
  asio::post(io, [self = shared_from_this()] { self->wake(); });
}

void Hub::wake() {
  waking = false;
  if (closed) return;
  const auto everybody = clients;
  for (const auto& client : everybody) client->look_again();
}

void Hub::close() {
  closed = true;
  error_code ignored;
  for (Door& door : doors) {
    door.descriptor.close(ignored);
    door.breather.cancel();
  }
  pulse.cancel();
  const auto everybody = clients;
  for (const auto& client : everybody) client->close();
  if (file != FileIdentity{} && identity_of(options.socket) == file) {
    ::unlink(options.socket.c_str());
  }
}

std::size_t Hub::served() const {
  return static_cast<std::size_t>(std::count_if(
      clients.begin(), clients.end(), [](const auto& client) { return client->served(); }));
}

}  // namespace

struct HttpServer::Impl : Hub {
  using Hub::Hub;
};

HttpServer::HttpServer(asio::io_context& io, Control& control, HttpOptions options)
    : state_(std::make_shared<Impl>(io, control, std::move(options))) {
  state_->open();
}

HttpServer::~HttpServer() {
  state_->close();
}

void HttpServer::publish(const ControlEvent& event) {
  state_->publish(event);
}

std::size_t HttpServer::clients() const {
  return state_->served();
}

bool HttpServer::has_listeners() const {
  return std::any_of(state_->clients.begin(), state_->clients.end(),
                     [](const auto& client) { return client->listens(); });
}

unsigned short HttpServer::port() const {
  return state_->port;
}

void HttpServer::give_to(unsigned user, unsigned group) {
  const std::string& path = state_->options.socket;
  if (path.empty() || ::lchown(path.c_str(), user, group) == 0) return;
  throw core::Problem("cannot give the socket " + path + " to user " + std::to_string(user) + ": " +
                      std::generic_category().message(errno) +
                      "; start as root, or without another user");
}

std::string answer_bytes(Control& control, std::string_view bytes, const HttpOptions& options,
                         bool tcp) {
  Parser parser;
  set_limits(parser, options);
  parser.eager(true);
  asio::const_buffer rest(bytes.data(), bytes.size());
  while (!parser.is_done()) {
    error_code error;
    const std::size_t taken = parser.put(rest, error);
    if (error == http::error::need_more || (!error && taken == 0)) return {};
    if (error) {
      const auto reply = unreadable(error, parser.is_header_done(), options);
      return reply ? reply->bytes : std::string();
    }
    rest += taken;
  }
  return reply_to(control, parser.get(), tcp).bytes;
}

}  // namespace bellwether::node
