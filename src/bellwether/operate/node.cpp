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

constexpr const char* footer = R"(A first group, on two machines (docs/node.md has more):
  bellwether keygen group.key                  once; copy the file to the other machine
  bellwether node --id 1 --key group.key       on the first, --id 2 on the second
  bellwether leader                            on either: who leads?
Every flag is a key of the file, with _ for -; flags win. [options] holds options of the algorithm.
SIGHUP reads the file again: keys, priority, hooks and log level change at once. SIGTERM says
goodbye to the neighbours, so that the next leader stands at once.
Exit status: 0 stopped on request, 2 bad input, and nothing was started.)";

std::vector<GivenKey> given(const NodeOptions& options) {
  std::vector<GivenKey> out;
  for (const auto& [name, texts] : options.keys)
    if (!texts->empty()) out.push_back({name, *texts});
  if (*options.plain) out.push_back({"plain", {"true"}});
  return out;
}

/// All that can be known without opening a socket: also that the key file is good.
void check(const node::Config& config, const catalogue::Algorithms& algorithms) {
  if (!config.plain) node::Keyring::load(config.key, config.group);
  node::make_engine(algorithms, node::engine_spec(config, 1400, 1));
  if (!config.user.empty()) node::find_user(config.user);
}

int run_node(const NodeOptions& options, const catalogue::Algorithms& algorithms) {
  const auto load = [options] { return node_config(options.config, given(options), options.set); };
  const node::Config config = load();
  if (options.check) {
    check(config, algorithms);
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
            (errno == EEXIST ? "; a key is never overwritten: choose another name" : ""));
  const bool written = write(fd, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  close(fd);
  if (!written) throw core::Problem(path, {}, "cannot be written; is the disk full?");
  fmt::print("{}: a new key; copy it to every node of the group, and keep it secret\n", path);
  return 0;
}

}  // namespace

void add_node(terminal::Command& app, const catalogue::Algorithms& algorithms, int& status) {
  const auto options = std::make_shared<NodeOptions>();
  terminal::Command* sub =
      app.add_subcommand("node", "Run a node on this machine: a daemon that elects");
  sub->add_option("--config", options->config, "A TOML file with the keys below")
      ->type_name("FILE");
  sub->add_flag("--check-config", options->check, "Only say whether the configuration is good");
  for (const node::ConfigKey& key : node::config_keys()) {
    std::string flag = "--" + key.name;
    std::replace(flag.begin(), flag.end(), '_', '-');
    if (key.name == "plain") {
      sub->add_flag(flag, *options->plain, key.about);
      continue;
    }
    auto texts = std::make_shared<std::vector<std::string>>();
    options->keys.emplace_back(key.name, texts);
    std::string about = key.about;
    if (!key.choices.empty()) about += " " + key.choices + ".";
    if (!key.standard.empty()) about += " [" + key.standard + "]";
    // Of a flag that is given twice the last one counts, so that scripts can add to a command.
    sub->add_option_function(
           flag,
           [texts, many = key.many](const std::string& text) {
             if (!many) texts->clear();
             texts->push_back(text);
           },
           about)
        ->type_name("")
        ->trigger_on_parse();
  }
  sub->add_option("--set", options->set, "NAME=VALUE: an option of the algorithm; may be repeated")
      ->type_name("");
  sub->footer(footer);
  sub->callback([options, &algorithms, &status] { status = run_node(*options, algorithms); });

  const auto path = std::make_shared<std::string>();
  terminal::Command* keys = app.add_subcommand("keygen", "Make a key for a group of nodes");
  keys->add_option("file", *path, "Where to write it; none: standard output");
  keys->footer(
      "A key file holds one key a line. The first one seals, all of them open. To change the key "
      "of a\n"
      "running group: append the new one on all nodes and send SIGHUP; put it first on all; take\n"
      "the old one away. Nodes understand each other all the while.");
  keys->callback([path, &status] { status = keygen(*path); });
}

}  // namespace bellwether::operate
