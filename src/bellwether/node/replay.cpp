// SPDX-License-Identifier: MIT
#include "bellwether/node/replay.hpp"

#include <istream>

#include "bellwether/core/problem.hpp"

namespace bellwether::node {

namespace {

std::string to_text(const CallResult& answer) {
  return "leader " + (answer.leader ? std::to_string(raw(*answer.leader)) : std::string("none")) +
         ", " + std::to_string(answer.frames) + " frames sent (digest " +
         std::to_string(answer.sent) + ")";
}

}  // namespace

EngineReplay replay(std::istream& in, const std::string& path,
                    const catalogue::Algorithms& algorithms, const OnCall& on_call) {
  EngineReplay out;
  std::string line;
  std::size_t number = 1;
  const auto here = [&] { return core::Location(path, number); };
  if (!std::getline(in, line)) throw core::Problem(path, {}, "is empty");
  std::unique_ptr<Engine> engine;
  try {
    out.spec = read_header(line);
    engine = make_engine(algorithms, out.spec);
  } catch (const std::exception& error) {
    throw core::Problem(here(), {}, error.what());
  }
  std::optional<NodeId> leader;
  while (++number, std::getline(in, line)) {
    Recorded recorded;
    try {
      recorded = read_call(line);
    } catch (const core::Problem& problem) {
      if (in.peek() == std::istream::traits_type::eof())
        break;  // cut short in the middle of a line
      throw problem.at(here());
    }
    const CallResult answer = answer_to(recorded.call, *engine);
    engine->outgoing().clear();
    if (on_call) on_call(recorded.call, answer, *engine);
    if (out.calls++ == 0) out.first = recorded.call.at;
    out.last = recorded.call.at;
    out.frames += answer.frames;
    if (answer.leader != leader) out.changes.push_back({recorded.call.at, answer.leader});
    leader = answer.leader;
    if (!(answer == recorded.answer)) {
      out.difference = here().text() + ": recorded was " + to_text(recorded.answer) +
                       ", but now it is " + to_text(answer);
      break;
    }
  }
  out.neighbours = engine->neighbours();
  out.members = engine->routes().all().size();
  out.state = engine->state_text();
  return out;
}

}  // namespace bellwether::node
