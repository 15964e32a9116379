// SPDX-License-Identifier: MIT
#include "bounds.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

namespace bench {

void Bounds::row(const std::string& what, double measured, Side side, double bound,
                 const std::string& unit) {
  const bool most = side == Side::at_most;
  const bool kept = most ? measured <= bound : measured >= bound;
  fmt::print("{:<68} {:>8.2f} {:<2} {} {:>7.2f} {:<2}  {}\n", what, measured, unit,
             most ? '<' : '>', bound, unit, kept ? "holds" : "MISSED");
  const std::string found =
      std::isnan(measured) ? "not measured" : fmt::format("{:.2f} {}", measured, unit);
  check(kept,
        fmt::format("{}: {}; it must be {} {:.2f} {}", what.substr(what.find_first_not_of(' ')),
                    found, most ? "at most" : "at least", bound, unit));
}

void Bounds::check(bool kept, const std::string& sentence) {
  if (!kept) beyond_.push_back(sentence);
}

int Bounds::status() const {
  std::fflush(stdout);  // the sentences come after the tables, also in a log
  for (const std::string& sentence : beyond_) fmt::print(stderr, "bound missed: {}\n", sentence);
  return beyond_.empty() ? 0 : 1;
}

}  // namespace bench
