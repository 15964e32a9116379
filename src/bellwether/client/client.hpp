// SPDX-License-Identifier: MIT
// What an application uses to talk to the node on its machine: who leads, tell me when that
// changes, step down, carry this to the leader.
//
//   bellwether::Client node;                       // the node's usual socket
//   if (node.leader().is_leader) ...
//   node.watch([](const bellwether::client::Event& event) { ...; return true; });
//
// Calls block, each for at most the client's time limit; one connection per call. A Client is a
// value without state of its own: use one per thread, or one for all. Nothing but this header and
// the library of this module is needed. client.h has the same calls for C.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bellwether::client {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

/// What went wrong, for programs; the sentence is for people.
enum class Trouble : unsigned char {
  bad_input,    // of the caller: an address that is none, a message that is too long
  unreachable,  // no daemon listens there, or the connection broke
  silent,       // the time limit passed without a whole answer
  refused,      // the node understood and said no; the sentence is the node's
  bad_answer,   // what answered does not speak as a node does
};

/// One sentence that names the address and the cure.
class ClientError : public std::runtime_error {
 public:
  ClientError(Trouble trouble, const std::string& sentence)
      : std::runtime_error(sentence), trouble_(trouble) {}
  Trouble trouble() const noexcept { return trouble_; }

 private:
  Trouble trouble_;
};

/// The answer to "who leads?".
struct Leadership {
  std::uint64_t id = 0;  // of the node that was asked
  std::optional<std::uint64_t> leader;
  bool is_leader = false;                  // the node that was asked leads
  std::string role;                        // listening, leading, following, leaderless
  std::uint64_t epoch = 0;                 // the fencing token: grows with each change of leader
  Milliseconds since{};                    // how long this leader has led, as far as the node knows
  Milliseconds age{};                      // how old the news from the leader's direction is
  std::vector<std::uint64_t> chain;        // of a hierarchy: leaders of level 1, 2, ...
  std::optional<std::uint64_t> hops{};     // to the leader, where the node knows it
  std::optional<std::uint64_t> members{};  // of the component
  friend bool operator==(const Leadership&, const Leadership&) = default;
};

struct Neighbour {
  std::uint64_t id = 0;
  Milliseconds age{};  // since it was heard
};

struct Status {
  Leadership leadership;
  std::string version, algorithm, group;
  Milliseconds uptime{};
  std::string standing;  // standing, resigned, paused
  std::uint32_t priority = 0;
  bool encrypted = false;
  std::uint64_t members = 0;
  std::vector<Neighbour> neighbours;
  std::vector<std::string> interfaces, keys;
  Milliseconds slack{};               // by how much the node stretches its timers, for it is late
  std::vector<std::string> warnings;  // what seems to be wrong in the group, a sentence each
};

struct Member {
  std::uint64_t id = 0;
  std::uint32_t hops = 0;
  std::optional<std::uint64_t> via;  // the neighbour on the way there
  Milliseconds age{};
  std::uint32_t priority = 0;
  bool is_leader = false;
};

struct Members {
  std::optional<std::uint64_t> leader;
  std::uint64_t epoch = 0;
  std::vector<Member> members;
};

struct Message {
  std::uint64_t sequence = 0;  // 1, 2, 3, ... at the node that was asked
  std::string id;              // the same wherever the message arrives
  std::uint64_t from = 0;
  std::string to;  // leader, members
  Milliseconds age{};
  std::string payload;
};

struct InboxPage {
  std::vector<Message> messages;
  std::uint64_t next = 0;  // what to ask for as `after` next time
};

/// Something that happened: `leader`, `members` or `message`.
struct Event {
  std::uint64_t number = 0;  // 1, 2, 3, ...; 0 for the first one, which says how things are
  std::string name;
  std::string data;                      // JSON
  std::optional<Leadership> leadership;  // of an event `leader`
};

/// What to wait for in poll(2); a descriptor of -1 stands for time alone.
struct Waiting {
  int descriptor = -1;
  short events = 0;
  Clock::time_point until = Clock::time_point::max();
};

/// The events of a node, for programs with a loop of their own. The first event is always `leader`
/// and says how things are.
class EventStream {
 public:
  /// Begins to connect and does not wait. `limit`: until the stream must have begun.
  explicit EventStream(const std::string& address, Milliseconds limit = std::chrono::seconds(5));
  ~EventStream();
  EventStream(EventStream&&) noexcept;
  EventStream& operator=(EventStream&&) noexcept;

  /// The next event, if there is one within `patience`; 0 only takes what is there. Throws
  /// ClientError when the stream cannot begin, or makes no sense.
  std::optional<Event> next(Milliseconds patience);
  /// The node has ended the stream, or is gone: no event will follow.
  bool closed() const;
  /// When something was last heard. A node says something at least every 15 s.
  Clock::time_point last_sign() const;
  Waiting waiting() const;

 private:
  struct StreamState;
  std::unique_ptr<StreamState> state_;
};

/// $BELLWETHER_SOCKET; else /run/bellwether/node.sock, if it is there; else
/// $XDG_RUNTIME_DIR/bellwether/node.sock; else /run/bellwether/node.sock.
std::string default_address();

/// Why `watch` returned.
enum class WatchEnd : unsigned char { stopped, closed, silent };

class Client {
 public:
  /// Bytes of a message to the leader or to the members.
  static constexpr std::size_t most_payload = 1024;

  /// `address`: the path of a Unix socket, or "127.0.0.1:7746", or "[::1]:7746". `limit`: for each
  /// call. Throws ClientError when the address is none; no request is sent yet.
  explicit Client(std::string address = default_address(),
                  Milliseconds limit = std::chrono::seconds(5));

  // All throw ClientError.
  Leadership leader() const;
  Status status() const;
  Members members() const;

  /// Calls back for each event. Returns when `callback` returns false (stopped), when the node ends
  /// the stream (closed), or when nothing at all was heard for `silence` (silent).
  WatchEnd watch(const std::function<bool(const Event&)>& callback,
                 Milliseconds silence = std::chrono::seconds(40)) const;

  Leadership resign() const;
  Leadership pause() const;
  Leadership resume() const;
  Leadership set_priority(std::uint32_t priority) const;

  /// The id of the message, once it is on its way.
  std::string to_leader(std::string_view payload) const;
  std::string to_members(std::string_view payload) const;
  /// Messages behind number `after`; waits for one for as long as `wait`, at most a minute.
  InboxPage inbox(std::uint64_t after = 0, Milliseconds wait = Milliseconds(0)) const;

  /// The node's JSON as it is: get("/v1/status").
  std::string get(const std::string& path) const;
  std::string post(const std::string& path, std::string_view body = {}) const;

  const std::string& address() const { return address_; }
  Milliseconds limit() const { return limit_; }

 private:
  std::string send(const char* path, std::string_view payload) const;

  std::string address_;
  Milliseconds limit_;
};

}  // namespace bellwether::client

namespace bellwether {
using client::Client;
using client::ClientError;
}  // namespace bellwether
