// SPDX-License-Identifier: MIT
#include "bellwether/world/channel.hpp"

#include <algorithm>

namespace bellwether::world {
namespace {

constexpr std::array<NamedFact, 4> channel_facts{{
    {"fifo", "reliable and in order on each link (order = \"fifo\")"},
    {"unordered", "reliable; messages may be reordered (order = \"unordered\")"},
    {"lossy", "a share of the messages is lost (loss = 0.1), in either order"},
    {"duplicating", "a share of the messages arrives twice (duplicate = 0.1), in either order"},
}};

constexpr std::array<NamedFact, 5> delay_facts{{
    {core::name_of(Delay::constant), "every message takes `mean`"},
    {core::name_of(Delay::uniform), "uniform from `min` to `max`"},
    {core::name_of(Delay::exponential), "exponential with mean `mean`"},
    {core::name_of(Delay::poisson), "a Poisson number of `unit`s with mean `mean`"},
    {core::name_of(Delay::adversarial),
     "up to `max`, longest first: of the messages sent within half of `max`, the first to leave is "
     "the last to arrive, as far as the order of the channel allows"},
}};

}  // namespace

std::span<const NamedFact> channels() {
  return channel_facts;
}
std::span<const NamedFact> delays() {
  return delay_facts;
}

Duration ChannelModel::draw(Time now) {
  const double mean = static_cast<double>(spec_.mean.count());
  switch (spec_.delay) {
    case Delay::uniform:
      return delays_.between(spec_.min, spec_.max);
    case Delay::exponential:
      return Duration{static_cast<std::int64_t>(delays_.exponential(mean))};
    case Delay::poisson:
      return spec_.unit * static_cast<std::int64_t>(units_.draw(delays_));
    case Delay::adversarial: {
      // Windows of half of max, mirrored into the next one: sent at the beginning, it takes max;
      // sent at the end, next to nothing.
      const Duration window = std::max(Duration{1}, spec_.max / 2);
      return std::min(spec_.max, 2 * (window - now % window));
    }
    case Delay::constant:
      break;
  }
  return spec_.mean;
}

}  // namespace bellwether::world
