// SPDX-License-Identifier: MIT
#include "bellwether/world/radio.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace bellwether::world {
namespace {

using namespace std::chrono_literals;
using core::Prng;

TEST(Radio, EveryModelIsListed) {
  for (const std::string_view name : names_of(RadioModel{}))
    EXPECT_EQ(std::ranges::count(radio_models(), name, &NamedFact::name), 1) << name;
  EXPECT_EQ(radio_models().size(), names_of(RadioModel{}).size());
}

TEST(Radio, LatencyIsThatOfAChannel) {
  RadioSpec spec;
  spec.loss = 0.25;
  EXPECT_EQ(channel_of(spec).delay, Delay::poisson);
  EXPECT_EQ(channel_of(spec).mean, 10ms);
  EXPECT_EQ(channel_of(spec).unit, 1ms);
  EXPECT_EQ(channel_of(spec).loss, 0);  // an ideal radio loses nothing
  spec.model = RadioModel::lossy;
  spec.delay = Delay::uniform;
  spec.min = 2ms;
  spec.max = 3ms;
  EXPECT_EQ(channel_of(spec).loss, 0.25);
  EXPECT_EQ(channel_of(spec).delay, Delay::uniform);
  EXPECT_EQ(channel_of(spec).min, 2ms);
  EXPECT_EQ(channel_of(spec).max, 3ms);
}

constexpr BurstSpec bursts{.good = 300ms, .bad = 100ms, .loss_good = 0.02, .loss_bad = 0.9};

TEST(GilbertElliott, LosesItsShareHoweverOftenItIsAsked) {
  EXPECT_DOUBLE_EQ(bursts.share_bad(), 0.25);
  EXPECT_DOUBLE_EQ(bursts.mean_loss(), 0.02 + 0.88 * 0.25);
  for (const Duration every : {10ms, 100ms, 3000ms}) {
    Prng prng(1);
    GilbertElliott link;
    int lost = 0;
    const int asked = 200'000;
    Time now{};
    for (int i = 0; i < asked; ++i) lost += link.loses(bursts, now += every, prng);
    EXPECT_NEAR(static_cast<double>(lost) / asked, bursts.mean_loss(), 0.01);
  }
}

TEST(GilbertElliott, PeriodsHaveTheirMeanLength) {
  // Asked so often that hardly any change is missed.
  Prng prng(2);
  GilbertElliott link;
  Duration bad{};
  Duration good{};
  int periods = 0;
  bool before = link.bad(bursts, 0s, prng);
  for (Time now = 100us; now < 2000s; now += 100us) {
    const bool is = link.bad(bursts, now, prng);
    (is ? bad : good) += 100us;
    if (is && !before) ++periods;
    before = is;
  }
  EXPECT_NEAR(core::seconds(bad) / periods, 0.1, 0.005);
  EXPECT_NEAR(core::seconds(good) / periods, 0.3, 0.015);
}

TEST(GilbertElliott, MemoryFadesByTheLawOfTheChain) {
  // P(bad after t | bad now) = share + (1 - share) exp(-t (1/good + 1/bad)).
  for (const Duration later : {20ms, 75ms, 400ms}) {
    Prng prng(3);
    int bad = 0;
    int still = 0;
    for (int i = 0; i < 200'000; ++i) {
      GilbertElliott link;
      if (!link.bad(bursts, 5s, prng)) continue;
      ++bad;
      EXPECT_TRUE(link.bad(bursts, 5s, prng));  // the present does not change
      still += link.bad(bursts, 5s + later, prng);
    }
    const double expected = 0.25 + 0.75 * std::exp(-core::seconds(later) * (1 / 0.3 + 1 / 0.1));
    EXPECT_NEAR(static_cast<double>(still) / bad, expected, 0.01);
  }
}

TEST(GilbertElliott, WithoutBadPeriodsLosesNothingAndDrawsNothing) {
  Prng prng(4);
  GilbertElliott link;
  for (Time now = 1s; now < 100s; now += 1s) EXPECT_FALSE(link.loses(BurstSpec{}, now, prng));
  EXPECT_EQ(prng, Prng(4));
}

}  // namespace
}  // namespace bellwether::world
