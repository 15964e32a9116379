// SPDX-License-Identifier: MIT
// The configuration of a node: from a file, from flags of the same names, or from the program that
// embeds it.
#pragma once

#include <string>
#include <vector>

#include "bellwether/core/fields.hpp"
#include "bellwether/core/ids.hpp"
#include "bellwether/core/option_rows.hpp"
#include "bellwether/core/time.hpp"

namespace bellwether::node {

/// How frames reach the neighbours.
enum class Cast : unsigned char { ipv6, ipv4, broadcast };
constexpr auto names_of(Cast) {
  return std::array<std::string_view, 3>{"ipv6", "ipv4", "broadcast"};
}
enum class LogFormat : unsigned char { text, json };
constexpr auto names_of(LogFormat) {
  return std::array<std::string_view, 2>{"text", "json"};
}
enum class LogLevel : unsigned char { debug, info, warning, error };
constexpr auto names_of(LogLevel) {
  return std::array<std::string_view, 4>{"debug", "info", "warning", "error"};
}

struct Config {
  std::uint64_t id = 0;
  std::string group = "default";
  std::string algorithm = "drumbeat";
  std::uint32_t priority = 100;

  std::vector<std::string> interfaces;
  Cast cast = Cast::ipv6;
  std::vector<std::string> peers;
  std::string bind;
  std::uint16_t port = 7745;
  std::uint32_t mtu = 0;

  core::Duration period = std::chrono::milliseconds(100);
  core::Duration timeout = std::chrono::milliseconds(300);
  core::Duration listen_first{};

  std::string key;
  bool plain = false;

  std::string socket;
  std::uint32_t socket_mode = 660;
  std::string http;

  std::string on_elected, on_deposed, on_change;
  core::Duration hook_limit = std::chrono::seconds(10);
  core::Duration hook_settle = std::chrono::milliseconds(500);

  LogLevel log_level = LogLevel::info;
  LogFormat log_format = LogFormat::text;
  std::string log_file;

  std::string state;
  std::string record;
  std::uint32_t record_megabytes = 64;
  std::string user;
  std::int32_t nice = -10;
  std::uint32_t most_members = 1000;
  std::uint32_t most_neighbours = 256;

  core::OptionTexts options;  // of the algorithm

  static constexpr auto fields = std::tuple{
      core::field("id", &Config::id,
                  "Set the node's id, 1 to 2^48 - 1, unique in the group. 0: derive it from the "
                  "machine's id."),
      core::field("group", &Config::group,
                  "Set the name of the group, 1 to 64 bytes. Nodes ignore frames of other groups."),
      core::field("algorithm", &Config::algorithm,
                  "Choose the election; `bellwether list node` lists those that fit."),
      core::field("priority", &Config::priority,
                  "Prefer this node as leader: the highest priority of the component leads, then "
                  "the most central node. 0: not eligible."),
      core::field("interface", &Config::interfaces,
                  "Use this network interface; may be repeated. None: all that are up."),
      core::field("cast", &Config::cast, "Choose how to reach the neighbours on an interface."),
      core::field("peer", &Config::peers,
                  "Name a neighbour, HOST:PORT, where there is no multicast; may be repeated."),
      core::field("bind", &Config::bind, "With --peer: bind to this address. None: all addresses."),
      core::field("port", &Config::port, "Use this UDP port, 1 to 65535."),
      core::field("mtu", &Config::mtu,
                  "Limit packets to this size, 576 to 65535 bytes. 0: the MTU of the interfaces."),
      core::field("period", &Config::period, "Send a probe once per period, 5 ms to 60 s."),
      core::field("timeout", &Config::timeout,
                  "Drop a neighbour that is silent for this time: at least 2 periods, at most 600 "
                  "s. Without it: 3 periods."),
      core::field("listen_first", &Config::listen_first,
                  "Listen for this time, 0 to 600 s, before leading alone. 0: one timeout."),
      core::field("key", &Config::key,
                  "Read the keys of the group from this file; `bellwether keygen` makes one."),
      core::field("plain", &Config::plain,
                  "Send frames without encryption or authentication; needs no key."),
      core::field("socket", &Config::socket,
                  "Serve the control interface on this Unix socket. none: do not."),
      core::field("socket_mode", &Config::socket_mode,
                  "Set the permissions of the socket, three digits as in chmod."),
      core::field("http", &Config::http,
                  "Serve the control interface on this loopback HOST:PORT, too."),
      core::field("on_elected", &Config::on_elected,
                  "Run this shell command when this node becomes the leader."),
      core::field("on_deposed", &Config::on_deposed,
                  "Run this shell command when this node is no longer the leader."),
      core::field("on_change", &Config::on_change,
                  "Run this shell command when the leader changes."),
      core::field("hook_limit", &Config::hook_limit,
                  "Kill a hook that runs for longer, 1 ms to 24 h."),
      core::field("hook_settle", &Config::hook_settle,
                  "Run hooks when the leader has not changed for this time, 0 to 1 h. 0: at once."),
      core::field("log_level", &Config::log_level, "Log messages of this level and above."),
      core::field("log_format", &Config::log_format, "Choose the format of the log."),
      core::field("log_file", &Config::log_file,
                  "Append the log to this file. None: standard error."),
      core::field("state", &Config::state, "Keep the epoch in this file through restarts."),
      core::field(
          "record", &Config::record,
          "Record every input of the election in this file; `bellwether replay` replays it."),
      core::field("record_megabytes", &Config::record_megabytes,
                  "Stop the recording at this size, 1 to 1000000 MiB."),
      core::field("user", &Config::user,
                  "Switch to this user once the sockets are open (needs root)."),
      core::field("nice", &Config::nice,
                  "Set the scheduling priority, -20 (first) to 19, where that is allowed."),
      core::field("most_members", &Config::most_members,
                  "Admit at most this number of members, 2 to 1000000."),
      core::field("most_neighbours", &Config::most_neighbours,
                  "Admit at most this number of neighbours, 1 to 1000000.")};
  friend bool operator==(const Config&, const Config&) = default;
};

/// One key, for help and for reading.
struct ConfigKey {
  std::string name;          // as in the file; the flag has - for _
  std::string kind;          // "a duration such as ..."
  std::string default_text;  // as text; empty: none
  std::string description;
  bool many = false;
  std::string choices;  // "auto, multicast, broadcast" where there are some to choose from
};
std::vector<ConfigKey> config_keys();

/// Sets a key from its texts (one, unless it takes many). Throws Problem without a place.
void set_key(Config& config, const std::string& name, const std::vector<std::string>& texts);

/// What is missing or makes no sense; throws Problem with one sentence. `timeout` that was not
/// given follows `period`.
void validate(const Config& config);

/// An id made from the machine's: /etc/machine-id, hashed to below 2^48.
std::uint64_t machine_node_id();

/// Where the control socket is unless said otherwise.
std::string default_socket();

/// Keys whose change needs a restart, among those that differ.
std::vector<std::string> need_restart(const Config& running, const Config& wanted);

}  // namespace bellwether::node
