// SPDX-License-Identifier: MIT
// What the repairs of topology-aware-2 and cel-2 cost and what they are good for: the published
// elections and the repaired ones in the same networks, side by side. The table is that of
// docs/algorithms/cel-2.md and topology-aware-2.md. Nothing is timed: the figures are the same on
// every machine.
#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/sim/simulate.hpp"

namespace {

using namespace bellwether;
using namespace std::chrono_literals;
using scenario::Scenario;

constexpr std::uint64_t seeds = 5;

struct Place {
  const char* title;
  const char* file;
  core::Duration time;
  std::vector<const char*> settings;
  bool calm_in_the_end = false;
};

struct Contender {
  const char* algorithm;
  const char* option;  // "name=text", or nothing
};

const std::vector<Place> places{
    {"waypoint, ideal radio", "thesis-random-waypoint", 300s, {}},
    {"waypoint, 5 % lost",
     "thesis-random-waypoint",
     300s,
     {"radio.model=lossy", "radio.loss=0.05"}},
    {"walk, shared medium", "thesis-random-walk", 300s, {"radio.range=80"}},
    {"walk, 5 % lost",
     "thesis-random-walk",
     300s,
     {"radio.range=80", "radio.model=lossy", "radio.loss=0.05"}},
    {"wires, 20 s of churn and crashes",
     "dynamic-network",
     60s,
     {"network.nodes=40", "network.degree=5", "churn.rate=8", "metrics.on=on"},
     true},
};

const std::vector<std::vector<Contender>> rivals{
    {{"topology-aware", ""}, {"topology-aware-2", ""}, {"topology-aware-2", "digest=5 s"}},
    {{"cel", ""}, {"cel-2", ""}, {"cel-2", "digest=5 s"}},
};

struct Figures {
  double messages = 0;
  double bytes = 0;
  double wrong = 0;
  std::uint64_t agreed = 0;  // runs that end so
};

Scenario on(const Place& place, const Contender& contender, std::uint64_t seed) {
  Scenario s = scenario::read_scenario(std::filesystem::path(BELLWETHER_SOURCE_DIR) / "scenarios" /
                                       (std::string(place.file) + ".toml"));
  s.options.clear();
  scenario::set_key(s, std::string("algorithm=") + contender.algorithm);
  for (const char* each : place.settings) scenario::set_key(s, each);
  if (*contender.option != 0) scenario::set_key(s, std::string("options.") + contender.option);
  if (std::string_view(contender.algorithm).starts_with("topology-aware") && s.radio.range > 0)
    scenario::set_key(s, fmt::format("options.range={}", s.radio.range));
  s.stop.time = place.time;
  s.seed = seed;
  // A quiescent network is measured to the end as well: a restart of a live node has no effect.
  if (s.network.topology != "radio")
    s.changes.script.push_back(
        {s.stop.time, world::ChangeKind::restart, core::NodeId{1}, {}, false});
  scenario::validate(s);
  return s;
}

observe::RunReport run(const Scenario& s) {
  return sim::simulate(catalogue::algorithm(s.algorithm), s, {});
}

Figures measured(const Place& place, const Contender& contender) {
  Figures sum;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const observe::RunReport report = run(on(place, contender, seed));
    std::map<std::string, double> metric;
    for (const auto& each : report.metrics) metric[each.name] = each.value;
    sum.messages += metric.at("messages_per_s") / seeds;
    sum.bytes += metric.at("bytes_per_s") / seeds;
    sum.wrong += metric.at("instability") / seeds;
    sum.agreed += report.agreed ? 1 : 0;
  }
  return sum;
}

}  // namespace

int main() {
  fmt::print(
      "| network | election | messages /s | bytes /s | wrong leader | agreed in the end |\n");
  fmt::print("|---|---|---|---|---|---|\n");
  for (const auto& group : rivals)
    for (const Place& place : places)
      for (const Contender& contender : group) {
        const Figures f = measured(place, contender);
        const std::string name = fmt::format("`{}`{}{}", contender.algorithm,
                                             *contender.option != 0 ? ", " : "", contender.option);
        // Nodes that move never come to an end.
        const std::string agreed =
            place.calm_in_the_end ? fmt::format("{} of {}", f.agreed, seeds) : "";
        fmt::print("| {} | {} | {:.1f} | {:.0f} | {:.2f} % | {} |\n", place.title, name, f.messages,
                   f.bytes, 100 * f.wrong, agreed);
      }
}
