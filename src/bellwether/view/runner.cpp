// SPDX-License-Identifier: MIT
#include "bellwether/view/runner.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <csignal>

#include "bellwether/core/problem.hpp"
#include "bellwether/json/json.hpp"
#include "bellwether/view/player.hpp"
#include "bellwether/view/trace_playback.hpp"

namespace bellwether::view {
namespace {

namespace asio = boost::asio;
using json::Json;

/// All that was open in the server is none of a runner's business.
void close_all_but(int one, int other) {
  const int low = std::min(one, other), high = std::max(one, other);
  const auto close_between = [](int first, int last) {
    if (first <= last) close_range(static_cast<unsigned>(first), static_cast<unsigned>(last), 0);
  };
  close_between(3, low - 1);
  close_between(low + 1, high - 1);
  close_range(static_cast<unsigned>(high) + 1, ~0u, 0);
}

[[noreturn]] void run(int fd, int handover, const core::Algorithm& algorithm, const Play& play) {
  Pipe pipe(fd);
  const auto fail = [&](const Json& why) { pipe.write({why.dump(), {}}); };
  try {
    Player player(pipe, handover, play.spare);
    sim::Attachments attachments;
    attachments.observers = {&player};
    attachments.pacer = &player;
    if (play.live) watch_live(play.live, player, player);
    const bool shown = play.trace && !play.trace->header.schedule;
    if (play.trace && !shown) attachments.schedule = &*play.trace->header.schedule;
    if (shown)
      play_trace(*play.trace, player, player);
    else
      sim::simulate(algorithm, play.scenario, attachments);
  } catch (const core::Problem& problem) {
    fail(refusal_of(problem));
  } catch (const std::exception& bad) {
    fail(refusal_of(core::Problem(bad.what())));
  }
  _exit(0);
}

}  // namespace

Json refusal_of(const core::Problem& problem) {
  Json out{{"is", "refused"}, {"why", problem.what()}};
  if (problem.where().line == 0) return out;
  out["line"] = problem.where().line;
  if (!problem.key().empty()) out["key"] = problem.key();
  return out;
}

Runner::Handover::~Handover() {
  close(fd);
}

Runner::Runner(asio::io_context& io, int fd, std::shared_ptr<Handover> handover, pid_t pid)
    : io_(io),
      socket_(io, asio::local::stream_protocol(), fd),
      handover_(std::move(handover)),
      pid_(pid) {}

Runner::~Runner() {
  kill(pid_, SIGKILL);
}

std::unique_ptr<Runner> Runner::start(asio::io_context& io, const core::Algorithm& algorithm,
                                      const Play& play) {
  int pipe[2], handover[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pipe) != 0 ||
      socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, handover) != 0)
    throw std::runtime_error("no more sockets; close other pages");
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGCHLD, SIG_IGN);  // no process waits for forks
    std::signal(SIGINT, SIG_IGN);   // the server ends its runners
    close_all_but(pipe[1], handover[1]);
    run(pipe[1], handover[1], algorithm, play);
  }
  close(pipe[1]);
  close(handover[1]);
  auto passed = std::make_shared<Handover>(handover[0]);
  if (child < 0) {
    close(pipe[0]);
    throw std::runtime_error("no more processes; close other pages");
  }
  return std::unique_ptr<Runner>(new Runner(io, pipe[0], std::move(passed), child));
}

asio::awaitable<Answer> Runner::ask(Json question) {
  PipeMessage packet;
  packet.text = question.dump();
  const std::string wire = to_wire(packet);
  Answer out;
  try {
    co_await asio::async_write(socket_, asio::buffer(wire), asio::use_awaitable);
  } catch (const boost::system::system_error&) {
    // It may have said why before it died.
  }
  try {
    WireHead head{};
    co_await asio::async_read(socket_, asio::buffer(head), asio::use_awaitable);
    const WireSizes sizes = sizes_of(head);
    std::string text(sizes.text, '\0');
    out.bytes.resize(sizes.bytes);
    co_await asio::async_read(socket_, asio::buffer(text), asio::use_awaitable);
    co_await asio::async_read(socket_, asio::buffer(out.bytes), asio::use_awaitable);
    out.text = Json::parse(text);
  } catch (const boost::system::system_error&) {
    throw std::runtime_error("the process that played this run has died; open it again");
  }
  co_return out;
}

asio::awaitable<std::unique_ptr<Runner>> Runner::fork() {
  Json question = Json::object();  // g++ 12 cannot keep a list in braces across co_await
  question["do"] = "fork";
  const Answer answer = co_await ask(std::move(question));
  if (answer.text.at("is") != "forked") co_return nullptr;
  const int fd = receive_descriptor(handover_->fd);
  if (fd < 0) co_return nullptr;
  co_return std::unique_ptr<Runner>(
      new Runner(io_, fd, handover_, answer.text.at("pid").get<pid_t>()));
}

}  // namespace bellwether::view
