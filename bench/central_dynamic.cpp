// SPDX-License-Identifier: MIT
#include "central_dynamic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "bellwether/core/prng.hpp"
#include "bellwether/graph/central_node.hpp"
#include "bellwether/world/mobility.hpp"
#include "bellwether/world/proximity.hpp"
#include "cpu_clock.hpp"

namespace bench {
namespace {

using namespace bellwether;
using core::NodeIndex;
using graph::CentralNode;
using graph::Edge;

struct Event {
  Edge link;
  bool up;
};

struct Story {
  std::string name;
  NodeIndex nodes;
  std::vector<Edge> links;  // at first
  std::vector<Event> events;
};

/// Random waypoint, a mean degree of 8 at first.
Story moving(NodeIndex nodes, std::size_t events) {
  constexpr double range = 90;
  world::MobilitySpec spec;
  spec.model = world::MobilityModel::random_waypoint;
  spec.width = spec.height = range * std::sqrt(nodes * std::numbers::pi / 8);
  world::Network network;
  network.nodes = nodes;
  world::Proximity proximity(world::make_motion(spec, network, 1), nodes, range);
  Story story{fmt::format("unit disks {}", nodes), nodes, proximity.links_at_start(), {}};
  while (story.events.size() < events) {
    const auto change = proximity.next();
    story.events.push_back({change->ends, change->kind == world::ChangeKind::link_up});
  }
  return story;
}

/// A link at random goes, then one at random comes; a mean degree of 8.
Story swapping(NodeIndex nodes, std::size_t events) {
  core::Prng prng = core::stream(1, "swap", nodes);
  const auto any = [&] { return static_cast<NodeIndex>(prng.below(nodes)); };
  std::vector<Edge> links;
  const auto fresh = [&](auto& present) {
    for (;;) {
      const NodeIndex a = any();
      const NodeIndex b = any();
      if (a < b && std::find(present.begin(), present.end(), Edge{a, b}) == present.end())
        return Edge{a, b};
    }
  };
  while (links.size() < std::size_t{nodes} * 4) links.push_back(fresh(links));
  Story story{fmt::format("random swaps {}", nodes), nodes, links, {}};
  while (story.events.size() < events) {
    Edge& link = links[prng.below(links.size())];
    story.events.push_back({link, false});
    link = fresh(links);
    story.events.push_back({link, true});
  }
  return story;
}

void change(CentralNode& central, const Event& event) {
  event.up ? central.link(event.link.a, event.link.b) : central.unlink(event.link.a, event.link.b);
}

struct Parts {
  double come = 0;
  double go = 0;
  std::size_t leaders = 0;
};

/// Each change on its own, less what the clock costs.
Parts parts(const Story& story) {
  const double clock = clock_cost();
  CentralNode central(story.nodes, story.links);
  NodeIndex leader = central.best().node;
  Parts parts;
  for (const Event& event : story.events) {
    const double begin = cpu_seconds();
    change(central, event);
    const NodeIndex now = central.best().node;
    (event.up ? parts.come : parts.go) += cpu_seconds() - begin - clock;
    parts.leaders += now != leader;
    leader = now;
  }
  return parts;
}

struct Anew {
  double seconds = 0;  // the mean over the moments
  bool equal = true;
};

/// Computing the answer anew, graph included, at a few moments; the least of several times counts,
/// since the first one finds cold caches. The answers are compared.
Anew anew(const Story& story, std::size_t moments) {
  CentralNode central(story.nodes, story.links);
  std::vector<Edge> links = story.links;
  std::sort(links.begin(), links.end());
  constexpr int times = 5;
  const double clock = clock_cost();
  Anew out;
  for (std::size_t i = 0; i < story.events.size(); ++i) {
    const Event& event = story.events[i];
    change(central, event);
    const graph::Central best = central.best();
    const auto at = std::lower_bound(links.begin(), links.end(), event.link);
    event.up ? void(links.insert(at, event.link)) : void(links.erase(at));
    if ((i + 1) % (story.events.size() / moments) != 0) continue;
    graph::Central same;
    double least = std::numeric_limits<double>::infinity();
    for (int time = 0; time < times; ++time) {
      const double begin = cpu_seconds();
      same = graph::most_central(graph::Graph(story.nodes, links));
      least = std::min(least, cpu_seconds() - begin - clock);
    }
    out.seconds += least;
    if (best == same) continue;
    fmt::print("{}: event {}: the answers DIFFER\n", story.name, i);
    out.equal = false;
  }
  out.seconds /= static_cast<double>(moments);
  return out;
}

/// False if answers differ.
bool row(const Story& story, std::size_t moments) {
  double begin = cpu_seconds();
  CentralNode central(story.nodes, story.links);
  central.best();
  const double first = cpu_seconds() - begin;
  begin = cpu_seconds();
  for (const Event& event : story.events) {
    change(central, event);
    central.best();
  }
  const double all = cpu_seconds() - begin;
  const auto events = static_cast<double>(story.events.size());
  const auto up = static_cast<double>(
      std::count_if(story.events.begin(), story.events.end(), [](const Event& e) { return e.up; }));
  const CentralNode::Work& work = central.work();
  const auto share = [](std::uint64_t part, double whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / whole;
  };
  const Parts each = parts(story);
  const Anew computed = anew(story, moments);
  const double static_us = computed.seconds * 1e6;
  fmt::print(
      "{:<20} {:>6} {:>9.2f} {:>9.2f} {:>9.2f} {:>7.1f}% {:>7.2f} {:>7.2f} {:>6.1f}% "
      "{:>6.1f}% {:>10.1f} {:>7.1f}x {:>9.2f}\n",
      story.name, story.events.size(), each.go / (events - up) * 1e6, each.come / up * 1e6,
      all / events * 1e6, 100 * share(work.gone_at_once, static_cast<double>(work.gone)),
      share(work.searches, events), share(work.looked_at, events),
      100 * share(work.computed_anew - 1, events), 100 * static_cast<double>(each.leaders) / events,
      static_us, static_us / (all / events * 1e6), first * 1e3);
  std::fflush(stdout);
  return computed.equal;
}

}  // namespace

bool dynamic_closeness_table() {
  bool equal = true;
  fmt::print("{:<20} {:>6} {:>9} {:>9} {:>9} {:>8} {:>7} {:>7} {:>7} {:>7} {:>10} {:>8} {:>9}\n",
             "CPU us per change", "events", "go", "come", "mean", "at once", "search", "look at",
             "anew", "leader", "static", "gain", "first ms");
  const auto both = [&](NodeIndex nodes, std::size_t events, std::size_t moments) {
    equal &= row(moving(nodes, events), moments);
    equal &= row(swapping(nodes, events), moments);
  };
  both(60, 20'000, 200);
  both(120, 20'000, 50);
  both(250, 20'000, 50);
  both(1000, 10'000, 10);
  both(10'000, 2'000, 1);
  return equal;
}

}  // namespace bench
