// SPDX-License-Identifier: GPL-2.0-only
// What our adapter costs: the same frames through it, and through a program that has nothing but
// ns-3, by turns in one process. The ratio is what counts; machines differ, and are shared.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>

#include "bare.hpp"

namespace {

using namespace bellwether;
using namespace bellwether::ns3side;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Cost {
  double seconds = 0;
  std::uint64_t received = 0;
};

Cost bare(const TrafficSpec& spec, const world::RadioSpec& radio) {
  const double begin = cpu_seconds();
  const auto heard = by_bare_ns3(spec, radio, Reaches::everybody);
  return {cpu_seconds() - begin, heard.size()};
}

Cost adapted(const TrafficSpec& spec, const world::RadioSpec& radio) {
  const double begin = cpu_seconds();
  const Outcome out = by_ns3(spec, radio);
  return {cpu_seconds() - begin, out.counts.received};
}

}  // namespace

int main(int argc, char** argv) {
  TrafficSpec spec;
  spec.lasts = std::chrono::seconds(argc > 1 ? std::atoi(argv[1]) : 10);
  constexpr int turns = 5;
  constexpr double bound = 1.10;
  fmt::print("60 nodes, range 60 m, 60 bytes per 102.4 ms and 600 per second a node, {} s\n",
             spec.lasts / std::chrono::seconds(1));
  std::vector<double> ratios;
  for (int turn = 0; turn < turns; ++turn) {
    const auto radio = fitted(1e6, 60);
    const Cost ours = adapted(spec, radio);
    const Cost plain = bare(spec, radio);
    ratios.push_back(ours.seconds / plain.seconds);
    fmt::print("bare {:.2f} s, {} received; adapter {:.2f} s, {} received; ratio {:.3f}\n",
               plain.seconds, plain.received, ours.seconds, ours.received, ratios.back());
    std::fflush(stdout);
  }
  std::ranges::sort(ratios);
  const double median = ratios[turns / 2];
  fmt::print("median ratio {:.3f} (bound: at most {:.2f})\n", median, bound);
  if (median <= bound) return 0;
  std::fflush(stdout);
  fmt::print(stderr, "bound missed: adapter / bare ns-3: {:.3f} x; it must be at most {:.2f} x\n",
             median, bound);
  return 1;
}
