// SPDX-License-Identifier: MIT
#include "bellwether/node/keyring.hpp"

#include <sodium.h>
#include <sys/stat.h>

#include <algorithm>
#include <sstream>

#include "bellwether/core/input_file.hpp"
#include "bellwether/core/problem.hpp"

namespace bellwether::node {

static_assert(key_size == crypto_aead_xchacha20poly1305_ietf_KEYBYTES);
static_assert(nonce_size == crypto_aead_xchacha20poly1305_ietf_NPUBBYTES);
static_assert(tag_size == crypto_aead_xchacha20poly1305_ietf_ABYTES);

namespace {

constexpr std::size_t most_keys = 8;
const std::string cure = "; make one with: bellwether keygen FILE";

void begin_sodium() {
  if (sodium_init() < 0)
    throw core::Problem("libsodium does not start on this machine; install it again");
}

template <std::size_t size>
std::array<std::uint8_t, size> hashed(std::span<const std::uint8_t> text,
                                      std::span<const std::uint8_t> key) {
  std::array<std::uint8_t, crypto_generichash_BYTES> full{};
  crypto_generichash(full.data(), full.size(), text.data(), text.size(), key.data(), key.size());
  std::array<std::uint8_t, size> out{};
  std::copy_n(full.begin(), size, out.begin());
  return out;
}

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

Keyring::Keyring(const std::vector<SecretKey>& keys, const std::string& group) {
  begin_sodium();
  const std::string purpose = "bellwether frames, group " + group;
  for (const SecretKey& key : keys) {
    const SecretKey derived = hashed<key_size>(bytes_of(purpose), key);
    keys_.push_back({derived, hashed<1>(bytes_of("name"), derived)[0]});
  }
}

Keyring Keyring::load(const std::string& path, const std::string& group) {
  constexpr std::uint64_t largest = 64'000;
  struct stat info {};
  if (stat(path.c_str(), &info) != 0)
    throw core::Problem(path, {}, "there is no such key file" + cure);
  if (!S_ISREG(info.st_mode))
    throw core::Problem(path, {},
                        S_ISDIR(info.st_mode) ? "is a folder; name the key file in it"
                                              : "is not a regular file; name a key file" + cure);
  if ((info.st_mode & (S_IROTH | S_IWOTH | S_IWGRP)) != 0)
    throw core::Problem(path, {},
                        "other users may read or change this key file; run: chmod 600 " + path);
  return Keyring(parse_keys(core::read_file(path, largest), path), group);
}

std::vector<std::string> Keyring::names() const {
  std::vector<std::string> out;
  for (const Named& each : keys_) {
    constexpr const char* digits = "0123456789abcdef";
    out.push_back({digits[each.name >> 4], digits[each.name & 15]});
  }
  return out;
}

void Keyring::seal(std::vector<std::uint8_t>& out, std::span<const std::uint8_t> text,
                   std::span<const std::uint8_t> heading, const Nonce& nonce) const {
  const std::size_t before = out.size();
  out.resize(before + text.size() + tag_size);
  // The heading may lie in `out`, which may have moved.
  crypto_aead_xchacha20poly1305_ietf_encrypt(out.data() + before, nullptr, text.data(), text.size(),
                                             heading.data(), heading.size(), nullptr, nonce.data(),
                                             keys_.front().key.data());
}

std::optional<std::vector<std::uint8_t>> Keyring::open(std::span<const std::uint8_t> sealed,
                                                       std::span<const std::uint8_t> heading,
                                                       const Nonce& nonce,
                                                       std::uint8_t name) const {
  if (sealed.size() < tag_size) return std::nullopt;
  std::vector<std::uint8_t> text(sealed.size() - tag_size);
  for (const Named& each : keys_) {
    if (each.name != name) continue;
    if (crypto_aead_xchacha20poly1305_ietf_decrypt(text.data(), nullptr, nullptr, sealed.data(),
                                                   sealed.size(), heading.data(), heading.size(),
                                                   nonce.data(), each.key.data()) == 0)
      return text;
  }
  return std::nullopt;
}

std::string new_key_line() {
  begin_sodium();
  SecretKey key{};
  crypto_aead_xchacha20poly1305_ietf_keygen(key.data());
  std::array<char, 2 * key_size + 1> text{};
  sodium_bin2hex(text.data(), text.size(), key.data(), key.size());
  return std::string(text.data());
}

std::vector<SecretKey> parse_keys(const std::string& text, const std::string& place) {
  begin_sodium();
  std::vector<SecretKey> keys;
  std::istringstream in(text);
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (const auto comment = line.find('#'); comment != std::string::npos) line.resize(comment);
    line.erase(0, std::min(line.find_first_not_of(" \t\r"), line.size()));
    line.resize(line.find_last_not_of(" \t\r") + 1);
    if (line.empty()) continue;
    const core::Location where(place, number);
    SecretKey key{};
    std::size_t length = 0;
    if (line.size() != 2 * key_size ||
        sodium_hex2bin(key.data(), key.size(), line.data(), line.size(), nullptr, &length,
                       nullptr) != 0 ||
        length != key_size)
      throw core::Problem(where, {}, "a key is a line of 64 hexadecimal digits" + cure);
    if (std::find(keys.begin(), keys.end(), key) != keys.end())
      throw core::Problem(where, {}, "this key is a duplicate; remove one of the two");
    if (keys.size() == most_keys)
      throw core::Problem(where, {}, "there are more than 8 keys; remove the old ones");
    keys.push_back(key);
  }
  if (keys.empty()) throw core::Problem(place, {}, "there is no key in this file" + cure);
  return keys;
}

std::uint64_t random_word() {
  begin_sodium();
  std::uint64_t word = 0;
  randombytes_buf(&word, sizeof word);
  return word;
}

std::array<std::uint8_t, 4> group_mark(const std::string& group) {
  begin_sodium();
  return hashed<4>(bytes_of("bellwether group " + group), {});
}

}  // namespace bellwether::node
