// SPDX-License-Identifier: MIT
// Plays a run for a watching client: in a process of its own, at the other end of a pipe. It
// advances as far as requested, answers with a picture, and waits.
//
//   advance {to, budget}   as far as `to`, or as time allows
//   step                   until one more event has happened
//   act {actions}          right after now
//   node {node}            all about a node
//   message {serial}       all about a message
//   describe               the network
//   future {actions}       what is to be done later, at its own time
//   fork                   a second process in the same state as this one
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <tuple>

#include "bellwether/json/json.hpp"
#include "bellwether/observe/trace/record.hpp"
#include "bellwether/sim/pace.hpp"
#include "bellwether/view/intervention.hpp"
#include "bellwether/view/picture.hpp"
#include "bellwether/view/pipe.hpp"

namespace bellwether::view {

class Player final : public sim::Pacer, public observe::Observer {
 public:
  /// `handover`: a socket through which the pipes of forks are passed. `spare`: how many of the
  /// absent nodes are there to be added by hand.
  Player(Pipe& pipe, int handover, NodeIndex spare)
      : pipe_(pipe), handover_(handover), spare_(spare) {}

  void setup(const sim::RunSetup& setup) override;
  void begin(sim::RunView& inside) override;
  void turn(sim::RunView& inside) override;
  void broken(sim::RunView& inside, const std::string& sentence) override;
  void end(sim::RunView& inside, observe::Ended ended, const std::string& violation) override;

  void step(const observe::StepRecord& record) override;
  void drop(const observe::DropRecord& record) override;

 private:
  using Json = json::Json;
  using Text = std::shared_ptr<const std::string>;  // JSON; one for all who get a message
  struct Kept {
    Text json;
    std::uint32_t kind;
  };
  struct LogLine {
    Time at{};
    core::Cause cause{};
    std::optional<NodeId> peer;
    std::string timer;  // JSON
    Text message;
  };
  using FlightKey = std::tuple<NodeIndex, NodeIndex, Time>;  // from, to, arrives

  /// Answers, and waits for what to do next. Returns when time is to go on.
  void serve();
  bool handle(const Json& request);
  void refuse(const std::string& why);
  void act(const Json& request);
  void plan(const Json& request);
  Json about_network() const;
  Json ids() const;
  void fork_off();
  void answer(Json text, bool picture);
  Json about_node(NodeIndex u) const;
  NodeIndex shown() const { return present_ + added_; }

  void go_on();
  void apply_due();
  void apply(Intervention& action);
  void set_link(NodeIndex a, NodeIndex b, bool up);
  void partition(const Intervention& action);
  void note_sends(const observe::StepRecord& record);
  void note_leader(const observe::StepRecord& record);
  void note_line(const observe::StepRecord& record);
  Text text_of(const observe::StepRecord& record);
  std::uint32_t kind_of(const std::string& name);
  bool keeps_texts() const { return picture_.ids().size() <= most_nodes_with_texts; }
  void event(Json event);

  static constexpr std::size_t most_nodes_with_texts = 400;
  static constexpr std::size_t most_flights = 3000;
  static constexpr std::size_t most_events = 2000;
  static constexpr std::size_t most_texts = 20000;
  static constexpr std::size_t most_lines = 30;
  static constexpr std::size_t most_raw = 4000;  // characters

  Pipe& pipe_;
  int handover_;
  NodeIndex spare_;
  Json network_;
  bool grown_ = false;  // since the last picture: others are there than were described
  std::vector<Intervention> actions_;  // those that were made, then those to come
  std::size_t made_ = 0;
  Picture picture_;
  NodeIndex present_ = 0;  // nodes of the scenario, with its own spares
  NodeIndex added_ = 0;
  std::shared_ptr<world::LinkBook> book_;
  std::vector<world::LinkIndex> parted_;  // links that partitions have cut

  sim::RunView* inside_ = nullptr;
  Time target_{};
  std::chrono::steady_clock::time_point until_{};  // of this turn, by the clock of the machine
  bool single_ = false;                            // stop after one step
  bool ended_ = false;
  Json ending_;
  Json request_;  // that is being answered
  std::uint32_t steps_since_look_ = 0;

  std::vector<MessageInFlight> flights_;
  std::uint64_t next_serial_ = 1;
  Json events_ = Json::array();
  std::uint64_t omitted_ = 0;
  std::vector<std::string> kinds_;
  std::size_t kinds_told_ = 0;
  std::map<std::string, std::uint32_t> kind_numbers_;
  std::map<std::uint64_t, Kept> texts_;     // of messages, by serial
  std::map<FlightKey, Text> under_way_;     // to know them again when they arrive
  std::vector<std::deque<LogLine>> lines_;  // by node: what it did last
};

}  // namespace bellwether::view
