// SPDX-License-Identifier: MIT
// One tab and the run that it watches: requests in, answers out, as viewer/PROTOCOL.md has them.
// Keeps the scenario, what was done by hand, and checkpoints; the runner plays.
#pragma once

#include <chrono>
#include <functional>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/json/json.hpp"
#include "bellwether/view/intervention.hpp"
#include "bellwether/view/runner.hpp"

namespace bellwether::view {

/// What every session of a server has in common.
struct ServerState {
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
  using SendToPage =
      std::function<boost::asio::awaitable<void>(std::string text, std::string frame)>;

  Session(boost::asio::io_context& io, const ServerState& server_state, SendToPage send)
      : io_(io), server_state_(server_state), send_(std::move(send)) {}

  boost::asio::awaitable<void> hello();
  /// Answers one request.
  boost::asio::awaitable<void> handle(std::string text);

 private:
  using Json = json::Json;
  template <class T>
  using Awaitable = boost::asio::awaitable<T>;
  struct Checkpoint {
    Time at{};
    std::unique_ptr<Runner> runner;
  };

  Awaitable<void> answer(const Json& request);
  Awaitable<void> open(const Json& request);
  Awaitable<void> reopen(Play play, std::vector<Intervention> actions, Time to,
                         const Json& request);
  Awaitable<void> advance(const Json& request);
  Awaitable<void> seek(const Json& request);
  Awaitable<void> act(const Json& request);
  Awaitable<void> undo(const Json& request);
  Awaitable<void> redo(const Json& request);
  Awaitable<void> pass_on(const Json& request);
  Awaitable<void> export_text(const Json& request);

  /// From the last checkpoint that is not later than `from`, or from the beginning, to this time.
  Awaitable<Answer> run_again(Time from, Time to, const Json& request);
  Awaitable<Answer> run_to(Runner& runner, Time to, const Json& request);
  std::unique_ptr<Runner> start(const Play& play) const;
  Awaitable<std::unique_ptr<Runner>> runner_at(Time from);
  Awaitable<void> plan(Runner& runner, Time after);
  Awaitable<void> keep_checkpoint();
  Awaitable<void> send_frame(Answer answer, const Json& request, Json extra);
  Play read(const Json& request) const;
  const core::Algorithm& entry(const scenario::Scenario& scenario) const;
  NodeIndex spare_for(const Play& play, const std::vector<Intervention>& actions) const;
  Json acted_text(const std::vector<Intervention>& done) const;
  Json opened_text(const Answer& answer, const Json& network) const;
  void learn(const Answer& answer);
  void require_run() const;
  /// Of a trace and of a live group it is not.
  void require_scenario(const char* what) const;

  boost::asio::io_context& io_;
  const ServerState& server_state_;
  SendToPage send_;
  std::optional<Play> play_;
  std::vector<NodeId> ids_;
  std::unique_ptr<Runner> runner_;
  std::vector<Checkpoint> checkpoints_;           // ascending
  std::chrono::steady_clock::duration played_{};  // since the last one
  std::vector<Intervention> actions_;             // ascending; some may lie ahead
  std::vector<std::vector<Intervention>> undone_;
  Time now_{};
};

}  // namespace bellwether::view
