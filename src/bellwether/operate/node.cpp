// SPDX-License-Identifier: MIT
// bellwether node: a node on this machine, for applications to ask who leads.
// bellwether keygen: a key for a group of nodes.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "bellwether/core/problem.hpp"
#include "bellwether/node/daemon.hpp"
#include "bellwether/node/engine_spec.hpp"
#include "bellwether/operate/node.hpp"
#include "bellwether/operate/node_config.hpp"
#include "bellwether/terminal/command.hpp"
#include "bellwether/terminal/program.hpp"

namespace bellwether::operate {
namespace {

struct NodeOptions {
  std::string config;
  bool check = false;
  std::vector<std::string> set;
  std::vector<std::pair<std::string, std::shared_ptr<std::vector<std::string>>>> keys;
  std::shared_ptr<bool> plain = std::make_shared<bool>(false);
};

constexpr const char* footer = R"(Start a first group on two machines (docs/node.md says more):
  bellwether keygen group.key                  once; copy the file to the other machine
  bellwether node --id 1 --key group.key       on the first, --id 2 on the second
  bellwether leader                            on either: print the leader
Every flag is a key of the file, with _ for -; flags override the file. The table [options] holds
the options of the algorithm. Times have a unit, such as 100ms; a bare number is milliseconds.
SIGHUP reloads the file: keys, priority, hooks and log level change at once. SIGTERM announces the
end to the neighbours, so that they elect the next leader at once.
Exit status: 0 stopped on request; 2 bad input, and nothing was started.)";

std::vector<GivenKey> given(const NodeOptions& options) {
  std::vector<GivenKey> out;
  for (const auto& [name, texts] : options.keys)
    if (!texts->empty()) out.push_back({name, *texts});
  if (*options.plain) out.push_back({"plain", {"true"}});
  return out;
}

/// All that can be checked without opening a socket, the key file included.
void check(const node::Config& config) {
  if (!config.plain) node::Keyring::load(config.key, config.group);
  if (!config.user.empty()) node::find_user(config.user);
  node::check_output_file("log_file", config.log_file, true);
  node::check_output_file("state", config.state);
  node::check_output_file("record", config.record);
}

int run_node(const NodeOptions& options, const catalogue::Algorithms& algorithms) {
  const auto load = [options] { return node_config(options.config, given(options), options.set); };
  const node::Config config = load();
  try {  // the algorithm and its options; the complaint names the file
    const core::Algorithm& algorithm = node::find_suitable(algorithms, config.algorithm);
    node::Engine(algorithm, node::engine_spec(config, algorithm, 1400, 1));
  } catch (const core::Problem& problem) {
    throw problem.at(options.config);
  }
  if (options.check) {
    check(config);
    fmt::print("{}: the configuration is good\n",
               options.config.empty() ? "bellwether node" : options.config);
    return 0;
  }
  std::signal(SIGPIPE, SIG_IGN);
  boost::asio::io_context io(1);
  node::Daemon daemon(io, config, algorithms);
  daemon.follow_signals(load);
  daemon.start();
  io.run();
  return 0;
}

/// For the owner alone; where the folder hands its group to new files, that group may read it:
/// in /etc/bellwether, the user that the service runs as.
mode_t key_mode(const std::string& path) {
  const auto folder = std::filesystem::absolute(path).parent_path();
  std::error_code error;
  const auto rights = std::filesystem::status(folder, error).permissions();
  const bool shared = (rights & std::filesystem::perms::set_gid) != std::filesystem::perms::none;
  return !error && shared ? 0640 : 0600;
}

int keygen(const std::string& path) {
  const std::string line = node::new_key_line() + "\n";
  if (path.empty()) {
    std::fputs(line.c_str(), stdout);
    return 0;
  }
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, key_mode(path));
  if (fd < 0)
    throw core::Problem(
        path, {},
        std::string(std::strerror(errno)) +
            (errno == EEXIST ? "; keygen overwrites no file: choose another name"
                             : "; name a file in a folder that exists and that you may write to"));
  std::signal(SIGXFSZ, SIG_IGN);  // a limit of the file size is an error like a full disk
  const bool written =
      write(fd, line.data(), line.size()) == static_cast<ssize_t>(line.size()) && fsync(fd) == 0;
  const int error = errno;
  close(fd);
  if (!written) {
    unlink(path.c_str());  // or the next attempt would find half a key
    throw core::Problem(
        path, {},
        std::string(std::strerror(error)) + "; free some space, or name a file on another disk");
  }
  fmt::print("{}: a new key; copy it to every node of the group, and keep it secret\n", path);
  return 0;
}

}  // namespace

void add_node(terminal::Command& app, const catalogue::Algorithms& algorithms, int& status) {
  const auto options = std::make_shared<NodeOptions>();
  terminal::Command* sub = app.add_subcommand(
      "node", "Run a node on this machine: a daemon that elects a leader with its neighbours");
  sub->add_option("--config", options->config, "Read the keys below from this TOML file")
      ->type_name("FILE");
  sub->add_flag("--check-config", options->check,
                "Check the configuration and exit; start nothing");
  for (const node::ConfigKey& key : node::config_keys()) {
    std::string flag = "--" + key.name;
    std::replace(flag.begin(), flag.end(), '_', '-');
    if (key.name == "plain") {
      sub->add_flag(flag, *options->plain, key.description);
      continue;
    }
    auto texts = std::make_shared<std::vector<std::string>>();
    options->keys.emplace_back(key.name, texts);
    std::string description = key.description;
    if (!key.choices.empty()) description += " One of: " + key.choices + ".";
    if (!key.default_text.empty()) description += " [default " + key.default_text + "]";
    // Of a flag that is given twice the last one counts, so that scripts can add to a command.
    sub->add_option_function(
           flag,
           [texts, many = key.many](const std::string& text) {
             if (!many) texts->clear();
             texts->push_back(text);
           },
           description)
        ->type_name("")
        ->trigger_on_parse();
  }
  sub->add_option("--set", options->set,
                  "Set an option of the algorithm, NAME=VALUE; may be repeated")
      ->type_name("");
  sub->footer(footer);
  sub->callback([options, &algorithms, &status] { status = run_node(*options, algorithms); });

  const auto path = std::make_shared<std::string>();
  terminal::Command* keys = app.add_subcommand("keygen", "Generate a key for a group of nodes");
  keys->add_option("file", *path, "Write the key to this new file (default: standard output)");
  keys->footer(
      "A key file holds one key per line, up to 8. A node encrypts with the first key and decrypts "
      "with all.\n"
      "To rotate the key of a running group: append the new key on all nodes and send SIGHUP; move "
      "it to\n"
      "the first line on all nodes; remove the old key. Nodes understand each other at every "
      "step.\n"
      "Exit status: 0 done; 2 the file exists or cannot be written, and nothing is left behind.");
  keys->callback([path, &status] { status = keygen(*path); });
}

}  // namespace bellwether::operate
