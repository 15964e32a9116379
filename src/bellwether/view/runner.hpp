// SPDX-License-Identifier: MIT
// The processes that play runs, as the server sees them. A process of its own can be stopped at any
// moment, crashes alone, and is copied by the kernel at the price of its changed pages: that is
// what a checkpoint is.
#pragma once

#include <sys/types.h>

#include <utility>  // Boost 1.74 forgets it

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <memory>

#include "bellwether/core/problem.hpp"
#include "bellwether/json/json.hpp"
#include "bellwether/observe/trace/trace.hpp"
#include "bellwether/sim/simulate.hpp"
#include "bellwether/view/live.hpp"
#include "bellwether/view/pipe.hpp"

namespace bellwether::view {

using core::NodeIndex;

struct Answer {
  json::Json text;
  std::string bytes;
};

/// Why something cannot be done, for the page and its editor.
json::Json refusal_of(const core::Problem& problem);

/// What is played.
struct Play {
  scenario::Scenario scenario;
  NodeIndex spare = 0;  // nodes that can be added by hand
  // With a schedule it is followed, without one it is only shown. Null: the scenario is run.
  std::shared_ptr<const observe::Trace> trace = nullptr;
  // Where it is set a group elsewhere is watched; the scenario only says what it is.
  Look live = nullptr;
};

/// One process. Killed with its owner.
class Runner {
 public:
  /// Begins to play. What is wrong with the scenario is the answer to the first question:
  /// {"is": "refused", "why": ...}.
  static std::unique_ptr<Runner> start(boost::asio::io_context& io,
                                       const core::Algorithm& algorithm, const Play& play);
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  /// Throws std::runtime_error where the process has died.
  boost::asio::awaitable<Answer> ask(json::Json question);
  /// A second runner in the same state; null where there is no room for it.
  boost::asio::awaitable<std::unique_ptr<Runner>> fork();

 private:
  using LocalSocket = boost::asio::local::stream_protocol::socket;
  struct Handover {  // through which the sockets of forks come; shared by all of one run
    explicit Handover(int descriptor) : fd(descriptor) {}
    ~Handover();
    Handover(const Handover&) = delete;
    Handover& operator=(const Handover&) = delete;
    int fd;
  };
  Runner(boost::asio::io_context& io, int fd, std::shared_ptr<Handover> handover, pid_t pid);

  boost::asio::io_context& io_;
  LocalSocket socket_;
  std::shared_ptr<Handover> handover_;
  pid_t pid_;
};

}  // namespace bellwether::view
