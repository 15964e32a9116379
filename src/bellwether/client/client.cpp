// SPDX-License-Identifier: MIT
#include "bellwether/client/client.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "bellwether/client/decode.hpp"
#include "bellwether/client/http.hpp"

namespace bellwether::client {
namespace {

std::string call(const std::string& address, const std::string& request, Milliseconds limit) {
  Exchange exchange(parse_address(address), request, limit);
  while (!exchange.done())
    if (!exchange.advance()) wait_for(exchange.waiting(), Clock::time_point::max());
  return checked_body(exchange);
}

/// What would end the request's first line early must not get into it.
void check_path(const std::string& path) {
  const bool clean =
      std::all_of(path.begin(), path.end(), [](char c) { return c > 0x20 && c < 0x7F; });
  if (!path.starts_with('/') || !clean)
    throw ClientError(Trouble::bad_input,
                      "\"" + printable(path) +
                          "\" is not a path; write one that begins with a slash and has no "
                          "blanks, such as /v1/status");
}

Milliseconds sensible(Milliseconds time) {
  return std::clamp<Milliseconds>(time, Milliseconds(0), std::chrono::hours(24 * 365));
}

}  // namespace

struct EventStream::StreamState {
  StreamState(const std::string& address, Milliseconds limit)
      : exchange(parse_address(address), get_request("/v1/events"), sensible(limit), true) {}

  /// Whether anything moved.
  bool advance() {
    const bool head = exchange.answer().head_done();
    try {
      if (!exchange.advance()) return false;
    } catch (const ClientError& error) {
      // A stream may end at any time, and it ends like this when the node is killed.
      if (!head || error.trouble() != Trouble::unreachable) throw;
      closed = true;
      return true;
    }
    closed = exchange.done();
    if (!exchange.answer().begun()) return true;
    last = Clock::now();
    if (!exchange.answer().head_done()) return true;
    if (exchange.answer().status() == 200) {
      events.feed(exchange.answer().take_body());
    } else if (closed) {
      checked_body(exchange);  // throws
    }
    return true;
  }

  std::optional<Event> take() {
    try {
      auto event = events.next();
      if (event && event->name == "leader")
        event->leadership =
            read_leadership(event->data, exchange.address().text + ", GET /v1/events");
      return event;
    } catch (const Malformed& bad) {
      throw ClientError(Trouble::bad_answer, exchange.address().text +
                                                 ": the reply is not that of a " +
                                                 "Bellwether node: " + bad.what());
    }
  }

  Exchange exchange;
  EventParser events;
  Clock::time_point last = Clock::now();
  bool closed = false;
};

EventStream::EventStream(const std::string& address, Milliseconds limit)
    : state_(std::make_unique<StreamState>(address, limit)) {}
EventStream::~EventStream() = default;
EventStream::EventStream(EventStream&&) noexcept = default;
EventStream& EventStream::operator=(EventStream&&) noexcept = default;

bool EventStream::closed() const {
  return state_->closed;
}
Clock::time_point EventStream::last_sign() const {
  return state_->last;
}
Waiting EventStream::waiting() const {
  return state_->exchange.waiting();
}

std::optional<Event> EventStream::next(Milliseconds patience) {
  const auto until = Clock::now() + sensible(patience);
  for (;;) {
    if (auto event = state_->take()) return event;
    if (state_->closed) return std::nullopt;
    if (state_->advance()) continue;
    if (Clock::now() >= until) return std::nullopt;
    wait_for(state_->exchange.waiting(), until);
  }
}

std::string default_address() {
  constexpr const char* usual = "/run/bellwether/node.sock";
  if (const char* given = std::getenv("BELLWETHER_SOCKET"); given != nullptr && *given != '\0')
    return given;
  if (::access(usual, F_OK) == 0) return usual;
  if (const char* runtime = std::getenv("XDG_RUNTIME_DIR"); runtime != nullptr && *runtime != '\0')
    return std::string(runtime) + "/bellwether/node.sock";
  return usual;
}

Client::Client(std::string address, Milliseconds limit)
    : address_(std::move(address)), limit_(sensible(limit)) {
  parse_address(address_);
}

std::string Client::get(const std::string& path) const {
  check_path(path);
  return call(address_, get_request(path), limit_);
}

std::string Client::post(const std::string& path, std::string_view body) const {
  check_path(path);
  return call(address_, post_request(path, body), limit_);
}

Leadership Client::leader() const {
  return read_leadership(get("/v1/leader"), address_ + ", GET /v1/leader");
}
Status Client::status() const {
  return read_status(get("/v1/status"), address_ + ", GET /v1/status");
}
Members Client::members() const {
  return read_members(get("/v1/members"), address_ + ", GET /v1/members");
}

WatchEnd Client::watch(const std::function<bool(const Event&)>& callback,
                       Milliseconds silence) const {
  EventStream stream(address_, limit_);
  for (;;) {
    const auto left = stream.last_sign() + sensible(silence) - Clock::now();
    const auto patience = std::chrono::ceil<Milliseconds>(left);
    if (const auto event = stream.next(patience)) {
      if (!callback(*event)) return WatchEnd::stopped;
    } else if (stream.closed()) {
      return WatchEnd::closed;
    } else if (Clock::now() >= stream.last_sign() + sensible(silence)) {
      return WatchEnd::silent;
    }
  }
}

Leadership Client::resign() const {
  return read_leadership(post("/v1/resign"), address_ + ", POST /v1/resign");
}
Leadership Client::pause() const {
  return read_leadership(post("/v1/pause"), address_ + ", POST /v1/pause");
}
Leadership Client::resume() const {
  return read_leadership(post("/v1/resume"), address_ + ", POST /v1/resume");
}
Leadership Client::set_priority(std::uint32_t priority) const {
  return read_leadership(post("/v1/priority", "{\"priority\":" + std::to_string(priority) + "}"),
                         address_ + ", POST /v1/priority");
}

std::string Client::send(const char* path, std::string_view payload) const {
  if (payload.size() > most_payload)
    throw ClientError(Trouble::bad_input, "a message has at most " + std::to_string(most_payload) +
                                              " bytes, and this one has " +
                                              std::to_string(payload.size()) +
                                              "; send where to fetch it instead");
  return read_id(post(path, payload), address_ + ", POST " + path);
}
std::string Client::to_leader(std::string_view payload) const {
  return send("/v1/to-leader", payload);
}
std::string Client::to_members(std::string_view payload) const {
  return send("/v1/to-members", payload);
}

InboxPage Client::inbox(std::uint64_t after, Milliseconds wait) const {
  wait = std::clamp<Milliseconds>(wait, Milliseconds(0), std::chrono::minutes(1));
  const std::string path =
      "/v1/inbox?after=" + std::to_string(after) + "&wait_ms=" + std::to_string(wait.count());
  return read_inbox(call(address_, get_request(path), limit_ + wait), address_ + ", GET /v1/inbox");
}

}  // namespace bellwether::client
