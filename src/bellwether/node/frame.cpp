// SPDX-License-Identifier: MIT
#include "bellwether/node/frame.hpp"

#include <algorithm>

namespace bellwether::node {

namespace {

constexpr std::uint8_t sealed_kind = 0xB1;
constexpr std::uint8_t plain_kind = 0xB0;
constexpr std::size_t most_challenges = 128;

void put(core::Bytes& out, std::uint64_t word) {
  for (int i = 0; i < 8; ++i) out.push_back(static_cast<std::uint8_t>(word >> (8 * i)));
}
std::uint64_t get(std::span<const std::uint8_t> bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 8; i-- > 0;) word = word << 8 | bytes[i];
  return word;
}
Nonce nonce_of(std::span<const std::uint8_t> frame) {
  Nonce nonce{};
  std::copy_n(frame.begin() + associated_size, nonce_size, nonce.begin());
  return nonce;
}

}  // namespace

AlgorithmMark algorithm_mark(std::string_view name) {
  std::uint32_t hash = 2166136261;  // FNV-1a, folded
  for (const char c : name) hash = (hash ^ static_cast<std::uint8_t>(c)) * 16777619;
  return static_cast<AlgorithmMark>(hash ^ hash >> 16);
}

core::Bytes to_frame(const FrameHeader& heading, const FrameBody& letter, const GroupMark& group,
                     const Keyring& keys) {
  const core::Bytes text = core::encode(letter);
  core::Bytes out;
  out.reserve(heading_size + text.size() + tag_size);
  const std::uint8_t kind = keys.plain() ? plain_kind : sealed_kind;
  out.push_back(heading.patient ? kind | patient_bit : kind);
  out.insert(out.end(), group.begin(), group.end());
  out.push_back(keys.plain() ? std::uint8_t{0} : keys.sending());
  put(out, raw(heading.sender));
  put(out, heading.session);
  put(out, heading.number);
  if (keys.plain()) {
    out.insert(out.end(), text.begin(), text.end());
    return out;
  }
  std::array<std::uint8_t, associated_size> associated{};
  std::copy_n(out.begin(), associated_size, associated.begin());
  keys.seal(out, text, associated, nonce_of(out));
  return out;
}

Peeked peek(std::span<const std::uint8_t> frame, const GroupMark& group, const Keyring& keys) {
  if (frame.size() <= heading_size) return {Refusal::garbage, {}};
  const bool patient = (frame[0] & patient_bit) != 0;
  const int kind = frame[0] & ~patient_bit;
  if (kind != sealed_kind && kind != plain_kind) return {Refusal::garbage, {}};
  if (!std::equal(group.begin(), group.end(), frame.begin() + 1)) return {Refusal::other_group, {}};
  if ((kind == plain_kind) != keys.plain()) return {Refusal::not_sealed, {}};
  if (keys.plain() && frame[5] != 0) return {Refusal::garbage, {}};
  return {Refusal::none,
          {NodeId{get(frame.subspan(6))}, get(frame.subspan(14)), get(frame.subspan(22)), patient}};
}

Opened open(std::span<const std::uint8_t> frame, const Keyring& keys) {
  const auto body = frame.subspan(heading_size);
  std::optional<FrameBody> letter;
  if (keys.plain()) {
    letter = core::decode<FrameBody>(body);
  } else {
    const auto text = keys.open(body, frame.first(associated_size), nonce_of(frame), frame[5]);
    if (!text) return {Refusal::wrong_key, {}};
    letter = core::decode<FrameBody>(*text);
  }
  if (!letter || letter->asks.size() > most_challenges || letter->proofs.size() > most_challenges)
    return {Refusal::garbage, {}};
  return {Refusal::none, std::move(*letter)};
}

}  // namespace bellwether::node
