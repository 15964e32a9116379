// SPDX-License-Identifier: MIT
// The elections for networks that stay as they are: each in any network, and with any channel, that
// its model in the catalogue allows.
#include "bellwether/catalogue/catalogue.hpp"
#include "draws.hpp"
#include "families.hpp"

namespace bellwether::swarm {
namespace {

using namespace std::chrono_literals;

catalogue::Algorithms classical_entries() {
  catalogue::Algorithms out = catalogue::all();
  std::erase_if(out, [](const core::Algorithm& entry) {
    return entry.facts.model.tolerates_changes || entry.facts.model.tolerates_crashes;
  });
  return out;
}

void draw_network(Scenario& s, const core::Model& model, core::Prng& draw) {
  const bool direct = !model.synchronous || draw.below(2) == 0;
  s.network.nodes = static_cast<core::NodeIndex>(3 + draw.below(30));
  s.network.ids = one_of<const char*>(draw, {"ascending", "descending", "random"});
  s.network.anonymous = !model.needs_ids && draw.below(2) == 0;
  if (model.shape == core::Shape::ring) {
    s.network.topology = "ring";
    s.network.one_way = model.tolerates_one_way && direct && draw.below(2) == 0;
  } else if (model.shape == core::Shape::complete) {
    s.network.topology = "complete";
  } else {
    s.network.topology = one_of<const char*>(
        draw, {"line", "ring", "star", "tree", "grid", "torus", "complete", "barabasi-albert"});
  }
  if (!direct) s.rounds.synchronizer = static_cast<core::Synchronizer>(1 + draw.below(5));
  if (s.network.anonymous && s.rounds.synchronizer >= core::Synchronizer::beta)
    s.network.anonymous = false;
}

void draw_channel(Scenario& s, const core::Model& model, core::Prng& draw) {
  s.channel.delay = one_of(draw, {world::Delay::constant, world::Delay::uniform,
                                  world::Delay::adversarial, world::Delay::exponential});
  if (s.rounds.synchronizer == core::Synchronizer::abd) s.channel.delay = world::Delay::uniform;
  s.channel.mean = one_of<core::Duration>(draw, {100us, 1ms, 20ms});
  s.channel.min = 0ms;
  s.channel.max = one_of<core::Duration>(draw, {1ms, 10ms, 300ms});
  const bool layered = s.rounds.synchronizer != core::Synchronizer::none;
  if (model.tolerates_reordering || layered)
    s.channel.order = one_of(draw, {world::Order::fifo, world::Order::unordered});
  if (model.tolerates_duplicates && !layered) s.channel.duplicate = draw.below(3) == 0 ? 0.05 : 0;
}

}  // namespace

Trial draw_classical(std::uint64_t seed) {
  static const catalogue::Algorithms entries = classical_entries();
  core::Prng draw = core::stream(seed, "swarm");
  const core::Algorithm& entry = entries[seed % entries.size()];
  const core::Model& model = entry.facts.model;
  Scenario s;
  s.algorithm = entry.name;
  s.seed = seed;
  draw_network(s, model, draw);
  draw_channel(s, model, draw);
  if (!model.needs_all && !model.synchronous) {
    s.start.initiators = draw.below(s.network.nodes + 1);
    s.start.window = one_of<core::Duration>(draw, {0ms, 20ms, 1s});
  }
  for (const core::OptionRow& option : entry.options)
    if (option.name == "extremum")
      s.options["extremum"] = {one_of<const char*>(draw, {"max", "min"}), "swarm"};
  if (!model.synchronous) s.properties = {"all"};
  s.stop.time = 100h;
  s.stop.events = 20'000'000;
  return {s, Demand::rest};
}

}  // namespace bellwether::swarm
