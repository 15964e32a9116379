// SPDX-License-Identifier: MIT
#include "bellwether/client/decode.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace bellwether::client {
namespace {

using JsonValue = nlohmann::json;

/// One object of an answer, asked for its keys.
class ObjectReader {
 public:
  ObjectReader(const JsonValue& json, const std::string& place) : json_(json), place_(place) {
    if (!json.is_object()) fail("not an object");
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw ClientError(Trouble::bad_answer,
                      place_ + ": the reply is not valid (" + why +
                          "); is this a Bellwether node, and of this version?");
  }

  const JsonValue* find(const char* key) const {
    const auto found = json_.find(key);
    return found == json_.end() ? nullptr : &*found;
  }
  const JsonValue& at(const char* key) const {
    const JsonValue* found = find(key);
    if (found == nullptr) fail(std::string("missing \"") + key + "\"");
    return *found;
  }

  std::uint64_t number(const char* key) const { return number(at(key), key); }
  std::uint64_t number(const JsonValue& json, const char* key) const {
    if (!json.is_number_unsigned())
      fail(std::string("\"") + key + "\" is not a whole number of 0 or greater");
    return json.get<std::uint64_t>();
  }
  std::uint32_t small(const char* key) const {
    const JsonValue* json = find(key);
    if (json == nullptr) return 0;
    const std::uint64_t value = number(*json, key);
    if (value > std::numeric_limits<std::uint32_t>::max())
      fail(std::string("\"") + key + "\" is too large");
    return static_cast<std::uint32_t>(value);
  }
  /// The key must be there, but may be null.
  std::optional<std::uint64_t> maybe(const char* key) const {
    const JsonValue& json = at(key);
    if (json.is_null()) return std::nullopt;
    return number(json, key);
  }
  bool flag(const char* key) const {
    const JsonValue& json = at(key);
    if (!json.is_boolean()) fail(std::string("\"") + key + "\" is neither true nor false");
    return json.get<bool>();
  }
  std::string text(const char* key) const {
    const JsonValue* json = find(key);
    if (json == nullptr) return {};
    if (!json->is_string()) fail(std::string("\"") + key + "\" is not a string");
    return json->get<std::string>();
  }
  /// For people to read: one that makes no sense is no reason to refuse the answer.
  Milliseconds time(const char* key) const {
    constexpr double most = 1e15;  // some thirty thousand years
    const JsonValue* json = find(key);
    if (json == nullptr || !json->is_number()) return {};
    const auto value = json->get<double>();
    return value > 0 ? Milliseconds(static_cast<std::int64_t>(std::min(value, most)))
                     : Milliseconds(0);
  }

  /// Calls `take` for each element of an array; none if there is no such key.
  template <class Take>
  void each(const char* key, Take&& take) const {
    const JsonValue* json = find(key);
    if (json == nullptr) return;
    if (!json->is_array()) fail(std::string("\"") + key + "\" is not a list");
    for (const JsonValue& element : *json) take(element);
  }
  std::vector<std::string> texts(const char* key) const {
    std::vector<std::string> out;
    each(key, [&](const JsonValue& element) {
      if (!element.is_string()) fail(std::string("\"") + key + "\" is not a list of strings");
      out.push_back(element.get<std::string>());
    });
    return out;
  }
  const std::string& place() const { return place_; }

 private:
  const JsonValue& json_;
  const std::string& place_;
};

JsonValue parse(std::string_view text, const std::string& place) {
  JsonValue json = JsonValue::parse(text, nullptr, false);
  if (json.is_discarded())
    throw ClientError(Trouble::bad_answer, place +
                                               ": the reply is not JSON; is this the socket of a "
                                               "Bellwether node?");
  return json;
}

Leadership leadership_of(const ObjectReader& from) {
  Leadership out;
  out.id = from.number("id");
  out.leader = from.maybe("leader");
  out.is_leader = from.flag("is_leader");
  out.role = from.text("role");
  out.epoch = from.number("epoch");
  out.since = from.time("since_ms");
  out.age = from.time("age_ms");
  from.each("chain", [&](const JsonValue& id) { out.chain.push_back(from.number(id, "chain")); });
  if (from.find("hops") != nullptr) out.hops = from.maybe("hops");
  if (from.find("members") != nullptr) out.members = from.maybe("members");
  if (out.is_leader && out.leader != out.id) from.fail("is_leader contradicts leader");
  return out;
}

/// Nothing when it is no base64.
std::optional<std::string> from_base64(std::string_view text) {
  static constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0) return std::nullopt;
  for (int pads = 0; pads < 2 && text.ends_with('='); ++pads) text.remove_suffix(1);
  std::string out;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const std::size_t digit = digits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = (bits << 6 | static_cast<std::uint32_t>(digit)) & 0xFF'FFFF;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out += static_cast<char>(bits >> held & 0xFF);
  }
  return out;
}

Message message_of(const ObjectReader& from) {
  Message out;
  out.sequence = from.number("sequence");
  out.id = from.text("id");
  out.from = from.number("from");
  out.to = from.text("to");
  out.age = from.time("age_ms");
  if (from.find("base64") == nullptr) {
    out.payload = from.text("text");
  } else {
    const auto payload = from_base64(from.text("base64"));
    if (!payload) from.fail("\"base64\" is not valid base64");
    out.payload = *payload;
  }
  return out;
}

}  // namespace

Leadership read_leadership(std::string_view text, const std::string& place) {
  const JsonValue json = parse(text, place);
  return leadership_of(ObjectReader(json, place));
}

bool read_granted(std::string_view text, const std::string& place) {
  const JsonValue json = parse(text, place);
  return ObjectReader(json, place).flag("granted");
}

Status read_status(std::string_view text, const std::string& place) {
  const JsonValue json = parse(text, place);
  const ObjectReader from(json, place);
  Status out;
  out.leadership = leadership_of(from);
  out.version = from.text("version");
  out.algorithm = from.text("algorithm");
  out.group = from.text("group");
  out.uptime = from.time("uptime_ms");
  out.standing = from.text("standing");
  out.priority = from.small("priority");
  out.encrypted = from.find("encrypted") != nullptr && from.flag("encrypted");
  out.members = from.small("members");
  from.each("neighbours", [&](const JsonValue& each) {
    const ObjectReader neighbour(each, place);
    out.neighbours.push_back({neighbour.number("id"), neighbour.time("age_ms")});
  });
  out.interfaces = from.texts("interfaces");
  out.keys = from.texts("keys");
  out.slack = from.time("slack_ms");
  out.warnings = from.texts("warnings");
  return out;
}

Members read_members(std::string_view text, const std::string& place) {
  const JsonValue json = parse(text, place);
  const ObjectReader from(json, place);
  Members out;
  out.leader = from.maybe("leader");
  out.epoch = from.number("epoch");
  from.each("members", [&](const JsonValue& each) {
    const ObjectReader member(each, place);
    Member row;
    row.id = member.number("id");
    row.hops = member.small("hops");
    if (member.find("via") != nullptr) row.via = member.maybe("via");
    row.age = member.time("age_ms");
    row.priority = member.small("priority");
    row.is_leader = out.leader == row.id;
    out.members.push_back(row);
  });
  return out;
}

InboxPage read_inbox(std::string_view text, const std::string& place) {
  const JsonValue json = parse(text, place);
  const ObjectReader from(json, place);
  InboxPage out;
  out.next = from.number("next");
  from.each("messages", [&](const JsonValue& each) {
    out.messages.push_back(message_of(ObjectReader(each, place)));
  });
  return out;
}

Message read_message(std::string_view text, const std::string& place) {
  const JsonValue json = parse(text, place);
  return message_of(ObjectReader(json, place));
}

std::string read_id(std::string_view text, const std::string& place) {
  const JsonValue json = parse(text, place);
  const ObjectReader from(json, place);
  const std::string id = from.text("id");
  if (id.empty()) from.fail("missing \"id\"");
  return id;
}

std::optional<std::string> read_error(std::string_view text) {
  const JsonValue json = JsonValue::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const auto found = json.find("error");
  if (found == json.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

}  // namespace bellwether::client
