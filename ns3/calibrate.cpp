// SPDX-License-Identifier: GPL-2.0-only
// `csma` beside ns-3 on the same traffic, over range, density, frame size and rate: a table.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "traffic.hpp"

namespace {

using namespace bellwether::ns3side;

struct Cell {
  std::string what;
  TrafficSpec traffic;
  double rate = 1e6, range = 60;
};

std::vector<Cell> cells(double seconds) {
  std::vector<Cell> out;
  const auto add = [&](std::string what, auto change) {
    Cell cell;
    cell.what = std::move(what);
    cell.traffic.lasts = std::chrono::milliseconds(static_cast<std::int64_t>(1000 * seconds));
    change(cell);
    out.push_back(cell);
  };
  for (const double rate : {1e6, 6e6, 52e6}) {
    const auto at = [&](auto change) {
      return [rate, change](Cell& cell) {
        cell.rate = rate;
        change(cell);
      };
    };
    const std::string name = fmt::format("{} Mbit/s, ", rate / 1e6);
    for (const double range : {20.0, 40.0, 60.0, 80.0, 120.0})
      add(name + fmt::format("range {} m", range), at([=](Cell& c) { c.range = range; }));
    for (const unsigned nodes : {30u, 120u})
      add(name + fmt::format("{} nodes", nodes), at([=](Cell& c) { c.traffic.nodes = nodes; }));
    for (const unsigned bytes : {200u, 1400u})
      add(name + fmt::format("{} bytes a second", bytes),
          at([=](Cell& c) { c.traffic.large = bytes; }));
    add(name + "answers at once", at([](Cell& c) { c.traffic.answers = true; }));
    add(name + "all in range", at([](Cell& c) {
          c.traffic.nodes = 30;
          c.range = 750;
        }));
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 20;
  const unsigned seeds = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1;
  fmt::print(
      "| traffic | neighbours | delivery ns-3 | csma | difference | energy ns-3 (W) | csma | "
      "difference | delay ns-3 (us) | csma |\n|---|---|---|---|---|---|---|---|---|---|\n");
  double worst_delivery = 0, worst_energy = 0;
  for (const Cell& cell : cells(seconds)) {
    Outcome ns3, csma;
    double d3 = 0, dc = 0, j3 = 0, jc = 0, w3 = 0, wc = 0;
    for (unsigned seed = 1; seed <= seeds; ++seed) {
      TrafficSpec traffic = cell.traffic;
      traffic.seed = seed;
      const auto radio = fitted(cell.rate, cell.range);
      ns3 = by_ns3(traffic, radio);
      csma = by_csma(traffic, radio);
      d3 += 100 * ns3.delivery() / seeds, dc += 100 * csma.delivery() / seeds;
      j3 += ns3.joules / seconds / seeds, jc += csma.joules / seconds / seeds;
      w3 += ns3.delay_us / seeds, wc += csma.delay_us / seeds;
    }
    const double energy = 100 * (jc / j3 - 1);
    worst_delivery = std::max(worst_delivery, std::abs(dc - d3));
    worst_energy = std::max(worst_energy, std::abs(energy));
    fmt::print(
        "| {} | {:.1f} | {:.2f} % | {:.2f} % | {:+.2f} | {:.4f} | {:.4f} | {:+.2f} % | "
        "{:.0f} | {:.0f} |\n",
        cell.what, ns3.neighbours, d3, dc, dc - d3, j3, jc, energy, w3, wc);
    std::fflush(stdout);
  }
  fmt::print("\nat most {:.2f} points of delivery and {:.2f} % of energy apart\n", worst_delivery,
             worst_energy);
}
