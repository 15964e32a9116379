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
    return "a text";
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
std::string standard_text(const T& value) {
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
  const Config standard;
  std::vector<ConfigKey> keys;
  core::for_each_field<Config>([&](const auto& f) {
    using T = std::remove_cvref_t<decltype(standard.*f.member)>;
    keys.push_back({std::string(f.name), kind_of_key<T>(), standard_text(standard.*f.member),
                    std::string(f.about), std::same_as<T, std::vector<std::string>>,
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
      if (texts.size() != 1) throw core::Problem(name + " takes one value");
      if (!read_key(texts.front(), value))
        throw core::Problem(name + " = \"" + texts.front() + "\": write " + kind_of_key<T>());
    }
  });
  if (found) return;
  std::vector<std::string> known{"options"};
  for (const ConfigKey& key : config_keys()) known.push_back(key.name);
  throw core::Problem(core::unknown_name("key", name, known));
}

void validate(const Config& config) {
  using namespace std::chrono_literals;
  if (config.id >= std::uint64_t{1} << 48)
    throw core::Problem("id", "write a number from 1 to 281474976710655");
  if (config.group.empty() || config.group.size() > 64)
    throw core::Problem("group", "write a name of 1 to 64 characters");
  if (config.period < 5ms || config.period > 60s)
    throw core::Problem("period", "write a time from 5 ms to 60 s");
  if (config.timeout < 2 * config.period)
    throw core::Problem("timeout", "write at least twice the period, which is " +
                                       core::to_text(config.period) +
                                       "; three times bears the loss of two probes");
  if (config.timeout > 600s) throw core::Problem("timeout", "write at most 600 s");
  if (config.port == 0) throw core::Problem("port", "write a number from 1 to 65535");
  if (config.mtu != 0 && (config.mtu < 576 || config.mtu > 65535))
    throw core::Problem("mtu", "write 0, or a number from 576 to 65535");
  if (!config.peers.empty() && !config.interfaces.empty())
    throw core::Problem("peer and interface exclude each other: leave one of them out");
  if (!config.bind.empty() && config.peers.empty())
    throw core::Problem("bind goes with peers; for interfaces leave it out");
  if (config.key.empty() && !config.plain)
    throw core::Problem(
        "key",
        "a group needs a key file, the same on all nodes; make one with: bellwether keygen "
        "FILE (or say --plain to do without)");
  if (!config.key.empty() && config.plain)
    throw core::Problem("key and plain exclude each other: leave one of them out");
  if (config.most_members < 2 || config.most_neighbours < 1)
    throw core::Problem("most_members is at least 2 and most_neighbours at least 1");
  if (config.nice < -20 || config.nice > 19)
    throw core::Problem("nice", "write a number from -20 to 19");
  const std::string mode = std::to_string(config.socket_mode);
  if (mode.size() > 3 || mode.find_first_not_of("01234567") != std::string::npos)
    throw core::Problem("socket_mode", "write three digits as in chmod, such as 660");
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
