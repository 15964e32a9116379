// SPDX-License-Identifier: GPL-2.0-only
// 802.11n stations on one channel, set up as a scenario's radio says.
#pragma once

#include <ns3/mobility-model.h>
#include <ns3/node.h>
#include <ns3/wifi-net-device.h>

#include <vector>

#include "bellwether/world/positions.hpp"
#include "bellwether/world/radio.hpp"

namespace bellwether::ns3side {

/// Our own frames, among those for local experiments.
inline constexpr std::uint16_t ether_type = 0x88B5;
/// The largest payload of a frame that 802.11 carries.
inline constexpr std::uint32_t largest_payload = 2296;

/// The path of a node, as the fast simulator has it, to the last bit. Schedules nothing.
class Path final : public ns3::MobilityModel {
 public:
  static ns3::TypeId GetTypeId();
  void follow(std::shared_ptr<world::Positions> places, core::NodeIndex node);

 private:
  ns3::Vector DoGetPosition() const override;
  void DoSetPosition(const ns3::Vector&) override {}
  ns3::Vector DoGetVelocity() const override { return {}; }

  std::shared_ptr<world::Positions> places_;
  core::NodeIndex node_ = 0;
};

/// The name that ns-3 has for the mode of broadcasts with this rate. Throws Problem.
std::string mode_of(double bits_per_second);

struct Station {
  ns3::Ptr<ns3::Node> node;
  ns3::Ptr<ns3::WifiNetDevice> device;
};

/// Whom the channel makes an event for when a frame is sent; what comes of it is the same.
enum class Reaches { those_who_hear, everybody };  // near_channel.hpp, and as ns-3 does it

/// In this order; the same seed, the same draws.
std::vector<Station> set_up(const world::RadioSpec& radio, core::NodeIndex nodes,
                            std::uint64_t seed, const std::shared_ptr<world::Positions>& places,
                            Reaches reaches = Reaches::those_who_hear);

}  // namespace bellwether::ns3side
