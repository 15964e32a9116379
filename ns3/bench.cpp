// SPDX-License-Identifier: GPL-2.0-only
// What our adapter costs: the same frames through it, and through a program that has nothing but
// ns-3, by turns in one process. The ratio is what counts; machines differ, and are shared.
#include <fmt/format.h>
#include <ns3/config.h>
#include <ns3/packet.h>
#include <ns3/simulator.h>
#include <ns3/string.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>

#include "air.hpp"
#include "stations.hpp"
#include "traffic.hpp"

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

struct Counter {
  std::uint64_t received = 0;
  void hear(ns3::Ptr<ns3::NetDevice>, ns3::Ptr<const ns3::Packet>, std::uint16_t,
            const ns3::Address&, const ns3::Address&, ns3::NetDevice::PacketType) {
    ++received;
  }
};

Cost bare(const TrafficSpec& spec, const world::RadioSpec& radio) {
  const double begin = cpu_seconds();
  ns3::Config::SetGlobal("SchedulerType", ns3::StringValue("ns3::PriorityQueueScheduler"));
  Counter counter;
  const auto stations = set_up(radio, spec.nodes, spec.seed, standing(places_of(spec)));
  for (const Station& station : stations)
    station.node->RegisterProtocolHandler(ns3::MakeCallback(&Counter::hear, &counter), ether_type,
                                          station.device);
  for (const Submission& one : traffic_of(spec))
    ns3::Simulator::ScheduleWithContext(one.node, ns3::NanoSeconds(one.at.count()),
                                        [device = stations[one.node].device, bytes = one.bytes] {
                                          device->Send(ns3::Create<ns3::Packet>(bytes),
                                                       device->GetBroadcast(), ether_type);
                                        });
  ns3::Simulator::Stop(ns3::NanoSeconds(spec.lasts.count()));
  ns3::Simulator::Run();
  ns3::Simulator::Destroy();
  return {cpu_seconds() - begin, counter.received};
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
  fmt::print("median ratio {:.3f} (goal: at most 1.10)\n", ratios[turns / 2]);
}
