// SPDX-License-Identifier: MIT
#include "bellwether/experiment/tune.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace bellwether::experiment {
namespace {

using namespace std::chrono_literals;
using core::Duration;

constexpr int most_rounds = 2;  // of looking around
constexpr double never = std::numeric_limits<double>::infinity();

/// Two digits: what differs by less is not worth a preference.
double coarse(double value) {
  if (std::isnan(value)) return never;
  if (value <= 0 || std::isinf(value)) return value;
  const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
  return std::round(value / unit) * unit;
}

/// A rate below which no event may be seen in this time, with 95 % certainty (the rule of three).
double least_rate(double hours) {
  return hours > 0 ? 3 / hours : 0;
}

bool within_bound(const TuneRequest& request, const Expectation& e) {
  return !request.most_bytes_per_s || e.bytes_per_s.mean <= *request.most_bytes_per_s;
}

bool quick(const Expectation& e) {
  return e.failover_p95_s.mean < quick_failover_s;
}

/// What an option that makes no difference leaves as it is.
bool same_means(const Expectation& a, const Expectation& b) {
  const auto means = [](const Expectation& e) {
    return std::array{e.failover_median_s.mean, e.failover_p95_s.mean, e.false_elections_per_h.mean,
                      e.bytes_per_s.mean, e.wrong_share.mean};
  };
  return a.runs == b.runs && means(a) == means(b);
}

/// How many options are not as at the start.
double changed_options(const BeatOptions& a, const BeatOptions& b) {
  return (a.period != b.period) + (a.patience != b.patience) + (a.slack != b.slack) +
         (a.jitter != b.jitter);
}

/// Values up to these count as equal to the best one: differences that are not worth a worse value
/// of something else.
struct RankLimits {
  double failover_s = 0;
  double false_elections_per_h = 0;
};

/// A tenth more than the fastest failover. Of false elections: half more than the lowest rate, less
/// than one election in the time that was simulated, or what the interval of the lowest rate
/// includes, where it has runs enough. Those with the most runs decide.
RankLimits rank_limits(const TuneRanking& all, const TuneRequest& request) {
  std::size_t runs = 0;
  for (const Expectation& each : all)
    if (meets(request, each)) runs = std::max(runs, each.runs);
  double fastest = never;
  const Expectation* steadiest = nullptr;
  for (const Expectation& each : all) {
    if (each.runs < runs || !meets(request, each)) continue;
    fastest = std::min(fastest, each.failover_p95_s.mean);
    if (!steadiest || each.false_elections_per_h.mean < steadiest->false_elections_per_h.mean)
      steadiest = &each;
  }
  if (!steadiest) return {};
  const Estimate& rate = steadiest->false_elections_per_h;
  const double once = steadiest->calm_h > 0 ? 1 / steadiest->calm_h : 0;
  const double likely = runs >= 5 && rate.mean > 0 ? rate.high : 0;
  return {1.1 * fastest, std::max({1.5 * rate.mean, once, likely})};
}

double coarse_above(double limit, double value) {
  return value <= limit ? 0 : coarse(value);
}

/// The smallest is the best, compared from left to right. Beyond the bound or the wish, the nearest
/// to it is the best. What has all its runs comes before what has only some.
std::array<double, 8> rank_key(const TuneRequest& request, const Expectation& e,
                               const RankLimits& limits) {
  const double bytes = coarse(e.bytes_per_s.mean);
  const double failover = coarse(e.failover_p95_s.mean);
  const double unrest = coarse_above(limits.false_elections_per_h, e.false_elections_per_h.mean);
  const double excess = within_bound(request, e) ? 0 : e.bytes_per_s.mean;
  const double delay = request.wish == Wish::fast || quick(e) ? 0 : failover;
  const double unsure = e.runs < request.runs ? 1 : 0;
  const double changed = changed_options(e.options, request.grid.start);
  switch (request.wish) {
    case Wish::fast:
      return {excess, delay,    unsure, coarse_above(limits.failover_s, e.failover_p95_s.mean),
              unrest, failover, bytes,  changed};
    case Wish::frugal:
      return {excess, delay, unsure, bytes, failover, unrest, changed};
    case Wish::steady:
      break;
  }
  return {excess, delay, unsure, unrest, failover, bytes, changed};
}

Estimate estimated(std::span<const BeatSample> samples, double BeatSample::*value) {
  std::vector<double> values;
  for (const BeatSample& each : samples) values.push_back(each.*value);
  Estimate out = estimate(values, Interval::student, 0.95);
  out.low = std::max(out.low, 0.0);  // none of these can be negative
  return out;
}

template <class T>
std::vector<T> with(std::vector<T> values, T more) {
  values.push_back(more);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

template <class T>
void step_along(std::vector<BeatOptions>& out, const BeatOptions& from, T BeatOptions::*option,
                const std::vector<T>& values) {
  const auto at = std::find(values.begin(), values.end(), from.*option);
  if (at == values.end()) return;
  const auto add = [&](T value) {
    BeatOptions next = from;
    next.*option = value;
    out.push_back(next);
  };
  if (at != values.begin()) add(*std::prev(at));
  if (std::next(at) != values.end()) add(*std::next(at));
}

/// What was measured so far, and the ranking of it.
class TuneSearch {
 public:
  TuneSearch(const TuneRequest& request, const MeasureBeats& measure)
      : request_(request),
        measure_(measure),
        first_runs_(std::min(request.first_runs, request.runs)) {}

  /// These return false when interrupted.
  bool scan() {
    std::vector<BeatOptions> all;
    for (const Duration period : request_.grid.periods) {
      BeatOptions each = request_.grid.start;
      each.period = period;
      if (each == request_.grid.start || is_sound(each, request_.grid)) all.push_back(each);
    }
    return measure(all, first_runs_);
  }
  bool climb() {
    while (samples_.size() < request_.most_candidates) {
      std::vector<BeatOptions> fresh = around(ranking().front().options, 0);
      if (fresh.empty()) return true;
      fresh.resize(std::min(fresh.size(), request_.most_candidates - samples_.size()));
      if (!measure(fresh, first_runs_)) return false;
    }
    return true;
  }
  bool settle() {
    for (;;) {
      std::vector<BeatOptions> fresh;
      for (const Expectation& each : best_of(ranking()))
        if (each.runs < request_.runs) fresh.push_back(each.options);
      if (fresh.empty()) return true;
      if (!measure(fresh, request_.runs)) return false;
    }
  }
  bool look_around() {
    for (int round = 0; round < most_rounds; ++round) {
      const BeatOptions best = ranking().front().options;
      for (const std::uint64_t runs : {std::uint64_t{0}, first_runs_})
        if (const auto fresh = around(best, runs); !fresh.empty() && runs < request_.runs)
          if (!measure(fresh, request_.runs)) return false;
      if (ranking().front().options == best) return true;
    }
    return true;
  }
  TuneRanking ranking() const {
    TuneRanking out;
    for (const auto& [options, samples] : samples_) out.push_back(expectation(options, samples));
    rank(out, request_);
    return out;
  }

 private:
  /// One step from there, with this number of runs so far.
  std::vector<BeatOptions> around(const BeatOptions& best, std::uint64_t runs) const {
    std::vector<BeatOptions> out = neighbours_of(best, request_.grid);
    std::erase_if(out, [&](const BeatOptions& each) {
      const auto found = samples_.find(each);
      return (found == samples_.end() ? 0 : found->second.size()) != runs;
    });
    return out;
  }
  /// All of `options` have the same number of samples so far.
  bool measure(std::span<const BeatOptions> options, std::uint64_t runs) {
    const std::uint64_t first = samples_[options.front()].size();
    const auto found = measure_(options, first, runs - first);
    if (!found) return false;
    for (std::size_t i = 0; i < options.size(); ++i) {
      auto& samples = samples_[options[i]];
      samples.insert(samples.end(), (*found)[i].begin(), (*found)[i].end());
    }
    return true;
  }

  const TuneRequest& request_;
  const MeasureBeats& measure_;
  std::uint64_t first_runs_;
  std::map<BeatOptions, std::vector<BeatSample>> samples_;
};

}  // namespace

Expectation expectation(const BeatOptions& options, std::span<const BeatSample> samples) {
  Expectation out{options, samples.size(), 0, {}, {}, {}, {}, {}, {}};
  out.failover_median_s = estimated(samples, &BeatSample::failover_median_s);
  out.failover_p95_s = estimated(samples, &BeatSample::failover_p95_s);
  out.false_elections_per_h = estimated(samples, &BeatSample::false_elections_per_h);
  out.bytes_per_s = estimated(samples, &BeatSample::bytes_per_s);
  out.frames_per_s = estimated(samples, &BeatSample::frames_per_s);
  out.wrong_share = estimated(samples, &BeatSample::wrong_share);
  for (const BeatSample& each : samples) out.calm_h += each.calm_h;
  // Where none was seen, an interval of Student would have no width.
  if (Estimate& rate = out.false_elections_per_h; rate.mean == 0)
    rate.high = least_rate(out.calm_h);
  return out;
}

BeatGrid grid_around(BeatOptions start, bool shared_air, Duration least_slack) {
  const std::vector<Duration> periods{20ms,  30ms,  50ms,  70ms,  100ms, 150ms,
                                      200ms, 300ms, 500ms, 700ms, 1s};
  BeatGrid out;
  out.periods = with(periods, start.period);
  out.patiences = with({2, 3, 4, 6, 8}, start.patience);
  out.slacks = with({5ms, 10ms, 20ms, 40ms, 80ms, 160ms}, start.slack);
  least_slack = std::min(least_slack, out.slacks.back());
  std::erase_if(out.slacks, [&](Duration each) { return each < least_slack; });
  start.slack = std::max(start.slack, out.slacks.front());
  out.jitters = shared_air ? with({2ms, 4ms, 8ms, 16ms}, start.jitter) : std::vector{start.jitter};
  out.start = start;
  return out;
}

/// A beat that is passed on for longer than until the next one says nothing new; and drumbeat
/// refuses a jitter that is longer than its slack or the interval of its taps.
bool is_sound(const BeatOptions& options, const BeatGrid& grid) {
  const Duration interval = options.period / (std::max(grid.taps, 1u) + 1);
  return options.jitter <= std::min(interval, options.slack);
}

std::vector<BeatOptions> neighbours_of(const BeatOptions& options, const BeatGrid& grid) {
  std::vector<BeatOptions> out;
  step_along(out, options, &BeatOptions::period, grid.periods);
  step_along(out, options, &BeatOptions::patience, grid.patiences);
  step_along(out, options, &BeatOptions::slack, grid.slacks);
  step_along(out, options, &BeatOptions::jitter, grid.jitters);
  std::erase_if(out, [&](const BeatOptions& each) { return !is_sound(each, grid); });
  return out;
}

bool meets(const TuneRequest& request, const Expectation& expected) {
  return within_bound(request, expected) && (request.wish != Wish::frugal || quick(expected));
}

void rank(TuneRanking& all, const TuneRequest& request) {
  const RankLimits limits = rank_limits(all, request);
  std::sort(all.begin(), all.end(), [&](const Expectation& a, const Expectation& b) {
    const auto left = rank_key(request, a, limits), right = rank_key(request, b, limits);
    return left != right ? left < right : a.options < b.options;
  });
}

TuneRanking best_of(const TuneRanking& ranking) {
  TuneRanking out;
  for (const Expectation& each : ranking) {
    const bool listed = std::any_of(
        out.begin(), out.end(), [&](const Expectation& other) { return same_means(each, other); });
    if (!listed && out.size() < proposals) out.push_back(each);
  }
  return out;
}

std::optional<TuneRanking> tune(const TuneRequest& request, const MeasureBeats& measure) {
  TuneSearch search(request, measure);
  if (!search.scan() || !search.climb() || !search.settle() || !search.look_around())
    return std::nullopt;
  return search.ranking();
}

std::uint64_t planned_measurements(const TuneRequest& request) {
  const std::uint64_t first = std::min(request.first_runs, request.runs);
  const std::uint64_t all = std::max(request.most_candidates, request.grid.periods.size());
  const std::uint64_t around = neighbours_of(request.grid.start, request.grid).size();
  return all * first + (proposals + around) * (request.runs - first);
}

}  // namespace bellwether::experiment
