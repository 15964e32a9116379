// SPDX-License-Identifier: MIT
#include "bellwether/cli/tune_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bellwether/cli/text.hpp"
#include "bellwether/json/json.hpp"
#include "bellwether/node/frame.hpp"
#include "bellwether/report/tables/metric_words.hpp"
#include "bellwether/report/tables/summary.hpp"

namespace bellwether::cli {
namespace {

using experiment::BeatOptions;
using experiment::Estimate;
using experiment::Expectation;
using json::Json;
using report::mean_text;

constexpr std::size_t width = 100;
constexpr std::size_t udp_and_ipv6 = 48;  // bytes of headers

std::string rate_text(double bytes_per_s) {
  return bytes_per_s < 999.5 ? fmt::format("{:.3g} B/s", bytes_per_s)
                             : fmt::format("{:.3g} kB/s", bytes_per_s / 1000);
}

std::string time_text(double seconds) {
  return seconds < 0.9995 ? fmt::format("{:.3g} ms", seconds * 1000)
                          : fmt::format("{:.3g} s", seconds);
}

bool varies_jitter(const TuneResult& result) {
  return result.request.grid.jitters.size() > 1;
}

/// "0 (< 13)" where none was seen.
std::string false_text(const Estimate& rate) {
  if (rate.mean > 0 || rate.high == 0) return mean_text(rate, 1);
  return fmt::format("0 (< {:.2g})", rate.high);
}

std::string share_text(const Estimate& share) {
  const bool tiny = share.mean > 0 && share.high < 1e-5;
  return tiny ? "< 0.001" : mean_text(share, 100);
}

struct TuneColumn {
  const char* title;
  const char* unit;
  std::string (*text)(const Expectation&);
};

std::vector<TuneColumn> tune_columns(bool jitter) {
  std::vector<TuneColumn> out{
      {"period", "", [](const Expectation& e) { return core::to_text(e.options.period); }},
      {"patience", "", [](const Expectation& e) { return std::to_string(e.options.patience); }},
      {"slack", "", [](const Expectation& e) { return core::to_text(e.options.slack); }}};
  if (jitter)
    out.push_back(
        {"jitter", "", [](const Expectation& e) { return core::to_text(e.options.jitter); }});
  const std::vector<TuneColumn> measured{
      {"failover", "ms", [](const Expectation& e) { return mean_text(e.failover_median_s, 1000); }},
      {"95 % within", "ms", [](const Expectation& e) { return mean_text(e.failover_p95_s, 1000); }},
      {"false elections", "1/h",
       [](const Expectation& e) { return false_text(e.false_elections_per_h); }},
      {"traffic", "B/s", [](const Expectation& e) { return mean_text(e.bytes_per_s, 1); }},
      {"wrong leader", "%", [](const Expectation& e) { return share_text(e.wrong_share); }}};
  out.insert(out.end(), measured.begin(), measured.end());
  return out;
}

/// The proposals, the chosen one marked; where nothing fits, the nearest.
std::string table(const TuneResult& result) {
  const std::vector<TuneColumn> columns = tune_columns(varies_jitter(result));
  std::vector<std::vector<std::string>> cells{{""}, {""}};
  for (const TuneColumn& column : columns) {
    cells[0].emplace_back(column.title);
    cells[1].emplace_back(column.unit);
  }
  for (const Expectation& each : experiment::best_of(result.ranking)) {
    if (result.fits() && !experiment::meets(result.request, each)) break;
    const bool chosen = result.fits() && each.options == result.best().options;
    auto& line = cells.emplace_back();
    line.emplace_back(chosen ? "*" : "");
    for (const TuneColumn& column : columns) line.push_back(column.text(each));
  }
  return report::aligned(cells, 1);
}

std::string legend(const TuneResult& result) {
  std::string out = result.fits() ? "\n* proposed; " : "\n";
  out +=
      "means ± half of the 95 % interval, per node"
      "\n  failover         median time from a silent crash of the leader until all name the next"
      "\n  false elections  leader changes while no node crashes and no link changes"
      "\n  traffic          contents of messages and probes"
      "\n  wrong leader     share of time in which a node does not name the leader of most\n";
  if (result.moves_when_calm)
    out += "\nThe nodes follow a file: false elections include those after changes of links.\n";
  return out;
}

std::string options_toml(const TuneResult& result, const BeatOptions& options) {
  std::string out = fmt::format(
      "algorithm = \"drumbeat\"\n\n[options]\nperiod = \"{}\"\npatience = {}\nslack = \"{}\"\n",
      core::to_text(options.period), options.patience, core::to_text(options.slack));
  if (varies_jitter(result)) out += fmt::format("jitter = \"{}\"\n", core::to_text(options.jitter));
  return out;
}

std::string indented(const std::string& text) {
  std::string out = "  ";
  for (const char each : text.substr(0, text.size() - 1)) {
    if (out.ends_with('\n') && each != '\n') out += "  ";
    out += each;
  }
  return out + '\n';
}

/// What the daemon sends on the wire: each frame has a head and a tag, and UDP and IP theirs.
std::string wire_text(const Expectation& best) {
  const double overhead = node::frame_overhead + udp_and_ipv6;
  const double frames = best.frames_per_s.mean;
  return fmt::format(
      "On the wire: {:.3g} frames/s per node, at most {} with the headers of the daemon ({} B), "
      "UDP "
      "and IPv6 ({} B).",
      frames, rate_text(best.bytes_per_s.mean + frames * overhead), node::frame_overhead,
      udp_and_ipv6);
}

/// Not worth a word.
bool alike(const Estimate& a, const Estimate& b) {
  return std::abs(a.mean - b.mean) <= 0.05 * std::max(a.mean, b.mean);
}

/// Which option of the two differs.
std::string changed_option(const BeatOptions& from, const BeatOptions& to) {
  if (from.period != to.period) return "a period of " + core::to_text(to.period);
  if (from.slack != to.slack) return "a slack of " + core::to_text(to.slack);
  if (from.jitter != to.jitter) return "a jitter of " + core::to_text(to.jitter);
  return fmt::format("a patience of {}", to.patience);
}

/// What one step aside would change. Empty: nothing.
std::string trade_off(const TuneResult& result, const Expectation& other) {
  const Expectation& best = result.best();
  std::vector<std::string> changes;
  const auto add = [&](const Estimate& now, const Estimate& then, const char* what, auto text) {
    if (!alike(now, then))
      changes.push_back(fmt::format("{} {} instead of {}", what, text(then), text(now)));
  };
  add(best.failover_p95_s, other.failover_p95_s, "95 % of failovers within",
      [](const Estimate& e) { return time_text(e.mean); });
  add(best.false_elections_per_h, other.false_elections_per_h, "false elections per hour",
      false_text);
  add(best.bytes_per_s, other.bytes_per_s, "traffic",
      [](const Estimate& e) { return rate_text(e.mean); });
  if (changes.empty()) return "";
  return fmt::format("With {}: {}{}.", changed_option(best.options, other.options),
                     fmt::join(changes, ", "),
                     experiment::meets(result.request, other) ? "" : " (beyond the bound)");
}

std::string trade_offs(const TuneResult& result) {
  std::string out;
  for (const BeatOptions& step :
       experiment::neighbours_of(result.best().options, result.request.grid))
    for (const Expectation& each : result.ranking)
      if (each.options == step)
        if (const std::string text = trade_off(result, each); !text.empty())
          out += "  " + wrapped(text, 4, width) + '\n';
  return out;
}

std::string bound_text(const TuneResult& result) {
  std::string out = result.request.most_bytes_per_s
                        ? "traffic of at most " + rate_text(*result.request.most_bytes_per_s)
                        : "";
  if (result.request.wish == experiment::Wish::frugal)
    out += fmt::format("{}95 % of failovers within {}", out.empty() ? "" : " and ",
                       time_text(experiment::quick_failover_s));
  return out;
}

std::string nothing_fits(const TuneResult& result) {
  return wrapped(
      fmt::format(
          "Nothing meets the bound ({}). The nearest: 95 % of failovers within {}, {}. Raise "
          "the bound{}.",
          bound_text(result), time_text(result.best().failover_p95_s.mean),
          rate_text(result.best().bytes_per_s.mean),
          result.probe_period ? fmt::format(", or send fewer probes: one is sent every {} "
                                            "(neighbours.period; `period` of a daemon)",
                                            core::to_text(*result.probe_period))
                              : ""),
      0, width);
}

Json json_of(const Estimate& estimate) {
  if (estimate.runs == 0) return {};
  return {{"mean", estimate.mean}, {"low", estimate.low}, {"high", estimate.high}};
}

Json json_of(const Expectation& each) {
  Json out;
  out["options"] = {{"period", core::to_text(each.options.period)},
                    {"patience", each.options.patience},
                    {"slack", core::to_text(each.options.slack)},
                    {"jitter", core::to_text(each.options.jitter)}};
  out["runs"] = each.runs;
  out["failover_median_s"] = json_of(each.failover_median_s);
  out["failover_p95_s"] = json_of(each.failover_p95_s);
  out["false_elections_per_node_per_h"] = json_of(each.false_elections_per_h);
  out["bytes_per_node_per_s"] = json_of(each.bytes_per_s);
  out["frames_per_node_per_s"] = json_of(each.frames_per_s);
  out["wrong_leader_share"] = json_of(each.wrong_share);
  return out;
}

Json json_of(const RecordedNetwork& network) {
  return {{"node", network.node},
          {"length_s", core::seconds(network.length)},
          {"members", network.members},
          {"neighbours_mean", network.mean_neighbours},
          {"neighbours_most", network.most_neighbours},
          {"departures_per_s", network.departures_per_s},
          {"loss", network.loss},
          {"worst_loss", network.worst_loss},
          {"lateness_p95_s", core::seconds(network.lateness)},
          {"own_lateness_s", core::seconds(network.own_lateness)},
          {"frames_per_s", network.frames_per_s},
          {"whole", network.whole}};
}

}  // namespace

std::string tune_text(const TuneResult& result) {
  if (!result.fits()) return nothing_fits(result) + "\n\n" + table(result) + legend(result);
  std::string out = table(result) + legend(result);
  out += "\nFor a scenario or the configuration of a daemon (the same on all nodes):\n\n";
  out += indented(options_toml(result, result.best().options)) + '\n';
  out += wrapped(wire_text(result.best()), 0, width) + '\n';
  const std::string aside = trade_offs(result);
  return aside.empty() ? out : out + "\nTrade-offs, one step from the proposal:\n" + aside;
}

std::string tune_json(const TuneResult& result) {
  Json out;
  out["network"] = result.network;
  if (result.recorded) out["recording"] = json_of(*result.recorded);
  out["wish"] = core::name_of(result.request.wish);
  if (result.request.most_bytes_per_s)
    out["most_bytes_per_node_per_s"] = *result.request.most_bytes_per_s;
  out["fits"] = result.fits();
  out[result.fits() ? "chosen" : "nearest"] = json_of(result.best());
  out["toml"] = options_toml(result, result.best().options);
  out["measured"] = Json::array();
  for (const Expectation& each : result.ranking) {
    Json row = json_of(each);
    row["fits"] = experiment::meets(result.request, each);
    out["measured"].push_back(row);
  }
  return out.dump();
}

}  // namespace bellwether::cli
