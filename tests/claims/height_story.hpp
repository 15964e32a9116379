// SPDX-License-Identifier: MIT
// A story: a quiescent network, changed link by link, each change after the network has become
// quiescent again. Theorem 2 states what each change does to the leaders.
#pragma once

#include <algorithm>

#include "bellwether/algorithms/moving/height.hpp"
#include "bellwether/graph/components.hpp"
#include "bellwether/observe/metrics/agreement.hpp"
#include "claims/claims.hpp"

namespace bellwether::claims {

using algorithms::Height;
using algorithms::HeightTuple;
using algorithms::ReferenceLevel;

/// The properties of the algorithm, all or only those that hold while links are still forming.
/// F, G and H speak of searches after the last change, and their proofs take every link for formed:
/// see height_forming_test.cpp.
inline core::PropertyMonitors watched(bool searches = true) {
  const auto nodes = catalogue::algorithm(Height::name).make({});
  core::PropertyMonitors all = observe::monitors_of(*nodes);
  std::erase_if(all, [&](const auto& each) {
    return !searches && (each->name() == "F" || each->name() == "G" || each->name() == "H");
  });
  return all;
}

/// Theorem 1 at the end of a run, asked once more of what is left.
inline void expect_theorem1(const sim::SimulationOf<Height>& end, const RunReport& report) {
  EXPECT_EQ(report.violation, "");
  EXPECT_EQ(report.ended, observe::Ended::quiescent);
  EXPECT_TRUE(report.agreed);
  for (const auto& each : watched()) EXPECT_NO_THROW(each->at_rest(*end)) << each->name();
  for (NodeIndex u = 0; u < end.size(); ++u) {
    for (const auto& channel : end.channels(u)) {
      EXPECT_TRUE(channel.transit.empty());
      EXPECT_TRUE(channel.far_port.has_value());
      if (end.node(u).options().hello) {  // both ends of every link know each other
        EXPECT_NE(end.node(u).view(channel.port), nullptr);
      }
    }
  }
}

/// A change of one link.
struct Flip {
  bool up;
  graph::Edge link;
};

/// One chapter lies between two changes: how it began, and which nodes elected themselves in it.
struct Chapter {
  std::vector<HeightTuple> before;  // quiescent
  std::vector<NodeIndex> elected;
};

/// Records the chapters. Both ends are notified of every flip, one event each; all that happens
/// from the first of them on belongs to the new chapter.
class Chronicle final : public core::Monitor<Height> {
 public:
  explicit Chronicle(std::vector<Chapter>& chapters) : chapters_(chapters) {
    chapters_.assign(1, {});
  }
  std::string_view name() const override { return "chronicle"; }
  std::string_view says() const override { return "writes down what happens"; }
  void after(const core::Snapshot<Height>& all, const core::Happening& event) override {
    if (now_.empty())
      for (NodeIndex u = 0; u < all.size(); ++u) now_.push_back(Height(all.id(u), {}).height());
    const bool flip = event.cause == core::Cause::link_up || event.cause == core::Cause::link_down;
    if (flip && ++told_ % 2 == 1) chapters_.push_back({now_, {}});
    const HeightTuple& height = all.node(event.node).height();
    HeightTuple& last = now_[event.node];
    if (height.lp != last.lp && height.lp.lid == height.id)
      chapters_.back().elected.push_back(event.node);
    last = height;
  }

 private:
  std::vector<Chapter>& chapters_;
  std::vector<HeightTuple> now_;
  std::size_t told_ = 0;
};

struct Told {
  RunReport report;
  std::vector<Chapter> chapters;                // [0] is the beginning, [k] begins with flip k
  std::vector<std::vector<graph::Edge>> links;  // [k]: those up after flip k
  std::vector<HeightTuple> end;
};

enum class Watched { properties, nothing };

/// Runs a network through the flips, 100 s apart.
inline Told tell(Play play, Height::Options options, const std::vector<Flip>& flips,
                 Watched what = Watched::properties, observe::Observer* observer = nullptr) {
  constexpr Duration pause = seconds(100);
  Told told;
  told.links.push_back(play.network.links);
  Time at = pause;
  for (const auto& [up, link] : flips) {
    auto links = told.links.back();
    if (up) {
      play.join(at, link.a, link.b);
      links.push_back(link);
    } else {
      play.cut(at, link.a, link.b);
      std::erase_if(links, [&](const graph::Edge& e) {
        return e == link || e == graph::Edge{link.b, link.a};
      });
    }
    told.links.push_back(std::move(links));
    at += pause;
  }
  play.scenario.stop.time = at;
  const auto simulation = staged<Height>(play, options);
  if (what == Watched::properties) simulation->watch(watched(options.hello));
  simulation->watch(std::make_unique<Chronicle>(told.chapters));
  if (observer != nullptr) simulation->observe(*observer);
  told.report = simulation->run();
  for (NodeIndex u = 0; u < simulation->size(); ++u)
    told.end.push_back(simulation->node(u).height());
  return told;
}

/// Whether the k-th flip is one that Theorem 2 speaks of: a cut that leaves the leader in company.
/// `company` are then the nodes that stay with it.
inline bool theorem2_speaks(const Told& told, const std::vector<Flip>& flips, std::size_t k,
                            std::vector<NodeIndex>& company) {
  company.clear();
  const auto& [up, link] = flips[k - 1];
  if (up) return false;
  const auto& before = told.chapters[k].before;
  const NodeId leader = before[link.a].lp.lid;
  const auto n = static_cast<NodeIndex>(before.size());
  const auto parts = graph::components(n, told.links[k]);
  for (NodeIndex l = 0; l < n; ++l)
    if (before[l].id == leader)
      for (NodeIndex u = 0; u < n; ++u)
        if (parts.of[u] == parts.of[l]) company.push_back(u);
  return company.size() > 1;
}

/// Who of the company elected itself after the k-th flip.
inline std::vector<NodeIndex> needless(const Told& told, std::size_t k,
                                       const std::vector<NodeIndex>& company) {
  std::vector<NodeIndex> out;
  for (const NodeIndex u : told.chapters[k].elected)
    if (std::find(company.begin(), company.end(), u) != company.end()) out.push_back(u);
  return out;
}

}  // namespace bellwether::claims
