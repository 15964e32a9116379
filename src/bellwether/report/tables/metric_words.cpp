// SPDX-License-Identifier: MIT
#include "bellwether/report/tables/metric_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bellwether/observe/metrics/metric_facts.hpp"
#include "bellwether/report/figures/plot_axis.hpp"
#include "bellwether/report/tables/units.hpp"

namespace bellwether::report {
namespace {

/// Columns that every report has, and that are therefore no metrics.
struct CommonColumn {
  std::string_view name;
  std::string_view title;
  std::string_view unit;
};
constexpr CommonColumn known[] = {{"nodes", "nodes", ""},
                                  {"links", "links", ""},
                                  {"events", "events", ""},
                                  {"messages", "messages", ""},
                                  {"bytes", "message bytes", ""},
                                  {"time_s", "simulated time", "s"},
                                  {"agreed", "runs that end in agreement", "share"}};

MetricWords words(std::string_view title, std::string_view unit) {
  if (unit == "share") return {std::string(title), "%", 100};
  return {std::string(title), std::string(unit), 1};
}

/// Two digits of the half width; nothing where there is none, or where it would be no use.
int decimals_of(const experiment::Estimate& estimate, double factor) {
  const double half = estimate.half_width() * std::abs(factor);
  // Runs that are equal but for the last bit have no width.
  if (!std::isfinite(half) || half <= 1e-12 * std::abs(estimate.mean * factor)) return -1;
  return std::clamp(1 - static_cast<int>(std::floor(std::log10(half))), 0, 9);
}

std::string shown(double value, int decimals) {
  const bool fits = decimals >= 0 && std::isfinite(value) && std::abs(value) < 1e15;
  return fits ? with_decimals(value, decimals) : human_number(value);
}

}  // namespace

MetricWords metric_words(std::string_view name) {
  for (const CommonColumn& each : known)
    if (each.name == name) return words(each.title, each.unit);
  const observe::MetricFact* fact = observe::metric_fact(name);
  return fact == nullptr ? words(name, "") : words(fact->title, fact->unit);
}

std::string with_unit(const std::string& title, const std::string& unit) {
  return unit.empty() ? title : fmt::format("{} ({})", title, unit);
}

std::string mean_text(const experiment::Estimate& estimate, double factor) {
  if (estimate.runs == 0 || !std::isfinite(estimate.mean)) return "-";
  const int decimals = decimals_of(estimate, factor);
  const std::string mean = shown(estimate.mean * factor, decimals);
  if (decimals < 0) return mean;
  return fmt::format("{} ± {}", mean, shown(estimate.half_width() * std::abs(factor), decimals));
}

std::string bare_mean_text(const experiment::Estimate& estimate, double factor) {
  if (estimate.runs == 0) return "-";
  return shown(estimate.mean * factor, decimals_of(estimate, factor));
}

std::string interval_text(const experiment::Estimate& estimate, double factor) {
  if (estimate.runs == 0 || !std::isfinite(estimate.mean)) return "-";
  const int decimals = decimals_of(estimate, factor);
  if (decimals < 0) return "-";
  return fmt::format("{} to {}", shown(estimate.low * factor, decimals),
                     shown(estimate.high * factor, decimals));
}

std::string percent(double share) {
  return fmt::format("{:.4g} %", share * 100);
}

}  // namespace bellwether::report
