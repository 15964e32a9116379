// SPDX-License-Identifier: GPL-2.0-only
#include "stations.hpp"

#include <ns3/adhoc-wifi-mac.h>
#include <ns3/boolean.h>
#include <ns3/config.h>
#include <ns3/double.h>
#include <ns3/node-container.h>
#include <ns3/propagation-delay-model.h>
#include <ns3/propagation-loss-model.h>
#include <ns3/rng-seed-manager.h>
#include <ns3/simulator.h>
#include <ns3/string.h>
#include <ns3/wifi-helper.h>
#include <ns3/wifi-mac-helper.h>
#include <ns3/yans-wifi-channel.h>
#include <ns3/yans-wifi-helper.h>

#include <array>
#include <cmath>

#include "bellwether/core/problem.hpp"
#include "near_channel.hpp"

namespace bellwether::ns3side {
namespace {

/// With a falling strength, a frame at the edge of the range arrives with this, in dBm.
constexpr double edge = -65;
constexpr double exponent = 3;
constexpr double loss_at_one_metre = 40.05;  // in dB, at 2.4 GHz

ns3::Ptr<ns3::PropagationLossModel> loss_of(const world::RadioSpec& radio) {
  const auto range = ns3::CreateObject<ns3::RangePropagationLossModel>();
  range->SetAttribute("MaxRange", ns3::DoubleValue(radio.range));
  if (radio.reach == world::Reach::range) return range;
  const auto falling = ns3::CreateObject<ns3::LogDistancePropagationLossModel>();
  falling->SetPathLossExponent(exponent);
  falling->SetReference(1, loss_at_one_metre);
  if (radio.reach == world::Reach::logrange) falling->SetNext(range);
  return falling;
}

ns3::YansWifiPhyHelper on_channel(Reaches reaches, const world::RadioSpec& radio) {
  const auto delay = ns3::CreateObject<ns3::ConstantSpeedPropagationDelayModel>();
  if (reaches == Reaches::those_who_hear)
    return NearPhyHelper(ns3::CreateObject<NearChannel>(loss_of(radio), delay));
  const auto channel = ns3::CreateObject<ns3::YansWifiChannel>();
  channel->SetPropagationLossModel(loss_of(radio));
  channel->SetPropagationDelayModel(delay);
  ns3::YansWifiPhyHelper phy;
  phy.SetChannel(channel);
  return phy;
}

ns3::YansWifiPhyHelper phy_of(const world::RadioSpec& radio, Reaches reaches) {
  ns3::YansWifiPhyHelper phy = on_channel(reaches, radio);
  phy.Set("ChannelSettings", ns3::StringValue("{1, 20, BAND_2_4GHZ, 0}"));
  if (radio.reach != world::Reach::range) {
    const double power = edge + loss_at_one_metre + 10 * exponent * std::log10(radio.range);
    phy.Set("TxPowerStart", ns3::DoubleValue(power));
    phy.Set("TxPowerEnd", ns3::DoubleValue(power));
  }
  if (radio.reach == world::Reach::rssi)
    phy.SetPreambleDetectionModel("ns3::ThresholdPreambleDetectionModel", "MinimumRssi",
                                  ns3::DoubleValue(edge));
  return phy;
}

}  // namespace

ns3::TypeId Path::GetTypeId() {
  static ns3::TypeId id =
      ns3::TypeId("bellwether::Path").SetParent<ns3::MobilityModel>().SetGroupName("Mobility");
  return id;
}

void Path::follow(std::shared_ptr<world::Positions> places, core::NodeIndex node) {
  places_ = std::move(places);
  node_ = node;
}

ns3::Vector Path::DoGetPosition() const {
  const core::Time now{ns3::Simulator::Now().GetNanoSeconds()};
  const world::Point at = places_->at(node_, now);
  return {at.x, at.y, 0};
}

std::string mode_of(double rate) {
  struct Mode {
    double rate;
    const char* name;
  };
  static constexpr std::array modes{Mode{1e6, "DsssRate1Mbps"},
                                    Mode{2e6, "DsssRate2Mbps"},
                                    Mode{5.5e6, "DsssRate5_5Mbps"},
                                    Mode{11e6, "DsssRate11Mbps"},
                                    Mode{6e6, "ErpOfdmRate6Mbps"},
                                    Mode{9e6, "ErpOfdmRate9Mbps"},
                                    Mode{12e6, "ErpOfdmRate12Mbps"},
                                    Mode{18e6, "ErpOfdmRate18Mbps"},
                                    Mode{24e6, "ErpOfdmRate24Mbps"},
                                    Mode{36e6, "ErpOfdmRate36Mbps"},
                                    Mode{48e6, "ErpOfdmRate48Mbps"},
                                    Mode{54e6, "ErpOfdmRate54Mbps"},
                                    Mode{6.5e6, "HtMcs0"},
                                    Mode{13e6, "HtMcs1"},
                                    Mode{19.5e6, "HtMcs2"},
                                    Mode{26e6, "HtMcs3"},
                                    Mode{39e6, "HtMcs4"},
                                    Mode{52e6, "HtMcs5"},
                                    Mode{58.5e6, "HtMcs6"},
                                    Mode{65e6, "HtMcs7"}};
  for (const Mode& mode : modes)
    if (mode.rate == rate) return mode.name;
  throw core::Problem("rate",
                      "802.11n has no such rate on one stream of 20 MHz; write 1e6, 2e6, 5.5e6 or "
                      "11e6 (DSSS), 6e6 to 54e6 (OFDM), or 6.5e6 to 65e6 (HT)");
}

std::vector<Station> set_up(const world::RadioSpec& radio, core::NodeIndex nodes,
                            std::uint64_t seed, const std::shared_ptr<world::Positions>& places,
                            Reaches reaches) {
  ns3::RngSeedManager::SetSeed(1);
  ns3::RngSeedManager::SetRun(seed);
  ns3::NodeContainer container;
  container.Create(nodes);
  for (core::NodeIndex u = 0; u < nodes; ++u) {
    const auto path = ns3::CreateObject<Path>();
    path->follow(places, u);
    container.Get(u)->AggregateObject(path);
  }
  ns3::WifiHelper wifi;
  wifi.SetStandard(ns3::WIFI_STANDARD_80211n);
  wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager", "DataMode",
                               ns3::StringValue("HtMcs5"), "NonUnicastMode",
                               ns3::StringValue(mode_of(radio.csma.rate)));
  ns3::WifiMacHelper mac;
  mac.SetType("ns3::AdhocWifiMac");
  const ns3::NetDeviceContainer devices = wifi.Install(phy_of(radio, reaches), mac, container);
  // ns-3 goes on counting streams from one simulation to the next of a process.
  wifi.AssignStreams(devices, 0);
  std::vector<Station> out;
  for (core::NodeIndex u = 0; u < nodes; ++u)
    out.push_back({container.Get(u), ns3::DynamicCast<ns3::WifiNetDevice>(devices.Get(u))});
  return out;
}

}  // namespace bellwether::ns3side
