// SPDX-License-Identifier: MIT
#include "bellwether/experiment/extend.hpp"

#include <algorithm>
#include <cstdio>

#include "bellwether/core/digest.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/scenario/keys.hpp"

namespace bellwether::experiment {
namespace {

std::vector<std::string> names_of(const std::vector<Axis>& axes) {
  std::vector<std::string> out;
  for (const Axis& axis : axes) out.push_back(axis.name);
  return out;
}

/// The first of `some` that is not in `others`; empty: all are.
std::string missing_in(const std::vector<std::string>& others,
                       const std::vector<std::string>& some) {
  for (const std::string& each : some)
    if (std::find(others.begin(), others.end(), each) == others.end()) return each;
  return "";
}

using Labels = std::vector<std::string>;

Labels labels_at(const Experiment& experiment, const GridPoint& point) {
  Labels out;
  for (std::size_t axis = 0; axis < point.size(); ++axis)
    out.push_back(label(experiment, point, axis));
  return out;
}

/// What is simulated at a point, whatever the seed.
scenario::Scenario meaning_of(const Experiment& experiment, const GridPoint& point) {
  scenario::Scenario scenario = scenario_at(experiment, point, 0);
  scenario.name.clear();
  scenario.about.clear();
  return scenario;
}

/// In 16 digits: rows of equal ones can stand side by side.
std::string digest_of(const scenario::Scenario& meaning) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx",
                static_cast<unsigned long long>(core::digest(print_scenario(meaning))));
  return text;
}

std::string option_text(const scenario::Scenario& scenario, const std::string& name) {
  const auto found = scenario.options.find(name);
  return found == scenario.options.end() ? "not given" : found->second.text;
}

/// The first difference of two meanings: "channel.loss was 0.1 and is 0.2 now".
std::string difference(const scenario::Scenario& earlier, const scenario::Scenario& present) {
  const auto told = [](const std::string& key, const std::string& was, const std::string& is) {
    return key + " was " + was + " and is " + is + " now";
  };
  for (const scenario::Key& key : scenario::key_table())
    if (const std::string was = key.print(earlier), is = key.print(present); was != is)
      return told(key.path, was, is);
  for (const auto* options : {&earlier.options, &present.options})
    for (const auto& [name, option] : *options)
      if (const std::string was = option_text(earlier, name), is = option_text(present, name);
          was != is)
        return told("options." + name, was, is);
  return "the [[change]] entries differ";
}

}  // namespace

std::string other_shape(const Experiment& earlier, const Experiment& present) {
  const auto before = names_of(earlier.axes);
  const auto now = names_of(present.axes);
  if (const std::string axis = missing_in(before, now); !axis.empty())
    return "they have no value on the axis " + axis + ", which is new";
  if (const std::string axis = missing_in(now, before); !axis.empty())
    return "they differ on the axis " + axis + ", which the matrix no longer has";
  if (const std::string metric = missing_in(earlier.series, present.series); !metric.empty())
    return "they did not keep " + metric + " over time, which `series` asks for now";
  return "";
}

Renumbering renumbered(const Experiment& earlier, const Experiment& present,
                       const std::vector<KeptPoint>& kept, const std::string& path,
                       const std::string& cure) {
  const std::vector<GridPoint> before = points(earlier);
  const std::vector<GridPoint> now = points(present);
  std::map<Labels, std::size_t> index_now;
  for (std::size_t i = 0; i < now.size(); ++i) index_now[labels_at(present, now[i])] = i;
  Renumbering out;
  std::int64_t aside = 0;
  for (const KeptPoint& each : kept) {
    const auto index = static_cast<std::size_t>(each.index);
    const bool was_aside = each.index < 0 || index >= before.size();
    const auto meant = was_aside ? scenario::Scenario{} : meaning_of(earlier, before[index]);
    const std::string digest = was_aside ? each.meaning : digest_of(meant);
    const auto found = index_now.find(each.labels);
    if (found != index_now.end()) {
      const auto means = meaning_of(present, now[found->second]);
      const bool same = digest_of(means) == digest;
      if (!was_aside && !same)
        throw core::Problem(
            path, {},
            "holds the results of another experiment: " + difference(meant, means) + cure);
      if (same) {
        out.index[each.index] = static_cast<std::int64_t>(found->second);
        continue;
      }
    }
    out.index[each.index] = --aside;
    out.set_aside[aside] = digest;
  }
  if (out.set_aside.size() == kept.size())
    throw core::Problem(
        path, {},
        std::string(
            "holds the results of another experiment: no run in it is of a point of this one") +
            cure);
  return out;
}

}  // namespace bellwether::experiment
