// SPDX-License-Identifier: MIT
// The HTTP interface without sockets: a request in, a response out. http_server.hpp carries it.
#pragma once

#include <string_view>

#include "bellwether/node/control.hpp"

namespace bellwether::node {

struct Request {
  std::string method;  // "GET"
  std::string target;  // "/v1/inbox?after=3"
  std::string body;
};

struct Response {
  unsigned status = 200;
  std::string type = "application/json";
  std::string body;
  std::string allow;    // with 405: what would be allowed
  bool events = false;  // a stream of server-sent events begins; the body is its first
  /// A request that waits: to be answered again when something arrives, or with this body after
  /// this time.
  std::optional<Duration> wait;
};

/// The longest that a request for the inbox may wait.
inline constexpr Duration longest_wait = std::chrono::seconds(60);

/// How many bytes of messages one answer of the inbox holds, but always one message at least. Who
/// asks again behind `next` gets the rest.
inline constexpr std::size_t most_inbox_bytes = 65536;

/// Never throws on bad input: the answer says what is wrong, as {"error": "sentence"}. HEAD is
/// answered like GET, with the body; the server leaves the body out.
Response answer(Control& control, const Request& request);

// The JSON of each value, for events, hooks and logs, too.
std::string to_json(const LeaderState& leadership);
std::string to_json(const NodeStatus& status);
std::string members_json(const LeaderState& leadership,
                         const std::vector<ComponentMember>& members);
std::string map_json(const LeaderState& leadership, const std::vector<ComponentMember>& members,
                     const std::vector<std::pair<NodeId, NodeId>>& links);
std::string inbox_json(const std::vector<Delivered>& messages, std::uint64_t after);
std::string to_json(const Delivered& message);
std::string error_json(std::string_view sentence);

/// One server-sent event. Number 0: without its `id` line.
std::string event_text(const ControlEvent& event);

}  // namespace bellwether::node
