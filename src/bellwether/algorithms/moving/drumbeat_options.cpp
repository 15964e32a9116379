// SPDX-License-Identifier: MIT
// Which options of `drumbeat` contradict each other: what a node adds on purpose, the jitter, must
// fit between two beats, between two taps, and into what a beat may be late.
#include "bellwether/algorithms/moving/drumbeat.hpp"
#include "bellwether/core/time.hpp"

namespace bellwether::algorithms {

std::optional<core::OptionConflict> Drumbeat::conflict(const Options& options) {
  const std::string jitter = "the jitter, " + core::to_text(options.jitter);
  const auto exceeds = [&](core::Duration bound) { return options.jitter > bound; };
  if (exceeds(options.period))
    return core::OptionConflict{{"jitter", "period"},
                                "the period, " + core::to_text(options.period) +
                                    ", is shorter than " + jitter +
                                    "; set a longer period or a shorter jitter"};
  if (exceeds(options.slack))
    return core::OptionConflict{{"slack", "jitter"},
                                "the slack, " + core::to_text(options.slack) +
                                    ", is shorter than " + jitter +
                                    "; set a longer slack or a shorter jitter"};
  const core::Duration interval = options.period / (options.taps + 1);
  if (exceeds(interval))
    return core::OptionConflict{{"taps", "jitter", "period"},
                                std::to_string(options.taps) + " taps in a period of " +
                                    core::to_text(options.period) + " are " +
                                    core::to_text(interval) + " apart, less than " + jitter +
                                    "; set fewer taps, a longer period or a shorter jitter"};
  return std::nullopt;
}

}  // namespace bellwether::algorithms
