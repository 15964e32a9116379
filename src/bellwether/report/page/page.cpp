// SPDX-License-Identifier: MIT
#include "bellwether/report/page/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "bellwether/report/figures/figure_axes.hpp"
#include "bellwether/report/figures/make_figures.hpp"
#include "bellwether/report/page/page_parts.hpp"
#include "bellwether/report/svg.hpp"
#include "bellwether/report/tables/metric_words.hpp"
#include "bellwether/report/tables/units.hpp"

namespace bellwether::report {
namespace {

using experiment::Experiment;
using experiment::Results;

// A figure is drawn twice, since text that fits a desk cannot be read on a phone.
constexpr double desk_width = 760;
constexpr double phone_width = 358;

template <class... Args>
void add(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

std::string title_of(const Experiment& experiment) {
  return experiment.name.empty() ? "An experiment" : experiment.name;
}

std::string code(std::string_view text) {
  return "<code>" + html_text(text) + "</code>";
}

/// The least and the most runs of a point.
std::pair<std::size_t, std::size_t> runs_per_point(const Results& results) {
  std::vector<std::size_t> runs(results.points.size());
  for (const experiment::Row& row : results.rows) ++runs.at(row.point);
  if (runs.empty()) return {0, 0};
  const auto [least, most] = std::minmax_element(runs.begin(), runs.end());
  return {*least, *most};
}

std::string runs_text(const Results& results) {
  const auto [least, most] = runs_per_point(results);
  if (least == most) return grouped(most);
  return fmt::format("{} to {}", grouped(least), grouped(most));
}

void add_header(std::string& out, const Results& results) {
  const Experiment& experiment = results.experiment;
  add(out, "<header>\n<h1>{}</h1>\n", html_text(title_of(experiment)));
  if (!experiment.about.empty())
    add(out, "<p class=\"about\">{}</p>\n", html_text(experiment.about));
  if (!experiment.source.empty()) add(out, "<p>After: {}</p>\n", html_text(experiment.source));
  out += "<dl class=\"facts\">\n";
  const auto fact = [&](std::string_view name, const std::string& value) {
    add(out, "<div><dt>{}</dt><dd>{}</dd></div>\n", name, html_text(value));
  };
  fact("points", grouped(results.points.size()));
  fact("runs of each", runs_text(results));
  fact("runs in all", grouped(results.rows.size()));
  fact("confidence", percent(experiment.repeat.confidence));
  out += "</dl>\n</header>\n";
}

/// What a reader must know before believing anything below.
void add_warnings(std::string& out, const Results& results) {
  const auto [least, most] = runs_per_point(results);
  if (least < results.experiment.repeat.runs)
    add(out,
        "<p class=\"warn\">These results are not complete: the experiment asks for at least {} of "
        "each point, and some points have {}. Run the sweep again to complete them.</p>\n",
        counted(results.experiment.repeat.runs, "run"),
        least == 0 ? "none" : fmt::format("only {}", grouped(least)));
  if (least == 1)
    out +=
        "<p class=\"warn\">Some points have a single run. Its value stands where a mean should, "
        "and "
        "there is no interval around it.</p>\n";
  std::map<std::string, std::uint64_t> ends;
  for (const experiment::Row& row : results.rows) ++ends[row.ended];
  for (const auto& [ended, count] : ends)
    if (ended == "violation" || ended == "interrupted" || ended == "event-limit")
      add(out, "<p class=\"warn\">{} ended with <b>{}</b>.</p>\n", counted(count, "run"),
          html_text(ended));
}

/// The label, and what it stands for unless that is plain.
std::string choice_html(const experiment::Axis& axis, std::size_t i) {
  const auto& choice = axis.choices[i];
  const bool plain = choice.settings.empty() ||
                     (choice.settings.size() == 1 && choice.settings[0].key == axis.name &&
                      choice.settings[0].text == choice.label);
  if (plain) return html_text(choice.label);
  std::string settings;
  for (const experiment::Setting& setting : choice.settings)
    settings += (settings.empty() ? "" : ", ") + setting.key + " = " + setting.text;
  return fmt::format("<b>{}</b>: {}", html_text(choice.label), code(settings));
}

void add_axes(std::string& out, const Results& results) {
  const Experiment& experiment = results.experiment;
  out += "<h2 id=\"parameters\">Parameters</h2>\n";
  if (experiment.axes.empty()) out += "<p>Only the seed differs between runs.</p>\n";
  if (!experiment.axes.empty()) {
    out +=
        "<div class=\"box\" "
        "tabindex=\"0\"><table>\n<thead><tr><th>parameter</th><th>values</th></tr>"
        "</thead>\n<tbody>\n";
    for (const experiment::Axis& axis : experiment.axes) {
      add(out, "<tr><td class=\"label\">{}</td><td>", code(axis.name));
      const bool list = std::any_of(axis.choices.begin(), axis.choices.end(),
                                    [&](const auto& each) { return each.settings.size() > 1; });
      for (std::size_t i = 0; i < axis.choices.size(); ++i)
        add(out, "{}{}", i == 0 ? "" : list ? "<br/>" : ", ", choice_html(axis, i));
      out += "</td></tr>\n";
    }
    out += "</tbody></table></div>\n";
  }
  std::size_t all = 1;
  for (const experiment::Axis& axis : experiment.axes) all *= axis.choices.size();
  if (all > results.points.size())
    add(out, "<p>{} left out by [[skip]].</p>\n",
        counted(all - results.points.size(), "combination") +
            (all - results.points.size() == 1 ? " is" : " are"));
  std::vector<experiment::Setting> all_points = experiment.settings;
  all_points.insert(all_points.end(), experiment.overrides.begin(), experiment.overrides.end());
  if (all_points.empty()) return;
  out += "<p>For all points: ";
  for (const experiment::Setting& setting : all_points)
    add(out, "{}{}", &setting == all_points.data() ? "" : ", ",
        code(setting.key + " = " + setting.text));
  out += ".</p>\n";
}

void add_reading(std::string& out, const Results& results) {
  const experiment::Repeat& repeat = results.experiment.repeat;
  out += "<h2 id=\"figures\">Figures</h2>\n<p>";
  add(out,
      "Each mark is the mean over the runs of one point, which differ in nothing but the seed. The "
      "band "
      "around a curve, or the whisker on a bar, is the {} confidence interval of that mean: ",
      percent(repeat.confidence));
  out += repeat.interval == experiment::Interval::student
             ? "Student's t, which takes the means to be nearly normal."
             : "bootstrap, from means of runs drawn again and again, whatever their distribution.";
  add(out, " Runs of each point: {} ({}); the seeds are the same for all points, so that ",
      runs_text(results), seeds_text(results));
  out +=
      "differences between curves are not differences of luck. Where a curve has a gap, nothing "
      "could "
      "be measured.</p>\n";
  if (!repeat.until.empty())
    add(out,
        "<p>Points were repeated until the interval of {} was within {} of its mean on either "
        "side, "
        "with {} at most.</p>\n",
        code(repeat.until), percent(repeat.within), counted(repeat.at_most, "run"));
}

void add_figures(std::string& out, const Results& results) {
  const auto specs = figures_of(results);
  if (specs.empty()) return;
  add_reading(out, results);
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const Figure figure = make_figure(results, specs[i]);
    add(out, "<figure id=\"figure-{0}\">\n<h3>Figure {0}. {1}</h3>\n", i + 1,
        html_text(figure.title));
    out += "<div class=\"on-desk\">" + figure_svg(figure, {desk_width, false}) + "</div>\n";
    out += "<div class=\"on-phone\">" + figure_svg(figure, {phone_width, false}) + "</div>\n";
    out += "<figcaption>";
    if (!figure.note.empty()) add(out, "<p class=\"note\">{}</p>", html_text(figure.note));
    add(out, "<p>{} {}</p></figcaption>\n</figure>\n", html_text(figure.band), axis_remark(figure));
  }
}

void add_origin(std::string& out, const Results& results) {
  const Experiment& experiment = results.experiment;
  out += "<h2 id=\"reproduce\">Reproduce these results</h2>\n";
  const std::string path = experiment.path.empty() ? "EXPERIMENT.toml" : experiment.path;
  std::string words = path;
  if (experiment.size != experiment::Size::full)
    words += " --" + std::string(core::name_of(experiment.size));
  if (const auto [least, most] = runs_per_point(results);
      least == most && most != experiment.repeat.runs && experiment.repeat.until.empty())
    words += " --runs " + std::to_string(most);
  for (const experiment::Setting& each : experiment.overrides)
    words += " --set '" + each.key + '=' + each.text + '\'';
  std::string lines;
  for (const std::string& engine : experiment::engines_of(results))
    lines += "bellwether sweep " + words +
             (engine == experiment::own_engine ? "\n" : " --engine " + engine + '\n');
  add(out, "<pre>{}</pre>\n", html_text(lines.substr(0, lines.size() - 1)));
  out += "<p>The same program gives the same numbers on every machine.</p>\n";
  out += "<div class=\"box\" tabindex=\"0\"><table><tbody>\n";
  const auto line = [&](std::string_view name, const std::string& value) {
    add(out, "<tr><td class=\"label\">{}</td><td>{}</td></tr>\n", name, value);
  };
  line("program", "bellwether " + html_text(results.version));
  line("seeds", html_text(seeds_text(results)));
  line("fingerprint of the experiment", code(experiment::fingerprint(experiment)));
  line("file", code(path));
  out += "</tbody></table></div>\n";
  if (!experiment.text.empty())
    out += folded("The experiment", "<pre>" + html_text(experiment.text) + "</pre>");
  out += folded("The scenario in full, before it is varied",
                "<pre>" + html_text(scenario::print_scenario(experiment.base)) + "</pre>");
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string line(text.substr(0, end));
    if (line.ends_with('\r')) line.pop_back();
    std::replace(line.begin(), line.end(), '\t', ' ');
    out += xml_text(line);
    if (end == text.size()) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string folded(std::string_view summary, std::string_view inside) {
  return fmt::format("<details>\n<summary>{}</summary>\n{}</details>\n", html_text(summary),
                     inside);
}

std::string seeds_text(const Results& results) {
  std::set<std::uint64_t> seeds;
  for (const experiment::Row& row : results.rows) seeds.insert(row.seed);
  if (seeds.empty()) return "no seeds";
  if (seeds.size() == 1) return "seed " + std::to_string(*seeds.begin());
  if (*seeds.rbegin() - *seeds.begin() + 1 == seeds.size())
    return fmt::format("seeds {} to {}", *seeds.begin(), *seeds.rbegin());
  std::string out;
  for (const std::uint64_t seed : seeds)
    out += (out.empty() ? "seeds " : ", ") + std::to_string(seed);
  return out;
}

std::string page_html(const Results& results) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      // Says to the browser what we promise to the reader.
      "<meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n";
  add(out, "<meta name=\"generator\" content=\"bellwether {}\"/>\n", html_text(results.version));
  add(out, "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n",
      html_text(title_of(results.experiment)), page_style());
  add_header(out, results);
  add_warnings(out, results);
  add_axes(out, results);
  out += findings_section(results);
  add_figures(out, results);
  out += tables_section(results);
  add_origin(out, results);
  return out + "</main>\n</body>\n</html>\n";
}

}  // namespace bellwether::report
