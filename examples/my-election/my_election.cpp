// SPDX-License-Identifier: MIT
// An election of your own, and a program that runs, sweeps, checks, shows and deploys it.
//
// Every node tells its neighbours the largest id that it knows of and how many hops away that is.
// A lost node is forgotten: its id arrives only over longer and longer paths, until `limit` drops
// it.
#include <map>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/cli/main.hpp"
#include "bellwether/core/algorithm_of.hpp"

using namespace bellwether::core;

/// The one message: the largest id that a node knows of, and how far away it is.
struct Best {
  static constexpr std::uint8_t tag = 1;
  static constexpr std::string_view name = "best";
  NodeId leader{};
  std::uint32_t hops = 0;
  bool greets = false;  // the first word on a new link: answer it
  static constexpr auto fields = std::tuple{
      field("leader", &Best::leader), field("hops", &Best::hops), field("greets", &Best::greets)};
  bool operator==(const Best&) const = default;
};

struct MyElection {
  static constexpr std::string_view name = "my-election";
  static constexpr Facts facts{
      .title = "the largest id within a limited number of hops leads",
      .source = "this project",
      .idea = "Tell the neighbours the largest id you know of, and how far away it is.",
      .messages = "each change is sent to all neighbours",
      .time = "limit times the longest delay, after a loss",
      .guarantee = "the largest id of each component, if no way to it is longer than limit",
      .differs = "nowhere",
      .model = {.tolerates_changes = true, .tolerates_crashes = true},
      .criterion = Criterion::highest_id};

  struct Options {
    std::uint32_t limit = 16;
    static constexpr auto fields =
        std::tuple{field("limit", &Options::limit, "The most hops to a leader.")};
    bool operator==(const Options&) const = default;
  };
  using Message = std::variant<Best>;
  using Timer = NoTimer;
  using Step = bellwether::core::Step<Message, Timer>;

  MyElection() = default;
  MyElection(NodeId id, Options options) : self{id}, limit(options.limit), best(self) {}

  void start(Step& step) { decide(step); }
  void link_up(Step& step, Port port) { step.send(port, Best{best.leader, best.hops, true}); }
  void link_down(Step& step, Port port) { heard.erase(port), decide(step); }
  void receive(Step& step, Port port, const Message& message) {
    const Best& word = std::get<Best>(message);
    heard[port] = {word.leader, word.hops};
    if (!decide(step) && word.greets) step.send(port, best);
  }
  void timeout(Step&, Timer) {}
  std::optional<NodeId> leader() const { return best.leader; }

  /// Whether there was something to tell, and has been told.
  bool decide(Step& step) {
    Best now = self;
    for (const auto& [port, word] : heard)
      if (word.hops < limit &&
          (word.leader > now.leader || (word.leader == now.leader && word.hops + 1 < now.hops)))
        now = {word.leader, word.hops + 1};
    if (awake && now == best) return false;
    awake = true;
    best = now;
    step.broadcast(best);
    return true;
  }

  Best self;
  std::uint32_t limit = 0;
  Best best;
  std::map<Port, Best> heard;
  bool awake = false;
  static constexpr auto fields =
      std::tuple{field("best", &MyElection::best), field("heard", &MyElection::heard)};
  bool operator==(const MyElection&) const = default;
};

int main(int argc, char** argv) {
  return bellwether::cli::main(argc, argv,
                               bellwether::catalogue::with_all({algorithm_of<MyElection>()}));
}
