// SPDX-License-Identifier: MIT
#include "bellwether/cli/check_report.hpp"

#include <fmt/core.h>

#include <regex>

#include "bellwether/cli/text.hpp"
#include "bellwether/core/human_bytes.hpp"
#include "bellwether/json/json.hpp"
#include "bellwether/report/tables/units.hpp"

namespace bellwether::cli {
namespace {

using check::SearchEnd;
using check::Spec;
using check::Verdict;
using report::counted;
using report::grouped;

constexpr std::size_t indent = 14;

std::string row(const std::string& name, const std::string& text) {
  return fmt::format("  {:<{}}{}\n", name, indent - 2, wrapped(text, indent, 96));
}

std::string notify_text(check::Notify notify) {
  constexpr std::string_view meanings[] = {"every change", "the present state", "at once"};
  return fmt::format("{} ({})", meanings[static_cast<std::size_t>(notify)], core::name_of(notify));
}

/// What was searched, in a sentence.
std::string space_of(const Spec& spec) {
  std::string out = spec.graphs.size() == 1 ? "one graph" : counted(spec.graphs.size(), "graph");
  out += " of " + counted(spec.nodes, "node");
  out += spec.from == check::From::cold ? ", from a cold start" : ", settled";
  const auto most = [&](unsigned n, const char* what) {
    if (n > 0) out += ", at most " + counted(n, what);
  };
  most(spec.changes, "link change");
  if (!spec.script.empty()) out += ", a script of " + counted(spec.script.size(), "change");
  most(spec.crashes, "crash");
  if (spec.restarts > 0)
    out += std::string(", restarts ") + (spec.memory ? "with memory" : "without memory");
  most(spec.losses, "loss");
  most(spec.duplicates, "duplicate");
  out += "; channels " + std::string(core::name_of(spec.order));
  if (spec.changes + spec.crashes > 0 || !spec.script.empty())
    out += "; link notifications: " + notify_text(spec.notify);
  return out;
}

std::string properties_of(const Spec& spec) {
  if (spec.properties.empty()) return "agreement";
  std::string out;
  for (const std::string& each : spec.properties) out += (out.empty() ? "" : ", ") + each;
  return out;
}

std::string headline(const Spec& spec, const Verdict& v) {
  if (v.ended == SearchEnd::violation)
    return fmt::format("{}: {} is violated after {}{}\n", spec.algorithm, v.property,
                       counted(v.actions, "step"), v.lasso ? ", in an infinite run" : "");
  if (v.ended == SearchEnd::complete && spec.walks > 0)
    return fmt::format("{}: no violation in {} of seed {}\n", spec.algorithm,
                       counted(spec.walks, "random walk"), spec.seed);
  if (v.ended == SearchEnd::complete) return spec.algorithm + ": no violation in any run\n";
  if (v.ended == SearchEnd::stopped) return spec.algorithm + ": no violation so far; interrupted\n";
  return fmt::format("{}: no violation so far; stopped at the {}\n", spec.algorithm,
                     core::name_of(v.ended));
}

std::string cycles_of(const Spec& spec, const Verdict& v) {
  if (spec.walks > 0) return "not searched: random walks do not find them";
  if (!v.cycles_searched) return "not searched";
  if (v.acyclic) return "none: every run becomes quiescent";
  return counted(v.cyclic_states, "state") + " in infinite runs, none of which violates a property";
}

std::string actions_of(const Verdict& v) {
  std::string out;
  for (std::size_t i = 0; i < check::action_kinds; ++i) {
    if (v.taken[i] == 0) continue;
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ",
                       core::name_of(static_cast<check::ActionKind>(i)), grouped(v.taken[i]));
  }
  return out;
}

/// Asked for, and never taken: nothing was checked about it.
std::string vacuous(const Spec& spec, const Verdict& v) {
  std::string out;
  const auto never = [&](bool asked, check::ActionKind kind) {
    if (asked && v.taken[static_cast<std::size_t>(kind)] == 0)
      out += (out.empty() ? "" : ", ") + std::string(core::name_of(kind));
  };
  never(spec.changes > 0, check::ActionKind::flip);
  never(spec.crashes > 0, check::ActionKind::crash);
  never(spec.restarts > 0 && spec.crashes > 0, check::ActionKind::restart);
  never(spec.losses > 0, check::ActionKind::lose);
  never(spec.duplicates > 0, check::ActionKind::duplicate);
  if (!v.agreed && v.ended == SearchEnd::complete) out += out.empty() ? "agreement" : ", agreement";
  return out;
}

/// Views of maps in the notation of the literature: 1:2{1,3} is node 1 at clock 2 with neighbours 1
/// and 3.
std::string brief(const std::string& text) {
  static const std::regex view(R"(\(id=(\d+) clock=(\d+) neigh=\[([0-9,]*)\]\))");
  return std::regex_replace(text, view, "$1:$2{$3}");
}

/// What was sent. Where the search loses nothing by itself, only a link that goes down does.
std::string sent_text(const Spec& spec, const observe::TraceStep& step) {
  std::string out = brief(observe::sent(step));
  constexpr std::string_view lost = " (lost)";
  for (auto at = out.find(lost); spec.losses == 0 && at != out.npos; at = out.find(lost, at))
    out.replace(at, lost.size(), " (lost with its link)");
  return out;
}

std::string run_text(const Spec& spec, const Verdict& v, bool states) {
  std::string out = v.trace.steps.empty()
                        ? "\n  The run:\n"
                        : fmt::format("\n  The run, from step {} of the trace on:\n", v.setup + 1);
  std::size_t number = 0;
  for (const auto& told : v.narration) {
    if (v.lasso && told.first == *v.lasso && number > 0)
      out += "       from here on the run repeats:\n";
    out += fmt::format("  {:>3}. {}\n", ++number, wrapped(told.what, 7, 100));
    for (std::size_t i = told.first; i < told.first + told.count; ++i) {
      const observe::TraceStep& step = v.trace.steps[i];
      std::string line;
      const auto part = [&](const char* what, const std::string& text) {
        if (!text.empty()) line += (line.empty() ? "" : "; ") + (what + text);
      };
      if (step.cause == core::Cause::receive) part("", brief(step.message));
      part("sends ", sent_text(spec, step));
      part("leader ", observe::leader_change(step));
      if (!line.empty())
        out += fmt::format("       node {}: {}\n", core::raw(step.node), wrapped(line, 9, 100));
      if (states) out += fmt::format("         {}\n", wrapped(brief(step.state), 9, 100));
    }
  }
  if (v.lasso) out += "       and so on, without end\n";
  const std::size_t shown =
      v.narration.empty() ? 0 : v.narration.back().first + v.narration.back().count;
  if (!v.lasso && shown < v.trace.steps.size())
    out += fmt::format("       (then {} still under way, which {} nothing)\n",
                       counted(v.trace.steps.size() - shown, "message"),
                       v.trace.steps.size() - shown == 1 ? "changes" : "change");
  return out;
}

}  // namespace

std::string verdict_text(const Spec& spec, const Verdict& v, bool states) {
  std::string out = headline(spec, v);
  if (v.ended == SearchEnd::violation) out += "  " + wrapped(v.sentence, 2, 96) + "\n";
  if (v.ended == SearchEnd::violation) out += run_text(spec, v, states) + "\n";
  out += row("searched", space_of(spec));
  out += row("properties", properties_of(spec));
  out +=
      row("states", fmt::format("{}, {}, depth {}, {} quiescent", grouped(v.states),
                                counted(v.transitions, "transition"), v.depth, grouped(v.rests)));
  if (v.transitions > 0) out += row("actions", actions_of(v));
  if (v.ended == SearchEnd::complete) out += row("cycles", cycles_of(spec, v));
  if (v.transitions == 0 && v.ended == SearchEnd::complete)
    out += row("never seen",
               "any action: a settled election is quiescent; start it with --from cold, or disturb "
               "it with --changes, --crashes or --losses");
  else if (const std::string never = vacuous(spec, v); !never.empty())
    out += row("never seen", never + ": nothing was checked about it");
  if (spec.compact)
    out += row("omissions", fmt::format("64 bits of each state were kept: {:.2g} states are "
                                        "expected to have been missed",
                                        v.omission));
  std::string how = v.reduced ? "partial order" : "";
  if (v.symmetries > 1)
    how += fmt::format("{}{} symmetries", how.empty() ? "" : ", ", v.symmetries);
  if (!how.empty() && spec.walks == 0) out += row("reductions", how);
  out += row("time", fmt::format("{:.2f} s, {} states per second", v.seconds,
                                 grouped(static_cast<std::uint64_t>(static_cast<double>(v.states) /
                                                                    std::max(v.seconds, 1e-3)))));
  // Walks keep no states, and in small spaces the fixed tables are all there is to see.
  const bool telling = v.stored > 0 && v.states >= 10'000;
  const std::string each = telling ? fmt::format(", {} bytes per state", v.stored / v.states) : "";
  out += row("memory", core::human_bytes(v.memory) + each);
  if (!v.note.empty()) out += row("note", v.note);
  return out;
}

std::string verdict_json(const Spec& spec, const Verdict& v) {
  json::Json j;
  j["algorithm"] = spec.algorithm;
  j["verdict"] = v.ended == SearchEnd::complete    ? "none"
                 : v.ended == SearchEnd::violation ? "violation"
                                                   : "limit";
  j["ended"] = core::name_of(v.ended);
  j["searched"] = space_of(spec);
  j["properties"] =
      spec.properties.empty() ? std::vector<std::string>{"agreement"} : spec.properties;
  j["graphs"] = spec.graphs.size();
  j["nodes"] = spec.nodes;
  j["states"] = v.states;
  j["transitions"] = v.transitions;
  j["quiescent_states"] = v.rests;
  j["depth"] = v.depth;
  j["cycles_searched"] = v.cycles_searched;
  j["acyclic"] = v.acyclic;
  j["cyclic_states"] = v.cyclic_states;
  j["reduced"] = v.reduced;
  j["symmetries"] = v.symmetries;
  if (spec.compact) j["expected_omissions"] = v.omission;
  for (std::size_t i = 0; i < check::action_kinds; ++i)
    j["actions"][std::string(core::name_of(static_cast<check::ActionKind>(i)))] = v.taken[i];
  if (const std::string never = vacuous(spec, v); !never.empty()) j["never_seen"] = never;
  if (spec.walks > 0) j["walks"] = spec.walks;
  j["seed"] = spec.seed;
  if (v.ended == SearchEnd::violation) {
    j["property"] = v.property;
    j["sentence"] = v.sentence;
    j["steps"] = v.actions;
    j["setup_steps"] = v.setup;
    if (v.lasso) j["lasso_from_step"] = *v.lasso + 1;
    for (const auto& told : v.narration) j["run"].push_back(told.what);
  }
  j["seconds"] = v.seconds;
  j["memory_bytes"] = v.memory;
  j["state_bytes"] =
      v.states == 0 ? 0.0 : static_cast<double>(v.stored) / static_cast<double>(v.states);
  if (!v.note.empty()) j["note"] = v.note;
  return j.dump(2) + "\n";
}

}  // namespace bellwether::cli
