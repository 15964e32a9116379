// SPDX-License-Identifier: MIT
#include "bellwether/world/channel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

namespace bellwether::world {
namespace {

using namespace std::chrono_literals;

ChannelSpec with(Delay delay) {
  ChannelSpec spec;
  spec.delay = delay;
  return spec;
}

std::vector<Duration> draws(const ChannelSpec& spec, std::size_t count, std::uint64_t seed = 7) {
  ChannelModel channel(spec, seed);
  std::vector<Duration> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(channel.delay(1ms * static_cast<int>(i)));
  return out;
}

double mean_of(const std::vector<Duration>& all) {
  double sum = 0;
  for (const Duration d : all) sum += static_cast<double>(d.count());
  return sum / static_cast<double>(all.size());
}

double deviation_of(const std::vector<Duration>& all) {
  const double mean = mean_of(all);
  double sum = 0;
  for (const Duration d : all) sum += std::pow(static_cast<double>(d.count()) - mean, 2);
  return std::sqrt(sum / static_cast<double>(all.size()));
}

/// The share of `true` among many answers.
template <class Ask>
double share(Ask&& ask, int times) {
  int yes = 0;
  for (int i = 0; i < times; ++i) yes += ask() ? 1 : 0;
  return static_cast<double>(yes) / times;
}

TEST(ChannelModel, ConstantDelayIsItsMean) {
  ChannelSpec spec = with(Delay::constant);
  spec.mean = 3ms;
  for (const Duration d : draws(spec, 100)) EXPECT_EQ(d, 3ms);
}

TEST(ChannelModel, UniformDelayFillsItsRange) {
  ChannelSpec spec = with(Delay::uniform);
  spec.min = 2ms;
  spec.max = 10ms;
  const auto all = draws(spec, 40'000);
  const auto [least, most] = std::minmax_element(all.begin(), all.end());
  EXPECT_GE(*least, 2ms);
  EXPECT_LE(*most, 10ms);
  EXPECT_LT(*least, 2010us);
  EXPECT_GT(*most, 9990us);
  EXPECT_NEAR(mean_of(all), 6e6, 0.05e6);                         // five standard errors: 0.058e6
  EXPECT_NEAR(deviation_of(all), 8e6 / std::sqrt(12.0), 0.05e6);  // of an even spread
}

TEST(ChannelModel, UniformDelayReachesBothEnds) {
  ChannelSpec spec = with(Delay::uniform);
  spec.min = 5ns;
  spec.max = 8ns;
  const auto all = draws(spec, 1000);
  EXPECT_EQ((std::set<Duration>(all.begin(), all.end())), (std::set<Duration>{5ns, 6ns, 7ns, 8ns}));
}

TEST(ChannelModel, ExponentialDelayHasItsMeanAndAsMuchDeviation) {
  ChannelSpec spec = with(Delay::exponential);
  spec.mean = 4ms;
  const auto all = draws(spec, 40'000);
  EXPECT_NEAR(mean_of(all), 4e6, 0.1e6);
  EXPECT_NEAR(deviation_of(all), 4e6, 0.2e6);
  const auto long_ones = std::count_if(all.begin(), all.end(), [](Duration d) { return d > 8ms; });
  EXPECT_NEAR(static_cast<double>(long_ones) / 40'000, std::exp(-2.0), 0.01);
}

TEST(ChannelModel, PoissonDelayIsAWholeNumberOfUnits) {
  ChannelSpec spec = with(Delay::poisson);
  spec.mean = 6ms;
  spec.unit = 2ms;
  const auto all = draws(spec, 40'000);
  std::size_t zero = 0;
  for (const Duration d : all) {
    if (d == 1ns)
      ++zero;  // no unit at all: the least there is
    else
      ASSERT_EQ(d % 2ms, 0ns);
  }
  EXPECT_NEAR(mean_of(all), 6e6, 0.1e6);
  EXPECT_NEAR(deviation_of(all), 2e6 * std::sqrt(3.0), 0.1e6);
  EXPECT_NEAR(static_cast<double>(zero) / 40'000, std::exp(-3.0), 0.005);
}

TEST(ChannelModel, PoissonDelayOfManyUnits) {
  ChannelSpec spec = with(Delay::poisson);
  spec.mean = 1s;
  spec.unit = 1ms;
  const auto all = draws(spec, 2000);
  EXPECT_NEAR(mean_of(all), 1e9, 5e6);
  EXPECT_NEAR(deviation_of(all), 1e6 * std::sqrt(1000.0), 3e6);
}

TEST(ChannelModel, NothingArrivesAtOnce) {
  for (const Delay delay :
       {Delay::constant, Delay::uniform, Delay::exponential, Delay::poisson, Delay::adversarial}) {
    ChannelSpec spec = with(delay);
    spec.mean = spec.min = spec.max = 0ns;
    for (const Duration d : draws(spec, 200)) ASSERT_GE(d, 1ns) << core::name_of(delay);
    spec.mean = spec.max = 2ns;
    for (const Duration d : draws(spec, 2000)) ASSERT_GE(d, 1ns) << core::name_of(delay);
  }
}

TEST(ChannelModel, TheAdversarySendsTheFirstMessageLast) {
  ChannelSpec spec = with(Delay::adversarial);
  for (const Duration max : {2ns, 10ns, 12ns, 37ns}) {
    spec.max = max;
    ChannelModel channel(spec, 1);
    const Duration window = max / 2;
    for (Time begin = 0ns; begin < 5 * window; begin += window) {
      Time before = core::end_of_time;
      for (Time sent = begin; sent < begin + window; sent += 1ns) {
        const Time arrives = sent + channel.delay(sent);
        EXPECT_LT(arrives, before) << "sent at " << sent.count() << " of " << window.count();
        EXPECT_GT(arrives, begin + window) << "before the window is over";
        before = arrives;
      }
    }
  }
}

TEST(ChannelModel, TheAdversaryKeepsWithinMax) {
  ChannelSpec spec = with(Delay::adversarial);
  for (const Duration max : {1ns, 2ns, 3ns, 7ns, 10ns}) {
    spec.max = max;
    ChannelModel channel(spec, 1);
    for (Time sent = 0ns; sent < 50ns; sent += 1ns)
      ASSERT_LE(channel.delay(sent), max) << "max " << max.count() << ", sent " << sent.count();
  }
  spec.max = 10ms;
  EXPECT_EQ(ChannelModel(spec, 1).delay(0ms), 10ms);  // it is used to the full
}

TEST(ChannelModel, LosesAndDoublesItsShare) {
  ChannelSpec spec;
  spec.loss = 0.3;
  spec.duplicate = 0.1;
  ChannelModel channel(spec, 3);
  EXPECT_NEAR(share([&] { return channel.loses(); }, 20'000), 0.3, 0.017);
  EXPECT_NEAR(share([&] { return channel.doubles(); }, 20'000), 0.1, 0.011);
  spec.loss = 1;
  spec.duplicate = 0;
  ChannelModel hopeless(spec, 3);
  EXPECT_EQ(share([&] { return hopeless.loses(); }, 1000), 1.0);
  EXPECT_EQ(share([&] { return hopeless.doubles(); }, 1000), 0.0);
  ChannelModel reliable({}, 3);
  EXPECT_EQ(share([&] { return reliable.loses(); }, 1000), 0.0);
}

TEST(ChannelModel, LossesDoNotShiftDelays) {
  for (const Delay delay : {Delay::uniform, Delay::exponential, Delay::poisson}) {
    ChannelSpec spec = with(delay);
    ChannelModel reliable(spec, 11);
    spec.loss = 0.5;
    spec.duplicate = 0.5;
    ChannelModel lossy(spec, 11);
    for (int i = 0; i < 500; ++i) {
      for (int k = 0; k < i % 3; ++k) {
        lossy.loses();
        lossy.doubles();
      }
      ASSERT_EQ(reliable.delay(Time{i}), lossy.delay(Time{i})) << core::name_of(delay);
    }
  }
}

TEST(ChannelModel, DelaysDoNotShiftLosses) {
  ChannelSpec spec = with(Delay::exponential);
  spec.loss = 0.5;
  ChannelModel busy(spec, 11);
  ChannelModel idle(spec, 11);
  for (int i = 0; i < 500; ++i) {
    busy.delay(Time{i});
    ASSERT_EQ(busy.loses(), idle.loses());
  }
}

TEST(ChannelModel, TheSeedDecides) {
  for (const Delay delay : {Delay::uniform, Delay::exponential, Delay::poisson}) {
    EXPECT_EQ(draws(with(delay), 100, 5), draws(with(delay), 100, 5));
    EXPECT_NE(draws(with(delay), 100, 5), draws(with(delay), 100, 6)) << core::name_of(delay);
  }
}

TEST(ChannelModel, KnowsWhetherItIsPlainAndWhoKeepsTheOrder) {
  ChannelSpec spec;
  EXPECT_TRUE(ChannelModel(spec, 1).plain());
  EXPECT_FALSE(ChannelModel(spec, 1).keeps_order()) << "a constant delay keeps it by itself";
  spec.loss = 0.1;
  EXPECT_FALSE(ChannelModel(spec, 1).plain());
  spec = {};
  spec.duplicate = 0.1;
  EXPECT_FALSE(ChannelModel(spec, 1).plain());
  spec = with(Delay::uniform);
  EXPECT_FALSE(ChannelModel(spec, 1).plain());
  EXPECT_TRUE(ChannelModel(spec, 1).keeps_order());
  spec.order = Order::unordered;
  EXPECT_FALSE(ChannelModel(spec, 1).keeps_order());
}

TEST(ChannelModel, EveryDelayIsListed) {
  ASSERT_EQ(delays().size(), names_of(Delay{}).size());
  for (std::size_t i = 0; i < delays().size(); ++i) {
    EXPECT_EQ(delays()[i].name, names_of(Delay{})[i]);
    EXPECT_FALSE(delays()[i].description.empty());
  }
  for (const std::string_view order : names_of(Order{}))
    EXPECT_TRUE(std::any_of(channels().begin(), channels().end(), [&](const NamedFact& fact) {
      return fact.name == order;
    })) << order;
}

}  // namespace
}  // namespace bellwether::world
