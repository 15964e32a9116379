// SPDX-License-Identifier: MIT
#include "bellwether/report/diagrams/time_scale.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bellwether/report/tables/units.hpp"

namespace bellwether::report {
namespace {

constexpr double cut_length = 76;
constexpr double worth_cutting = 280;
constexpr double cut_margin = 14;  // left of the silence on either side, so that it is seen
constexpr double short_pause_length = 9;
constexpr double tick_distance = 90;  // at least

double length(Time from, Time to) {
  return static_cast<double>(to.count()) - static_cast<double>(from.count());
}

/// What is said of the pauses between events.
struct Pauses {
  double busy = 0;            // all time outside the silences
  double silence = INFINITY;  // a longer pause is a silence
  double short_one = 0;       // a third of the pauses are shorter
};

/// A silence is long beside the usual pause and beside all time that is not silence.
Pauses survey(const std::vector<Time>& moments) {
  std::vector<double> sorted;
  for (std::size_t i = 1; i < moments.size(); ++i)
    sorted.push_back(length(moments[i - 1], moments[i]));
  std::sort(sorted.begin(), sorted.end());
  Pauses out;
  out.busy = std::accumulate(sorted.begin(), sorted.end(), 0.0);
  if (sorted.size() < 8) {
    out.short_one = out.busy;
    return out;
  }
  const double usual = 10 * sorted[sorted.size() * 3 / 4];
  out.short_one = sorted[sorted.size() / 3];
  while (sorted.back() > std::max(usual, 0.04 * out.busy)) {
    out.busy -= sorted.back();
    out.silence = std::max(usual, 0.04 * out.busy);
    sorted.pop_back();  // three of four are not above the usual, so it never runs empty
  }
  // Summed afresh: beside years of silence the differences above have lost their milliseconds.
  out.busy = std::accumulate(sorted.begin(), sorted.end(), 0.0);
  return out;
}

/// 1, 2 or 5 times a power of ten, in nanoseconds.
std::int64_t nice_step(double at_least) {
  std::int64_t step = 1;
  while (static_cast<double>(step) < at_least && step < 1'000'000'000'000'000'000) {
    if (static_cast<double>(2 * step) >= at_least) return 2 * step;
    if (static_cast<double>(5 * step) >= at_least) return 5 * step;
    step *= 10;
  }
  return step;
}

}  // namespace

TimeScale::TimeScale(std::vector<Time> moments, Time from, Time to, double begin, double least,
                     double most) {
  moments.push_back(from);
  moments.push_back(to);
  std::sort(moments.begin(), moments.end());
  moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
  const Pauses pauses = survey(moments);
  if (pauses.busy > 0)
    per_ns_ =
        std::clamp(short_pause_length / pauses.short_one * pauses.busy, least, most) / pauses.busy;
  pieces_.push_back({from, from, begin, begin, false});
  build(moments, std::max(pauses.silence, worth_cutting / per_ns_), least);
}

void TimeScale::build(const std::vector<Time>& moments, double limit, double least) {
  const auto add = [this](Time from, Time to, double size, bool cut) {
    pieces_.push_back({from, to, end(), end() + size, cut});
  };
  Time begin = moments.front();
  for (std::size_t i = 1; i < moments.size(); ++i) {
    const double pause = length(moments[i - 1], moments[i]);
    if (pause <= limit) continue;
    const Time margin{static_cast<std::int64_t>(std::min(cut_margin / per_ns_, pause / 4))};
    const Time silent = moments[i - 1] + margin;
    add(begin, silent, length(begin, silent) * per_ns_, false);
    begin = moments[i] - margin;
    add(silent, begin, cut_length, true);
    cuts_.push_back({moments[i - 1], moments[i], end() - cut_length, end()});
  }
  add(begin, moments.back(), per_ns_ > 0 ? length(begin, moments.back()) * per_ns_ : least, false);
}

double TimeScale::place(Time at) const {
  if (at <= pieces_.front().from) return pieces_.front().begin;
  if (at >= pieces_.back().to) return pieces_.back().end;
  const auto piece =
      std::find_if(pieces_.begin(), pieces_.end(), [at](const Piece& p) { return at <= p.to; });
  const double all = length(piece->from, piece->to);
  if (all <= 0) return piece->begin;
  return piece->begin + (piece->end - piece->begin) * length(piece->from, at) / all;
}

std::vector<TimeScale::TimeTick> TimeScale::ticks() const {
  const TimeUnit unit = unit_for(pieces_.back().to);
  std::vector<TimeTick> out;
  const auto add = [&](Time at, int decimals) {
    out.push_back({place(at), in_unit(at, unit, decimals) + ' ' + std::string(unit.name)});
  };
  const auto add_exact = [&](Time at) { add(at, decimals_needed(at, unit, 6)); };
  if (per_ns_ == 0) {
    add_exact(pieces_.front().from);
    return out;
  }
  const std::int64_t step = nice_step(tick_distance / per_ns_);
  const int decimals = decimals_needed(Time{step}, unit, unit.digits);
  auto next_cut = cuts_.begin();
  Time first_event = pieces_.front().from;
  for (std::size_t i = 1; i < pieces_.size(); ++i) {
    if (pieces_[i].cut) {
      first_event = (next_cut++)->to;
      continue;
    }
    const std::size_t before = out.size();
    const std::int64_t round = (pieces_[i].from.count() + step - 1) / step * step;
    for (std::int64_t at = round; at <= pieces_[i].to.count(); at += step) add(Time{at}, decimals);
    if (out.size() == before) add_exact(first_event);  // a short piece without a round number
  }
  return out;
}

}  // namespace bellwether::report
