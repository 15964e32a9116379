// SPDX-License-Identifier: MIT
// bellwether motion: where the nodes of a scenario go, in a file that other simulators read.
#include <filesystem>

#include "bellwether/cli/commands.hpp"
#include "bellwether/cli/load.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/scenario/blame.hpp"
#include "bellwether/world/mobility_trace.hpp"
#include "bellwether/world/topology.hpp"

namespace bellwether::cli {
namespace {

struct MotionOptions {
  ScenarioOptions scenario;
  std::string out;
  std::string duration;
};

constexpr const char* footer =
    R"(The file's ending selects the format: .movements is BonnMotion's own; .ns_movements and .tcl
are the setdest commands of ns-2, which ns-3 reads, too. Only nodes that move are written: not the
towers and servers of a highway. A scenario with model = "trace" follows such a file, and so this
command also turns one format into the other.
Examples:
  bellwether motion scenarios/thesis-random-waypoint.toml --out paths.movements
  bellwether motion scenarios/swarm.toml --out swarm.tcl --for "60 s" --seed 7)";

using MotionWriter = std::string (*)(world::Motion&, world::NodeIndex, core::Time);

MotionWriter writer_for(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".movements") return world::bonnmotion_text;
  if (ending == ".ns_movements" || ending == ".tcl") return world::ns2_text;
  throw core::Problem(
      "--out", {},
      "\"" + path +
          "\" has no ending that names a format; let it end in .movements (BonnMotion), "
          ".ns_movements or .tcl (ns-2)");
}

/// Paths are written whole: a month of many nodes fills the memory and the disk.
constexpr core::Time longest = std::chrono::hours(31 * 24);

core::Time horizon(const MotionOptions& options, const scenario::Scenario& scenario) {
  if (options.duration.empty() && scenario.stop.time <= longest) return scenario.stop.time;
  if (options.duration.empty())
    throw scenario::problem_at(scenario, "stop.time",
                               "paths of more than 744 h are not written; add --for \"1 h\", say");
  const auto time = core::parse_duration(options.duration);
  if (!time || *time <= core::Time{0})
    throw core::Problem(
        "--for", {},
        "\"" + options.duration + "\" is not a time above 0; write \"250 ms\" or \"90 s\"");
  if (*time > longest) throw core::Problem("--for", {}, "must be 744 h or less");
  return *time;
}

/// The nodes that move, numbered without the others: as a trace numbers them.
class OnlyMobile final : public world::Motion {
 public:
  OnlyMobile(std::unique_ptr<world::Motion> all, const world::Network& network)
      : all_(std::move(all)) {
    for (world::NodeIndex u = 0; u < network.nodes; ++u)
      if (world::kind_of(network, u) == world::NodeKind::mobile) mobile_.push_back(u);
  }
  world::Leg next(world::NodeIndex u) override { return all_->next(mobile_[u]); }
  world::Extent bounds() const override { return all_->bounds(); }
  world::NodeIndex size() const { return static_cast<world::NodeIndex>(mobile_.size()); }

 private:
  std::unique_ptr<world::Motion> all_;
  std::vector<world::NodeIndex> mobile_;
};

int write_motion(const MotionOptions& options) {
  const MotionWriter write = writer_for(options.out);
  const scenario::Scenario scenario = load(options.scenario);
  const core::Time until = horizon(options, scenario);
  if (!scenario::moves(scenario))
    throw scenario::problem_at(
        scenario, "mobility.model",
        "nodes do not move in this scenario; add [mobility] with a model, such as "
        "\"random-waypoint\"");
  try {
    const auto network = world::build_network(scenario::effective_network(scenario), scenario.seed);
    OnlyMobile motion(
        world::make_motion(scenario::effective_mobility(scenario), network, scenario.seed),
        network);
    write_file(options.out, write(motion, motion.size(), until));
  } catch (const core::Problem& problem) {
    throw scenario::blamed_on(scenario, problem);
  }
  return 0;
}

}  // namespace

void add_motion(terminal::Command& app, int& status) {
  const auto options = std::make_shared<MotionOptions>();
  terminal::Command* sub =
      app.add_subcommand("motion", "Write the paths of moving nodes to a file");
  add_scenario_options(*sub, options->scenario);
  sub->add_option("-o,--out", options->out, "Write to this file: .movements, .ns_movements or .tcl")
      ->required();
  sub->add_option(
      "--for", options->duration,
      "Write this much time, such as \"90 s\", at most 744 h; default: stop.time of the "
      "scenario");
  sub->footer(footer);
  sub->callback([options, &status] { status = write_motion(*options); });
}

}  // namespace bellwether::cli
