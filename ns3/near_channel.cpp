// SPDX-License-Identifier: GPL-2.0-only
#include "near_channel.hpp"

#include <ns3/mobility-model.h>
#include <ns3/net-device.h>
#include <ns3/node.h>
#include <ns3/propagation-delay-model.h>
#include <ns3/propagation-loss-model.h>
#include <ns3/simulator.h>
#include <ns3/wifi-net-device.h>
#include <ns3/wifi-ppdu.h>
#include <ns3/wifi-utils.h>

namespace bellwether::ns3side {

NS_OBJECT_ENSURE_REGISTERED(NearPhy);

NearChannel::NearChannel(ns3::Ptr<ns3::PropagationLossModel> loss,
                         ns3::Ptr<ns3::PropagationDelayModel> delay)
    : loss_(std::move(loss)), delay_(std::move(delay)) {}

void NearChannel::find_ears() {
  for (std::size_t i = 0; i < GetNDevices(); ++i) {
    const auto device = ns3::DynamicCast<ns3::WifiNetDevice>(GetDevice(i));
    ears_.push_back(
        {device->GetPhy(), device->GetPhy()->GetMobility(), device->GetNode()->GetId()});
  }
}

void NearChannel::send(const ns3::YansWifiPhy& from, const ns3::Ptr<const ns3::WifiPpdu>& ppdu,
                       double power_dbm) {
  if (ears_.empty()) find_ears();
  const ns3::Ptr<ns3::MobilityModel> here = from.GetMobility();
  for (const Ear& ear : ears_) {
    if (ns3::PeekPointer(ear.phy) == &from) continue;
    const double arrives_dbm =
        loss_->CalcRxPower(power_dbm, here, ear.place) + ear.phy->GetRxGain();
    if (arrives_dbm < ear.phy->GetRxSensitivity()) continue;
    ns3::Simulator::ScheduleWithContext(
        ear.node, delay_->GetDelay(here, ear.place), [phy = ear.phy, ppdu, arrives_dbm] {
          ns3::RxPowerWattPerChannelBand power{{{0, 0}, ns3::DbmToW(arrives_dbm)}};
          phy->StartReceivePreamble(ppdu, power, ppdu->GetTxDuration());
        });
  }
}

ns3::TypeId NearPhy::GetTypeId() {
  static ns3::TypeId id = ns3::TypeId("bellwether::NearPhy")
                              .SetParent<ns3::YansWifiPhy>()
                              .SetGroupName("Wifi")
                              .AddConstructor<NearPhy>();
  return id;
}

void NearPhy::StartTx(ns3::Ptr<const ns3::WifiPpdu> ppdu, const ns3::WifiTxVector&) {
  const auto channel = ns3::DynamicCast<NearChannel>(GetChannel());
  channel->send(*this, ppdu, GetTxPowerForTransmission(ppdu) + GetTxGain());
}

NearPhyHelper::NearPhyHelper(const ns3::Ptr<NearChannel>& channel) {
  m_phy.at(0).SetTypeId(NearPhy::GetTypeId());
  SetChannel(channel);
}

}  // namespace bellwether::ns3side
