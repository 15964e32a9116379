// SPDX-License-Identifier: MIT
// One tab and the run that it watches: requests in, answers out, as viewer/PROTOCOL.md has them.
// Keeps the scenario, what was done by hand, and checkpoints; the runner plays.
#pragma once

#include <chrono>
#include <functional>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/json/json.hpp"
#include "bellwether/view/action.hpp"
#include "bellwether/view/runner.hpp"

namespace bellwether::view {

/// What every session of a server has in common.
struct House {
  const std::vector<core::Algorithm>& algorithms;
  Play first;  // what is shown when nothing is asked for
  std::string version;
};

/// What is played: "scenario", "trace" or "live".
const char* kind_of(const Play& play);

/// What a trace has to show. `where`: its place, for errors.
Play play_of(observe::Trace trace, const core::Location& where);

class Session {
 public:
  /// How a text and a frame get to the page; the frame may be empty.
  using Send = std::function<boost::asio::awaitable<void>(std::string text, std::string frame)>;

  Session(boost::asio::io_context& io, const House& house, Send send)
      : io_(io), house_(house), send_(std::move(send)) {}

  boost::asio::awaitable<void> hello();
  /// Answers one request.
  boost::asio::awaitable<void> handle(std::string text);

 private:
  using Json = json::Json;
  template <class T>
  using Task = boost::asio::awaitable<T>;
  struct Checkpoint {
    Time at{};
    std::unique_ptr<Runner> runner;
  };

  Task<void> answer(const Json& request);
  Task<void> open(const Json& request);
  Task<void> reopen(Play play, std::vector<Action> actions, Time to, const Json& request);
  Task<void> advance(const Json& request);
  Task<void> seek(const Json& request);
  Task<void> act(const Json& request);
  Task<void> undo(const Json& request);
  Task<void> redo(const Json& request);
  Task<void> pass_on(const Json& request);
  Task<void> export_text(const Json& request);

  /// From the last checkpoint that is not later than `from`, or from the beginning, to this time.
  Task<Answer> run_again(Time from, Time to, const Json& request);
  Task<Answer> run_to(Runner& runner, Time to, const Json& request);
  std::unique_ptr<Runner> start(const Play& play) const;
  Task<std::unique_ptr<Runner>> runner_at(Time from);
  Task<void> plan(Runner& runner, Time after);
  Task<void> keep_checkpoint();
  Task<void> send_frame(Answer answer, const Json& request, Json extra);
  Play read(const Json& request) const;
  const core::Algorithm& entry(const scenario::Scenario& scenario) const;
  NodeIndex spare_for(const Play& play, const std::vector<Action>& actions) const;
  Json acted_text(const std::vector<Action>& done) const;
  Json opened_text(const Answer& answer, const Json& network) const;
  void learn(const Answer& answer);
  void require_run() const;
  /// Of a trace and of a live group it is not.
  void require_scenario(const char* what) const;

  boost::asio::io_context& io_;
  const House& house_;
  Send send_;
  std::optional<Play> play_;
  std::vector<NodeId> ids_;
  std::unique_ptr<Runner> runner_;
  std::vector<Checkpoint> checkpoints_;           // ascending
  std::chrono::steady_clock::duration played_{};  // since the last one
  std::vector<Action> actions_;                   // ascending; some may lie ahead
  std::vector<std::vector<Action>> undone_;
  Time now_{};
};

}  // namespace bellwether::view
