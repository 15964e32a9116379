// SPDX-License-Identifier: GPL-2.0-only
#include "bare.hpp"

#include <ns3/config.h>
#include <ns3/packet.h>
#include <ns3/simulator.h>
#include <ns3/string.h>

namespace bellwether::ns3side {
namespace {

struct Listener {
  std::vector<Reception> heard;
  void hear(ns3::Ptr<ns3::NetDevice> device, ns3::Ptr<const ns3::Packet> packet, std::uint16_t,
            const ns3::Address&, const ns3::Address&, ns3::NetDevice::PacketType) {
    heard.push_back({Time{ns3::Simulator::Now().GetNanoSeconds()}, device->GetNode()->GetId(),
                     packet->GetSize()});
  }
};

}  // namespace

std::vector<Reception> by_bare_ns3(const TrafficSpec& spec, const world::RadioSpec& radio,
                                   Reaches reaches) {
  ns3::Config::SetGlobal("SchedulerType", ns3::StringValue("ns3::PriorityQueueScheduler"));
  Listener listener;
  const auto stations = set_up(radio, spec.nodes, spec.seed, standing(places_of(spec)), reaches);
  for (const Station& station : stations)
    station.node->RegisterProtocolHandler(ns3::MakeCallback(&Listener::hear, &listener), ether_type,
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
  return listener.heard;
}

}  // namespace bellwether::ns3side
