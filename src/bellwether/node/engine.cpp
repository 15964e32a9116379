// SPDX-License-Identifier: MIT
#include "bellwether/node/engine.hpp"

#include <algorithm>

#include "bellwether/core/nearest.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/node/config.hpp"

namespace bellwether::node {
namespace {

using layers::Probed;

constexpr core::Port air{0};
/// The one node of an engine.
constexpr core::NodeIndex self = 0;
/// An option may ask for more; a sum of times must not run over.
constexpr Duration longest = std::chrono::hours(24 * 365 * 100);

std::uint64_t choose(void* random, std::uint64_t n) {
  return static_cast<core::Prng*>(random)->below(n);
}

std::unique_ptr<core::Nodes> deployed(const core::Algorithm& algorithm, const EngineSpec& spec) {
  return layers::stack(
      algorithm, layers::deployed_options(algorithm, spec.options, spec.probes),
      layers::deployed_stack(algorithm, catalogue::algorithm(layers::map_algorithm), spec.probes,
                             spec.limits));
}

}  // namespace

Engine::Engine(const core::Algorithm& algorithm, const EngineSpec& spec)
    : spec_(spec), random_(spec.seed), nodes_(deployed(algorithm, spec)) {
  nodes_->add(spec.self);
}

Engine::~Engine() = default;

const Probed& Engine::probed() const {
  return layers::probed(*nodes_, self);
}

void Engine::start(Time now) {
  if (has_priorities()) perform(now, core::Call::set_priority(spec_.priority));
  run(now, core::Call::start());
}

FrameResult Engine::on_frame(Time now, NodeId from, std::span<const std::uint8_t> body) {
  const auto decoded = nodes_->decode(body);
  if (!decoded) return FrameResult::garbage;
  const auto& message = decoded->as<Probed::Message>();
  // The frame says who sent it, and no node speaks for another.
  if (std::visit([](const auto& m) { return m.from; }, message) != from)
    return FrameResult::garbage;
  const std::uint64_t dropped = probed().dropped();
  receive(now, message);
  return probed().dropped() == dropped ? FrameResult::taken : FrameResult::too_many;
}

void Engine::on_probe(Time now, NodeId from) {
  receive(now, Probed::Probe{from});
}

void Engine::alarm(Time now) {
  for (;;) {  // a handler may arm and disarm: look again each time; the earliest goes first
    const auto at =
        std::min_element(armed_.begin(), armed_.end(),
                         [&](const auto& a, const auto& b) { return rings(a) < rings(b); });
    if (at == armed_.end() || rings(*at) > now) return;
    const core::TimerName timer = at->timer;
    armed_.erase(at);
    run(now, core::Call::timeout(timer));
  }
}

std::optional<Time> Engine::next_alarm() const {
  std::optional<Time> first;
  for (const Deadline& armed : armed_)
    if (const Time at = rings(armed); !first || at < *first) first = at;
  return first;
}

void Engine::on_neighbour_lost(Time now, NodeId neighbour) {
  receive(now, Probed::Bye{neighbour});
}

/// A leader that can no longer be elected names the next one: those beyond its neighbours need not
/// find out by themselves.
void Engine::farewell(Time now) {
  if (nodes_->can().tree) set_priority(now, 0);
  outgoing_.push_back(core::encode(Probed::Message(Probed::Bye{spec_.self})));
}

core::Bytes Engine::probe() const {
  return core::encode(Probed::Message(Probed::Probe{spec_.self}));
}

bool Engine::set_priority(Time now, std::uint32_t priority) {
  if (!has_priorities()) return false;
  run(now, core::Call::set_priority(priority));
  return true;
}

bool Engine::has_priorities() const {
  return nodes_->can().priorities;
}

void Engine::set_slack(Time, Duration own) {
  slack_ = own;
}

void Engine::set_slack(Time, NodeId neighbour, Duration its) {
  if (its > Duration{0})
    slack_of_[neighbour] = its;
  else
    slack_of_.erase(neighbour);
}

std::optional<NodeId> Engine::leader() const {
  return nodes_->leader(self);
}

std::optional<NodeId> Engine::next_hop(NodeId member) const {
  const auto place = member == leader() ? nodes_->tree_place(self) : std::nullopt;
  if (place && place->parent != spec_.self) return place->parent;
  return routes_.next_hop(member);
}

std::optional<std::uint32_t> Engine::hops_to_leader() const {
  if (const auto place = nodes_->tree_place(self)) return place->hops;
  const Route* route = leader() ? routes_.find(*leader()) : nullptr;
  return route != nullptr ? std::optional(route->hops) : std::nullopt;
}

std::uint64_t Engine::members() const {
  if (const auto place = nodes_->tree_place(self)) return place->members;
  return routes_.all().size();
}

std::vector<NodeId> Engine::chain() const {
  return nodes_->leaders(self);
}

std::vector<NodeId> Engine::neighbours() const {
  std::vector<NodeId> out = probed().neighbours().peers();
  std::sort(out.begin(), out.end());
  return out;
}

std::string Engine::state_text() const {
  return nodes_->text(self);
}

void Engine::receive(Time now, const Probed::Message& message) {
  run(now, core::Call::receive(air, &message));
}

void Engine::run(Time now, const core::Call& call) {
  perform(now, call);
  settle(now);
}

void Engine::perform(Time now, const core::Call& call) {
  nodes_->call(self, call, {{&random_, nullptr, &choose}, {&air, 1}, now}, effects_);
  for (const core::Effects::Send& send : effects_.sends) {
    core::Bytes& body = outgoing_.emplace_back();
    body.reserve(send.bytes);
    core::ByteSink sink{body};
    nodes_->messages().encode(send.message, sink);
  }
  alarms_.insert(alarms_.end(), effects_.alarms.begin(), effects_.alarms.end());
}

/// Moments are drawn behind all that the handlers of a step drew.
void Engine::settle(Time now) {
  for (const core::Effects::Alarm& alarm : alarms_) arm(now, alarm);
  alarms_.clear();
  if (const core::MemberList* list = nodes_->member_list(self))
    routes_.follow(*list);
  else
    routes_.follow(*nodes_->known(self), spec_.self);
}

void Engine::arm(Time now, const core::Effects::Alarm& alarm) {
  const auto at = std::find_if(armed_.begin(), armed_.end(),
                               [&](const Deadline& a) { return a.timer == alarm.timer; });
  if (!alarm.armed) {
    if (at != armed_.end()) armed_.erase(at);
    return;
  }
  const Time due = now + std::min(random_.between(alarm.min, alarm.max), longest);
  if (at != armed_.end())
    at->due = due;
  else
    armed_.push_back(
        {alarm.timer, Probed::silent_neighbour(alarm.timer), nodes_->is_silence(alarm.timer), due});
}

/// When a timer rings: silence only beyond the slack of this node and of the silent one. Whom an
/// election waits for is not known: any neighbour may be the late one.
Time Engine::rings(const Deadline& armed) const {
  if (armed.silence) {
    Duration longest_slack{};
    for (const auto& [id, its] : slack_of_) longest_slack = std::max(longest_slack, its);
    return armed.due + slack_ + longest_slack;
  }
  if (!armed.silent) return armed.due;
  const auto its = slack_of_.find(*armed.silent);
  return armed.due + slack_ + (its == slack_of_.end() ? Duration{0} : its->second);
}

std::vector<std::string> prioritized_names(const catalogue::Algorithms& algorithms) {
  std::vector<std::string> names;
  for (const core::Algorithm& each : algorithms)
    if (each.priorities && unsuitable_because(each).empty()) names.emplace_back(each.name);
  return names;
}

std::string use_another_algorithm() {
  std::string out = "use algorithm = ";
  const auto names = prioritized_names(catalogue::all());
  for (std::size_t i = 0; i < names.size(); ++i)
    out += (i == 0 ? "\"" : i + 1 == names.size() ? " or \"" : ", \"") + names[i] + '"';
  return out;
}

std::vector<std::string> suitable_names(const catalogue::Algorithms& algorithms) {
  std::vector<std::string> names;
  for (const core::Algorithm& each : algorithms)
    if (unsuitable_because(each).empty()) names.emplace_back(each.name);
  return names;
}

const core::Algorithm& find_suitable(const catalogue::Algorithms& algorithms,
                                     const std::string& name) {
  const core::Algorithm* found = catalogue::find(algorithms, name);
  if (found == nullptr)
    throw core::Problem("algorithm",
                        core::unknown_name("algorithm", name, suitable_names(algorithms)));
  if (const std::string why = unsuitable_because(*found); !why.empty())
    throw core::Problem("algorithm = \"" + name + "\": " + why + "; see: bellwether list node");
  return *found;
}

std::unique_ptr<Engine> make_engine(const catalogue::Algorithms& algorithms,
                                    const EngineSpec& spec) {
  return std::make_unique<Engine>(find_suitable(algorithms, spec.algorithm), spec);
}

}  // namespace bellwether::node
