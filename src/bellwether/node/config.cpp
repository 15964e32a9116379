// SPDX-License-Identifier: MIT
#include "bellwether/node/config.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <set>

#include "bellwether/core/nearest.hpp"
#include "bellwether/core/options.hpp"
#include "bellwether/core/prng.hpp"
#include "bellwether/core/problem.hpp"

namespace bellwether::node {

namespace {

template <class T>
std::string kind_of_key() {
  if constexpr (std::same_as<T, std::string> || std::same_as<T, std::vector<std::string>>)
    return "a string";
  else
    return core::kind_of<T>();
}

template <class T>
std::string choices_of() {
  std::string out;
  if constexpr (core::NamedEnum<T>)
    for (const std::string_view name : names_of(T{}))
      out.append(out.empty() ? "" : ", ").append(name);
  return out;
}

template <class T>
std::string default_text_of(const T& value) {
  if constexpr (std::same_as<T, std::string>)
    return value;
  else if constexpr (std::same_as<T, std::vector<std::string>>)
    return "";
  else
    return core::text_of(value);
}

template <class T>
bool read_key(const std::string& text, T& value) {
  if constexpr (std::same_as<T, std::string>) {
    value = text;
    return true;
  } else if constexpr (std::same_as<T, core::Duration>) {
    // A bare number is taken for milliseconds, as people write timers.
    if (!text.empty() && text.find_first_not_of("0123456789") == std::string::npos)
      return core::read_option(text + " ms", value);
    return core::read_option(text, value);
  } else {
    return core::read_option(text, value);
  }
}

}  // namespace

std::vector<ConfigKey> config_keys() {
  const Config defaults;
  std::vector<ConfigKey> keys;
  core::for_each_field<Config>([&](const auto& f) {
    using T = std::remove_cvref_t<decltype(defaults.*f.member)>;
    keys.push_back({std::string(f.name), kind_of_key<T>(), default_text_of(defaults.*f.member),
                    std::string(f.description), std::same_as<T, std::vector<std::string>>,
                    choices_of<T>()});
  });
  return keys;
}

void set_key(Config& config, const std::string& name, const std::vector<std::string>& texts) {
  bool found = false;
  core::for_each_field<Config>([&](const auto& f) {
    if (f.name != name) return;
    found = true;
    auto& value = config.*f.member;
    using T = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::same_as<T, std::vector<std::string>>) {
      value = texts;
    } else {
      if (texts.size() != 1) throw core::Problem(name + " takes one value; write it once");
      if (!read_key(texts.front(), value))
        throw core::Problem(name + " = \"" + texts.front() + "\": write " + kind_of_key<T>());
    }
  });
  if (found) return;
  std::vector<std::string> known{"options"};
  for (const ConfigKey& key : config_keys()) known.push_back(key.name);
  throw core::Problem(core::unknown_name("key", name, known));
}

namespace {

using namespace std::chrono_literals;

std::string value_text(core::Duration value) {
  return core::to_text(value);
}
std::string value_text(std::int64_t value) {
  return std::to_string(value);
}

template <class T>
void check_range(const char* key, T value, T least, T most) {
  if (value < least || value > most)
    throw core::Problem(key, "must be from " + value_text(least) + " to " + value_text(most) +
                                 ", not " + value_text(value));
}

void check_times(const Config& config) {
  const auto check = check_range<core::Duration>;
  check("period", config.period, 5ms, 60s);
  if (config.timeout < 2 * config.period)
    throw core::Problem("timeout", "must be at least twice the period, which is " +
                                       core::to_text(config.period) + ", not " +
                                       core::to_text(config.timeout) +
                                       "; three times the period tolerates the loss of two probes");
  check("timeout", config.timeout, 10ms, 600s);
  check("listen_first", config.listen_first, 0s, 600s);
  check("hook_limit", config.hook_limit, 1ms, 24h);
  check("hook_settle", config.hook_settle, 0s, 1h);
}

void check_numbers(const Config& config) {
  const auto check = check_range<std::int64_t>;
  if (config.id >= std::uint64_t{1} << 48)
    throw core::Problem("id",
                        "must be from 1 to 281474976710655, not " + std::to_string(config.id));
  check("port", config.port, 1, 65535);
  if (config.mtu != 0) check("mtu", config.mtu, 576, 65535);
  check("most_members", config.most_members, 2, 1'000'000);
  check("most_neighbours", config.most_neighbours, 1, 1'000'000);
  check("record_megabytes", config.record_megabytes, 1, 1'000'000);
  check("nice", config.nice, -20, 19);
  const std::string mode = std::to_string(config.socket_mode);
  if (mode.size() > 3 || mode.find_first_not_of("01234567") != std::string::npos)
    throw core::Problem("socket_mode",
                        "must be three digits from 0 to 7 as in chmod, such as 660, not " + mode);
}

}  // namespace

void validate(const Config& config) {
  if (config.group.empty() || config.group.size() > 64)
    throw core::Problem("group", "must be a name of 1 to 64 bytes");
  check_times(config);
  check_numbers(config);
  if (!config.peers.empty() && !config.interfaces.empty())
    throw core::Problem("peer and interface exclude each other; remove one of them");
  if (!config.bind.empty() && config.peers.empty())
    throw core::Problem("bind needs peer; remove `bind`, or name the neighbours with `peer`");
  if (config.key.empty() && !config.plain)
    throw core::Problem(
        "key",
        "a group needs a key file, the same on all nodes; make one with: bellwether keygen "
        "FILE (or run all nodes with --plain, without encryption)");
  if (!config.key.empty() && config.plain)
    throw core::Problem("key and plain exclude each other; remove one of them");
}

std::uint64_t machine_node_id() {
  std::ifstream in("/etc/machine-id");
  std::string text;
  in >> text;
  if (text.empty()) {
    std::array<char, 256> name{};
    if (gethostname(name.data(), name.size() - 1) == 0) text = name.data();
  }
  return (core::stream_seed(0, text) & 0xFFFF'FFFF'FFFFu) | 1;
}

std::string default_socket() {
  if (const char* given = std::getenv("BELLWETHER_SOCKET"); given && *given) return given;
  if (geteuid() != 0)
    if (const char* folder = std::getenv("XDG_RUNTIME_DIR"); folder && *folder)
      return std::string(folder) + "/bellwether/node.sock";
  return "/run/bellwether/node.sock";
}

std::vector<std::string> need_restart(const Config& running, const Config& wanted) {
  static const std::set<std::string_view> live{"priority",    "key",       "on_elected",
                                               "on_deposed",  "on_change", "hook_limit",
                                               "hook_settle", "log_level"};
  std::vector<std::string> out;
  core::for_each_field<Config>([&](const auto& f) {
    if (!live.contains(f.name) && !(running.*f.member == wanted.*f.member))
      out.emplace_back(f.name);
  });
  if (running.options != wanted.options) out.emplace_back("options");
  return out;
}

}  // namespace bellwether::node
