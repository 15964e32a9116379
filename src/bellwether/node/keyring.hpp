// SPDX-License-Identifier: MIT
// The keys of a group. The first one seals what is sent; every one opens what is heard, so a key is
// changed without losing the group: add the new one as the second on all nodes, then put it first
// on all, then take the old one away.
//
// The file: one key a line, 64 hexadecimal digits; `#` begins a comment.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bellwether::node {

inline constexpr std::size_t key_size = 32;
inline constexpr std::size_t nonce_size = 24;
inline constexpr std::size_t tag_size = 16;
using SecretKey = std::array<std::uint8_t, key_size>;
using Nonce = std::array<std::uint8_t, nonce_size>;

class Keyring {
 public:
  /// Nothing is sealed.
  Keyring() = default;
  /// Keys hold for one group: others with the same file but another name understand nothing.
  Keyring(const std::vector<SecretKey>& keys, const std::string& group);
  /// Throws Problem: no such file, no key, not a key, others may read it.
  static Keyring load(const std::string& path, const std::string& group);

  bool plain() const { return keys_.empty(); }
  std::vector<std::string> names() const;  // for people: two hexadecimal digits each
  std::uint8_t sending() const { return keys_.front().name; }

  /// Appends the sealed text and its tag.
  void seal(std::vector<std::uint8_t>& out, std::span<const std::uint8_t> text,
            std::span<const std::uint8_t> heading, const Nonce& nonce) const;
  /// Nothing where no key of this name opens it.
  std::optional<std::vector<std::uint8_t>> open(std::span<const std::uint8_t> sealed,
                                                std::span<const std::uint8_t> heading,
                                                const Nonce& nonce, std::uint8_t name) const;

 private:
  struct Named {
    SecretKey key;
    std::uint8_t name;
  };
  std::vector<Named> keys_;
};

/// A new key as a line for a key file.
std::string new_key_line();
/// The keys in the text of a key file. `place` is where it stands, for complaints.
std::vector<SecretKey> parse_keys(const std::string& text, const std::string& place);
/// Random words from the system.
std::uint64_t random_word();
/// Four bytes that tell groups apart at a glance.
std::array<std::uint8_t, 4> group_mark(const std::string& group);

}  // namespace bellwether::node
