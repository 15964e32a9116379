// SPDX-License-Identifier: MIT
// Machine for one protocol: where the search meets the handlers.
#pragma once

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "bellwether/check/contents.hpp"
#include "bellwether/check/judge.hpp"
#include "bellwether/check/local_state.hpp"
#include "bellwether/check/pool.hpp"
#include "bellwether/check/relabel.hpp"
#include "bellwether/check/watch.hpp"

namespace bellwether::check {

template <core::Protocol P>
class TypedMachine final : public Machine {
 public:
  using Message = typename P::Message;
  using Local = LocalState<P>;

  TypedMachine(const Plan& plan, typename P::Options options, core::Monitors<P> monitors,
               JudgeSpec judge)
      : plan_(plan),
        options_(options),
        clock_(core::clock_use_of<P>(options)),
        watcher_(std::move(monitors)),
        judge_(plan, judge) {
    step_.rebind({this, &TypedMachine::peer_of, &TypedMachine::choose_for});
    sentences_.add({});  // numbers from 1
  }
  /// Before the first question that needs it.
  void read_channels_from(Contents& contents) { contents_ = &contents; }
  void use_symmetries(std::vector<std::vector<NodeIndex>> all) { symmetries_ = std::move(all); }

  LocalId newborn(NodeIndex node, Number ports) override {
    const std::lock_guard guard(mutex_);
    Local local;
    local.node = P(plan_.spec.ids[node], options_);
    local.index = node;
    local.ports = ports;
    return intern(std::move(local));
  }
  LocalId crashed(LocalId local, bool memory) override {
    return changed(local, [&](Local& l) {
      if (!memory) forget(l);
      l.alive = false;
    });
  }
  LocalId revived(LocalId local, bool memory) override {
    return changed(local, [&](Local& l) {
      l.alive = true;
      l.ports = 0;  // it will be told which of its links it has lost
      if (!memory) ++l.lives;
    });
  }
  LocalId elapsed(LocalId local, Duration time) override {
    return changed(local, [&](Local& l) {
      for (auto& alarm : l.alarms)
        if (alarm.late) alarm.left -= time;
    });
  }
  const Outcome& outcome(LocalId local, Occurrence what) override {
    const std::lock_guard guard(mutex_);
    const OutcomeKey key{local, what.what, what.now,
                         Number{static_cast<std::uint8_t>(what.kind)} | Number{what.unknown} << 3 |
                             Number{what.port} << 4};
    const auto [at, fresh] = outcome_numbers_.emplace(key, outcomes_.size());
    if (fresh) outcomes_.add(find_out(local, what));
    return outcomes_[at->second];
  }
  bool no_op_lasts(MessageId message) const override {
    if constexpr (knows_no_ops)
      return P::no_op_lasts(messages_[message], options_, has_restarts(plan_.spec));
    else
      return message == none;
  }
  bool absorbs() const override { return knows_no_ops; }

  bool has_canonical() const override { return ranks() || symmetries_.size() > 1; }
  bool canonical(Number* slots) override;
  std::uint64_t symmetries() const override { return std::max<std::size_t>(1, symmetries_.size()); }
  Number now(const Number* slots) const override {
    return clock_ == core::ClockUse::always ? latest(slots) + 1 : 0;
  }

  Number watch(Number memory, const Number* slots, const core::Happening& what) override {
    const std::lock_guard guard(mutex_);
    return watcher_.after(memory, TypedSnapshot<TypedMachine>(*this, slots), what);
  }
  Number watch_rest(Number memory, const Number* slots) override {
    const std::lock_guard guard(mutex_);
    return watcher_.at_rest(memory, TypedSnapshot<TypedMachine>(*this, slots));
  }
  bool steps_commute() const override {
    return !watcher_.watches() && clock_ != core::ClockUse::always && !ranks();
  }
  std::optional<std::string> disagreement(const Number* slots) override {
    return judge_.at_rest(*this, slots);
  }

  Number say(const std::string& sentence) override {
    const std::lock_guard guard(mutex_);
    return sentences_.add(sentence);
  }
  const std::string& sentence(Number broken) const override { return sentences_[broken]; }
  std::uint64_t bytes() const override {
    return std::uint64_t{locals_.size()} * (sizeof(Local) + sizeof(LocalFacts) + 200) +
           std::uint64_t{outcomes_.size()} * (sizeof(Outcome) + 160) +
           std::uint64_t{messages_.size()} * (sizeof(Message) + 150);
  }

  // For snapshots.
  const Plan& plan() const { return plan_; }
  const Contents& contents() const { return *contents_; }
  const Local& local(LocalId id) const { return locals_[id]; }
  const Message& message(MessageId id) const { return messages_[id]; }
  core::Time clock_of(const Local& local, Number now) const {
    if (clock_ == core::ClockUse::always) return core::Time{now};
    return clock_ == core::ClockUse::at_start ? core::Time{std::chrono::seconds(local.lives)}
                                              : core::Time{0};
  }
  using Protocol = P;
  /// Readings of clocks that can be renumbered.
  static constexpr bool has_stamps = requires(P & p, Message& m) {
    p.for_each_stamp([](std::uint64_t, auto&) {});
    P::for_each_stamp(m, [](std::uint64_t, auto&) {});
  };

 private:
  struct OutcomeKey {
    Number local, what, now, rest;
    friend auto operator<=>(const OutcomeKey&, const OutcomeKey&) = default;
  };
  struct HashKey {
    std::size_t operator()(const OutcomeKey& k) const {
      return core::mix(std::uint64_t{k.local} << 32 | k.what, std::uint64_t{k.now} << 32 | k.rest);
    }
  };
  bool ranks() const { return has_stamps && plan_.spec.clocks == ClockValues::rank; }

  void forget(Local& l) const {
    l.node = P(plan_.spec.ids[l.index], options_);
    l.ports = 0;
    l.alarms.clear();
    l.started = false;
  }
  template <class Change>
  LocalId changed(LocalId id, Change&& change) {
    const std::lock_guard guard(mutex_);
    Local local = locals_[id];
    change(local);
    return intern(std::move(local));
  }
  LocalId intern(Local&& local);
  MessageId intern(const Message& message);
  Outcome find_out(LocalId id, const Occurrence& what);
  void call(Local& local, const Occurrence& what);
  Alternative collect(Local& local);
  bool next_choices();

  Number latest(const Number* slots) const;
  /// A protocol may say of a message that changes nothing in a node that it never will, in this
  /// life of the node: `no_op_lasts(message, options, restarts)`, where the last says that nodes
  /// may come back without memory.
  static constexpr bool knows_no_ops = requires(const Message& m, const typename P::Options& o) {
    P::no_op_lasts(m, o, true);
  };
  using Mapping = std::vector<std::pair<std::uint64_t, std::vector<std::uint64_t>>>;
  bool compress(Number* slots);
  LocalId restamped(LocalId id, const Mapping& mapping);
  MessageId restamped_message(MessageId id, const Mapping& mapping);
  Number restamped_row(Number content, const Mapping& mapping);
  bool pick_twin(Number* slots);

  static NodeId peer_of(void* self, Port port) {
    auto& m = *static_cast<TypedMachine*>(self);
    const auto& sockets = m.plan_.sockets[m.stepping_];
    const std::size_t place = port == core::stranger ? m.about_ : core::raw(port);
    core::invariant(place < sockets.size(), "the peer of a port that never was");
    return m.plan_.spec.ids[sockets[place].peer];
  }
  static std::uint64_t choose_for(void* self, std::uint64_t n) {
    auto& m = *static_cast<TypedMachine*>(self);
    core::invariant(n <= 4096, "a choice among more than 4096 cannot be tried out");
    if (m.chosen_ == m.choices_.size()) m.choices_.push_back({0, n});
    return m.choices_[m.chosen_++].first;
  }

  const Plan& plan_;
  const typename P::Options options_;
  const core::ClockUse clock_;
  Watcher<P> watcher_;
  Judge judge_;
  Contents* contents_ = nullptr;
  std::vector<std::vector<NodeIndex>> symmetries_;

  std::mutex mutex_;
  Pool<Local> locals_;
  std::unordered_multimap<std::uint64_t, LocalId> local_numbers_;
  Pool<Message> messages_;
  Pool<std::vector<std::uint64_t>> message_stamps_;
  std::unordered_multimap<std::uint64_t, MessageId> message_numbers_;
  Pool<Outcome> outcomes_;
  std::unordered_map<OutcomeKey, Number, HashKey> outcome_numbers_;
  Pool<std::string> sentences_;

  // What was renumbered before: a number and the ranks of its readings.
  std::unordered_map<std::string, Number> restamped_locals_, restamped_messages_;

  // Of the handler that runs.
  core::StepOf<P> step_;
  std::vector<Port> ports_;
  NodeIndex stepping_ = 0;
  std::size_t about_ = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> choices_;  // value, out of how many
  std::size_t chosen_ = 0;
};

}  // namespace bellwether::check

#include "bellwether/check/typed_machine.inl"
