// SPDX-License-Identifier: MIT
#include "bellwether/view/session.hpp"

#include <algorithm>
#include <sstream>

#include "bellwether/core/nearest.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/embedded/scenarios.hpp"
#include "bellwether/json/json.hpp"
#include "bellwether/observe/trace/trace.hpp"
#include "bellwether/scenario/keys.hpp"
#include "bellwether/sim/replay.hpp"
#include "bellwether/view/hello.hpp"

namespace bellwether::view {
namespace {

using json::Json;
using namespace std::chrono_literals;

constexpr NodeIndex spare_nodes = 16;       // that can be added without playing the run again
constexpr NodeIndex watched_unasked = 200;  // nodes: properties cost time at every step
constexpr std::size_t most_checkpoints = 24;
constexpr auto checkpoint_every = 400ms;  // of playing

/// What a runner would not do.
struct RunnerRefusal {
  Json text;
};

Answer accepted(Answer answer) {
  if (answer.text.at("is") == "refused") throw RunnerRefusal{std::move(answer.text)};
  return answer;
}

Time time_of(const Json& request, const char* key) {
  const Json* given = request.find(key);
  if (given == nullptr || !given->is_number())
    throw core::Problem(std::string("the request lacks \"") + key + "\", a time in ns");
  return Time{static_cast<std::int64_t>(std::clamp(given->get<double>(), 0.0, 9e18))};
}

/// What can be played: without metrics, and with room for nodes that are added by hand.
Play prepared_from(Play play) {
  scenario::Scenario& scenario = play.scenario;
  scenario.metrics.on = scenario::MetricsMode::off;
  scenario.network.spares += play.spare;
  // What is only shown has no nodes of its own whose promises could be tried.
  const bool shown = play.live || (play.trace && !play.trace->header.schedule);
  if (!shown && scenario.properties.empty() && scenario.network.nodes <= watched_unasked)
    scenario.properties = {"all"};
  return play;
}

Play read_play(const std::string& text) {
  std::istringstream in(text);
  return play_of(observe::read_trace(in, "trace"), {"trace", 1});
}

constexpr std::size_t most_events_of_a_jump = 20'000;  // as many as the page keeps

// g++ 12 cannot keep lists in braces across co_await: questions are made here.
Json question(const char* what) {
  Json out = Json::object();
  out["do"] = what;
  return out;
}
Json advance_to(Time to) {
  Json out = question("advance");
  out["to"] = to.count();
  out["budget"] = 150;
  out["silent"] = true;
  return out;
}
Json with(const char* what, Json actions) {
  Json out = question(what);
  out["actions"] = std::move(actions);
  return out;
}
Json named(const char* what) {
  Json out = Json::object();
  out["is"] = what;
  return out;
}

Json actions_text(const std::vector<Intervention>& actions) {
  Json out = Json::array();
  for (const Intervention& action : actions) out.push_back(to_json(action));
  return out;
}

Time typical_delay(const scenario::Scenario& scenario, bool rounds) {
  if (rounds) return scenario.rounds.duration;
  const auto& channel = scenario.channel;
  return std::max<Time>(
      channel.delay == world::Delay::uniform ? (channel.min + channel.max) / 2 : channel.mean,
      Time{1});
}

}  // namespace

Play play_of(observe::Trace trace, const core::Location& where) {
  Play out;
  // A little longer than it lasted: what is wrong may show only when nothing happens any more.
  const Time end = (trace.steps.empty() ? Time{0} : trace.steps.back().at) + 1s;
  if (trace.header.schedule) {
    out.scenario = sim::replay_scenario(trace.header, where);
  } else {
    out.scenario.name = trace.header.scenario;
    out.scenario.algorithm = trace.header.algorithm;
    out.scenario.seed = trace.header.seed;
    out.scenario.where["algorithm"] = where;
  }
  out.scenario.stop.time = end;
  out.trace = std::make_shared<observe::Trace>(std::move(trace));
  return out;
}

const char* kind_of(const Play& play) {
  return play.live ? "live" : play.trace ? "trace" : "scenario";
}

boost::asio::awaitable<void> Session::hello() {
  co_await send_(hello_text(server_state_).dump(), {});
}

boost::asio::awaitable<void> Session::handle(std::string text) {
  Json refusal;
  Json id;
  try {
    const auto read = Json::read(text);
    if (!read) throw core::Problem("the request is not JSON");
    const Json& request = *read;
    if (request.is_object()) id = request.value("id", Json());
    co_await answer(request);
    co_return;
  } catch (const RunnerRefusal& refused) {
    refusal = refused.text;
  } catch (const core::Problem& problem) {
    refusal = refusal_of(problem);
  } catch (const std::exception& bad) {
    refusal = refusal_of(core::Problem(bad.what()));
  }
  refusal["re"] = id;
  co_await send_(refusal.dump(), {});
}

boost::asio::awaitable<void> Session::answer(const Json& request) {
  const auto what = request.at("do").get<std::string>();
  if (what == "open") co_return co_await open(request);
  if (what == "catalogue") {
    Json text = hello_text(server_state_);
    text["is"] = "catalogue";
    text["re"] = request.value("id", Json());
    co_return co_await send_(text.dump(), {});
  }
  require_run();
  if (what == "advance" || what == "step") co_return co_await advance(request);
  if (what == "seek") co_return co_await seek(request);
  if (what == "act") co_return co_await act(request);
  if (what == "undo") co_return co_await undo(request);
  if (what == "redo") co_return co_await redo(request);
  if (what == "set") {
    require_scenario("its values cannot be changed");
    Play changed = *play_;
    for (const Json& each : request.at("set"))
      scenario::set_key(changed.scenario, each.get<std::string>());
    scenario::validate(changed.scenario);
    co_return co_await reopen(std::move(changed), actions_, now_, request);
  }
  if (what == "node" || what == "message") co_return co_await pass_on(request);
  if (what == "export") co_return co_await export_text(request);
  throw core::Problem("there is no request \"" + what + "\"");
}

void Session::require_run() const {
  if (!runner_) throw core::Problem("nothing is open yet");
}

void Session::require_scenario(const char* what) const {
  if (play_->trace) throw core::Problem(std::string("a recording is read-only: ") + what);
  if (play_->live) throw core::Problem(std::string("a live group is read-only: ") + what);
}

// Opening.

Play Session::read(const Json& request) const {
  if (const Json* trace = request.find("trace")) return read_play(trace->get<std::string>());
  Play out = server_state_.first;
  if (const Json* toml = request.find("toml")) {
    out = {scenario::parse_scenario(toml->get<std::string>(), "scenario"), 0, nullptr};
    out.scenario.folder = server_state_.first.scenario.folder;
  } else if (const Json* name = request.find("name")) {
    std::vector<std::string> known;
    bool found = false;
    for (const auto& [each, text] : embedded::scenarios()) {
      known.push_back(each);
      if (each != name->get<std::string>()) continue;
      out = {scenario::parse_scenario(text, each), 0, nullptr};
      found = true;
    }
    if (!found)
      throw core::Problem(core::unknown_name("scenario", name->get<std::string>(), known));
  }
  for (const Json& each : request.value("set", Json::array()))
    scenario::set_key(out.scenario, each.get<std::string>());
  if (!out.trace && !out.live) scenario::validate(out.scenario);
  return out;
}

const core::Algorithm& Session::entry(const scenario::Scenario& scenario) const {
  std::vector<std::string> known;
  for (const auto& each : server_state_.algorithms) {
    if (each.name == scenario.algorithm) return each;
    known.emplace_back(each.name);
  }
  throw scenario::problem_at(scenario, "algorithm",
                             core::unknown_name("algorithm", scenario.algorithm, known));
}

NodeIndex Session::spare_for(const Play& play, const std::vector<Intervention>& actions) const {
  if (entry(play.scenario).rounds || play.trace || play.live) return 0;
  return (additions(actions) / spare_nodes + 1) * spare_nodes;
}

boost::asio::awaitable<void> Session::open(const Json& request) {
  Play wanted = read(request);
  std::vector<Intervention> actions;
  for (const Json& each : request.value("actions", Json::array()))
    actions.push_back(read_action(each, ~NodeIndex{0}));
  const Time to = request.contains("to") ? time_of(request, "to") : Time{0};
  co_await reopen(std::move(wanted), std::move(actions), to, request);
}

/// Until all has worked, the run before stays.
boost::asio::awaitable<void> Session::reopen(Play wanted, std::vector<Intervention> actions,
                                             Time to, const Json& request) {
  wanted.spare = spare_for(wanted, actions);
  auto runner = start(wanted);
  const Json network = accepted(co_await runner->ask(question("describe"))).text;
  const auto nodes = static_cast<NodeIndex>(network.at("ids").size());
  for (const Intervention& action : actions)
    read_action(to_json(action), nodes);  // or it is refused
  std::stable_sort(actions.begin(), actions.end(),
                   [](const Intervention& x, const Intervention& y) { return x.at < y.at; });
  accepted(co_await runner->ask(with("future", actions_text(actions))));
  Answer answer = co_await run_to(*runner, to, request);
  play_ = std::move(wanted);
  actions_ = std::move(actions);
  undone_.clear();
  checkpoints_.clear();
  played_ = {};
  runner_ = std::move(runner);
  ids_.clear();
  for (const Json& id : network.at("ids")) ids_.push_back(NodeId{id.get<std::uint64_t>()});
  learn(answer);
  Json extra = opened_text(answer, network);
  extra["actions"] = actions_text(actions_);
  co_await send_frame(std::move(answer), request, std::move(extra));
}

json::Json Session::opened_text(const Answer& answer, const Json& network) const {
  const bool rounds = entry(play_->scenario).rounds;
  const bool moves = scenario::moves(play_->scenario);
  const auto& area = play_->scenario.mobility;
  return {{"is", "opened"},
          {"of", kind_of(*play_)},
          {"name", play_->scenario.name},
          {"about", play_->scenario.about},
          {"algorithm", play_->scenario.algorithm},
          {"seed", play_->scenario.seed},
          {"toml", scenario::print_brief(play_->scenario)},
          {"ids", network.at("ids")},
          {"moves", moves},
          {"area", moves ? Json{area.width, area.height} : Json()},
          {"range", moves ? Json(play_->scenario.radio.range) : Json()},
          {"places", network.at("places")},
          {"kinds", network.at("kinds")},
          {"end", play_->scenario.stop.time.count()},
          {"delay", typical_delay(play_->scenario, rounds).count()},
          {"properties", prepared_from(*play_).scenario.properties},
          {"ranked", answer.text.at("ranked")},
          {"heights", answer.text.at("heights")},
          {"messages", answer.text.at("messages")}};
}

// Going on, and back.

boost::asio::awaitable<Answer> Session::run_to(Runner& runner, Time to, const Json& request) {
  Json events = Json::array();  // of all parts of the way
  while (true) {
    Answer out = accepted(co_await runner.ask(advance_to(to)));
    for (const Json& each : out.text.at("events"))
      if (events.size() < most_events_of_a_jump) events.push_back(each);
    if (out.text.at("t").get<std::int64_t>() >= to.count() || !out.text.at("ended").is_null()) {
      out.text["events"] = std::move(events);
      co_return out;
    }
    Json progress = named("progress");
    progress["re"] = request.value("id", Json());
    progress["to"] = to.count();
    progress["t"] = out.text.at("t");
    co_await send_(progress.dump(), {});
  }
}

boost::asio::awaitable<void> Session::advance(const Json& request) {
  Json wanted = Json::object();
  wanted["do"] = request.at("do");
  wanted["budget"] = std::clamp(request.value("budget", 50), 1, 1000);
  if (request.at("do") == "advance") wanted["to"] = time_of(request, "to").count();
  const auto begin = std::chrono::steady_clock::now();
  Answer answer = accepted(co_await runner_->ask(std::move(wanted)));
  played_ += std::chrono::steady_clock::now() - begin;
  learn(answer);
  co_await send_frame(std::move(answer), request, named("frame"));
  co_await keep_checkpoint();
}

boost::asio::awaitable<void> Session::seek(const Json& request) {
  const Time to = time_of(request, "to");
  Answer answer;  // not by ?: around co_await, which g++ 12 destroys twice
  if (to >= now_)
    answer = co_await run_to(*runner_, to, request);
  else if (play_->live)
    throw core::Problem(
        "a live group cannot go back in time; open a recording of a node (`bellwether node "
        "--record`)");
  else
    answer = co_await run_again(to, to, request);
  learn(answer);
  co_await send_frame(std::move(answer), request, named("frame"));
}

std::unique_ptr<Runner> Session::start(const Play& play) const {
  return Runner::start(io_, entry(play.scenario), prepared_from(play));
}

boost::asio::awaitable<std::unique_ptr<Runner>> Session::runner_at(Time from) {
  for (std::size_t i = checkpoints_.size(); i-- > 0;)
    if (checkpoints_[i].at <= from)
      if (auto runner = co_await checkpoints_[i].runner->fork()) co_return runner;
  co_return start(*play_);
}

boost::asio::awaitable<Answer> Session::run_again(Time from, Time to, const Json& request) {
  auto runner = co_await runner_at(from);
  const Answer here = accepted(co_await runner->ask(question("describe")));
  co_await plan(*runner, Time{here.text.at("t").get<std::int64_t>()});
  accepted(co_await runner->ask(question("look")));  // with all links, for the page has others
  Answer answer = co_await run_to(*runner, to, request);
  if (answer.text.at("t").get<std::int64_t>() == here.text.at("t").get<std::int64_t>())
    answer = accepted(co_await runner->ask(question("look")));
  runner_ = std::move(runner);
  co_return answer;
}

/// What was done by hand after this moment is done again.
boost::asio::awaitable<void> Session::plan(Runner& runner, Time after) {
  std::vector<Intervention> ahead;
  for (const Intervention& action : actions_)
    if (action.at > after) ahead.push_back(action);
  accepted(co_await runner.ask(with("future", actions_text(ahead))));
}

boost::asio::awaitable<void> Session::keep_checkpoint() {
  if (played_ < checkpoint_every || play_->live) co_return;
  if (!checkpoints_.empty() && checkpoints_.back().at >= now_) co_return;
  played_ = {};
  if (auto runner = co_await runner_->fork()) checkpoints_.push_back({now_, std::move(runner)});
  if (checkpoints_.size() <= most_checkpoints) co_return;
  // Every second one of the older half goes.
  for (std::size_t i = 0; i < most_checkpoints / 4; ++i)
    checkpoints_.erase(checkpoints_.begin() + static_cast<std::ptrdiff_t>(i + 1));
}

// By hand.

boost::asio::awaitable<void> Session::act(const Json& request) {
  const Json& given = request.at("actions");
  if (!given.is_array() || given.empty()) throw core::Problem("there is nothing to do");
  const bool moves = scenario::moves(play_->scenario);
  std::vector<Intervention> wanted;
  for (const Json& each : given) {
    const Intervention action = read_action(each, static_cast<NodeIndex>(ids_.size()));
    using enum InterventionKind;
    const bool links = action.kind == cut || action.kind == join || action.kind == partition ||
                       action.kind == heal || !action.links.empty();
    if (moves && links)
      throw core::Problem(
          "positions decide which nodes are linked in this network; drag the nodes apart");
    if (!moves && action.kind == move)
      throw core::Problem(
          "nodes have no positions in this network; dragging one changes only the drawing");
    if (moves && action.kind == add && !action.to)
      throw core::Problem("a new node needs a position, x and y");
    wanted.push_back(action);
  }
  require_scenario("its nodes and links cannot be changed");
  if (entry(play_->scenario).rounds)
    throw core::Problem(
        "a synchronous algorithm does not tolerate changes; set rounds.synchronizer, or choose "
        "another algorithm");
  std::erase_if(actions_, [&](const Intervention& action) { return action.at > now_; });
  std::erase_if(checkpoints_, [&](const Checkpoint& point) { return point.at > now_; });
  undone_.clear();
  if (additions(actions_) + additions(wanted) > play_->spare) {
    // No spare node is left: reopen the same run with more of them.
    const Time at = date(wanted, now_);
    std::vector<Intervention> all = actions_;
    all.insert(all.end(), wanted.begin(), wanted.end());
    co_return co_await reopen(*play_, std::move(all), at, request);
  }
  Answer answer = accepted(co_await runner_->ask(with("act", given)));
  learn(answer);
  co_await send_frame(std::move(answer), request, acted_text({}));
}

boost::asio::awaitable<void> Session::undo(const Json& request) {
  if (actions_.empty()) throw core::Problem("there is nothing to undo");
  const std::vector<Intervention> last = last_together(actions_);
  const Time at = last.front().at;
  actions_.resize(actions_.size() - last.size());
  std::erase_if(checkpoints_, [&](const Checkpoint& point) { return point.at >= at; });
  undone_.push_back(last);
  Answer answer = co_await run_again(at - core::Duration{1}, now_, request);
  learn(answer);
  co_await send_frame(std::move(answer), request, acted_text(last));
}

boost::asio::awaitable<void> Session::redo(const Json& request) {
  if (undone_.empty()) throw core::Problem("there is nothing to redo");
  const std::vector<Intervention> again = std::move(undone_.back());
  undone_.pop_back();
  const Time at = again.front().at;
  actions_.insert(actions_.end(), again.begin(), again.end());
  std::stable_sort(actions_.begin(), actions_.end(),
                   [](const Intervention& x, const Intervention& y) { return x.at < y.at; });
  std::erase_if(checkpoints_, [&](const Checkpoint& point) { return point.at >= at; });
  Answer answer = co_await run_again(at - core::Duration{1}, now_, request);
  learn(answer);
  co_await send_frame(std::move(answer), request, acted_text(again));
}

// The rest.

json::Json Session::acted_text(const std::vector<Intervention>& done) const {
  Json out = named("acted");
  out["at"] = now_.count();
  out["actions"] = actions_text(actions_);
  if (!done.empty()) out["done"] = actions_text(done);
  return out;
}

void Session::learn(const Answer& answer) {
  now_ = Time{answer.text.at("t").get<std::int64_t>()};
  std::vector<Intervention> made;
  for (const Json& each : answer.text.at("made"))
    made.push_back(read_action(each, static_cast<NodeIndex>(ids_.size())));
  for (Intervention& action : actions_)
    if (action.at > now_) made.push_back(std::move(action));
  actions_ = std::move(made);
}

boost::asio::awaitable<void> Session::send_frame(Answer answer, const Json& request, Json extra) {
  Json text = std::move(answer.text);
  text.erase("made");
  for (const auto& [key, value] : extra.members()) text[key] = value;
  text["re"] = request.value("id", Json());
  co_await send_(text.dump(), std::move(answer.bytes));
}

boost::asio::awaitable<void> Session::pass_on(const Json& request) {
  Answer answer = co_await runner_->ask(request);
  answer.text["re"] = request.value("id", Json());
  co_await send_(answer.text.dump(), {});
}

boost::asio::awaitable<void> Session::export_text(const Json& request) {
  if (request.value("what", "") != "toml") throw core::Problem("\"what\" must be \"toml\"");
  if (play_->live) throw core::Problem("a live group has no scenario to export");
  scenario::Scenario whole = with_actions(play_->scenario, actions_, ids_);
  const core::Model& model = entry(whole).facts.model;
  if (!actions_.empty() && (!model.tolerates_changes || !model.tolerates_crashes))
    whole.beyond_model = true;
  Json text = named("export");
  text["re"] = request.value("id", Json());
  text["text"] = scenario::print_brief(whole);
  co_await send_(text.dump(), {});
}

}  // namespace bellwether::view
