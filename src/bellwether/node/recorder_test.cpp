// SPDX-License-Identifier: MIT
// The recorder as a decorator: what it passes on, and what it writes down.
#include "bellwether/node/recorder.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "bellwether/node/replay.hpp"

namespace bellwether::node {
namespace {

using namespace std::chrono_literals;

EngineSpec spec_of(std::uint64_t id) {
  EngineSpec spec;
  spec.algorithm = "cel-2";
  spec.self = NodeId{id};
  spec.seed = id;
  spec.probes = {100ms, 300ms, 5ms, 300};
  return spec;
}

/// One call of each kind, and a body that another node has sent.
void call_all(EngineInputs& inputs, const core::Bytes& body) {
  inputs.start(100s);
  EXPECT_EQ(inputs.on_frame(100s + 10ms, NodeId{7}, body), FrameResult::taken);
  EXPECT_EQ(inputs.on_frame(100s + 10ms, NodeId{8}, body), FrameResult::garbage)
      << "8 speaks for 7";
  inputs.on_probe(100s + 20ms, NodeId{9});
  inputs.set_slack(100s + 30ms, 40ms);
  inputs.set_slack(100s + 30ms, NodeId{9}, 50ms);
  EXPECT_TRUE(inputs.set_priority(100s + 40ms, 5));
  inputs.alarm(100s + 200ms);
  inputs.on_neighbour_lost(100s + 210ms, NodeId{9});
  inputs.farewell(100s + 220ms);
}

class RecorderTest : public ::testing::Test {
 protected:
  RecorderTest() {
    Engine other(catalogue::algorithm("cel-2"), spec_of(7));
    body_ = other.probe();
    std::filesystem::remove(path_);
  }
  ~RecorderTest() override { std::filesystem::remove(path_); }
  std::string recording() const {
    std::ostringstream out;
    out << std::ifstream(path_).rdbuf();
    return out.str();
  }

  const std::string path_ = "/tmp/bellwether-recording-" + std::to_string(getpid());
  core::Bytes body_;
  Engine engine_{catalogue::algorithm("cel-2"), spec_of(3)};
  Engine twin_{catalogue::algorithm("cel-2"), spec_of(3)};
};

TEST_F(RecorderTest, PassesEachCallOnAndWritesItDownWithItsAnswer) {
  {
    Recorder recorder(path_, 1 << 20, spec_of(3), engine_);
    call_all(recorder, body_);
  }
  call_all(twin_, body_);
  EXPECT_EQ(engine_.outgoing(), twin_.outgoing());
  EXPECT_EQ(engine_.state_text(), twin_.state_text());
  EXPECT_EQ(engine_.next_alarm(), twin_.next_alarm());
  std::istringstream in(recording());
  const EngineReplay replayed = replay(in, path_, catalogue::all());
  EXPECT_EQ(replayed.difference, "");
  EXPECT_EQ(replayed.calls, 10u);
  EXPECT_EQ(replayed.frames, engine_.outgoing().size());
  EXPECT_EQ(replayed.state, engine_.state_text());
  // Each line is a call, as it is read again.
  std::istringstream lines(recording());
  std::string line, kinds;
  std::getline(lines, line);
  EXPECT_EQ(line, header_line(spec_of(3)));
  while (std::getline(lines, line)) {
    const Recorded recorded = read_call(line);
    EXPECT_EQ(call_line(recorded.call, recorded.answer), line);
    kinds += std::string(core::name_of(recorded.call.kind)) + " ";
  }
  EXPECT_EQ(kinds, "start hear hear see slack slack-of priority alarm lose farewell ");
}

TEST_F(RecorderTest, PassesCallsOnWhenItsFileIsFull) {
  {
    Recorder recorder(path_, 100, spec_of(3), engine_);  // for one or two calls
    call_all(recorder, body_);
  }
  call_all(twin_, body_);
  EXPECT_EQ(engine_.outgoing(), twin_.outgoing());
  EXPECT_EQ(engine_.state_text(), twin_.state_text());
  const std::string text = recording();
  EXPECT_LE(text.size(), header_line(spec_of(3)).size() + 1 + 100);
  EXPECT_TRUE(text.ends_with("}\n")) << "no line is cut";
}

TEST_F(RecorderTest, AFileThatCannotBeWrittenIsRefused) {
  try {
    Recorder recorder("/nowhere/at/all", 100, spec_of(3), engine_);
    FAIL() << "there is no such folder";
  } catch (const std::exception& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("record = \"/nowhere/at/all\": "))
        << error.what();
  }
}

}  // namespace
}  // namespace bellwether::node
