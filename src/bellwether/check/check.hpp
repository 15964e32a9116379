// SPDX-License-Identifier: MIT
// From a specification to a verdict, for one algorithm chosen by name out of a catalogue.
#pragma once

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/check/message_bound.hpp"
#include "bellwether/check/prepare.hpp"
#include "bellwether/check/rerun.hpp"
#include "bellwether/check/roots.hpp"
#include "bellwether/check/rounds.hpp"
#include "bellwether/check/typed_machine.hpp"
#include "bellwether/check/verdict.hpp"
#include "bellwether/observe/eventual_leader.hpp"

namespace bellwether::check {

/// One protocol, ready to be searched. It is made anew for each search: numbers then depend on
/// nothing but the specification, and so does what is printed.
template <core::Protocol P>
class Stage {
 public:
  Stage(const Spec& spec, const typename P::Options& options)
      : plan_(spec, P::facts.model.hears_strangers), contents_(spec.order) {
    JudgeSpec judge;
    judge.agreement = false;
    core::Monitors<P> monitors = chosen(spec, options, judge);
    if (judge.most_messages) plan_.keep_sent();
    if (!monitors.empty()) plan_.keep_memory();
    machine_.emplace(plan_, options, std::move(monitors), judge);
    machine_->read_channels_from(contents_);
    if constexpr (is_symmetric<P>)
      if (spec.symmetry) machine_->use_symmetries(symmetries_of(plan_));
  }
  Plan& plan() { return plan_; }
  TypedMachine<P>& machine() { return *machine_; }
  Contents& contents() { return contents_; }
  std::vector<Root> roots() { return make_roots(plan_, *machine_, contents_); }

 private:
  static core::Monitors<P> chosen(const Spec& spec, const typename P::Options& options,
                                  JudgeSpec& judge);
  Plan plan_;
  Contents contents_;
  std::optional<TypedMachine<P>> machine_;
};

template <core::Protocol P>
core::Monitors<P> Stage<P>::chosen(const Spec& spec, const typename P::Options& options,
                                   JudgeSpec& judge) {
  judge.criterion = core::criterion_of<P>(options);
  core::Monitors<P> own;
  if constexpr (core::Monitored<P>) own = P::monitors();
  std::vector<std::string> wanted = spec.properties;
  if (wanted.empty()) wanted = {"agreement"};
  if (std::erase(wanted, "all") > 0) {
    wanted.emplace_back("agreement");
    if (judge.criterion != core::Criterion::majority && judge.criterion != core::Criterion::oldest)
      wanted.emplace_back("best-leader");
    for (const auto& each : own) wanted.emplace_back(each->name());
  }
  if constexpr (requires { P::monitors_on_request(); })
    for (auto& each : P::monitors_on_request()) own.push_back(std::move(each));
  own.push_back(std::make_unique<observe::EventualLeaderNonDecreasing<P>>());
  std::vector<std::string> names{"agreement", "el", "el-ni", "best-leader", "message-bound"};
  for (const auto& each : own) names.emplace_back(each->name());
  core::Monitors<P> out;
  for (const std::string& name : wanted) {
    refuse_unknown_property(name, names);
    if (name == "agreement" || name == "el" || name == "el-ni") {
      judge.agreement = true;
    } else if (name == "best-leader") {
      judge.agreement = judge.best = true;
      if (judge.criterion == core::Criterion::majority ||
          judge.criterion == core::Criterion::oldest)
        throw BadCheck("best-leader: " + std::string(P::name) +
                       " does not say whom it means to elect; ask for agreement");
    } else if (name == "message-bound") {
      judge.most_messages = message_bound_of<P>(spec, options);
    } else {
      for (auto& each : own)
        if (each && each->name() == name) out.push_back(std::move(each));
    }
  }
  return out;
}

template <core::AnyProtocol P>
typename P::Options options_of(const Spec& spec) {
  typename P::Options options{};
  for (const auto& [name, text] : spec.options) {
    const auto outcome = core::set_option(options, name, text);
    if (outcome != core::OptionOutcome::set)
      refuse_option(P::name, name, text, core::option_rows<typename P::Options>(), outcome);
  }
  if constexpr (requires { options.nodes; })
    if (options.nodes == 0) options.nodes = static_cast<decltype(options.nodes)>(spec.nodes);
  if constexpr (requires { options.diameter; })
    if (options.diameter == 0) options.diameter = spec.nodes > 0 ? spec.nodes - 1 : 0;
  return options;
}

/// What a search has found, and the run that shows it.
template <core::Protocol P>
void tell(Stage<P>& stage, const typename P::Options& options, const std::vector<Root>& roots,
          const Findings& found, Verdict& verdict) {
  const std::size_t colon = found.sentence.find(": ");
  verdict.property = found.sentence.substr(0, colon);
  verdict.sentence = found.sentence.substr(std::min(colon + 2, found.sentence.size()));
  Rerun<P> rerun(stage.plan(), stage.machine(), options);
  rerun.run(roots.at(found.root), found.path, found.lasso.has_value());
  verdict.setup = rerun.setup_steps();
  verdict.actions = found.path.size();
  if (found.lasso) verdict.lasso = rerun.step_of_action(*found.lasso);
  verdict.narration = narrate(stage.plan(), roots.at(found.root), found.path, rerun.action_steps());
  if (!rerun.as_found())
    verdict.note = "real nodes went another way than the search: this is a defect of the checker";
  verdict.trace = rerun.take_trace();
}

/// One search.
template <core::Protocol P>
Verdict search_once(const Spec& spec, const typename P::Options& options,
                    const OnProgress& on_progress) {
  Stage<P> stage(spec, options);
  const std::vector<Root> roots = stage.roots();
  const SearchSettings settings{
      .reduce = spec.reduce && stage.machine().steps_commute() && stage.plan().sent_slot() == 0,
      .cycles = spec.cycles,
      .threads = spec.threads};
  Findings found;
  if (spec.walks > 0) {
    found = walk(stage.plan(), stage.machine(), stage.contents(), roots, on_progress);
  } else {
    Search search(stage.plan(), stage.machine(), stage.contents(), settings, on_progress);
    found = search.run(roots);
    if (found.ended == Ended::violation && spec.search == SearchOrder::depth && !found.lasso)
      found.path = shortened(stage.plan(), stage.machine(), stage.contents(), roots.at(found.root),
                             std::move(found.path), found.sentence);
  }
  Verdict verdict = verdict_of(found);
  verdict.reduced = settings.reduce;
  verdict.symmetries = stage.machine().symmetries();
  if (found.ended == Ended::violation) tell(stage, options, roots, found, verdict);
  return verdict;
}

/// A search, and once more where the first leaves something open: with one thread, so that the
/// shortest run is the same each time; without leaving anything out, where runs go on for ever;
/// with the real readings of clocks, where only their order led to a violation.
template <core::Protocol P>
Verdict search_well(Spec spec, const typename P::Options& options, const OnProgress& on_progress) {
  // What properties remember has real readings and names in it.
  if (watches(spec)) {
    spec.clocks = ClockValues::exact;
    spec.symmetry = false;
  }
  const auto once = [&] {
    try {
      return search_once<P>(spec, options, on_progress);
    } catch (const NotExact&) {
      spec.clocks = ClockValues::exact;
      return search_once<P>(spec, options, on_progress);
    }
  };
  const unsigned threads = spec.threads;
  Verdict verdict = once();
  if (verdict.ended == Ended::complete && verdict.reduced && !verdict.acyclic) {
    spec.reduce = false;
    verdict = once();
  }
  if (verdict.ended == Ended::violation && threads > 1 && spec.walks == 0) {
    spec.threads = 1;
    verdict = once();
  }
  return verdict;
}

template <core::Protocol P>
Verdict check(const Spec& spec, const OnProgress& on_progress) {
  const auto options = options_of<P>(spec);
  if (!spec.beyond_model) check_model(spec, P::name, P::facts.model);
  if (core::clock_use_of<P>(options) == core::ClockUse::always && !TypedMachine<P>::has_stamps)
    throw BadCheck(std::string(P::name) +
                   " reads a clock all the time, and a search has none to show it; choose options "
                   "without");
  // Where links do not change, graphs have nothing to do with each other.
  const bool apart = spec.changes == 0 && spec.script.empty() && spec.graphs.size() > 1;
  if (!apart) return search_well<P>(spec, options, on_progress);
  Verdict all;
  all.searches = 0;
  for (std::size_t i = 0; i < spec.graphs.size(); ++i) {
    Spec one = spec;
    one.graphs = {spec.graphs[i]};
    Verdict verdict = search_well<P>(one, options, on_progress);
    add(all, verdict);
    if (all.ended != Ended::complete) break;
  }
  return all;
}

/// The same for a protocol that proceeds in rounds.
template <core::RoundProtocol P>
Verdict check_rounds(const Spec& spec, const OnProgress& on_progress) {
  const auto options = options_of<P>(spec);
  refuse_beyond_rounds(spec, P::name);
  if (!spec.beyond_model) check_model(spec, P::name, P::facts.model);
  RoundQuestions questions = round_questions(spec, P::name, core::criterion_of<P>(options));
  const auto asked = [&](std::string_view name) {
    return std::find(spec.properties.begin(), spec.properties.end(), name) != spec.properties.end();
  };
  Verdict all;
  all.searches = 0;
  for (const auto& graph : spec.graphs) {
    Spec one = spec;
    one.graphs = {graph};
    if (asked("message-bound")) questions.most_messages = message_bound_of<P>(one, options);
    Verdict verdict = RoundSearch<P>(one, options, questions).run(on_progress);
    add(all, verdict);
    if (all.ended != Ended::complete) break;
  }
  return all;
}

/// A catalogue, folded.
struct Checker {
  std::string_view name;
  Verdict (*run)(const Spec&, const OnProgress&);
};

template <core::AnyProtocol P>
Checker checker_of() {
  if constexpr (core::Protocol<P>)
    return {P::name, &check<P>};
  else
    return {P::name, &check_rounds<P>};
}

template <core::AnyProtocol... P>
std::vector<Checker> checkers(catalogue::Catalogue<P...>) {
  return {checker_of<P>()...};
}

}  // namespace bellwether::check
