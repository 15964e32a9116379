// SPDX-License-Identifier: MIT
#include "bellwether/experiment/extend.hpp"

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "bellwether/core/digest.hpp"
#include "bellwether/core/problem.hpp"

namespace bellwether::experiment {
namespace {

using Keys = std::map<std::string, std::string>;

/// The keys of a printed scenario and their values; entries of [[change]] are numbered.
Keys keys_of(const std::string& toml) {
  Keys out;
  std::istringstream lines(toml);
  std::string table;
  std::size_t entries = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("[["))
      table = line.substr(2, line.find(']') - 2) + '[' + std::to_string(++entries) + "].";
    else if (line.starts_with('['))
      table = line.substr(1, line.find(']') - 1) + '.';
    else if (const std::size_t at = line.find(" = "); at != line.npos)
      out[table + line.substr(0, at)] = line.substr(at + 3);
  }
  return out;
}

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

/// What is simulated at a point, whatever the seed: rows of equal texts can stand side by side.
std::string meaning_of(const Experiment& experiment, const GridPoint& point) {
  scenario::Scenario scenario = scenario_at(experiment, point, 0);
  scenario.name.clear();
  scenario.about.clear();
  return print_scenario(scenario);
}

/// The same in 16 digits.
std::string digest_of(const std::string& meaning) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx",
                static_cast<unsigned long long>(core::digest(meaning)));
  return text;
}

/// The first difference of two meanings: "channel.loss was 0.1 and is 0.2 now".
std::string difference(const std::string& earlier, const std::string& present) {
  const Keys before = keys_of(earlier);
  const Keys now = keys_of(present);
  for (const auto& [key, value] : before) {
    const auto found = now.find(key);
    if (found == now.end()) return key + " was " + value + " and is not given now";
    if (found->second != value) return key + " was " + value + " and is " + found->second + " now";
  }
  for (const auto& [key, value] : now)
    if (!before.contains(key)) return key + " was not given and is " + value + " now";
  return "";
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
    const std::string meant = was_aside ? "" : meaning_of(earlier, before[index]);
    const std::string digest = was_aside ? each.meaning : digest_of(meant);
    const auto found = index_now.find(each.labels);
    if (found != index_now.end()) {
      const std::string means = meaning_of(present, now[found->second]);
      if (!was_aside && means != meant)
        throw core::Problem(
            path, {},
            "holds the results of another experiment: " + difference(meant, means) + cure);
      if (digest_of(means) == digest) {
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
