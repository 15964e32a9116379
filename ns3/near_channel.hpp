// SPDX-License-Identifier: GPL-2.0-only
// ns-3's own channel makes an event for every other station and frame, and finds out then, from the
// strength, that most of them hear nothing. This one looks at the strength first. Whatever happens
// on it happens on ns-3's own, too, at the same time and in the same order (air_test.cpp).
#pragma once

#include <ns3/yans-wifi-channel.h>
#include <ns3/yans-wifi-helper.h>
#include <ns3/yans-wifi-phy.h>

#include <vector>

namespace bellwether::ns3side {

class NearChannel final : public ns3::YansWifiChannel {
 public:
  NearChannel(ns3::Ptr<ns3::PropagationLossModel> loss, ns3::Ptr<ns3::PropagationDelayModel> delay);
  void send(const ns3::YansWifiPhy& from, const ns3::Ptr<const ns3::WifiPpdu>& ppdu,
            double power_dbm);

 private:
  /// What a frame needs to know of a station; to ask ns-3 each time takes longer than the rest.
  struct Ear {
    ns3::Ptr<ns3::WifiPhy> phy;
    ns3::Ptr<ns3::MobilityModel> place;
    std::uint32_t node = 0;
  };
  void find_ears();

  ns3::Ptr<ns3::PropagationLossModel> loss_;
  ns3::Ptr<ns3::PropagationDelayModel> delay_;
  std::vector<Ear> ears_;
};

/// The radio of a station on such a channel.
class NearPhy final : public ns3::YansWifiPhy {
 public:
  static ns3::TypeId GetTypeId();
  void StartTx(ns3::Ptr<const ns3::WifiPpdu> ppdu, const ns3::WifiTxVector& vector) override;
};

/// Equips stations with such radios.
class NearPhyHelper final : public ns3::YansWifiPhyHelper {
 public:
  explicit NearPhyHelper(const ns3::Ptr<NearChannel>& channel);
};

}  // namespace bellwether::ns3side
