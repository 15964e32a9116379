// SPDX-License-Identifier: MIT
#include "bellwether/check/check.hpp"

#include <algorithm>

#include "bellwether/check/prepare.hpp"
#include "bellwether/check/rerun.hpp"
#include "bellwether/check/roots.hpp"
#include "bellwether/check/rounds.hpp"
#include "bellwether/check/verdict.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/observe/metrics/eventual_leader.hpp"

namespace bellwether::check {
namespace {

/// What is searched: an algorithm with its options.
class Subject {
 public:
  Subject(const core::Algorithm& algorithm, const Spec& spec) : algorithm_(algorithm) {
    for (const auto& [name, text] : spec.options) options_.insert_or_assign(name, text);
    core::fill_in(algorithm, "nodes", spec.nodes, options_);
    core::fill_in(algorithm, "diameter", spec.nodes > 0 ? spec.nodes - 1 : 0, options_);
  }
  const core::Algorithm& algorithm() const { return algorithm_; }
  std::string name() const { return std::string(algorithm_.name); }

  /// A host without nodes. Throws Problem.
  std::unique_ptr<core::Nodes> make() const {
    try {
      return algorithm_.make(options_);
    } catch (const core::Problem& problem) {
      constexpr std::string_view group = "options.";
      const std::string& key = problem.key();
      const std::string option = key.starts_with(group) ? key.substr(group.size()) : key;
      throw core::Problem("--set " + option, {}, problem.sentence());
    }
  }

 private:
  const core::Algorithm& algorithm_;
  core::OptionTexts options_;
};

bool means_somebody(core::Criterion criterion) {
  return criterion != core::Criterion::majority && criterion != core::Criterion::oldest;
}

/// The properties that are asked for: what the judge sees to, and the monitors for the rest.
core::PropertyMonitors chosen(const Spec& spec, core::Nodes& nodes, JudgeSpec& judge) {
  judge.criterion = nodes.criterion();
  core::PropertyMonitors own = nodes.monitors();
  std::vector<std::string> wanted = spec.properties;
  if (wanted.empty()) wanted = {"agreement"};
  if (std::erase(wanted, "all") > 0) {
    wanted.emplace_back("agreement");
    if (means_somebody(judge.criterion)) wanted.emplace_back("best-leader");
    for (const auto& each : own) wanted.emplace_back(each->name());
  }
  for (auto& each : nodes.monitors_on_request()) own.push_back(std::move(each));
  own.push_back(std::make_unique<observe::EventualLeaderNonDecreasing>());
  std::vector<std::string> names{"agreement", "el", "el-ni", "best-leader", "message-bound"};
  for (const auto& each : own) names.emplace_back(each->name());
  core::PropertyMonitors out;
  for (const std::string& name : wanted) {
    refuse_unknown_property(name, names);
    if (name == "agreement" || name == "el" || name == "el-ni") {
      judge.agreement = true;
    } else if (name == "best-leader") {
      judge.agreement = judge.best = true;
      if (!means_somebody(judge.criterion))
        throw core::Problem("best-leader", {},
                            std::string(nodes.name()) +
                                " does not state which node it elects; use --property agreement");
    } else if (name == "message-bound") {
      judge.most_messages = message_bound_of(nodes, spec);
    } else {
      for (auto& each : own)
        if (each && each->name() == name) out.push_back(std::move(each));
    }
  }
  return out;
}

bool reads_clocks(const Spec& spec, const Subject& subject) {
  const std::unique_ptr<core::Nodes> nodes = subject.make();
  JudgeSpec judge;
  const core::PropertyMonitors monitors = chosen(spec, *nodes, judge);
  return std::any_of(monitors.begin(), monitors.end(),
                     [](const auto& each) { return each->reads_clocks(); });
}

/// An algorithm, ready to be searched. It is made anew for each search: numbers then depend on
/// nothing but the specification, and so does what is printed.
class SearchSetup {
 public:
  SearchSetup(const Spec& spec, const Subject& subject)
      : plan_(spec, subject.algorithm().facts.model.hears_strangers), contents_(spec.order) {
    std::unique_ptr<core::Nodes> nodes = subject.make();
    JudgeSpec judge;
    judge.agreement = false;
    core::PropertyMonitors monitors = chosen(spec, *nodes, judge);
    if (judge.most_messages) plan_.keep_sent();
    if (!monitors.empty()) plan_.keep_memory();
    const bool symmetric = spec.symmetry && nodes->can().symmetric;
    machine_.emplace(plan_, std::move(nodes), std::move(monitors), judge);
    machine_->read_channels_from(contents_);
    if (symmetric) machine_->use_symmetries(symmetries_of(plan_));
  }
  Plan& plan() { return plan_; }
  Machine& machine() { return *machine_; }
  Contents& contents() { return contents_; }
  std::vector<Root> roots() { return make_roots(plan_, *machine_, contents_); }

 private:
  Plan plan_;
  Contents contents_;
  std::optional<Machine> machine_;
};

/// What a search has found, and the run that shows it.
void tell(SearchSetup& setup, const Subject& subject, const std::vector<Root>& roots,
          const Findings& found, Verdict& verdict) {
  verdict.property = found.breach.property;
  verdict.sentence = found.breach.sentence;
  Rerun rerun(setup.plan(), setup.machine(), subject.make());
  rerun.run(roots.at(found.root), found.path, found.lasso.has_value());
  verdict.setup = rerun.setup_steps();
  verdict.actions = found.path.size();
  if (found.lasso) verdict.lasso = rerun.step_of_action(*found.lasso);
  verdict.narration = narrate(setup.plan(), roots.at(found.root), found.path, rerun.action_steps());
  if (!rerun.as_found())
    verdict.note =
        "real nodes behaved differently from the search: this is a defect of the checker";
  verdict.trace = rerun.take_trace();
}

/// One search.
Verdict search_once(const Spec& spec, const Subject& subject, const OnSearchProgress& on_progress) {
  SearchSetup setup(spec, subject);
  const std::vector<Root> roots = setup.roots();
  const SearchSettings settings{
      .reduce = spec.reduce && setup.machine().steps_commute() && setup.plan().sent_slot() == 0,
      .cycles = spec.cycles,
      .threads = spec.threads};
  Findings found;
  if (spec.walks > 0) {
    found = walk(setup.plan(), setup.machine(), setup.contents(), roots, on_progress);
  } else {
    Search search(setup.plan(), setup.machine(), setup.contents(), settings, on_progress);
    found = search.run(roots);
    if (found.ended == SearchEnd::violation && spec.search == SearchOrder::depth && !found.lasso)
      found.path = shortened(setup.plan(), setup.machine(), setup.contents(), roots.at(found.root),
                             std::move(found.path), found.breach);
  }
  Verdict verdict = verdict_of(found);
  verdict.reduced = settings.reduce;
  verdict.symmetries = setup.machine().symmetries();
  if (found.ended == SearchEnd::violation) tell(setup, subject, roots, found, verdict);
  return verdict;
}

/// A search, and once more where the first leaves something open: with one thread, so that the
/// shortest run is the same each time; without leaving anything out, where runs are infinite;
/// with the real readings of clocks, where only their order led to a violation.
Verdict search_well(Spec spec, const Subject& subject, const OnSearchProgress& on_progress) {
  // What properties remember has names in it, and may have real readings.
  if (watches(spec)) {
    spec.symmetry = false;
    if (reads_clocks(spec, subject)) spec.clocks = ClockValues::exact;
  }
  const auto once = [&] {
    try {
      return search_once(spec, subject, on_progress);
    } catch (const NotExact&) {
      spec.clocks = ClockValues::exact;
      return search_once(spec, subject, on_progress);
    }
  };
  const unsigned threads = spec.threads;
  Verdict verdict = once();
  if (verdict.ended == SearchEnd::complete && verdict.reduced && !verdict.acyclic) {
    spec.reduce = false;
    verdict = once();
  }
  if (verdict.ended == SearchEnd::violation && threads > 1 && spec.walks == 0) {
    spec.threads = 1;
    verdict = once();
  }
  return verdict;
}

/// One verdict for several graphs, each searched by itself until something is found.
template <class Search>
Verdict one_by_one(const Spec& spec, Search&& search) {
  Verdict all;
  all.searches = 0;
  for (const auto& graph : spec.graphs) {
    Spec one = spec;
    one.graphs = {graph};
    Verdict verdict = search(one);
    add(all, verdict);
    if (all.ended != SearchEnd::complete) break;
  }
  return all;
}

Verdict check_rounds(const Spec& spec, const Subject& subject, const core::Nodes& nodes,
                     const OnSearchProgress& on_progress) {
  RoundQuestions questions = round_questions(spec, subject.name(), nodes.criterion());
  const bool bounded = std::find(spec.properties.begin(), spec.properties.end(), "message-bound") !=
                       spec.properties.end();
  return one_by_one(spec, [&](const Spec& one) {
    if (bounded) questions.most_messages = message_bound_of(nodes, one);
    return search_rounds(one, *subject.make(), questions, on_progress);
  });
}

}  // namespace

Verdict check(const core::Algorithm& algorithm, const Spec& spec,
              const OnSearchProgress& on_progress) {
  const Subject subject(algorithm, spec);
  const std::unique_ptr<core::Nodes> nodes = subject.make();
  if (!nodes->can().described)
    throw core::Problem(
        subject.name() +
        " cannot be searched: its class has no `fields`, which say what a node holds");
  if (algorithm.rounds) refuse_beyond_rounds(spec, algorithm.name);
  if (!spec.beyond_model && algorithm.has_facts)
    check_model(spec, algorithm.name, algorithm.facts.model);
  if (algorithm.rounds) return check_rounds(spec, subject, *nodes, on_progress);
  if (nodes->clock_use() == core::ClockUse::always && !nodes->can().stamps)
    throw core::Problem(
        subject.name() +
        " reads a clock at every step, and a search has no clock; choose options that need "
        "none");
  const auto search = [&](const Spec& which) { return search_well(which, subject, on_progress); };
  // Where links do not change, graphs have nothing to do with each other.
  const bool apart = spec.changes == 0 && spec.script.empty() && spec.graphs.size() > 1;
  return apart ? one_by_one(spec, search) : search(spec);
}

}  // namespace bellwether::check
