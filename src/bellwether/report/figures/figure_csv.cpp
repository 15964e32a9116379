// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>

#include "bellwether/core/utf8.hpp"
#include "bellwether/report/figures/figure.hpp"

namespace bellwether::report {
namespace {

/// In quotes where a comma, a quote or a line break would be taken for CSV's own.
std::string cell(const std::string& text) {
  const std::string valid = core::valid_utf8(text);
  if (valid.find_first_of(",\"\r\n") == std::string::npos) return valid;
  std::string out = "\"";
  for (const char c : valid) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

/// The shortest digits that read back as the same number.
std::string cell(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "";
}

std::string x_cell(const Figure& figure, double x) {
  return figure.categories.empty() ? cell(x) : cell(x_text(figure, x));
}

}  // namespace

std::string figure_csv(const Figure& figure) {
  std::string out = "curve,x,mean,low,high\n";
  for (const auto* curves : {&figure.curves, &figure.right})
    for (const Curve& curve : *curves)
      for (const Sample& sample : curve.samples)
        out += fmt::format("{},{},{},{},{}\n", cell(curve.label), x_cell(figure, sample.x),
                           cell(sample.mean), cell(sample.low), cell(sample.high));
  return out;
}

}  // namespace bellwether::report
