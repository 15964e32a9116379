// SPDX-License-Identifier: MIT
// Numbers for people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "bellwether/observe/trace/record.hpp"

namespace bellwether::report {

using observe::NodeId;
using observe::Time;

/// 1,000,000
std::string grouped(std::uint64_t number);
/// "1 node", "1,000 nodes"
std::string counted(std::uint64_t number, std::string_view one);
/// Whole numbers grouped, others with up to six digits.
std::string human_number(double value);

/// One unit for a whole column or axis, so that its numbers can be compared.
struct TimeUnit {
  std::string_view name;  // ns, us, ms or s
  std::int64_t nanoseconds;
  int digits;  // after the point, when nothing is rounded
};

/// The largest unit in which `largest` is one or more.
TimeUnit unit_for(Time largest);
/// How many digits after the point `at` needs, at most `most`.
int decimals_needed(Time at, const TimeUnit& unit, int most);
std::string in_unit(Time at, const TimeUnit& unit, int decimals);

}  // namespace bellwether::report
