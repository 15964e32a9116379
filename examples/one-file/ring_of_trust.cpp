// SPDX-License-Identifier: MIT
// An election in one file, without a project:
//   bellwether run lelann-ring --algorithm ./ring_of_trust.cpp
//
// Chang and Roberts in a ring of trust: an id travels clockwise as long as each receiver trusts it
// more than itself. The id that returns has been trusted by all, and its owner announces it.
#include "bellwether/core/plugin.hpp"

using namespace bellwether::core;

/// A message is a struct with a tag and a name of its own. `fields` lists its members: the rest,
/// such as how it travels and how it is printed, follows from them.
struct Candidate {
  static constexpr std::uint8_t tag = 1;
  static constexpr std::string_view name = "candidate";
  NodeId id{};
  static constexpr auto fields = std::tuple{field("id", &Candidate::id)};
  bool operator==(const Candidate&) const = default;
};

struct Elected {
  static constexpr std::uint8_t tag = 2;
  static constexpr std::string_view name = "elected";
  NodeId id{};
  static constexpr auto fields = std::tuple{field("id", &Elected::id)};
  bool operator==(const Elected&) const = default;
};

class RingOfTrust {
 public:
  static constexpr std::string_view name = "ring-of-trust";

  /// What `describe` prints. A network that is not as the model says is refused.
  static constexpr Facts facts{
      .title = "an id goes round while everybody trusts it more than themselves",
      .source = "after Chang and Roberts 1979",
      .idea = "Send your id clockwise. Pass on ids that you trust more than yourself; the one that "
              "comes home leads, and says so.",
      .messages = "at most n(n+1)/2 + n",
      .time = "at most 3n delays",
      .guarantee = "the most trusted id leads, and everybody knows it",
      .differs = "trust may prefer low ids",
      .model = {.shape = Shape::ring, .needs_direction = true, .tolerates_one_way = true}};

  /// Set in a scenario under [options], or with --set options.lowest=true.
  struct Options {
    bool lowest = false;
    static constexpr auto fields =
        std::tuple{field("lowest", &Options::lowest, "Trust low ids more than high ones.")};
    bool operator==(const Options&) const = default;
  };

  using Message = std::variant<Candidate, Elected>;
  using Timer = NoTimer;
  using Step = bellwether::core::Step<Message, Timer>;

  RingOfTrust() = default;
  RingOfTrust(NodeId id, Options options) : self_(id), lowest_(options.lowest) {}

  // The handlers: they read the step, change this node, and say what to send.
  void start(Step& step) { stand(step); }
  void receive(Step& step, Port, const Message& message) {
    if (const auto* elected = std::get_if<Elected>(&message)) {
      if (leader_ == elected->id) return;  // it has been everywhere
      leader_ = elected->id;
      return step.send(clockwise(step), *elected);
    }
    const Candidate& candidate = std::get<Candidate>(message);
    if (candidate.id == self_) {
      leader_ = self_;
      step.send(clockwise(step), Elected{self_});
    } else if (trusts(candidate.id)) {
      stood_ = true;  // there is a better candidate
      step.send(clockwise(step), candidate);
    } else {
      stand(step);  // woken by a less trusted node
    }
  }
  void link_up(Step&, Port) {}
  void link_down(Step&, Port) {}
  void timeout(Step&, Timer) {}

  std::optional<NodeId> leader() const { return leader_; }

 private:
  bool trusts(NodeId id) const { return lowest_ ? id < self_ : id > self_; }
  static Port clockwise(const Step& step) { return step.ports().front(); }
  void stand(Step& step) {
    if (stood_) return;
    stood_ = true;
    if (step.ports().empty()) leader_ = self_;  // alone
    else step.send(clockwise(step), Candidate{self_});
  }

  NodeId self_{};
  bool lowest_ = false;
  bool stood_ = false;
  std::optional<NodeId> leader_;

 public:
  /// What the checker compares and a trace shows of a node.
  static constexpr auto fields =
      std::tuple{field("self", &RingOfTrust::self_), field("stood", &RingOfTrust::stood_),
                 field("leader", &RingOfTrust::leader_)};
  bool operator==(const RingOfTrust&) const = default;
};

extern "C" auto bellwether_plugin() { return plugin<RingOfTrust>(); }
