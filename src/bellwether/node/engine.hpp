// SPDX-License-Identifier: MIT
// One election with its layers, driven by the clock and by what is heard, without its type. It is
// as pure as what it drives: time, randomness and frames are handed in, frames are taken out. The
// same calls give the same answers, so a recording of them replays (replay.hpp).
#pragma once

#include <map>
#include <memory>
#include <string>

#include "bellwether/core/codec.hpp"
#include "bellwether/core/facts.hpp"
#include "bellwether/core/options.hpp"
#include "bellwether/core/prng.hpp"
#include "bellwether/layers/probed.hpp"
#include "bellwether/layers/reliable.hpp"
#include "bellwether/node/bounded.hpp"
#include "bellwether/node/control.hpp"
#include "bellwether/node/mapped.hpp"
#include "bellwether/node/routes.hpp"

namespace bellwether::node {

/// What an engine is made from. A recording begins with it.
struct EngineSpec {
  std::string algorithm;
  NodeId self{};
  std::uint64_t seed = 0;
  layers::ProbeOptions probes;
  std::map<std::string, std::string> options;  // of the algorithm, as texts
  std::uint32_t priority = algorithms::usual_priority;
  std::size_t most_neighbours = 256;
  std::size_t most_members = 1000;
  std::size_t most_message = 256 * 1024;  // bytes of a message that comes in parts
};

/// What became of a body that was heard.
enum class Heard : unsigned char { taken, garbage, too_many };

class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  virtual void start(Time now) = 0;
  /// A body that `from` sent.
  virtual Heard hear(Time now, NodeId from, std::span<const std::uint8_t> body) = 0;
  /// `from` is there, without a body.
  virtual void see(Time now, NodeId from) = 0;
  /// All timers that are due. Silence counts only beyond the slack.
  virtual void alarm(Time now) = 0;
  virtual std::optional<Time> next_alarm() const = 0;
  /// A neighbour has left, or has been reborn.
  virtual void lose(Time now, NodeId neighbour) = 0;
  virtual void farewell(Time now) = 0;
  /// The body that says no more than: I am here.
  virtual core::Bytes probe() const = 0;
  /// False where the algorithm knows no priorities.
  virtual bool set_priority(Time now, std::uint32_t priority) = 0;
  virtual bool has_priorities() const = 0;
  /// This node is late by so much, or a neighbour says that it is: give the others more time.
  virtual void set_slack(Duration own) = 0;
  virtual void set_slack(NodeId neighbour, Duration its) = 0;

  virtual std::optional<NodeId> leader() const = 0;
  virtual std::vector<NodeId> chain() const = 0;       // of a hierarchy; else empty
  virtual std::vector<NodeId> neighbours() const = 0;  // ascending
  virtual const Routes& routes() const = 0;            // as of the last step
  virtual std::string state_text() const = 0;

  /// Bodies to be sent to whoever hears, to be taken out after each call.
  std::vector<core::Bytes>& outgoing() { return outgoing_; }

 protected:
  std::vector<core::Bytes> outgoing_;
};

/// One algorithm for the daemon. `why_not`: empty, or why its model does not fit.
struct EngineEntry {
  std::string_view name;
  std::string why_not;
  /// Throws std::invalid_argument with one sentence on an option that there is not.
  std::unique_ptr<Engine> (*make)(const EngineSpec& spec) = nullptr;
};

/// Why an algorithm cannot run on real machines; empty where it can.
std::string why_not(const core::Model& model, bool rounds);
/// Throws std::invalid_argument.
[[noreturn]] void refuse_option(std::string_view algorithm, const std::string& name,
                                const std::string& text, const std::vector<core::OptionRow>& rows,
                                core::OptionOutcome outcome);

/// The layers around an algorithm: probes outside, below them a bound, a map where it keeps none,
/// and ordered reliable links where it needs them.
template <class P>
inline constexpr bool needs_order = !P::facts.model.bears_loss || !P::facts.model.bears_reordering;

template <class P>
struct Layered {
  using Linked = std::conditional_t<needs_order<P>, layers::Reliable<P>, P>;
  using Inside = std::conditional_t<KeepsMap<P>, Linked, Mapped<Linked>>;
  using Stack = layers::Probed<Bounded<Inside>>;
};

template <class Stack>
class TypedEngine final : public Engine {
 public:
  using Message = typename Stack::Message;
  using Timer = typename Stack::Timer;
  using Step = core::StepOf<Stack>;

  TypedEngine(const EngineSpec& spec, typename Stack::Options options)
      : spec_(spec),
        random_(spec.seed),
        node_(spec.self, std::move(options)),
        step_({this, nullptr, [](void* self, std::uint64_t n) {
                 return static_cast<TypedEngine*>(self)->random_.below(n);
               }}) {}

  void start(Time now) override {
    run(now, [&](Step& s) {
      if constexpr (weighted) give_priority(s, spec_.priority);
      node_.start(s);
    });
  }
  Heard hear(Time now, NodeId from, std::span<const std::uint8_t> body) override;
  void see(Time now, NodeId from) override {
    if (has_room_for(from)) receive(now, typename Stack::Probe{from});
  }
  void alarm(Time now) override;
  std::optional<Time> next_alarm() const override;
  void lose(Time now, NodeId neighbour) override { receive(now, typename Stack::Bye{neighbour}); }
  void farewell(Time now) override {
    run(now, [&](Step& s) { node_.farewell(s); });
  }
  core::Bytes probe() const override {
    return core::encode(Message(typename Stack::Probe{spec_.self}));
  }
  bool set_priority(Time now, std::uint32_t priority) override {
    if constexpr (weighted) {
      run(now, [&](Step& s) { give_priority(s, priority); });
      return true;
    }
    return static_cast<void>(now), static_cast<void>(priority), false;
  }
  bool has_priorities() const override { return weighted; }
  void set_slack(Duration own) override { slack_ = own; }
  void set_slack(NodeId neighbour, Duration its) override {
    if (its > Duration{0})
      slack_of_[neighbour] = its;
    else
      slack_of_.erase(neighbour);
  }

  std::optional<NodeId> leader() const override { return node_.leader(); }
  std::vector<NodeId> chain() const override {
    if constexpr (core::Ranked<Stack>) return node_.leaders();
    return {};
  }
  std::vector<NodeId> neighbours() const override {
    std::vector<NodeId> out;
    const auto& all = node_.neighbours();
    for (std::size_t i = 0; i < all.size(); ++i) out.push_back(all.peer(i));
    std::sort(out.begin(), out.end());
    return out;
  }
  const Routes& routes() const override { return routes_; }
  std::string state_text() const override {
    if constexpr (core::Described<Stack>) return core::text_of(node_);
    return {};
  }

 private:
  using Inside = typename Stack::Inner;
  static constexpr bool weighted = requires(Inside & p, core::StepOf<Inside>& s) {
    p.set_priority(s, 1u);
  };
  struct Armed {
    Timer timer;
    Time due;
  };

  void give_priority(Step& s, std::uint32_t priority) {
    node_.tell(s, [&](Inside& p, auto& inner) {
      if constexpr (weighted) p.set_priority(inner, priority);
    });
  }
  void receive(Time now, const Message& message) {
    run(now, [&](Step& s) { node_.receive(s, air_, message); });
  }
  template <class Call>
  void run(Time now, Call&& call) {
    step_.begin({&air_, 1}, now);
    call(step_);
    for (const auto& send : step_.sends()) outgoing_.push_back(core::encode(send.message));
    for (const auto& alarm : step_.alarms()) arm(now, alarm);
    routes_.follow(node_.inner().known(), spec_.self);
  }
  void arm(Time now, const typename Step::Alarm& alarm) {
    const auto at = std::find_if(armed_.begin(), armed_.end(),
                                 [&](const Armed& a) { return a.timer == alarm.timer; });
    if (!alarm.armed) {
      if (at != armed_.end()) armed_.erase(at);
      return;
    }
    const Time due = now + std::min(random_.between(alarm.min, alarm.max), longest);
    if (at != armed_.end())
      at->due = due;
    else
      armed_.push_back({alarm.timer, due});
  }
  /// When a timer rings: silence only beyond the slack of this node and of the silent one.
  Time rings(const Armed& armed) const {
    const auto* silence = std::get_if<typename Stack::Silence>(&armed.timer);
    if (!silence) return armed.due;
    const auto its = slack_of_.find(silence->of);
    return armed.due + slack_ + (its == slack_of_.end() ? Duration{0} : its->second);
  }
  bool has_room_for(NodeId from) const {
    const auto& all = node_.neighbours();
    return all.find(from) < all.size() || all.size() < spec_.most_neighbours;
  }
  bool too_large(const Message& message) const;

  static constexpr core::Port air_{0};
  /// An option may ask for more; a sum of times must not run over.
  static constexpr Duration longest = std::chrono::hours(24 * 365 * 100);
  EngineSpec spec_;
  core::Prng random_;
  Stack node_;
  Step step_;
  std::vector<Armed> armed_;
  Duration slack_{};
  std::map<NodeId, Duration> slack_of_;
  Routes routes_;
};

template <class Stack>
Heard TypedEngine<Stack>::hear(Time now, NodeId from, std::span<const std::uint8_t> body) {
  const auto message = core::decode<Message>(body);
  if (!message) return Heard::garbage;
  // The frame says who sent it, and nobody speaks for another.
  if (std::visit([](const auto& m) { return m.from; }, *message) != from) return Heard::garbage;
  if (!has_room_for(from) || too_large(*message)) return Heard::too_many;
  const std::uint64_t dropped = node_.inner().dropped();
  receive(now, *message);
  return node_.inner().dropped() == dropped ? Heard::taken : Heard::too_many;
}

/// A message may come in many parts. (What it names is for Bounded to see, when it is whole.)
template <class Stack>
bool TypedEngine<Stack>::too_large(const Message& message) const {
  const auto* part = std::get_if<typename Stack::Part>(&message);
  if (!part) return false;
  return part->count > spec_.most_message / std::max<std::size_t>(part->bytes.size(), 1) + 1;
}

template <class Stack>
void TypedEngine<Stack>::alarm(Time now) {
  for (;;) {  // a handler may arm and disarm: look again each time; the earliest goes first
    const auto at =
        std::min_element(armed_.begin(), armed_.end(),
                         [&](const auto& a, const auto& b) { return rings(a) < rings(b); });
    if (at == armed_.end() || rings(*at) > now) return;
    const Timer timer = at->timer;
    armed_.erase(at);
    run(now, [&](Step& s) { node_.timeout(s, timer); });
  }
}

template <class Stack>
std::optional<Time> TypedEngine<Stack>::next_alarm() const {
  std::optional<Time> first;
  for (const Armed& armed : armed_)
    if (const Time at = rings(armed); !first || at < *first) first = at;
  return first;
}

template <core::Protocol P>
typename P::Options engine_options(const EngineSpec& spec) {
  typename P::Options options{};
  for (const auto& [name, text] : spec.options) {
    const auto outcome = core::set_option(options, name, text);
    if (outcome != core::OptionOutcome::set)
      refuse_option(P::name, name, text, core::option_rows<typename P::Options>(), outcome);
  }
  return options;
}

/// What suits real machines, unless it was given: a map forgets who is no longer there, and asks
/// soon; a leader shows that it lives as often as nodes show that they are there.
template <class Options>
void suit(Options& options, const EngineSpec& spec) {
  constexpr std::uint32_t far = 255;
  const auto given = [&](const char* name) { return spec.options.contains(name); };
  if constexpr (requires { options.horizon; })
    if (options.horizon == 0) options.horizon = far;
  if constexpr (requires { options.digest; })
    if (!given("digest")) options.digest = spec.probes.timeout;
  if constexpr (requires {
                  options.heartbeat;
                  options.missed;
                }) {
    if (!given("heartbeat")) options.heartbeat = spec.probes.period;
    if (!given("missed")) options.missed = 5;
  }
}

template <core::Protocol P>
std::unique_ptr<Engine> make_engine(const EngineSpec& spec) {
  using L = Layered<P>;
  typename P::Options own = engine_options<P>(spec);
  suit(own, spec);
  const auto linked = [&]() -> typename L::Linked::Options {
    if constexpr (needs_order<P>)
      return {{spec.probes.period}, std::move(own)};
    else
      return own;
  };
  const auto inside = [&]() -> typename L::Inside::Options {
    if constexpr (KeepsMap<P>) {
      return linked();
    } else {
      algorithms::Cel2::Options map;
      suit(map, spec);
      return {map, linked()};
    }
  };
  return std::make_unique<TypedEngine<typename L::Stack>>(
      spec, typename L::Stack::Options{spec.probes, {inside(), spec.most_members}});
}

template <class P>
EngineEntry engine_of() {
  core::Facts facts;
  if constexpr (requires { P::facts; }) facts = P::facts;
  EngineEntry entry{P::name, why_not(facts.model, core::RoundProtocol<P>), nullptr};
  if constexpr (core::Protocol<P>) {
    constexpr bool fits = [] {
      if constexpr (requires { P::facts; }) return P::facts.model.bears_changes;
      return true;
    }();
    if constexpr (fits)
      if (entry.why_not.empty()) entry.make = &make_engine<P>;
  }
  return entry;
}

}  // namespace bellwether::node
