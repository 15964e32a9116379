// SPDX-License-Identifier: MIT
// bellwether report: from a results file to a page, or to figures for a paper.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "bellwether/cli/commands.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/operate/doctor.hpp"
#include "bellwether/report/figures/make_figures.hpp"
#include "bellwether/report/page/page.hpp"
#include "bellwether/report/tables/summary.hpp"
#include "bellwether/report/tables/units.hpp"

namespace bellwether::cli {
namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  std::string results;
  std::string out;
  bool svg = false;
  bool pdf = false;
  bool tikz = false;
  bool csv = false;
  bool text = false;
};

constexpr const char* footer =
    R"(RESULTS is the .sqlite file of bellwether sweep; the sweep may still be running.
  bellwether report runs.sqlite                 write runs.html, one page without other files
  bellwether report runs.sqlite --svg --tikz    write one file per figure, for a paper
--pdf needs the program rsvg-convert (Debian: librsvg2-bin).)";

/// "Leaders of level 1" becomes "leaders-of-level-1".
std::string file_name(const std::string& title, std::size_t number) {
  std::string out;
  for (const char c : title) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  while (out.ends_with('-')) out.pop_back();
  return fmt::format("{:02}-{}", number, out.empty() ? "figure" : out.substr(0, 60));
}

/// Without a shell: names may hold anything.
void make_pdf(const std::string& svg, const std::string& pdf) {
  const pid_t child = fork();
  if (child == 0) {
    execlp("rsvg-convert", "rsvg-convert", "--format", "pdf", "--output", pdf.c_str(), svg.c_str(),
           static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw core::Problem("--pdf", {}, "rsvg-convert failed; install librsvg2-bin, or use --svg");
}

void write_figure(const report::Figure& figure, const std::string& stem,
                  const ReportOptions& options) {
  if (options.csv) write_file(stem + ".csv", report::figure_csv(figure));
  if (options.tikz) write_file(stem + ".tex", report::figure_tikz(figure));
  if (!options.svg && !options.pdf) return;
  const std::string svg = stem + ".svg";
  write_file(svg, report::figure_svg(figure));
  try {
    if (options.pdf) make_pdf(svg, stem + ".pdf");
  } catch (const core::Problem&) {
    if (!options.svg) fs::remove(svg);
    throw;
  }
  if (!options.svg) fs::remove(svg);
}

int report_command(const ReportOptions& options) {
  const experiment::Results results = experiment::read_results(options.results);
  if (results.rows.empty())
    throw core::Problem(options.results, {}, "has no runs yet; make some with bellwether sweep");
  if (options.text) {
    fmt::print("{}", report::summary_table(results));
    return 0;
  }
  const fs::path beside = fs::path(options.results).replace_extension();
  if (!options.svg && !options.pdf && !options.tikz && !options.csv) {
    const std::string page = options.out.empty() ? beside.string() + ".html" : options.out;
    write_file(page, report::page_html(results));
    fmt::print("{}: {} of {}\n", page, report::counted(results.rows.size(), "run"),
               report::counted(results.points.size(), "point"));
    return 0;
  }
  if (options.pdf && operate::in_path("rsvg-convert").empty())
    throw core::Problem("--pdf", {},
                        "the program rsvg-convert is missing; install librsvg2-bin, or use --svg");
  const fs::path folder =
      options.out.empty() ? fs::path(beside.string() + "-figures") : fs::path(options.out);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw core::Problem(folder.string(), {}, "cannot be created: " + error.message());
  std::size_t number = 0;
  for (const experiment::FigureSpec& spec : report::figures_of(results)) {
    const report::Figure figure = report::make_figure(results, spec);
    write_figure(figure, (folder / file_name(figure.title, ++number)).string(), options);
  }
  fmt::print("{}: {}\n", folder.string(), report::counted(number, "figure"));
  return 0;
}

}  // namespace

void add_report(terminal::Command& app, int& status) {
  const auto options = std::make_shared<ReportOptions>();
  terminal::Command* sub =
      app.add_subcommand("report", "Draw the results of a sweep: a page, or figures");
  sub->add_option("results", options->results, "Read this results file (SQLite)")->required();
  sub->add_option(
      "-o,--out", options->out,
      "Write the page to this file, or the figures to this folder; default: beside the results");
  sub->add_flag("--svg", options->svg, "Write the figures as SVG");
  sub->add_flag("--pdf", options->pdf, "Write the figures as PDF");
  sub->add_flag("--tikz", options->tikz, "Write the figures as TikZ (pgfplots) for LaTeX");
  sub->add_flag("--csv", options->csv, "Write the data of the figures as CSV");
  sub->add_flag("--text", options->text, "Print the means; write no file");
  sub->footer(footer);
  sub->callback([options, &status] { status = report_command(*options); });
}

}  // namespace bellwether::cli
