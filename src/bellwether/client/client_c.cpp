// SPDX-License-Identifier: MIT
// The calls of client.h. No exception leaves them.
#include <algorithm>
#include <cstring>
#include <new>
#include <string>

#include "bellwether/client/client.h"
#include "bellwether/client/client.hpp"

namespace bc = bellwether::client;

struct bellwether_client {
  std::string address;
  bc::Milliseconds limit = std::chrono::seconds(5);
  std::string error{};
};

namespace {

bellwether_result result_of(bc::Trouble trouble) {
  switch (trouble) {
    case bc::Trouble::bad_input:
      return BELLWETHER_BAD_INPUT;
    case bc::Trouble::unreachable:
      return BELLWETHER_UNREACHABLE;
    case bc::Trouble::silent:
      return BELLWETHER_SILENT;
    case bc::Trouble::refused:
      return BELLWETHER_REFUSED;
    case bc::Trouble::bad_answer:
      break;
  }
  return BELLWETHER_BAD_ANSWER;
}

/// Runs `call` with a client, and turns what it throws into a number and a sentence.
template <class Call>
bellwether_result guarded(bellwether_client* client, bool sensible, Call&& call) noexcept {
  if (client == nullptr) return BELLWETHER_BAD_INPUT;
  try {
    client->error.clear();
    if (!sensible)
      throw bc::ClientError(bc::Trouble::bad_input, "a pointer is NULL that must not be");
    call(bc::Client(client->address, client->limit));
    return BELLWETHER_OK;
  } catch (const bc::ClientError& error) {
    try {
      client->error = error.what();
    } catch (...) {
      return BELLWETHER_NO_MEMORY;
    }
    return result_of(error.trouble());
  } catch (...) {
    return BELLWETHER_NO_MEMORY;
  }
}

void copy(const std::string& from, char* to, std::size_t room) {
  const std::size_t size = std::min(from.size(), room - 1);
  std::memcpy(to, from.data(), size);
  to[size] = '\0';
}
template <std::size_t Room>
void copy(const std::string& from, char (&to)[Room]) {
  copy(from, to, Room);
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ",") + word;
  return out;
}

void fill(bellwether_leadership* out, const bc::Leadership& from) {
  if (out == nullptr) return;
  *out = {};
  out->id = from.id;
  out->has_leader = from.leader ? 1 : 0;
  out->leader = from.leader.value_or(0);
  out->is_leader = from.is_leader ? 1 : 0;
  copy(from.role, out->role);
  out->epoch = from.epoch;
  out->since_ms = from.since.count();
  out->age_ms = from.age.count();
  out->chain_length = from.chain.size();
  std::copy_n(from.chain.begin(), std::min<std::size_t>(from.chain.size(), BELLWETHER_MOST_CHAIN),
              out->chain);
}

void fill(bellwether_status* out, const bc::Status& from) {
  *out = {};
  fill(&out->leadership, from.leadership);
  copy(from.version, out->version);
  copy(from.algorithm, out->algorithm);
  copy(from.group, out->group);
  out->uptime_ms = from.uptime.count();
  copy(from.standing, out->standing);
  out->priority = from.priority;
  out->encrypted = from.encrypted ? 1 : 0;
  out->members = from.members;
  out->neighbour_count = from.neighbours.size();
  for (std::size_t i = 0; i < from.neighbours.size() && i < BELLWETHER_MOST_NEIGHBOURS; ++i)
    out->neighbours[i] = {from.neighbours[i].id, from.neighbours[i].age.count()};
  copy(joined(from.interfaces), out->interfaces);
  copy(joined(from.keys), out->keys);
  out->slack_ms = from.slack.count();
}

void fill(bellwether_message* out, const bc::Message& from) {
  *out = {};
  out->sequence = from.sequence;
  copy(from.id, out->id);
  out->from = from.from;
  copy(from.to, out->to);
  out->age_ms = from.age.count();
  out->payload_length = std::min<std::size_t>(from.payload.size(), BELLWETHER_MOST_PAYLOAD);
  std::memcpy(out->payload, from.payload.data(), out->payload_length);
}

bellwether_result send(bellwether_client* client, const void* payload, std::size_t length, char* id,
                       std::string (bc::Client::*how)(std::string_view) const) {
  return guarded(client, payload != nullptr || length == 0, [&](const bc::Client& node) {
    const std::string sent = (node.*how)({static_cast<const char*>(payload), length});
    if (id != nullptr) copy(sent, id, sizeof bellwether_message{}.id);
  });
}

}  // namespace

bellwether_client* bellwether_client_open(const char* address) {
  try {
    return new bellwether_client{address != nullptr ? address : bc::default_address()};
  } catch (...) {
    return nullptr;
  }
}

void bellwether_client_close(bellwether_client* client) {
  delete client;
}

void bellwether_client_set_limit(bellwether_client* client, int64_t limit_ms) {
  if (client != nullptr) client->limit = bc::Milliseconds(limit_ms);
}

const char* bellwether_client_error(const bellwether_client* client) {
  return client != nullptr ? client->error.c_str() : "there is no client";
}

bellwether_result bellwether_client_leader(bellwether_client* client, bellwether_leadership* out) {
  return guarded(client, out != nullptr, [&](const bc::Client& node) { fill(out, node.leader()); });
}

bellwether_result bellwether_client_status(bellwether_client* client, bellwether_status* out) {
  return guarded(client, out != nullptr, [&](const bc::Client& node) { fill(out, node.status()); });
}

bellwether_result bellwether_client_members(bellwether_client* client, bellwether_member* out,
                                            size_t capacity, size_t* count) {
  const bool sensible = count != nullptr && (out != nullptr || capacity == 0);
  return guarded(client, sensible, [&](const bc::Client& node) {
    const bc::Members all = node.members();
    *count = all.members.size();
    for (std::size_t i = 0; i < all.members.size() && i < capacity; ++i) {
      const bc::Member& row = all.members[i];
      out[i] = {row.id,          row.hops,     row.via ? 1 : 0,      row.via.value_or(0),
                row.age.count(), row.priority, row.is_leader ? 1 : 0};
    }
  });
}

bellwether_result bellwether_client_watch(bellwether_client* client, bellwether_watcher watcher,
                                          void* user, int64_t silence_ms,
                                          bellwether_watch_end* end) {
  return guarded(client, watcher != nullptr, [&](const bc::Client& node) {
    const auto tell = [&](const bc::Event& event) {
      bellwether_leadership leadership;
      if (event.leadership) fill(&leadership, *event.leadership);
      const bellwether_event told{event.number, event.name.c_str(), event.data.c_str(),
                                  event.leadership ? &leadership : nullptr};
      return watcher(&told, user) != 0;
    };
    const auto silence = bc::Milliseconds(silence_ms > 0 ? silence_ms : 40'000);
    const bc::WatchEnd why = node.watch(tell, silence);
    if (end == nullptr) return;
    *end = why == bc::WatchEnd::stopped  ? BELLWETHER_WATCH_STOPPED
           : why == bc::WatchEnd::closed ? BELLWETHER_WATCH_CLOSED
                                         : BELLWETHER_WATCH_SILENT;
  });
}

bellwether_result bellwether_client_resign(bellwether_client* client, bellwether_leadership* out) {
  return guarded(client, true, [&](const bc::Client& node) { fill(out, node.resign()); });
}

bellwether_result bellwether_client_pause(bellwether_client* client, bellwether_leadership* out) {
  return guarded(client, true, [&](const bc::Client& node) { fill(out, node.pause()); });
}

bellwether_result bellwether_client_resume(bellwether_client* client, bellwether_leadership* out) {
  return guarded(client, true, [&](const bc::Client& node) { fill(out, node.resume()); });
}

bellwether_result bellwether_client_set_priority(bellwether_client* client, uint32_t priority,
                                                 bellwether_leadership* out) {
  return guarded(client, true,
                 [&](const bc::Client& node) { fill(out, node.set_priority(priority)); });
}

bellwether_result bellwether_client_to_leader(bellwether_client* client, const void* payload,
                                              size_t length, char* id) {
  return send(client, payload, length, id, &bc::Client::to_leader);
}

bellwether_result bellwether_client_to_members(bellwether_client* client, const void* payload,
                                               size_t length, char* id) {
  return send(client, payload, length, id, &bc::Client::to_members);
}

bellwether_result bellwether_client_inbox(bellwether_client* client, uint64_t after,
                                          int64_t wait_ms, bellwether_message* out, size_t capacity,
                                          size_t* count, uint64_t* next) {
  const bool sensible = out != nullptr && capacity > 0 && count != nullptr && next != nullptr;
  return guarded(client, sensible, [&](const bc::Client& node) {
    const bc::InboxPage inbox = node.inbox(after, bc::Milliseconds(wait_ms));
    *count = std::min(capacity, inbox.messages.size());
    for (std::size_t i = 0; i < *count; ++i) fill(&out[i], inbox.messages[i]);
    *next = *count < inbox.messages.size() ? out[*count - 1].sequence : inbox.next;
  });
}

bellwether_result bellwether_client_get(bellwether_client* client, const char* path, char* out,
                                        size_t capacity, size_t* length) {
  const bool sensible = path != nullptr && out != nullptr && capacity > 0;
  return guarded(client, sensible, [&](const bc::Client& node) {
    const std::string json = node.get(path);
    copy(json, out, capacity);
    if (length != nullptr) *length = json.size();
  });
}
