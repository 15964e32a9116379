// SPDX-License-Identifier: MIT
#include "bellwether/node/api.hpp"

#include <sodium.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "bellwether/core/fields.hpp"
#include "bellwether/core/utf8.hpp"
#include "bellwether/json/json.hpp"

namespace bellwether::node {
namespace {

using json::Json;

std::int64_t ms(Duration d) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(d).count();
}

/// Names and targets come from outside: what is no UTF-8 in them is replaced, not thrown about.
std::string text_of(const Json& json) {
  return json.dump();
}

Json id_or_null(const std::optional<NodeId>& id) {
  return id ? Json(core::raw(*id)) : Json(nullptr);
}

std::string base64(const std::string& bytes) {
  std::string text(sodium_base64_encoded_len(bytes.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                    bytes.size(), sodium_base64_VARIANT_ORIGINAL);
  text.pop_back();  // the terminating zero
  return text;
}

Json leadership_object(const LeaderState& l) {
  Json json;
  json["id"] = core::raw(l.self);
  json["leader"] = id_or_null(l.leader);
  json["is_leader"] = l.leader == l.self;
  json["role"] = core::name_of(l.role);
  json["epoch"] = l.epoch;
  json["since_ms"] = ms(l.since);
  json["age_ms"] = ms(l.age);
  if (!l.chain.empty()) {
    Json chain = Json::array();
    for (const NodeId id : l.chain) chain.push_back(core::raw(id));
    json["chain"] = std::move(chain);
  }
  if (l.hops) json["hops"] = *l.hops;
  if (l.members) json["members"] = *l.members;
  return json;
}

Json message_object(const Delivered& message) {
  Json json;
  json["sequence"] = message.sequence;
  json["id"] = message.id;
  json["from"] = core::raw(message.from);
  json["to"] = core::name_of(message.to);
  json["age_ms"] = ms(message.age);
  if (core::is_utf8(message.payload)) {
    json["text"] = message.payload;
  } else {
    json["base64"] = base64(message.payload);
  }
  return json;
}

Response refusal(unsigned status, std::string_view sentence) {
  Response response;
  response.status = status;
  response.body = error_json(sentence);
  return response;
}

Response good(std::string json) {
  Response response;
  response.body = std::move(json);
  return response;
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// What a client sent, short enough to be shown to it again.
std::string shown(std::string_view text) {
  constexpr std::size_t enough = 60;
  return text.size() <= enough ? std::string(text) : std::string(text.substr(0, enough)) + "...";
}

// One function per path. Each gets the query, too: what is behind the question mark.

Response get_leader(Control& control, const Request&, std::string_view) {
  return good(to_json(control.leadership()));
}

Response get_status(Control& control, const Request&, std::string_view) {
  return good(to_json(control.status()));
}

Response get_members(Control& control, const Request&, std::string_view) {
  return good(members_json(control.leadership(), control.members()));
}

Response get_map(Control& control, const Request&, std::string_view) {
  return good(map_json(control.leadership(), control.members(), control.links()));
}

Response get_events(Control& control, const Request&, std::string_view) {
  Response response = good(event_text({0, "leader", to_json(control.leadership())}));
  response.type = "text/event-stream";
  response.events = true;
  return response;
}

Response get_metrics(Control& control, const Request&, std::string_view) {
  Response response = good(control.metrics());
  response.type = "text/plain; version=0.0.4";
  return response;
}

struct InboxQuery {
  std::uint64_t after = 0;
  Duration wait{};
};

std::variant<InboxQuery, Response> inbox_query(std::string_view query) {
  InboxQuery result;
  while (!query.empty()) {
    const std::string_view part = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), part.size() + 1));
    if (part.empty()) continue;
    const std::string_view key = part.substr(0, part.find('='));
    const auto number = whole_number(part.substr(std::min(part.size(), key.size() + 1)));
    if (key == "after") {
      if (!number) {
        return refusal(400, "after=N takes the number of a message, not '" + shown(part) + "'");
      }
      result.after = *number;
    } else if (key == "wait_ms") {
      if (!number || *number > static_cast<std::uint64_t>(ms(longest_wait))) {
        return refusal(400, "wait_ms=N takes milliseconds from 0 to " +
                                std::to_string(ms(longest_wait)) + ", not '" + shown(part) + "'");
      }
      result.wait = std::chrono::milliseconds(*number);
    } else {
      return refusal(400, "/v1/inbox knows after=N and wait_ms=N, not '" + shown(part) + "'");
    }
  }
  return result;
}

/// Messages behind `after`. A number that this node has not given out yet is from before a restart:
/// then all of them are new to the client. `after` is set to where they begin.
std::vector<Delivered> inbox_behind(const Control& control, std::uint64_t& after) {
  std::vector<Delivered> messages = control.inbox(after);
  if (!messages.empty() || after == 0) return messages;
  if (!control.inbox(after - 1).empty()) return messages;
  std::vector<Delivered> all = control.inbox(0);
  if (all.empty() || all.back().sequence > after) return messages;
  after = 0;
  return all;
}

Response get_inbox(Control& control, const Request&, std::string_view text) {
  auto parsed = inbox_query(text);
  if (auto* wrong = std::get_if<Response>(&parsed)) return std::move(*wrong);
  auto [after, wait] = std::get<InboxQuery>(parsed);
  const std::vector<Delivered> messages = inbox_behind(control, after);
  Response response = good(inbox_json(messages, after));
  if (messages.empty() && wait > Duration{}) response.wait = wait;
  return response;
}

Response done(Control& control, const CommandResult& outcome) {
  return outcome ? refusal(409, outcome->why) : get_leader(control, {}, {});
}

Response post_resign(Control& control, const Request&, std::string_view) {
  return done(control, control.resign());
}
Response post_pause(Control& control, const Request&, std::string_view) {
  return done(control, control.pause());
}
Response post_resume(Control& control, const Request&, std::string_view) {
  return done(control, control.resume());
}

/// From `50` or {"priority": 50}.
std::optional<std::uint32_t> priority_in(const std::string& body) {
  const auto json = Json::read(body);
  if (!json) return std::nullopt;
  const bool named = json->is_object() && json->size() == 1 && json->contains("priority");
  const Json& number = named ? json->at("priority") : *json;
  if (!number.is_unsigned() ||
      number.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max())
    return std::nullopt;
  return number.get<std::uint32_t>();
}

Response post_priority(Control& control, const Request& request, std::string_view) {
  const auto priority = priority_in(request.body);
  if (!priority) {
    return refusal(400,
                   "a priority is a whole number from 0 to 4294967295: send {\"priority\": 50}");
  }
  return done(control, control.set_priority(*priority));
}

/// {"name": "default", "holder": "5f3a", "lease_ms": 3000}
std::optional<LockRequest> lock_in(const std::string& body) {
  constexpr std::size_t longest = 64;
  constexpr std::uint64_t longest_lease = 24 * 3'600'000;
  const auto json = Json::read(body);
  if (!json || !json->is_object()) return std::nullopt;
  const Json *name = json->find("name"), *holder = json->find("holder"),
             *lease = json->find("lease_ms");
  const auto is_text = [](const Json* text) { return text != nullptr && text->is_string(); };
  if (!is_text(name) || !is_text(holder) || lease == nullptr || !lease->is_unsigned() ||
      lease->get<std::uint64_t>() > longest_lease)
    return std::nullopt;
  LockRequest out{name->get<std::string>(), holder->get<std::string>(),
                  std::chrono::milliseconds(lease->get<std::uint64_t>())};
  if (out.name.empty() || out.name.size() > longest || out.holder.empty() ||
      out.holder.size() > longest)
    return std::nullopt;
  return out;
}

Response post_lock(Control& control, const Request& request, std::string_view) {
  const auto wanted = lock_in(request.body);
  if (!wanted) {
    return refusal(
        400,
        "a lock needs a name and a holder of 1 to 64 bytes, and a lease_ms from 0 to "
        "86400000: send {\"name\": \"default\", \"holder\": \"5f3a\", \"lease_ms\": 3000}");
  }
  const bool granted = control.grant(*wanted);
  Json json = leadership_object(control.leadership());
  json["granted"] = granted;
  return good(text_of(json));
}

Response submit(Control& control, To to, const Request& request) {
  const auto result = control.submit(to, request.body);
  if (const auto* refused = std::get_if<Rejection>(&result)) return refusal(409, refused->why);
  Response response = good(text_of(Json{{"id", std::get<std::string>(result)}}));
  response.status = 202;
  return response;
}

Response post_to_leader(Control& control, const Request& request, std::string_view) {
  return submit(control, To::leader, request);
}
Response post_to_members(Control& control, const Request& request, std::string_view) {
  return submit(control, To::members, request);
}

Response get_list(Control&, const Request&, std::string_view);

struct ApiRoute {
  std::string_view path;
  bool post;
  Response (*handle)(Control&, const Request&, std::string_view query);
  std::string_view what;
};

constexpr std::array routes{
    ApiRoute{"/", false, get_list, "this list"},
    ApiRoute{"/v1/leader", false, get_leader, "the leader, and for how long it has led"},
    ApiRoute{"/v1/status", false, get_status, "the same, and the state of this node"},
    ApiRoute{"/v1/members", false, get_members, "the nodes of the component"},
    ApiRoute{"/v1/map", false, get_map, "their links, too, as this node knows them"},
    ApiRoute{"/v1/events", false, get_events, "changes, as server-sent events"},
    ApiRoute{"/v1/inbox", false, get_inbox, "messages; ?after=N&wait_ms=M waits for them"},
    ApiRoute{"/v1/resign", true, post_resign, "lead only if no other node is eligible"},
    ApiRoute{"/v1/pause", true, post_pause, "do not be eligible"},
    ApiRoute{"/v1/resume", true, post_resume, "be eligible again"},
    ApiRoute{"/v1/priority", true, post_priority, "{\"priority\": 50}"},
    ApiRoute{"/v1/lock", true, post_lock, "grant a lock of this node; bellwether lock sends it"},
    ApiRoute{"/v1/to-leader", true, post_to_leader, "the body goes to the leader"},
    ApiRoute{"/v1/to-members", true, post_to_members, "the body goes to all members"},
    ApiRoute{"/metrics", false, get_metrics, "figures for Prometheus"},
};

Response get_list(Control&, const Request&, std::string_view) {
  Response response;
  response.type = "text/plain; charset=utf-8";
  for (const ApiRoute& route : routes) {
    std::string line = route.post ? "POST " : "GET  ";
    line += route.path;
    line.resize(std::max<std::size_t>(line.size() + 2, 22), ' ');
    response.body += line.append(route.what) + "\n";
  }
  return response;
}

Response not_found(std::string_view path) {
  std::string sentence = "there is no '" + shown(path) + "' here; there are";
  for (const ApiRoute& route : routes) {
    sentence += route.path == routes.front().path ? " " : ", ";
    sentence += route.path;
  }
  return refusal(404, sentence);
}

}  // namespace

Response answer(Control& control, const Request& request) {
  const std::string_view target = request.target;
  const std::string_view path = target.substr(0, target.find('?'));
  const std::string_view query = target.substr(std::min(target.size(), path.size() + 1));
  const auto* const route =
      std::find_if(routes.begin(), routes.end(), [&](const ApiRoute& r) { return r.path == path; });
  if (route == routes.end()) return not_found(path);
  const bool head = request.method == "HEAD";
  if (route->post ? request.method != "POST" : request.method != "GET" && !head) {
    const std::string allow = route->post ? "POST" : "GET, HEAD";
    Response response = refusal(
        405, std::string(path) + " takes " + allow + ", not '" + shown(request.method) + "'");
    response.allow = allow;
    return response;
  }
  Response response = route->handle(control, request, query);
  if (head) {  // the client does not read what follows
    response.events = false;
    response.wait.reset();
  }
  return response;
}

std::string to_json(const LeaderState& leadership) {
  return text_of(leadership_object(leadership));
}

std::string to_json(const NodeStatus& status) {
  Json json = leadership_object(status.leadership);
  json["version"] = status.version;
  json["algorithm"] = status.algorithm;
  json["group"] = status.group;
  json["uptime_ms"] = ms(status.uptime);
  json["standing"] = core::name_of(status.candidacy);
  json["priority"] = status.priority;
  json["encrypted"] = status.encrypted;
  json["members"] = status.members;
  Json neighbours = Json::array();
  for (const NeighbourStatus& n : status.neighbours) {
    neighbours.push_back(Json{{"id", core::raw(n.id)}, {"age_ms", ms(n.age)}});
  }
  json["neighbours"] = std::move(neighbours);
  json["interfaces"] = status.interfaces;
  json["keys"] = status.keys;
  json["slack_ms"] = ms(status.slack);
  json["warnings"] = status.warnings;
  return text_of(json);
}

std::string members_json(const LeaderState& leadership,
                         const std::vector<ComponentMember>& members) {
  Json list = Json::array();
  for (const ComponentMember& m : members) {
    list.push_back(Json{{"id", core::raw(m.id)},
                        {"hops", m.hops},
                        {"via", id_or_null(m.via)},
                        {"age_ms", ms(m.age)},
                        {"priority", m.priority},
                        {"is_leader", leadership.leader == m.id}});
  }
  return text_of(Json{{"leader", id_or_null(leadership.leader)},
                      {"epoch", leadership.epoch},
                      {"members", std::move(list)}});
}

std::string map_json(const LeaderState& leadership, const std::vector<ComponentMember>& members,
                     const std::vector<std::pair<NodeId, NodeId>>& links) {
  Json nodes = Json::array();
  for (const ComponentMember& m : members) nodes.push_back(core::raw(m.id));
  Json pairs = Json::array();
  for (const auto& [a, b] : links) pairs.push_back(Json{core::raw(a), core::raw(b)});
  return text_of(Json{{"id", core::raw(leadership.self)},
                      {"leader", id_or_null(leadership.leader)},
                      {"epoch", leadership.epoch},
                      {"members", std::move(nodes)},
                      {"links", std::move(pairs)}});
}

std::string inbox_json(const std::vector<Delivered>& messages, std::uint64_t after) {
  std::string text = "{\"messages\":[";
  const std::size_t empty = text.size();
  std::uint64_t next = after;
  for (const Delivered& message : messages) {
    const std::string one = to_json(message);
    if (text.size() != empty) {
      if (text.size() + one.size() > most_inbox_bytes) break;
      text += ',';
    }
    text += one;
    next = message.sequence;
  }
  return text + "],\"next\":" + std::to_string(next) + "}";
}

std::string to_json(const Delivered& message) {
  return text_of(message_object(message));
}

std::string error_json(std::string_view sentence) {
  return text_of(Json{{"error", sentence}});
}

std::string event_text(const ControlEvent& event) {
  std::string text;
  if (event.number != 0) text += "id: " + std::to_string(event.number) + "\n";
  std::string name = event.name;
  std::erase_if(name, [](char c) { return c == '\n' || c == '\r'; });
  text += "event: " + name + "\n";
  // A line break in the data would end its line: each line is one of its own.
  std::string_view rest = event.data;
  for (;;) {
    const std::size_t end = rest.find_first_of("\r\n");
    text.append("data: ").append(rest.substr(0, end)).append("\n");
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return text + "\n";
}

}  // namespace bellwether::node
