// SPDX-License-Identifier: MIT
// What a column of the results is called, and in which unit people read it.
#pragma once

#include <string>
#include <string_view>

#include "bellwether/experiment/statistics.hpp"

namespace bellwether::report {

struct MetricWords {
  std::string title;
  std::string unit;   // "": a number
  double factor = 1;  // from the value to what is shown: shares are shown in percent
};

/// The name itself for a metric without a description.
MetricWords metric_words(std::string_view name);
/// "instability (%)"
std::string with_unit(const std::string& title, const std::string& unit);

/// "12.34 ± 0.56": as many digits as the interval lets one believe. "-" without any run.
std::string mean_text(const experiment::Estimate& estimate, double factor = 1);
/// The mean alone, with the same digits.
std::string bare_mean_text(const experiment::Estimate& estimate, double factor = 1);
/// Two bounds in the same manner: "11.78 to 12.90".
std::string interval_text(const experiment::Estimate& estimate, double factor = 1);
/// "95 %", "99.9 %"
std::string percent(double share);

}  // namespace bellwether::report
