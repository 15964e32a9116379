// SPDX-License-Identifier: GPL-2.0-only
#include "air.hpp"

#include <ns3/config.h>
#include <ns3/simulator.h>
#include <ns3/string.h>
#include <ns3/tag.h>
#include <ns3/wifi-mac-queue.h>
#include <ns3/wifi-mac.h>
#include <ns3/wifi-mpdu.h>
#include <ns3/wifi-phy.h>
#include <ns3/wifi-psdu.h>

#include <algorithm>
#include <deque>

#include "bellwether/core/problem.hpp"
#include "clock.hpp"
#include "stations.hpp"

namespace bellwether::ns3side {
namespace {

using core::Duration;
using core::NodeIndex;
using core::Time;
using world::MediumEffects;

/// Which of our frames a packet is. It is not on the air, and takes no time there.
class FrameTag final : public ns3::Tag {
 public:
  std::uint32_t frame = 0;
  std::uint32_t from = 0;

  static ns3::TypeId GetTypeId() {
    static ns3::TypeId id = ns3::TypeId("bellwether::FrameTag")
                                .SetParent<ns3::Tag>()
                                .SetGroupName("Network")
                                .AddConstructor<FrameTag>();
    return id;
  }
  ns3::TypeId GetInstanceTypeId() const override { return GetTypeId(); }
  std::uint32_t GetSerializedSize() const override { return 8; }
  void Serialize(ns3::TagBuffer to) const override {
    to.WriteU32(frame);
    to.WriteU32(from);
  }
  void Deserialize(ns3::TagBuffer in) override {
    frame = in.ReadU32();
    from = in.ReadU32();
  }
  void Print(std::ostream& out) const override { out << frame; }
};

class Air final : public world::Medium {
 public:
  explicit Air(const world::MediumSite& site);
  ~Air() override;
  Air(const Air&) = delete;
  Air& operator=(const Air&) = delete;

  void link(NodeIndex, NodeIndex, bool) override {}  // places decide, here too
  void send(NodeIndex u, std::uint32_t frame, std::size_t bytes, Time now,
            MediumEffects& effects) override;
  void wake(NodeIndex u, std::uint32_t serial, Time now, MediumEffects& effects) override;
  void power(NodeIndex u, bool on, Time now, MediumEffects& effects) override;
  Energy energy(NodeIndex u, Time now) const override;
  const FrameCounts& counts() const override { return counts_; }

 private:
  struct Flight {  // what a node has on the air
    std::uint32_t frame = 0;
    Time began{};
    bool up = false;
    bool cut = false;
    std::vector<NodeIndex> audience;  // in range when it began
    std::uint32_t got = 0, deaf = 0;
  };
  /// A radio, and what ns-3 tells of it.
  struct Radio {
    Air* air = nullptr;
    NodeIndex self = 0;
    Station station;
    ns3::Ptr<ns3::WifiPhy> phy;
    ns3::Ptr<ns3::WifiMac> mac;
    bool on = true;
    Time switched{};  // when it was last switched on or off
    Duration off{};   // for how long it was off, up to then
    Energy spent;     // by ns-3's own account; what goes on is in it only when it ends
    std::deque<std::uint32_t> line;
    Flight flight;

    void on_frame(ns3::Ptr<ns3::NetDevice>, ns3::Ptr<const ns3::Packet> packet, std::uint16_t,
                  const ns3::Address&, const ns3::Address&, ns3::NetDevice::PacketType) {
      air->hear(*this, packet);
    }
    void on_state(ns3::Time start, ns3::Time lasts, WifiPhyState state);
    void on_begin(ns3::WifiConstPsduMap psdus, ns3::WifiTxVector vector, double) {
      air->begin(*this, psdus, vector);
    }
    void on_drop(ns3::Ptr<const ns3::Packet> packet, ns3::WifiPhyRxfailureReason why) {
      if (why == ns3::TXING || why == ns3::RECEPTION_ABORTED_BY_TX) air->note_deaf(*this, packet);
    }
    void on_mac_drop(ns3::WifiMacDropReason, ns3::Ptr<const ns3::WifiMpdu> mpdu) {
      air->give_up(*this, mpdu->GetPacket());
    }
  };

  void listen(Radio& radio);
  void begin(Radio& radio, const ns3::WifiConstPsduMap& psdus, const ns3::WifiTxVector& vector);
  void finish(NodeIndex u, std::uint32_t frame);
  void hear(Radio& radio, const ns3::Ptr<const ns3::Packet>& packet);
  void note_deaf(Radio& radio, const ns3::Ptr<const ns3::Packet>& packet);
  void give_up(Radio& radio, const ns3::Ptr<const ns3::Packet>& packet);
  void drop_line(Radio& radio);
  void go_on(MediumEffects& effects);
  std::vector<NodeIndex> in_range_of(NodeIndex u);
  Time now() const { return Time{ns3::Simulator::Now().GetNanoSeconds()}; }

  const world::RadioSpec spec_;
  const std::shared_ptr<world::Positions> places_;
  ns3::Ptr<Clock> clock_;
  std::vector<std::unique_ptr<Radio>> radios_;
  std::vector<bool> has_radio_;
  FrameCounts counts_;
  MediumEffects* effects_ = nullptr;  // of the call that is being answered
  const ns3::Time on_its_way_;        // by then a frame has arrived wherever it may
  Time wake_at_ = core::end_of_time;
  std::uint32_t serial_ = 0;
};

Air::Air(const world::MediumSite& site)
    : spec_(site.radio),
      places_(site.places),
      has_radio_(site.has_radio),
      on_its_way_(ns3::NanoSeconds(static_cast<std::int64_t>(spec_.range / 0.299) + 100)) {
  if (spec_.mtu > largest_payload)
    throw core::Problem("mtu", "802.11 carries at most " + std::to_string(largest_payload) +
                                   " bytes in a frame; write that or less");
  mode_of(spec_.csma.rate);  // or it is refused, before anything is built
  ns3::Config::SetGlobal("SchedulerType", ns3::StringValue("ns3::PriorityQueueScheduler"));
  clock_ = ns3::CreateObject<Clock>();
  ns3::Simulator::SetImplementation(clock_);
  // Until it is run, ns-3 keeps a list of all times there are, in case their unit changes: that
  // takes four times as long. Our clock does nothing when it is run.
  ns3::Simulator::Run();
  has_radio_.resize(site.nodes, true);
  for (const Station& station : set_up(spec_, site.nodes, site.seed, places_)) {
    auto radio = std::make_unique<Radio>();
    radio->air = this;
    radio->self = static_cast<NodeIndex>(radios_.size());
    radio->station = station;
    radio->phy = station.device->GetPhy();
    radio->mac = station.device->GetMac();
    listen(*radio);
    radios_.push_back(std::move(radio));
  }
  // Devices begin with an event of their own at time 0.
  MediumEffects none;
  effects_ = &none;
  clock_->run_up_to(0);
  for (NodeIndex u = 0; u < site.nodes; ++u)
    if (!has_radio_[u] || u >= site.nodes - site.absent) power(u, false, Time{0}, none);
  wake_at_ = core::end_of_time;
  effects_ = nullptr;
}

Air::~Air() {
  MediumEffects none;
  effects_ = &none;
  radios_.clear();
  ns3::Simulator::Destroy();
}

void Air::listen(Radio& radio) {
  using ns3::MakeCallback;
  Radio* const self = &radio;
  radio.station.node->RegisterProtocolHandler(MakeCallback(&Radio::on_frame, self), ether_type,
                                              radio.station.device);
  const bool heard =
      radio.phy->GetState()->TraceConnectWithoutContext("State",
                                                        MakeCallback(&Radio::on_state, self)) &&
      radio.phy->TraceConnectWithoutContext("PhyTxPsduBegin",
                                            MakeCallback(&Radio::on_begin, self)) &&
      radio.phy->TraceConnectWithoutContext("PhyRxDrop", MakeCallback(&Radio::on_drop, self)) &&
      radio.mac->TraceConnectWithoutContext("DroppedMpdu", MakeCallback(&Radio::on_mac_drop, self));
  if (!heard) throw std::logic_error("this ns-3 does not have the traces of ns-3.37");
}

// What we ask for.

void Air::send(NodeIndex u, std::uint32_t frame, std::size_t bytes, Time at,
               MediumEffects& effects) {
  Radio& radio = *radios_[u];
  if (bytes > spec_.mtu) ++counts_.too_large;
  if (bytes > spec_.mtu || !radio.on) return effects.done.push_back(frame);
  effects_ = &effects;
  clock_->stand_at(at.count(), u);
  const auto packet = ns3::Create<ns3::Packet>(static_cast<std::uint32_t>(bytes));
  FrameTag tag;
  tag.frame = frame;
  tag.from = u;
  packet->AddPacketTag(tag);
  radio.line.push_back(frame);
  radio.station.device->Send(packet, radio.station.device->GetBroadcast(), ether_type);
  go_on(effects);
}

void Air::wake(NodeIndex, std::uint32_t serial, Time at, MediumEffects& effects) {
  if (serial != serial_) return;
  effects_ = &effects;
  wake_at_ = core::end_of_time;
  clock_->run_up_to(at.count());
  go_on(effects);
}

/// Asks to be woken when ns-3 has something to do, unless that has been asked already.
void Air::go_on(MediumEffects& effects) {
  effects_ = nullptr;
  const auto next = clock_->next();
  if (!next || Time{*next} >= wake_at_) return;
  wake_at_ = Time{*next};
  serial_ = (serial_ + 1) & 0xFF'FFFF;  // fewer than that are in transit
  effects.wakes.push_back({wake_at_, 0, serial_});
}

void Air::power(NodeIndex u, bool on, Time at, MediumEffects& effects) {
  Radio& radio = *radios_[u];
  if (radio.on == on || (on && !has_radio_[u])) return;
  effects_ = &effects;
  clock_->stand_at(at.count(), u);
  if (on) {
    radio.off += at - radio.switched;
    radio.phy->ResumeFromOff();
  } else {
    if (radio.flight.up) radio.flight.cut = true;
    radio.phy->SetOffMode();
    drop_line(radio);
  }
  radio.on = on;
  radio.switched = at;
  go_on(effects);
}

void Air::drop_line(Radio& radio) {
  radio.mac->GetTxopQueue(ns3::AC_BE)->Flush();
  for (const std::uint32_t frame : radio.line) effects_->done.push_back(frame);
  radio.line.clear();
}

// What ns-3 tells.

void Air::begin(Radio& radio, const ns3::WifiConstPsduMap& psdus, const ns3::WifiTxVector& vector) {
  const auto& psdu = psdus.begin()->second;
  FrameTag tag;
  if (psdu->GetNMpdus() == 0 || !psdu->GetPayload(0)->PeekPacketTag(tag)) return;
  std::erase(radio.line, tag.frame);
  ++counts_.sent;
  Flight& flight = radio.flight;
  flight = {tag.frame, now(), true, false, in_range_of(radio.self), 0, 0};
  counts_.possible += flight.audience.size();
  const ns3::Time lasts = ns3::WifiPhy::CalculateTxDuration(psdus, vector, radio.phy->GetPhyBand());
  ns3::Simulator::Schedule(lasts + on_its_way_,
                           [this, u = radio.self, frame = tag.frame] { finish(u, frame); });
}

/// Everybody has heard it who will.
void Air::finish(NodeIndex u, std::uint32_t frame) {
  Flight& flight = radios_[u]->flight;
  // The next one may be on the air already; then this one was settled.
  if (flight.up && flight.frame == frame) {
    flight.up = false;
    const auto missed = flight.audience.size() - flight.got - flight.deaf;
    std::size_t cut = 0;
    for (const NodeIndex v : flight.audience)
      if (flight.cut || radios_[v]->switched >= flight.began) ++cut;
    cut = std::min(cut, missed);
    counts_.cut_off += cut;
    counts_.lost_overlap += missed - cut;
    counts_.lost_deaf += flight.deaf;
  }
  if (effects_) effects_->done.push_back(frame);
}

void Air::hear(Radio& radio, const ns3::Ptr<const ns3::Packet>& packet) {
  FrameTag tag;
  if (!radio.on || !packet->PeekPacketTag(tag)) return;
  Flight& flight = radios_[tag.from]->flight;
  if (!flight.up || flight.frame != tag.frame || flight.cut) return;
  ++flight.got;
  ++counts_.received;
  effects_->heard.push_back({tag.frame, radio.self});
}

void Air::note_deaf(Radio& radio, const ns3::Ptr<const ns3::Packet>& packet) {
  FrameTag tag;
  if (!packet->PeekPacketTag(tag)) return;
  Flight& flight = radios_[tag.from]->flight;
  if (flight.up && flight.frame == tag.frame &&
      std::ranges::binary_search(flight.audience, radio.self))
    ++flight.deaf;
}

void Air::give_up(Radio& radio, const ns3::Ptr<const ns3::Packet>& packet) {
  FrameTag tag;
  if (!packet->PeekPacketTag(tag)) return;
  if (std::erase(radio.line, tag.frame) > 0 && effects_) effects_->done.push_back(tag.frame);
}

std::vector<NodeIndex> Air::in_range_of(NodeIndex u) {
  std::vector<NodeIndex> out;
  const world::Point here = places_->at(u, now());
  for (NodeIndex v = 0; v < radios_.size(); ++v) {
    if (v == u || !radios_[v]->on) continue;
    const world::Point there = places_->at(v, now());
    const double x = there.x - here.x, y = there.y - here.y;
    if (x * x + y * y <= spec_.range * spec_.range) out.push_back(v);
  }
  return out;
}

// Energy.

void Air::Radio::on_state(ns3::Time, ns3::Time lasts, WifiPhyState state) {
  const Duration time{lasts.GetNanoSeconds()};
  if (state == WifiPhyState::TX) spent.tx += time;
  if (state == WifiPhyState::RX) spent.rx += time;
  if (state == WifiPhyState::CCA_BUSY) spent.busy += time;
  if (state == WifiPhyState::IDLE) spent.idle += time;  // when it is off is known here
}

/// ns-3 tells of a frame that is sent when it begins, and of everything else when it ends.
world::Medium::Energy Air::energy(NodeIndex u, Time at) const {
  const Radio& radio = *radios_[u];
  Energy out = radio.spent;
  out.sleep = radio.off + (radio.on ? Duration{0} : at - radio.switched);
  const Duration rest = at - out.sleep - out.idle - out.busy - out.rx - out.tx;
  if (rest >= Duration{0}) {
    const WifiPhyState state = radio.phy->GetState()->GetState();
    (state == WifiPhyState::RX         ? out.rx
     : state == WifiPhyState::CCA_BUSY ? out.busy
                                       : out.idle) += rest;
  } else {
    out.tx += rest;
  }
  const world::PowerSpec& power = spec_.power;
  out.joules = power.idle * core::seconds(out.idle) + power.busy * core::seconds(out.busy) +
               power.rx * core::seconds(out.rx) + power.tx * core::seconds(out.tx) +
               power.sleep * core::seconds(out.sleep);
  return out;
}

}  // namespace

std::unique_ptr<world::Medium> make_air(const world::MediumSite& site) {
  return std::make_unique<Air>(site);
}

}  // namespace bellwether::ns3side
