// SPDX-License-Identifier: MIT
#include "bellwether/view/gate.hpp"

#include <array>

namespace bellwether::view {
namespace {

/// The value of a name in "a=1&b=2" or "a=1; b=2".
std::string_view value_of(std::string_view list, std::string_view name, char separator) {
  while (!list.empty()) {
    const auto end = std::min(list.find(separator), list.size());
    std::string_view part = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    while (part.starts_with(' ')) part.remove_prefix(1);
    if (part.starts_with(name) && part.substr(name.size()).starts_with('='))
      return part.substr(name.size() + 1);
  }
  return {};
}

/// In a time that does not tell how much of it was right.
bool same(std::string_view given, std::string_view token) {
  unsigned char different = given.size() == token.size() ? 0 : 1;
  for (std::size_t i = 0; i < token.size(); ++i)
    different |= static_cast<unsigned char>(token[i] ^ (i < given.size() ? given[i] : 0));
  return different == 0;
}

}  // namespace

std::optional<std::string> refusal_at_the_door(const Visitor& visitor, std::string_view token,
                                               std::string_view address, std::uint16_t port) {
  // A name that leads here from elsewhere is no name of ours.
  const std::string end = ":" + std::to_string(port);
  const std::array<std::string, 4> ours{"127.0.0.1" + end, "localhost" + end, "[::1]" + end,
                                        std::string(address) + end};
  bool known = false;
  for (const std::string& name : ours) known = known || visitor.host == name;
  if (!known) return "unknown host name; open the address that `bellwether view` printed";
  if (!visitor.origin.empty() && visitor.origin != "http://" + std::string(visitor.host))
    return "requests of other pages are refused";
  const auto question = visitor.target.find('?');
  const std::string_view query =
      question == std::string_view::npos ? "" : visitor.target.substr(question + 1);
  if (same(value_of(query, "token", '&'), token)) return std::nullopt;
  if (same(value_of(visitor.cookie, cookie_name, ';'), token)) return std::nullopt;
  return "the token is missing or wrong; open the address that `bellwether view` printed";
}

std::string file_of(std::string_view target) {
  target = target.substr(0, target.find('?'));
  if (target == "/") return "index.html";
  return std::string(target.substr(target.starts_with('/') ? 1 : 0));
}

std::string_view media_type(std::string_view file) {
  if (file.ends_with(".html")) return "text/html; charset=utf-8";
  if (file.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (file.ends_with(".css")) return "text/css; charset=utf-8";
  if (file.ends_with(".svg")) return "image/svg+xml";
  return "text/plain; charset=utf-8";
}

}  // namespace bellwether::view
