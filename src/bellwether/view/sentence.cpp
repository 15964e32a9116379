// SPDX-License-Identifier: MIT
#include "bellwether/view/sentence.hpp"

#include "bellwether/json/json.hpp"

namespace bellwether::view {
namespace {

using json::Json;

constexpr std::size_t most_numbers = 3;     // that a sentence names
constexpr std::size_t longest_token = 200;  // characters; what is longer carries more than an id
constexpr std::string_view marks[] = {"id", "label", "number"};

struct SentMessage {
  std::string kind;
  const Json* body;
};

/// A layer sends what is above it as its body; that is what people want to see.
SentMessage opened(const Json& message) {
  if (!message.is_object() || message.size() != 1) return {"message", &message};
  SentMessage out{message.members().front().key, &message.members().front().value};
  const Json* inner = out.body->is_object() ? out.body->find("body") : nullptr;
  return inner && inner->is_object() && inner->size() == 1 ? opened(*inner) : out;
}

/// Nodes with what is known of each.
bool is_map(const Json& value) {
  return value.is_array() && value.size() > 0 && value.at(std::size_t{0}).is_object() &&
         value.at(std::size_t{0}).contains("id");
}

std::string with_article(const std::string& noun) {
  const bool vowel = std::string_view("aeiou").find(noun.front()) != std::string_view::npos;
  return (vowel ? "an " : "a ") + noun;
}

/// The sender is named already.
std::string numbers_in(const Json& body) {
  std::string out;
  std::size_t named = 0;
  for (const auto& [key, value] : body.members())
    if (value.is_number() && key != "from" && named++ < most_numbers)
      out += (out.empty() ? "" : ", ") + key + " " + value.dump();
  return out;
}

std::string message_text(const Json& message, const std::string& from) {
  const auto [kind, body] = opened(message);
  if (!body->is_object()) return with_article(kind) + from;
  for (const auto& [key, value] : body->members())
    if (is_map(value))
      return "a map of " + std::to_string(value.size()) + (value.size() == 1 ? " node" : " nodes") +
             from;
  const std::string numbers = numbers_in(*body);
  return with_article(kind) + from + (numbers.empty() ? "" : " (" + numbers + ")");
}

std::string timer_text(const Json& timer) {
  if (timer.is_string()) return timer.get<std::string>();
  return timer.is_object() && timer.size() == 1 ? timer.members().front().key : timer.dump();
}

}  // namespace

std::string sentence_of(core::Cause cause, std::optional<core::NodeId> peer,
                        std::string_view message, std::string_view timer) {
  const std::string other = peer ? std::to_string(core::raw(*peer)) : "another node";
  const Json sent = Json::read(message).value_or(Json());
  if (sent.is_string()) return sent.get<std::string>();
  switch (cause) {
    case core::Cause::receive:
      return "it received " + message_text(sent, " from " + other);
    case core::Cause::timeout:
      return timer.empty()
                 ? "a round began"
                 : "its timer " + timer_text(Json::read(timer).value_or(Json())) + " expired";
    case core::Cause::link_up:
      return "the link to " + other + " came up";
    case core::Cause::link_down:
      return "the link to " + other + " went down";
    case core::Cause::start:
      return "it started";
    case core::Cause::crash:
      return "it crashed";
    case core::Cause::restart:
      return "it restarted";
  }
  return {};
}

std::optional<double> carried_by(std::string_view message) {
  if (message.size() > longest_token) return std::nullopt;
  const Json sent = Json::read(message).value_or(Json());
  const Json* body = opened(sent).body;
  if (!body->is_object()) return std::nullopt;
  for (const std::string_view mark : marks)
    if (const Json* found = body->find(mark); found && found->is_number())
      return found->get<double>();
  return std::nullopt;
}

}  // namespace bellwether::view
