// SPDX-License-Identifier: MIT
// bellwether replay: replays what a node recorded (bellwether node --record) through the same code.
#include <fmt/format.h>

#include "bellwether/core/input_file.hpp"
#include "bellwether/node/replay.hpp"
#include "bellwether/operate/replay_node.hpp"
#include "bellwether/terminal/command.hpp"
#include "bellwether/terminal/program.hpp"

namespace bellwether::operate {

bool is_node_recording(const std::string& path) {
  if (path.empty()) return false;
  constexpr std::size_t longest = 65536;  // of a first line
  std::ifstream in = core::open_file(path);
  std::string text(longest, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return node::is_recording(text.substr(0, text.find('\n')));
}

int replay_node(const std::string& path, const catalogue::Algorithms& algorithms, bool state) {
  std::ifstream in = core::open_file(path);
  const node::EngineReplay run = node::replay(in, path, algorithms);
  const auto seconds = [&](node::Time at) { return core::seconds(at - run.first); };
  fmt::print("{}: node {}, {}\n", path, raw(run.spec.self), run.spec.algorithm);
  fmt::print("calls                 {}, over {:.1f} s\n", run.calls, seconds(run.last));
  fmt::print("frames sent           {}\n", run.frames);
  fmt::print("at the end            {} neighbours, {} members\n", run.neighbours.size(),
             run.members);
  fmt::print("changes of leader     {}\n", run.changes.size());
  for (const auto& change : run.changes)
    fmt::print("  {:>10.3f} s  {}\n", seconds(change.at),
               change.leader ? fmt::format("{} leads", raw(*change.leader)) : "no leader");
  if (state) fmt::print("state                 {}\n", run.state);
  if (run.difference.empty()) {
    fmt::print("REPLAY: all {} calls are as recorded\n", run.calls);
    return 0;
  }
  fmt::print("REPLAY: {}\n", run.difference);
  return 1;
}

void add_replay(terminal::Command& app, const catalogue::Algorithms& algorithms, int& status) {
  const auto path = std::make_shared<std::string>();
  const auto state = std::make_shared<bool>(false);
  terminal::Command* sub =
      app.add_subcommand("replay", "Replay a node's recording through the same code");
  sub->add_option("file", *path, "Replay this file, which bellwether node --record wrote")
      ->required();
  sub->add_flag("--state", *state, "Print also the state of the node at the end");
  sub->footer(
      "`bellwether run --replay FILE` does the same.\n"
      "Exit status: 0 every call is as recorded; 1 a call differs, and the first one is printed; 2 "
      "bad "
      "input.");
  sub->callback(
      [path, state, &algorithms, &status] { status = replay_node(*path, algorithms, *state); });
}

}  // namespace bellwether::operate
