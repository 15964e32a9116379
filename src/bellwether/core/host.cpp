// SPDX-License-Identifier: MIT
#include "bellwether/core/host.hpp"

namespace bellwether::core {

Nodes::~Nodes() = default;

std::uint64_t Nodes::digest(NodeIndex u) const {
  DigestSink sink;
  walk(u, sink);
  return sink.state;
}

std::string Nodes::text(NodeIndex u, Form form) const {
  std::string out;
  print(u, form, out);
  return out;
}

std::string Nodes::text(const TimerName& timer, Form form) const {
  std::string out;
  print(timer, form, out);
  return out;
}

std::optional<AnyMessage> Nodes::decode(std::span<const std::uint8_t> bytes) const {
  Reader in(bytes);
  AnyMessage message;
  if (!read(in, message) || in.left() != 0) return std::nullopt;
  return message;
}

bool AnyMessage::read_from(Reader& in) {
  return in.inside() != nullptr && in.inside()->read(in, *this);
}

/// A timer stands last: all that is left is its name.
bool AnyTimer::read_from(Reader& in) {
  nodes_ = in.inside();
  Bytes bytes;
  if (in.left() > TimerName::most_bytes || !in.bytes(in.left(), bytes)) return false;
  name_ = {};
  for (const std::uint8_t b : bytes) name_.byte(b);
  return nodes_ != nullptr;
}

}  // namespace bellwether::core
