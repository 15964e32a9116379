// SPDX-License-Identifier: MIT
// Each rule of a leader of `drumbeat` decides something: without it, or with another number in it,
// the story of four hundred waves is another one.
#include <gtest/gtest.h>

#include "bellwether/algorithms/moving/drumbeat_handover.hpp"
#include "check/mutants/handover_story.hpp"

namespace bellwether::searches {

using algorithms::nobody;
using core::NodeId;

void ToldTree::hear(algorithms::WaveNews& news, const Scene& scene) {
  const algorithms::WaveNews before = news;
  news.wave = static_cast<std::uint8_t>((news.wave + 1) % 4);
  tree_.begin_wave(before, news);
  tree_.place_root(news, core::usual_priority);
  const std::uint32_t shaken = scene.moving ? waves_ % 3 : 0;
  child(3, scene.heavy + shaken, core::usual_priority, news, scene);
  child(7, scene.light, scene.priority, news, scene);
  tree_.gather(news);
  ++waves_;
}

void ToldTree::child(std::uint64_t id, std::uint32_t below, std::uint32_t priority,
                     const algorithms::WaveNews& news, const Scene& scene) {
  tree_.on_spot(NodeId{id}, NodeId{5}, news, {NodeId{5}, 1, below, 0, 2, priority});
  algorithms::SubtreeReport report;
  report.height = below;
  report.count = below;
  report.far = scene.far * below / 10;
  report.top = priority;
  // Another candidate for each quest.
  report.best = static_cast<std::uint32_t>(id);
  report.candidate = NodeId{10 * id + static_cast<std::uint64_t>(news.quest())};
  report.trial_hops = 2;
  // Some on trial are a little nearer than others.
  const auto trial = static_cast<std::uint32_t>(core::raw(news.trial) % 7);
  const std::uint32_t gain = scene.nearer == 0 ? 0 : scene.nearer + scene.spread * trial;
  report.trial_far = report.far - std::min(report.far, report.far * gain / 100);
  tree_.on_report(NodeId{id}, NodeId{5}, news.wave, report, news);
}

ToldTree::Scene scene_of(std::uint32_t wave) {
  ToldTree::Scene out;
  if (wave < 40) return out;                                        // nobody is nearer
  if (wave < 80) return {.far = 60, .moving = true, .nearer = 14};  // by enough, but too early
  if (wave < 110) return {.far = 400, .moving = true, .nearer = 9};
  if (wave < 150) return {.far = 30, .moving = true, .nearer = 15};
  if (wave < 180) return {.far = 1000, .nearer = 1, .spread = 0};
  if (wave < 200) return {.far = 400, .nearer = 3};
  if (wave < 240) return {.heavy = 2, .light = 1, .nearer = 20};  // most were not counted
  if (wave < 280) return {.heavy = 6, .light = 9, .far = 400};
  if (wave < 300) return {.heavy = 6, .light = 14, .far = 400};
  if (wave < 340) return {.priority = 50, .nearer = 20};
  if (wave < 360) return {.priority = 200};
  return out;
}

std::uint32_t priority_at(std::uint32_t wave) {
  if (wave >= 100 && wave < 110) return 250;  // then that of the deputy
  return wave < 370 || wave > 400 ? core::usual_priority : wave < 385 ? 50 : 49;
}

std::string words_of(const algorithms::WaveNews& news, std::uint32_t weight) {
  return "weight " + std::to_string(weight) + " deputy " + std::to_string(core::raw(news.deputy)) +
         " trial " + std::to_string(core::raw(news.trial)) + " aim " +
         std::to_string(static_cast<int>(news.aim)) + " depth " + std::to_string(news.depth) + "\n";
}

namespace {

class Handovers : public testing::TestWithParam<std::string> {};

TEST_P(Handovers, TheMutantTellsAnotherStory) {
  EXPECT_TRUE(handovers().at(GetParam())() != tell_story<algorithms::BeatHandover>());
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const auto& [name, story] : handovers()) out.push_back(name);
  return out;
}
INSTANTIATE_TEST_SUITE_P(All, Handovers, testing::ValuesIn(names()),
                         [](const auto& row) { return row.param; });

TEST(HandoverStory, TriesFindsCornersAndHandsOver) {
  const std::string story = tell_story<algorithms::BeatHandover>();
  for (const char* each : {"trial 3 ", "trial 30 ", "trial 32 ", "trial 31 aim 1", "aim 2", "aim 3",
                           "aim 4", "deputy 7", "gives way"})
    EXPECT_NE(story.find(each), std::string::npos) << each;
}

}  // namespace
}  // namespace bellwether::searches
