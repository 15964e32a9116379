// SPDX-License-Identifier: MIT
// Proposes options of drumbeat: from a bound on traffic and a wish to what suits both, by measuring
// some of all combinations. What measures is passed in: a simulator, or a table of a test.
//
//   scan:   every period, with the other options as they are by default
//   climb:  one step along each option from the best so far, until no step is better
//   settle: the best five get all runs, and are compared again
//   look around: so does what is one step from the best of these, which may be better, and shows
//           what each option costs
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "bellwether/core/time.hpp"
#include "bellwether/experiment/statistics.hpp"

namespace bellwether::experiment {

/// What to prefer among the options that are within the bound.
enum class Wish : unsigned char { fast, frugal, steady };
constexpr auto names_of(Wish) {
  return std::array<std::string_view, 3>{"fast", "frugal", "steady"};
}

struct BeatOptions {
  core::Duration period{};
  std::uint32_t patience = 0;
  core::Duration slack{};
  core::Duration jitter{};
  friend auto operator<=>(const BeatOptions&, const BeatOptions&) = default;
};

/// What one seed says of options. Not a number: it says nothing.
struct BeatSample {
  double failover_median_s = 0;
  double failover_p95_s = 0;
  double false_elections_per_h = 0;  // and node
  double calm_h = 0;                 // for which false elections were counted
  double bytes_per_s = 0;            // and node
  double frames_per_s = 0;           // and node
  double wrong_share = 0;            // of time and nodes
};

/// What to expect of options, with 95 % intervals.
struct Expectation {
  BeatOptions options;
  std::size_t runs = 0;
  double calm_h = 0;  // for which false elections were counted, in all runs
  Estimate failover_median_s, failover_p95_s, false_elections_per_h, bytes_per_s, frames_per_s,
      wrong_share;
};
Expectation expectation(const BeatOptions& options, std::span<const BeatSample> samples);

/// The values that each option may take, in ascending order, and where the search begins.
struct BeatGrid {
  std::vector<core::Duration> periods;
  std::vector<std::uint32_t> patiences;
  std::vector<core::Duration> slacks;
  std::vector<core::Duration> jitters;
  BeatOptions start;
  std::uint32_t taps = 0;  // of all settings
};
/// The grid of `bellwether tune` around these options; jitter varies where `shared_air`. Slack is
/// at least this, as far as the grid goes.
BeatGrid grid_around(BeatOptions start, bool shared_air, core::Duration least_slack = {});
/// Whether drumbeat accepts these options, and they are worth a run.
bool is_sound(const BeatOptions& options, const BeatGrid& grid);
/// One step along one option, within the grid.
std::vector<BeatOptions> neighbours_of(const BeatOptions& options, const BeatGrid& grid);

struct TuneRequest {
  BeatGrid grid;
  Wish wish = Wish::steady;
  std::optional<double> most_bytes_per_s;
  std::uint64_t runs = 5;            // of each proposal
  std::uint64_t first_runs = 2;      // of the others
  std::size_t most_candidates = 24;  // to be measured
};

/// Samples of these runs (numbers `first` to `first + count - 1`) for each of the options. Nothing:
/// interrupted.
using MeasureBeats = std::function<std::optional<std::vector<std::vector<BeatSample>>>(
    std::span<const BeatOptions> options, std::uint64_t first, std::uint64_t count)>;

inline constexpr std::size_t proposals = 5;
/// frugal proposes no slower failover, and steady only where there is none below.
inline constexpr double quick_failover_s = 1;

/// All that was measured, best first.
using TuneRanking = std::vector<Expectation>;

/// Whether the bound and the wish allow it.
bool meets(const TuneRequest& request, const Expectation& expected);
/// Best first. Values that are equal in two digits count as equal; so do failovers and rates of
/// false elections that are nearly as low as the lowest.
void rank(TuneRanking& all, const TuneRequest& request);
/// The best of a ranking, at most five. Of options that make no difference the first stand for all.
TuneRanking best_of(const TuneRanking& ranking);

/// Nothing: interrupted.
std::optional<TuneRanking> tune(const TuneRequest& request, const MeasureBeats& measure);
/// About how many measurements (of options, with a seed) tune() makes: seldom a few more, where
/// more runs change the order of the best.
std::uint64_t planned_measurements(const TuneRequest& request);

}  // namespace bellwether::experiment
