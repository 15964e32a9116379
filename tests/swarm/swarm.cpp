// SPDX-License-Identifier: MIT
// Swarm testing: the seed draws everything (topology, size, delays, churn, crashes, options);
// faults are injected, then healed, then the election must come to one leader per component. A
// seed plus a commit is a bug report:  build/swarm height --seed 1234  shows one run.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "bellwether/observe/trace/trace.hpp"
#include "expected.hpp"
#include "families.hpp"
#include "judge.hpp"
#include "why.hpp"

namespace bellwether::swarm {

std::span<const Family> families() {
  static constexpr std::array all{
      Family{"height", draw_height},
      Family{"hierarchy", draw_hierarchy},
      Family{"bully", draw_bully},
      Family{"classical", draw_classical},
      Family{"height-radio", draw_height_radio},
      Family{"hierarchy-radio", draw_hierarchy_radio},
      Family{"topology-aware", draw_topology_aware},
      Family{"topology-aware-harsh", draw_topology_aware_harsh},
      Family{"cel", draw_cel},
      Family{"cel-harsh", draw_cel_harsh},
      Family{"topology-aware-2", draw_topology_aware_2},
      Family{"topology-aware-2-harsh", draw_topology_aware_2_harsh},
      Family{"cel-2", draw_cel_2},
      Family{"cel-2-harsh", draw_cel_2_harsh},
      Family{"central-hierarchy", draw_central_hierarchy},
      Family{"flooding", draw_flooding},
      Family{"flooding-harsh", draw_flooding_harsh},
      Family{"vasudevan", draw_vasudevan},
      Family{"vasudevan-harsh", draw_vasudevan_harsh},
      Family{"gomez-calzado", draw_gomez_calzado},
      Family{"gomez-calzado-harsh", draw_gomez_calzado_harsh},
      Family{"drumbeat", draw_drumbeat},
      Family{"drumbeat-harsh", draw_drumbeat_harsh},
      Family{"drumbeat-ideal", draw_drumbeat_ideal},
      Family{"drumbeat-lossy", draw_drumbeat_lossy},
      Family{"drumbeat-bursts", draw_drumbeat_bursts},
      Family{"drumbeat-csma", draw_drumbeat_csma},
  };
  return all;
}

namespace {

using Number = unsigned long long;

bool show_one(const Family& family, std::uint64_t seed) {
  const Trial trial = family.draw(seed);
  std::printf("%s\n", scenario::print_scenario(trial.scenario).c_str());
  observe::TailObserver tail(20);
  const std::string bad = verdict(trial, &tail);
  const auto expected = expected_failures(family.name);
  std::printf("%.*s seed %llu: %s\n", static_cast<int>(family.name.size()), family.name.data(),
              static_cast<Number>(seed), bad.empty() ? "fine" : bad.c_str());
  if (const auto known = expected.find(seed); known != expected.end())
    std::printf("  expected to fail: %s\n", known->second.c_str());
  if (!bad.empty()) std::printf("  %s\n", without_each_fault(trial).c_str());
  for (const auto& line : tail.lines()) std::printf("    %s\n", line.c_str());
  return bad.empty() != expected.contains(seed);
}

/// Whether exactly the expected seeds fail.
bool run_many(const Family& family, std::uint64_t seeds) {
  const auto expected = expected_failures(family.name);
  std::uint64_t passed = 0;
  std::uint64_t as_expected = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const std::string bad = verdict(family.draw(seed));
    const auto known = expected.find(seed);
    if (bad.empty() == (known == expected.end())) {
      ++(bad.empty() ? passed : as_expected);
      continue;
    }
    const auto length = static_cast<int>(family.name.size());
    std::printf("%.*s seed %llu: %s%s\n  again: build/swarm %.*s --seed %llu\n", length,
                family.name.data(), static_cast<Number>(seed),
                bad.empty() ? "no longer fails, and was to: " : bad.c_str(),
                bad.empty() ? known->second.c_str() : "", length, family.name.data(),
                static_cast<Number>(seed));
  }
  const std::uint64_t surprises = seeds - passed - as_expected;
  std::printf("%llu passed, %llu failed as expected, %llu did not do what was expected\n",
              static_cast<Number>(passed), static_cast<Number>(as_expected),
              static_cast<Number>(surprises));
  return surprises == 0;
}

int usage() {
  std::fprintf(stderr,
               "usage: swarm FAMILY --seeds N | --seed S\n"
               "       swarm known-failures\n"
               "families:");
  for (const Family& each : families())
    std::fprintf(stderr, " %.*s", static_cast<int>(each.name.size()), each.name.data());
  std::fprintf(stderr, "\n");
  return 2;
}

int main(int argc, char** argv) {
  const std::string_view name = argc > 1 ? argv[1] : "";
  if (name == "known-failures") return known_failures() ? 0 : 1;
  const auto family = std::ranges::find(families(), name, &Family::name);
  const bool one = argc == 4 && std::strcmp(argv[2], "--seed") == 0;
  const bool many = argc == 4 && std::strcmp(argv[2], "--seeds") == 0;
  if (family == families().end() || (!one && !many)) return usage();
  const std::uint64_t number = std::strtoull(argv[3], nullptr, 10);
  return (one ? show_one(*family, number) : run_many(*family, number)) ? 0 : 1;
}

}  // namespace
}  // namespace bellwether::swarm

int main(int argc, char** argv) {
  try {
    return bellwether::swarm::main(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "swarm: %s\n", error.what());
    return 1;
  }
}
