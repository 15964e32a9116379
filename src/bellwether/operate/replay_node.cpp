// SPDX-License-Identifier: MIT
// bellwether replay: what a node recorded (bellwether node --record), in the same code once more.
#include <fmt/format.h>

#include <fstream>

#include "bellwether/core/problem.hpp"
#include "bellwether/node/replay.hpp"
#include "bellwether/operate/replay_node.hpp"
#include "bellwether/terminal/command.hpp"
#include "bellwether/terminal/program.hpp"

namespace bellwether::operate {

bool is_node_recording(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string line;
  return std::getline(in, line) && node::is_recording(line);
}

int replay_node(const std::string& path, const catalogue::Algorithms& algorithms, bool state) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw core::Problem(path, {}, "there is no such file");
  const node::Replayed run = node::replay(in, path, algorithms);
  const auto seconds = [&](node::Time at) { return core::seconds(at - run.first); };
  fmt::print("{}: node {}, {}\n", path, raw(run.spec.self), run.spec.algorithm);
  fmt::print("calls                 {}, over {:.1f} s\n", run.calls, seconds(run.last));
  fmt::print("frames sent           {}\n", run.frames);
  fmt::print("at the end            {} neighbours, {} members\n", run.neighbours.size(),
             run.members);
  fmt::print("changes of leader     {}\n", run.changes.size());
  for (const auto& change : run.changes)
    fmt::print("  {:>10.3f} s  {}\n", seconds(change.at),
               change.leader ? fmt::format("{} leads", raw(*change.leader)) : "nobody leads");
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
      app.add_subcommand("replay", "Tell a recording of a node to the same code again");
  sub->add_option("file", *path, "What bellwether node --record has written")->required();
  sub->add_flag("--state", *state, "Print the state of the node at the end");
  sub->footer(
      "`bellwether run --replay FILE` does the same. Status 1: an answer was not as recorded.");
  sub->callback(
      [path, state, &algorithms, &status] { status = replay_node(*path, algorithms, *state); });
}

}  // namespace bellwether::operate
