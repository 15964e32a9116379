// SPDX-License-Identifier: MIT
// bellwether trace: a recorded run, as a listing or as a space-time diagram.
#include <filesystem>
#include <fstream>

#include "bellwether/cli/commands.hpp"
#include "bellwether/core/input_file.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/report/diagrams/space_time.hpp"
#include "bellwether/report/diagrams/trace_listing.hpp"

namespace bellwether::cli {
namespace {

struct TraceOptions {
  std::string file;
  std::string svg;
  std::vector<std::uint64_t> nodes;
  std::string from;
  std::string to;
  std::size_t lines = 200;
  bool all = false;
  bool states = false;
};

constexpr const char* footer = R"(Examples:
  bellwether run S.toml --trace run.jsonl      writes such a file
  bellwether trace run.jsonl --nodes 1,2,3 --from "10 ms" --to "50 ms"
  bellwether trace run.jsonl --svg run.svg     open it in a browser)";

std::optional<core::Time> moment(const std::string& text, const char* flag) {
  if (text.empty()) return std::nullopt;
  const auto time = core::parse_duration(text);
  if (!time || *time < core::Time{0})
    throw core::Problem(std::string(flag), {},
                        "\"" + text + "\" is not a time; write \"250 ms\" or \"2 s\"");
  return time;
}

int trace(const TraceOptions& options) {
  std::ifstream in = core::open_file(options.file);
  const observe::Trace run = observe::read_trace(in, options.file);
  report::TraceWindow window;
  for (const std::uint64_t id : options.nodes) window.nodes.push_back(core::NodeId{id});
  window.from = moment(options.from, "--from");
  window.to = moment(options.to, "--to");
  if (!options.svg.empty()) {
    std::error_code error;
    if (std::filesystem::equivalent(options.svg, options.file, error))
      throw core::Problem("--svg", {}, options.svg + " is the trace itself; name another file");
    write_file(options.svg, report::space_time_svg(run, window));
    return 0;
  }
  report::ListingOptions listing;
  listing.window = window;
  listing.states = options.states;
  if (!options.all) listing.max_lines = options.lines;
  std::fputs(report::trace_listing(run, listing).c_str(), stdout);
  return 0;
}

}  // namespace

void add_trace(terminal::Command& app, int& status) {
  const auto options = std::make_shared<TraceOptions>();
  terminal::Command* sub =
      app.add_subcommand("trace", "Show a recorded run: a listing, or a diagram");
  sub->add_option("file", options->file, "Read this trace, written by bellwether run --trace")
      ->required();
  sub->add_option("--svg", options->svg, "Draw a space-time diagram into this file (SVG)");
  sub->add_option("--nodes", options->nodes, "Show only these nodes, such as 1,2,3")
      ->delimiter(',');
  sub->add_option("--from", options->from, "Begin at this time, such as \"1.5 s\"; default: 0");
  sub->add_option("--to", options->to, "End at this time; default: the end of the trace");
  sub->add_option("--lines", options->lines, "Print at most N lines")
      ->range(1, 1'000'000'000)
      ->capture_default_str();
  sub->add_flag("--all", options->all, "Print all lines");
  sub->add_flag("--states", options->states, "Also print the node's state after each step");
  sub->footer(footer);
  sub->callback([options, &status] { status = trace(*options); });
}

}  // namespace bellwether::cli
