// SPDX-License-Identifier: GPL-2.0-only
// Plain traffic on a medium, without elections: the same frames at the same times from the same
// places, whatever the medium. This is what `csma` is compared with ns-3 by.
#pragma once

#include "bellwether/world/medium.hpp"
#include "bellwether/world/positions.hpp"
#include "bellwether/world/radio.hpp"

namespace bellwether::ns3side {

using core::Duration;
using core::NodeIndex;
using core::Time;

/// Nodes that stand where chance put them; each sends beacons, and now and then something larger.
struct TrafficSpec {
  NodeIndex nodes = 60;
  double side = 500;  // of the square, in metres
  Duration lasts = std::chrono::seconds(20);
  std::uint32_t beacon = 60;  // bytes
  Duration every = std::chrono::microseconds(102400);
  Duration jitter = std::chrono::milliseconds(5);
  std::uint32_t large = 600;
  Duration large_every = std::chrono::seconds(1);
  bool answers = false;  // a node that hears something large sends a beacon at once
  std::uint64_t seed = 1;
};

struct Submission {
  Time at{};
  NodeIndex node = 0;
  std::uint32_t bytes = 0;
};

/// Drawn from the seed; ascending.
std::vector<Submission> traffic_of(const TrafficSpec& spec);
std::vector<world::Point> places_of(const TrafficSpec& spec);
std::shared_ptr<world::Positions> standing(const std::vector<world::Point>& places);

/// Who is in range of whom.
std::vector<graph::Edge> links_within(const std::vector<world::Point>& places, double range);

struct Outcome {
  world::Medium::FrameCounts counts;
  double joules = 0;         // a node, mean
  double delay_us = 0;       // of what was heard, from when it was handed over, mean
  double neighbours = 0;     // a node, mean
  std::uint64_t events = 0;  // wakes of the medium
  double delivery() const {
    return static_cast<double>(counts.received) /
           static_cast<double>(counts.possible > 0 ? counts.possible : 1);
  }
};

Outcome carry(world::Medium& medium, const TrafficSpec& spec);

/// Through `csma`, with the parameters of this radio.
Outcome by_csma(const TrafficSpec& spec, const world::RadioSpec& radio);
/// Through ns-3.
Outcome by_ns3(const TrafficSpec& spec, const world::RadioSpec& radio);

/// What `csma` needs to be like 802.11n at this rate: the result of the calibration.
world::RadioSpec fitted(double rate, double range);

}  // namespace bellwether::ns3side
