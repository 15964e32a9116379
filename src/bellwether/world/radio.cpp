// SPDX-License-Identifier: MIT
#include "bellwether/world/radio.hpp"

#include <algorithm>
#include <cmath>

namespace bellwether::world {
namespace {

constexpr std::array<NamedFact, 3> radio_facts{{
    {core::name_of(RadioModel::ideal),
     "all nodes within `range` receive every message, after a random delay"},
    {core::name_of(RadioModel::lossy),
     "as ideal, but messages are lost: independently (`loss`) and in bursts (`burst_*`)"},
    {core::name_of(RadioModel::csma),
     "a shared medium as in 802.11, with carrier sensing and back-off: frames that overlap at a "
     "receiver are "
     "lost, and frames have a length (`rate`, `preamble`, `overhead`)"},
}};

}  // namespace

std::span<const NamedFact> radio_models() {
  return radio_facts;
}

ChannelSpec channel_of(const RadioSpec& spec) {
  ChannelSpec out;
  out.loss = spec.model == RadioModel::lossy ? spec.loss : 0;
  out.delay = spec.delay;
  out.mean = spec.mean;
  out.min = spec.min;
  out.max = spec.max;
  out.unit = spec.unit;
  return out;
}

Duration CsmaSpec::airtime(std::size_t bytes) const {
  const double bits = 8.0 * (static_cast<double>(bytes) + static_cast<double>(overhead));
  if (symbol <= Duration{0})
    return std::max(Duration{1}, preamble + Duration{std::llround(bits * 1e9 / rate)});
  constexpr double service_and_tail = 22;  // bits that OFDM adds to each frame
  const double in_symbol = std::max(1.0, std::round(rate * core::seconds(symbol)));
  return preamble +
         static_cast<std::int64_t>(std::ceil((bits + service_and_tail) / in_symbol)) * symbol;
}

bool GilbertElliott::bad(const BurstSpec& spec, Time now, core::Prng& prng) {
  if (!spec.on()) return false;
  if (known_ && now <= at_) return bad_;
  // The memory of the chain fades at the sum of its two rates.
  const double rates = 1 / core::seconds(spec.good) + 1 / core::seconds(spec.bad);
  const double memory = known_ ? std::exp(-rates * core::seconds(now - at_)) : 0;
  const double share = spec.share_bad();
  bad_ = prng.chance(share + ((bad_ ? 1.0 : 0.0) - share) * memory);
  known_ = true;
  at_ = now;
  return bad_;
}

bool GilbertElliott::loses(const BurstSpec& spec, Time now, core::Prng& prng) {
  if (!spec.on()) return false;
  return prng.chance(bad(spec, now, prng) ? spec.loss_bad : spec.loss_good);
}

}  // namespace bellwether::world
