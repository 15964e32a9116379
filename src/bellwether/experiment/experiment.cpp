// SPDX-License-Identifier: MIT
#include "bellwether/experiment/experiment.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "bellwether/core/digest.hpp"
#include "bellwether/core/nearest.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/experiment/experiment_parts.hpp"
#include "bellwether/scenario/effect.hpp"
#include "bellwether/scenario/toml.hpp"

namespace bellwether::experiment {
namespace {

constexpr std::size_t most_points = 100'000;

/// What set_key complains of, with the place in the experiment.
void set_at(scenario::Scenario& scenario, const Setting& setting, const std::string& place) {
  try {
    set_key(scenario, setting.key + '=' + setting.text);
  } catch (const core::Problem& problem) {
    throw problem.at(place);
  }
}

/// The product of the axes, without those to be skipped.
std::vector<GridPoint> combinations(const Experiment& experiment) {
  std::vector<GridPoint> out;
  GridPoint point(experiment.axes.size(), 0);
  for (;;) {
    const bool skipped =
        std::any_of(experiment.skips.begin(), experiment.skips.end(),
                    [&](const auto& skip) { return matches(experiment, point, skip); });
    if (!skipped) out.push_back(point);
    std::size_t axis = point.size();
    while (axis > 0 && ++point[axis - 1] == experiment.axes[axis - 1].choices.size())
      point[--axis] = 0;
    if (axis == 0) return out;
  }
}

void check_size(const Experiment& experiment) {
  std::size_t count = 1;
  for (const Axis& axis : experiment.axes) {
    count *= axis.choices.size();
    if (count > most_points)
      throw core::Problem(experiment.path, {},
                          "the matrix has more than " + std::to_string(most_points) +
                              " points; split the experiment");
  }
}

/// Every axis that something speaks of is there, and has that label.
void check_where(const Experiment& experiment, const std::vector<Setting>& where,
                 const std::string& what) {
  for (const Setting& each : where) {
    const Axis& axis = experiment.axes[axis_of(experiment, each.key)];
    std::vector<std::string> labels;
    for (const Variation& choice : axis.choices) labels.push_back(choice.label);
    if (std::find(labels.begin(), labels.end(), each.text) == labels.end())
      throw core::Problem(experiment.path, {},
                          what + ": " + core::unknown_name(axis.name, each.text, labels));
  }
}

void check_figures(const Experiment& experiment) {
  for (const FigureSpec& figure : experiment.figures) {
    const std::string what = "figure \"" + figure.title + '"';
    check_where(experiment, figure.where, what);
    if (!figure.x.empty()) axis_of(experiment, figure.x);
    if (!figure.by.empty()) axis_of(experiment, figure.by);
    if (figure.kind != FigureKind::series && figure.x.empty())
      throw core::Problem(experiment.path, {}, what + ": x: name an axis of the matrix");
    const auto kept = [&](const std::string& metric) {
      return std::find(experiment.series.begin(), experiment.series.end(), metric) !=
             experiment.series.end();
    };
    for (const std::string& metric : {figure.y, figure.y2})
      if (figure.kind == FigureKind::series && !metric.empty() && !kept(metric))
        throw core::Problem(
            experiment.path, {},
            what + ": " + metric + " is not kept over time; add it to the list `series`");
  }
}

void check_smaller(const Experiment& experiment, const Smaller& smaller, const std::string& what) {
  for (const Axis& kept : smaller.keep)
    for (const Variation& each : kept.choices)
      check_where(experiment, {{kept.name, each.label}}, what);
}

/// Every key that was given has an effect at one point at least: an axis may well choose models
/// whose keys mean nothing to the others.
class EffectCheck {
 public:
  void look(const scenario::Scenario& scenario) {
    for (const auto& [key, where] : scenario.where) {
      if (effective_.contains(key)) continue;
      if (auto problem = scenario::without_effect(scenario, key)) {
        idle_.emplace(key, std::move(*problem));
      } else {
        effective_.insert(key);
        idle_.erase(key);
      }
    }
  }
  void finish(const std::string& path) const {
    if (idle_.empty()) return;
    const core::Problem& first = idle_.begin()->second;
    const bool from_file = first.where().line > 0;
    throw from_file ? first : first.at(path);
  }

 private:
  std::set<std::string> effective_;
  std::map<std::string, core::Problem> idle_;
};

void check(const Experiment& experiment) {
  if (experiment.axes.empty())
    throw core::Problem(experiment.path, {},
                        "the matrix is empty; write [matrix] and a key with a list of values, such "
                        "as algorithm = [\"cel\", \"flooding\"]");
  check_size(experiment);
  for (const auto& skip : experiment.skips) check_where(experiment, skip, "skip");
  for (const Published& each : experiment.published) {
    const std::string what = "published \"" + each.what + '"';
    check_where(experiment, each.where, what);
    check_where(experiment, each.over, what);
  }
  check_figures(experiment);
  check_smaller(experiment, experiment.quick, "quick");
  if (experiment.brief) check_smaller(experiment, *experiment.brief, "short");
  for (const GridPoint& point : points(experiment)) scenario_at(experiment, point, 1);
}

/// The algorithm of a point: what is set last counts.
std::string algorithm_at(const Experiment& experiment, const GridPoint& point) {
  std::string out = experiment.base.algorithm;
  const auto read = [&](const std::vector<Setting>& settings) {
    for (const Setting& each : settings)
      if (each.key == "algorithm") out = each.text;
  };
  read(experiment.settings);
  read(experiment.overrides);
  for (std::size_t axis = 0; axis < point.size(); ++axis)
    read(experiment.axes[axis].choices[point[axis]].settings);
  return out;
}

scenario::Scenario scenario_beside(const std::string& path, const std::string& name) {
  const auto named = std::filesystem::path(path).parent_path() / name;
  if (!std::filesystem::exists(named))
    throw core::Problem(
        path, "scenario",
        "there is no file \"" + name + "\"; write its path as seen from the experiment's folder");
  return scenario::read_scenario(named);
}

void fold(std::uint64_t& state, const std::string& text) {
  state = core::mix(state, core::digest(text));
}
void fold(std::uint64_t& state, const std::vector<Setting>& settings) {
  state = core::mix(state, settings.size());
  for (const Setting& each : settings) {
    fold(state, each.key);
    fold(state, each.text);
  }
}

}  // namespace

Experiment read_experiment(const std::filesystem::path& path) {
  return parse_experiment(scenario::text_of_file(path), path.string());
}

Experiment parse_experiment(std::string_view toml, const std::string& path,
                            std::optional<scenario::Scenario> base) {
  return parse_experiment(toml, path, [&](const std::string& name) {
    return base ? std::move(*base) : scenario_beside(path, name);
  });
}

Experiment parse_experiment(std::string_view toml, const std::string& path,
                            const ScenarioNamed& base) {
  Experiment experiment = read_parts(toml, path, base);
  check(experiment);
  return experiment;
}

void require_effect(const Experiment& experiment) {
  EffectCheck effect;
  for (const GridPoint& point : points(experiment)) effect.look(scenario_at(experiment, point, 1));
  effect.finish(experiment.path);
}

Experiment version_of(Experiment experiment, Size size) {
  if (size == Size::full) return experiment;
  if (size == Size::brief && !experiment.brief)
    throw core::Problem(
        experiment.path, {},
        "has no short version; write [short] with runs, set or keep, as in [quick]");
  const Smaller smaller = size == Size::brief ? *experiment.brief : experiment.quick;
  experiment.size = size;
  experiment.repeat.runs = smaller.runs;
  experiment.repeat.until.clear();
  experiment.settings.insert(experiment.settings.end(), smaller.settings.begin(),
                             smaller.settings.end());
  for (const Axis& kept : smaller.keep) {
    Axis& axis = experiment.axes[axis_of(experiment, kept.name)];
    std::erase_if(axis.choices, [&](const Variation& each) {
      return std::none_of(kept.choices.begin(), kept.choices.end(),
                          [&](const Variation& wanted) { return wanted.label == each.label; });
    });
  }
  return experiment;
}

std::vector<GridPoint> points(const Experiment& experiment) {
  std::vector<GridPoint> out = combinations(experiment);
  if (out.empty())
    throw core::Problem(experiment.path, {}, "every point of the matrix is skipped; skip fewer");
  return out;
}

scenario::Scenario scenario_at(const Experiment& experiment, const GridPoint& point,
                               std::uint64_t seed) {
  scenario::Scenario out = experiment.base;
  // The options of a scenario are those of its algorithm, and mean nothing to another.
  if (algorithm_at(experiment, point) != out.algorithm) {
    for (const auto& [name, option] : out.options) out.where.erase("options." + name);
    out.options.clear();
  }
  const auto set = [&](Setting each, const std::string& place) {
    if (each.text.starts_with("${") && each.text.ends_with('}'))
      each.text =
          label(experiment, point, axis_of(experiment, each.text.substr(2, each.text.size() - 3)));
    set_at(out, each, place);
  };
  for (const Setting& each : experiment.settings) set(each, experiment.path + ": set");
  for (const Setting& each : experiment.overrides) set(each, "--set");
  for (std::size_t axis = 0; axis < point.size(); ++axis)
    for (const Setting& each : experiment.axes[axis].choices[point[axis]].settings) {
      const std::string& name = experiment.axes[axis].name;
      set(each, experiment.path + ": " + (name == each.key ? "matrix" : name));
    }
  out.seed = seed;
  try {
    validate(out);
  } catch (const core::Problem& error) {
    throw core::Problem(experiment.path, {},
                        "the point " + point_text(experiment, point) + ": " + error.what());
  }
  return out;
}

const std::string& label(const Experiment& experiment, const GridPoint& point, std::size_t axis) {
  return experiment.axes[axis].choices[point[axis]].label;
}

std::string point_text(const Experiment& experiment, const GridPoint& point) {
  std::string out;
  for (std::size_t axis = 0; axis < point.size(); ++axis)
    out += (axis == 0 ? "" : ", ") + experiment.axes[axis].name + " = " +
           label(experiment, point, axis);
  return out;
}

std::size_t axis_of(const Experiment& experiment, const std::string& name) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < experiment.axes.size(); ++i) {
    if (experiment.axes[i].name == name) return i;
    known.push_back(experiment.axes[i].name);
  }
  throw core::Problem(experiment.path, {}, core::unknown_name("axis", name, known));
}

bool matches(const Experiment& experiment, const GridPoint& point,
             const std::vector<Setting>& where) {
  return std::all_of(where.begin(), where.end(), [&](const Setting& each) {
    return label(experiment, point, axis_of(experiment, each.key)) == each.text;
  });
}

std::string fingerprint(const Experiment& experiment) {
  std::uint64_t state = 0;
  scenario::Scenario base = experiment.base;
  base.seed = 0;
  fold(state, print_scenario(base));
  fold(state, experiment.settings);
  fold(state, experiment.overrides);
  for (const Axis& axis : experiment.axes) {
    fold(state, axis.name);
    for (const Variation& choice : axis.choices) {
      fold(state, choice.label);
      fold(state, choice.settings);
    }
  }
  for (const auto& skip : experiment.skips) fold(state, skip);
  for (const std::string& metric : experiment.series) fold(state, metric);
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(state));
  return text;
}

}  // namespace bellwether::experiment
