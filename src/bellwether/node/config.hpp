// SPDX-License-Identifier: MIT
// What a node is told: by a file, by flags of the same names, or by the program that embeds it.
#pragma once

#include <string>
#include <vector>

#include "bellwether/core/fields.hpp"
#include "bellwether/core/ids.hpp"
#include "bellwether/core/option_rows.hpp"
#include "bellwether/core/time.hpp"

namespace bellwether::node {

/// How frames find the neighbours.
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
  std::string algorithm = "cel-2";
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
                  "The node's id, from 1; each node needs its own. 0: made from the machine's."),
      core::field("group", &Config::group, "The name of the group; others are not heard."),
      core::field("algorithm", &Config::algorithm, "The election; see: bellwether list node."),
      core::field("priority", &Config::priority,
                  "The highest leads, then the most central; 0: never leads."),
      core::field("interface", &Config::interfaces,
                  "A network interface; may be repeated. None: all that are up."),
      core::field("cast", &Config::cast, "How neighbours on an interface are reached."),
      core::field("peer", &Config::peers,
                  "HOST:PORT of a neighbour where there is no multicast; may be repeated."),
      core::field("bind", &Config::bind, "With peers: the own address; none: all addresses."),
      core::field("port", &Config::port, "The UDP port."),
      core::field("mtu", &Config::mtu, "The longest packet in bytes; 0: that of the interfaces."),
      core::field("period", &Config::period, "Time between two probes."),
      core::field("timeout", &Config::timeout, "Silence after which a neighbour is lost."),
      core::field("listen_first", &Config::listen_first,
                  "How long a new node listens before it leads alone; 0: one timeout."),
      core::field("key", &Config::key, "The key file of the group; see: bellwether keygen."),
      core::field("plain", &Config::plain, "No keys: frames are neither sealed nor secret."),
      core::field("socket", &Config::socket,
                  "The Unix socket for the control interface; \"none\": without one."),
      core::field("socket_mode", &Config::socket_mode, "Its permissions, as in chmod."),
      core::field("http", &Config::http, "HOST:PORT for the control interface on loopback, too."),
      core::field("on_elected", &Config::on_elected, "A command to run when this node leads."),
      core::field("on_deposed", &Config::on_deposed, "A command to run when it no longer leads."),
      core::field("on_change", &Config::on_change, "A command to run when the leader changes."),
      core::field("hook_limit", &Config::hook_limit, "After this time a command is killed."),
      core::field("hook_settle", &Config::hook_settle,
                  "Run commands when the leader has not changed for this time; 0: at once."),
      core::field("log_level", &Config::log_level, "What is logged."),
      core::field("log_format", &Config::log_format, "How it is logged."),
      core::field("log_file", &Config::log_file, "Where it is logged; none: standard error."),
      core::field("state", &Config::state, "The file that keeps the epoch through restarts."),
      core::field("record", &Config::record, "Record all that is heard, to replay it."),
      core::field("record_megabytes", &Config::record_megabytes, "Where the recording ends."),
      core::field("user", &Config::user, "Whose rights to take on once sockets are open."),
      core::field("nice", &Config::nice, "Priority among the processes, where that is allowed."),
      core::field("most_members", &Config::most_members, "More are not admitted."),
      core::field("most_neighbours", &Config::most_neighbours, "More are not admitted.")};
  friend bool operator==(const Config&, const Config&) = default;
};

/// One key, for help and for reading.
struct ConfigKey {
  std::string name;      // as in the file; the flag has - for _
  std::string kind;      // "a duration such as ..."
  std::string standard;  // as text; empty: none
  std::string about;
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
