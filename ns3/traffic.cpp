// SPDX-License-Identifier: GPL-2.0-only
#include "traffic.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

#include "air.hpp"
#include "bellwether/world/csma.hpp"

namespace bellwether::ns3side {
namespace {

using world::MediumEffects;
using namespace std::chrono_literals;

class Standing final : public world::Motion {
 public:
  explicit Standing(std::vector<world::Point> places) : places_(std::move(places)) {}
  world::Leg next(NodeIndex u) override { return {{}, core::end_of_time, places_[u], 0, 0}; }
  world::Extent bounds() const override { return {}; }

 private:
  std::vector<world::Point> places_;
};

struct Waking {
  Time at{};
  std::uint64_t number = 0;
  NodeIndex node = 0;
  std::uint32_t serial = 0;
  bool operator>(const Waking& other) const {
    return at != other.at ? at > other.at : number > other.number;
  }
};

double neighbours(std::size_t links, NodeIndex nodes) {
  return 2.0 * static_cast<double>(links) / static_cast<double>(nodes);
}

}  // namespace

std::vector<world::Point> places_of(const TrafficSpec& spec) {
  core::Prng prng = core::stream(spec.seed, "calibration-places");
  std::vector<world::Point> out(spec.nodes);
  for (world::Point& at : out) {
    at.x = prng.unit() * spec.side;
    at.y = prng.unit() * spec.side;
  }
  return out;
}

std::vector<Submission> traffic_of(const TrafficSpec& spec) {
  std::vector<Submission> out;
  for (NodeIndex u = 0; u < spec.nodes; ++u) {
    core::Prng prng = core::stream(spec.seed, "calibration-traffic", u);
    for (Time t = prng.between(Time{0}, spec.every); t < spec.lasts;
         t += spec.every + prng.between(-spec.jitter, spec.jitter))
      out.push_back({t, u, spec.beacon});
    if (spec.large == 0) continue;
    for (Time t = prng.between(Time{0}, spec.large_every); t < spec.lasts;
         t += spec.large_every + prng.between(-spec.jitter, spec.jitter))
      out.push_back({t, u, spec.large});
  }
  std::ranges::stable_sort(out, {}, &Submission::at);
  return out;
}

std::shared_ptr<world::Positions> standing(const std::vector<world::Point>& places) {
  const auto nodes = static_cast<NodeIndex>(places.size());
  return std::make_shared<world::Positions>(std::make_unique<Standing>(places), nodes, nodes,
                                            std::vector<world::Proximity::Move>{});
}

std::vector<graph::Edge> links_within(const std::vector<world::Point>& places, double range) {
  std::vector<graph::Edge> out;
  for (NodeIndex u = 0; u < places.size(); ++u)
    for (NodeIndex v = 0; v < u; ++v) {
      const double x = places[u].x - places[v].x, y = places[u].y - places[v].y;
      if (x * x + y * y <= range * range) out.push_back({v, u});
    }
  return out;
}

Outcome carry(world::Medium& medium, const TrafficSpec& spec) {
  Outcome out;
  MediumEffects effects;
  std::priority_queue<Waking, std::vector<Waking>, std::greater<>> wakes;
  std::vector<Submission> sent;  // by the frame's name
  double waited = 0;
  const auto send = [&](const Submission& one) {
    sent.push_back(one);
    medium.send(one.node, static_cast<std::uint32_t>(sent.size() - 1), one.bytes, one.at, effects);
  };
  const auto drain = [&](Time now) {
    do {
      for (const auto& wake : effects.wakes)
        wakes.push({wake.at, out.events++, wake.node, wake.serial});
      const auto heard = std::exchange(effects.heard, {});
      effects.clear();
      for (const auto& [frame, by] : heard) {
        waited += core::seconds(now - sent[frame].at);
        if (spec.answers && sent[frame].bytes == spec.large) send({now, by, spec.beacon});
      }
    } while (!effects.wakes.empty() || !effects.heard.empty());
  };
  const std::vector<Submission> traffic = traffic_of(spec);
  std::size_t next = 0;
  while (true) {
    const Time sends = next < traffic.size() ? traffic[next].at : core::end_of_time;
    const Time woken = wakes.empty() ? core::end_of_time : wakes.top().at;
    const Time now = std::min(sends, woken);
    if (now > spec.lasts) break;
    if (woken <= sends) {
      const Waking wake = wakes.top();
      wakes.pop();
      medium.wake(wake.node, wake.serial, now, effects);
    } else {
      send(traffic[next++]);
    }
    drain(now);
  }
  out.counts = medium.counts();
  for (NodeIndex u = 0; u < spec.nodes; ++u)
    out.joules += medium.energy(u, spec.lasts).joules / static_cast<double>(spec.nodes);
  out.delay_us =
      1e6 * waited / static_cast<double>(std::max<std::uint64_t>(1, out.counts.received));
  return out;
}

Outcome by_csma(const TrafficSpec& spec, const world::RadioSpec& radio) {
  const auto places = places_of(spec);
  world::Csma medium(radio, spec.nodes, spec.seed);
  const auto links = links_within(places, radio.range);
  for (const graph::Edge& link : links) medium.link(link.a, link.b, true);
  Outcome out = carry(medium, spec);
  out.neighbours = neighbours(links.size(), spec.nodes);
  return out;
}

Outcome by_ns3(const TrafficSpec& spec, const world::RadioSpec& radio) {
  const auto places = places_of(spec);
  const auto medium = make_air({radio, spec.nodes, 0, {}, spec.seed, standing(places)});
  Outcome out = carry(*medium, spec);
  out.neighbours = neighbours(links_within(places, radio.range).size(), spec.nodes);
  return out;
}

world::RadioSpec fitted(double rate, double range) {
  world::RadioSpec out;
  out.model = world::RadioModel::csma;
  out.range = range;
  out.mtu = 2296;
  out.csma.rate = rate;
  const bool dsss = rate == 1e6 || rate == 2e6 || rate == 5.5e6 || rate == 11e6;
  if (dsss) return out;
  const bool ofdm = std::fmod(rate, 1e6) == 0 && std::fmod(rate, 3e6) == 0;
  out.csma.preamble = ofdm ? 26us : 42us;  // with the 6 us of silence behind a frame
  out.csma.symbol = 4us;
  out.csma.capture = rate <= 6.5e6 ? 0.54 : 0;
  return out;
}

}  // namespace bellwether::ns3side
