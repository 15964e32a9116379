// SPDX-License-Identifier: MIT
// An experiment: one scenario, varied along axes and repeated with other seeds; what to draw from
// the results; and, where it repeats a publication, what that says. Read from TOML; the page
// docs/experiments.md explains the format.
#pragma once

#include <functional>
#include <optional>

#include "bellwether/scenario/scenario.hpp"

namespace bellwether::experiment {

/// A key of a scenario and its value as text: "radio.range" and "90".
struct Setting {
  std::string key;
  std::string text;
  friend bool operator==(const Setting&, const Setting&) = default;
};

/// One value on an axis: one key, or several that go together under a label.
struct Variation {
  std::string label;
  std::vector<Setting> settings;
  friend bool operator==(const Variation&, const Variation&) = default;
};

struct Axis {
  std::string name;  // the key, or "variant"
  std::vector<Variation> choices;
  friend bool operator==(const Axis&, const Axis&) = default;
};

/// How a confidence interval is made.
enum class Interval : unsigned char { student, bootstrap };
constexpr auto names_of(Interval) {
  return std::array<std::string_view, 2>{"student", "bootstrap"};
}

/// The same seeds for all points: common random numbers.
struct Repeat {
  std::uint64_t runs = 5;  // at least
  std::uint64_t seed = 1;  // the first
  Interval interval = Interval::student;
  double confidence = 0.95;
  // Repeat until half of the interval of this metric is at most this share of the mean, with at
  // most `at_most` runs.
  std::string until;
  double within = 0.05;
  std::uint64_t at_most = 0;
  friend bool operator==(const Repeat&, const Repeat&) = default;
};

enum class FigureKind : unsigned char { lines, bars, series };
constexpr auto names_of(FigureKind) {
  return std::array<std::string_view, 3>{"lines", "bars", "series"};
}

struct FigureSpec {
  FigureKind kind = FigureKind::lines;
  std::string title;
  std::string note;            // what to see in it
  std::string x;               // lines, bars: an axis; series: none, the time
  std::string y;               // a metric
  std::string y2;              // series: a second one, on the right
  std::string by;              // the axis that makes the curves
  std::vector<Setting> where;  // only points with these labels on these axes
  bool log_x = false;
  bool log_y = false;
  double scale = 1;  // what y is multiplied with
  std::string unit;  // shown instead of the metric's own
  friend bool operator==(const FigureSpec&, const FigureSpec&) = default;
};

/// What a publication states in words: the first is more than the second, or less.
enum class Comparison : unsigned char { none, more, less };
constexpr auto names_of(Comparison) {
  return std::array<std::string_view, 3>{"none", "more", "less"};
}

/// What a publication states, and how to find it among the results.
struct Published {
  std::string what;  // "wrong leader at 90 m, flooding over topology-aware"
  std::string metric;
  std::vector<Setting> where;  // the point
  std::vector<Setting> over;   // then: the ratio of the two points; empty: the value itself
  double value = 0;            // as published
  double scale = 1;            // what the measured one is multiplied with first
  double tolerance = 0.1;      // reproduced, when within this share of it
  std::string note;            // why it is not, where it is not
  std::size_t line = 0;
  Comparison direction = Comparison::none;  // where no number is given: the ratio is more, or less
  double at_s = 0;  // a metric that is kept over time, at this moment; 0: the total
  friend bool operator==(const Published&, const Published&) = default;
};

/// full: as it is written. brief: fewer and shorter runs that still give useful results, for a slow
/// engine. quick: a smoke test.
enum class Size : unsigned char { full, brief, quick };
constexpr auto names_of(Size) {
  return std::array<std::string_view, 3>{"full", "short", "quick"};
}

/// What a smaller version leaves of an experiment.
struct Smaller {
  std::uint64_t runs = 2;
  std::vector<Setting> settings;
  std::vector<Axis> keep;  // of these axes only these labels
  friend bool operator==(const Smaller&, const Smaller&) = default;
};

struct Experiment {
  std::string name;
  std::string about;
  std::string source;  // the publication
  std::string path;    // of the file
  std::string text;    // the file itself
  scenario::Scenario base;
  std::vector<Setting> settings;   // for all points
  std::vector<Setting> overrides;  // the same, from the command line
  std::vector<Axis> axes;
  std::vector<std::vector<Setting>> skips;
  Repeat repeat;
  std::vector<std::string> series;   // metrics to be kept over time
  std::vector<std::string> metrics;  // those to be shown first
  std::vector<FigureSpec> figures;
  std::vector<Published> published;
  std::optional<Smaller> brief;  // [short]
  Smaller quick;
  Size size = Size::full;
};

/// The version of that size. Throws Problem where the file has no such version.
Experiment version_of(Experiment experiment, Size size);

/// One choice on each axis.
using GridPoint = std::vector<std::size_t>;

/// Throws Problem.
Experiment read_experiment(const std::filesystem::path& path);
/// `base`: the scenario that the file names; read where it is if nothing is given.
Experiment parse_experiment(std::string_view toml, const std::string& path,
                            std::optional<scenario::Scenario> base = std::nullopt);
/// The scenario of that name, which is a path that begins at the experiment's folder.
using ScenarioNamed = std::function<scenario::Scenario(const std::string& name)>;
Experiment parse_experiment(std::string_view toml, const std::string& path,
                            const ScenarioNamed& base);

/// Refuses keys that were given and have no effect at any point. Throws Problem.
void require_effect(const Experiment& experiment);

/// All combinations but those to be skipped, the last axis fastest. Never empty: throws
/// Problem.
std::vector<GridPoint> points(const Experiment& experiment);
/// What is simulated there. Throws Problem.
scenario::Scenario scenario_at(const Experiment& experiment, const GridPoint& point,
                               std::uint64_t seed);
const std::string& label(const Experiment& experiment, const GridPoint& point, std::size_t axis);
/// "algorithm = cel, radio.range = 90"
std::string point_text(const Experiment& experiment, const GridPoint& point);
/// The axis of that name. Throws Problem, with the place in the file.
std::size_t axis_of(const Experiment& experiment, const std::string& name);
bool matches(const Experiment& experiment, const GridPoint& point,
             const std::vector<Setting>& where);

/// Of all that decides what the rows say; not of how many there are, nor of what is drawn.
std::string fingerprint(const Experiment& experiment);

}  // namespace bellwether::experiment
