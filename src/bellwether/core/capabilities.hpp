// SPDX-License-Identifier: MIT
// The whole contract of a protocol beyond its handlers: every member that a driver may ask for, in
// one place. What is not written exactly like this is refused where it looks like a near miss, so
// that a misspelt hook is not silently none.
//
//   static constexpr bool airborne        needs no links from its driver (a layer)
//   const AnyNode& inside()               the protocol inside (a layer; its Options have `inner`)
//   bool leads()                          where nodes have no ids: this one leads
//   leaders(), rank()                     a hierarchy: core/hierarchical.hpp
//   height()                              links lead from the higher node to the lower
//   set_priority(step, priority)          a higher priority leads before a more central node
//   farewell(step, port)                  a link is gone since the node behind it leaves; without
//                                         it, link_down(step, port) is called
//   const Known& known()                  the map of its component: core/members.hpp
//   const MemberList& member_list()       the list of its members: core/member_list.hpp
//   std::optional<TreePlace> tree_place() where the node is in the tree of its leader, while it is
//                                         in one: core/tree_place.hpp
//   static bool is_silence(timer)         the timer waits for the silence of another node: a driver
//                                         that is late itself lets it expire later
//   static bool is_beacon(message)        a frame that says only that its sender is there
//   neighbours().peers()                  those that a layer has detected
//   static Monitors<P> monitors()         its properties; monitors_on_request(): asked for by name
//   static Criterion criterion(options)   where options decide which node it means to elect
//   static std::optional<OptionConflict> conflict(options)   options that contradict each other:
//                                         who makes nodes refuses them (core/option_rows.hpp)
//   static ClockUse clock_use(options)    where options decide what it reads of `now()`
//   static message_bound(nodes, [links,] options)   the most messages that are claimed
//   for_each_stamp(visit), static for_each_stamp(message, visit)   readings of clocks that a search
//                                         may renumber in the order they have
//   for_each_bound(visit)                 numbers with which such readings are only compared: one
//                                         is new if it is above. Readings to come are above them
//   forget_unused()                       sets what no later step reads before it is written again
//                                         to what it is at the start: two states that differ in
//                                         nothing else are one state of a search
//   static constexpr bool symmetric       ids and ports are compared for equality only
//   using Cache = ...                     what a driver keeps for its nodes, from step to step, in
//                                         step.cache(): never two threads in the same one
//   static bool no_op_lasts(message, options, restarts)   what changes nothing now never will
#pragma once

#include "bellwether/core/hierarchical.hpp"
#include "bellwether/core/host.hpp"
#include "bellwether/core/option_rows.hpp"
#include "bellwether/core/property.hpp"

namespace bellwether::core {

/// A protocol that carries another one.
template <class P>
concept Layer = requires(const P& p, const typename P::Options& options) {
  { p.inside() } -> std::same_as<const AnyNode&>;
  { *options.inner } -> std::convertible_to<const Nodes&>;
};

template <class P>
struct TimerOfProtocol {
  using type = NoTimer;
};
template <Protocol P>
struct TimerOfProtocol<P> {
  using type = typename P::Timer;
};
template <class P>
using TimerOf = typename TimerOfProtocol<P>::type;
template <class P>
using StepFor = Step<typename P::Message, TimerOf<P>, CacheOf<P>>;

template <class P>
concept Stamped = requires(P& p, typename P::Message& m) {
  p.for_each_stamp([](std::uint64_t, auto&) {});
  P::for_each_stamp(m, [](std::uint64_t, auto&) {});
};

template <class P>
concept BoundsStamps = Stamped<P> && requires(P& p) {
  p.for_each_bound([](std::uint64_t, auto&) {});
};

template <class P>
concept Forgets = requires(P& p) {
  { p.forget_unused() } -> std::same_as<void>;
};

template <class P>
concept Symmetric = requires {
  requires P::symmetric;
};

template <class P>
concept KnowsNoOps = requires(const typename P::Message& m, const typename P::Options& options) {
  { P::no_op_lasts(m, options, true) } -> std::same_as<bool>;
};

template <class P>
concept Prioritized = Protocol<P> && requires(P& p, StepFor<P>& step) {
  p.set_priority(step, 1u);
};

template <class P>
concept KeepsMap = requires(const P& p) {
  { p.known() } -> std::same_as<const Known&>;
};

template <class P>
concept ListsMembers = requires(const P& p) {
  { p.member_list() } -> std::same_as<const MemberList&>;
};

template <class P>
concept BuildsTree = requires(const P& p) {
  { p.tree_place() } -> std::same_as<std::optional<TreePlace>>;
};

template <class P>
concept KnowsSilence = requires(const TimerOf<P>& timer) {
  { P::is_silence(timer) } -> std::same_as<bool>;
};

template <class P>
concept HeedsFarewells = Protocol<P> && requires(P& p, StepFor<P>& step) {
  p.farewell(step, Port{});
};

template <class P>
concept FindsConflicts = requires(const typename P::Options& options) {
  { P::conflict(options) } -> std::same_as<std::optional<OptionConflict>>;
};

template <class P>
concept Tall = requires(const P& p) {
  p.height() < p.height();
};

template <class P>
concept Beaconing = requires(const typename P::Message& m) {
  { P::is_beacon(m) } -> std::same_as<bool>;
};

template <class P>
Facts facts_of(const typename P::Options& options) {
  if constexpr (requires { P::facts_of(options); }) return P::facts_of(options);
  if constexpr (requires { P::facts; }) return P::facts;
  return static_cast<void>(options), Facts{};
}

/// A member of this name that cannot be called as the contract says is a near miss.
template <class P>
constexpr void refuse_near_misses() {
  static_assert(
      KeepsMap<P> || !requires(const P& p) { p.known(); },
      "known() must return const core::Known&");
  static_assert(
      ListsMembers<P> || !requires(const P& p) { p.member_list(); },
      "member_list() must return const core::MemberList&");
  static_assert(
      BuildsTree<P> || !requires(const P& p) { p.tree_place(); },
      "tree_place() must return std::optional<core::TreePlace>");
  static_assert(
      KnowsSilence<P> || !requires { &P::is_silence; },
      "is_silence must be: static bool is_silence(timer)");
  static_assert(
      HeedsFarewells<P> || !requires { &P::farewell; },
      "farewell must be: void farewell(step, port)");
  static_assert(
      FindsConflicts<P> || !requires { &P::conflict; },
      "conflict must be: static std::optional<core::OptionConflict> conflict(const Options&)");
  static_assert(
      KnowsNoOps<P> || !requires { &P::no_op_lasts; },
      "no_op_lasts must be: static bool no_op_lasts(message, options, restarts)");
  static_assert(
      Forgets<P> || !requires { &P::forget_unused; },
      "forget_unused must be: void forget_unused()");
  static_assert(
      BoundsStamps<P> || !requires(P & p) { p.for_each_bound([](std::uint64_t, auto&) {}); },
      "for_each_bound(visit) is about readings: it needs for_each_stamp");
  static_assert(
      Beaconing<P> || !requires { &P::is_beacon; },
      "is_beacon must be: static bool is_beacon(message)");
  static_assert(
      Monitored<P> || !requires { &P::monitors; },
      "monitors must be: static core::Monitors<P> monitors()");
  static_assert(
      Prioritized<P> || !requires { &P::set_priority; },
      "set_priority must be: void set_priority(step, std::uint32_t)");
  static_assert(
      Ranked<P> || !requires(const P& p) { p.rank(); },
      "a hierarchy has leaders() and rank(): core/hierarchical.hpp");
}

template <class P>
Capabilities capabilities_of(const typename P::Options& options) {
  refuse_near_misses<P>();
  Capabilities can;
  if constexpr (Layer<P>) {
    const Capabilities& inner = options.inner->can();
    can.ranked = inner.ranked;
    can.heights = inner.heights;
    can.priorities = inner.priorities;
    can.map = inner.map;
    can.list = inner.list;
    can.tree = inner.tree;
    can.silence_timers = inner.silence_timers;
  }
  can.rounds = RoundProtocol<P>;
  can.timers = !std::is_same_v<TimerOf<P>, NoTimer>;
  can.described = Described<P>;
  if constexpr (requires { P::airborne; }) can.airborne = P::airborne;
  can.ranked = can.ranked || Ranked<P>;
  can.heights = can.heights || Tall<P>;
  can.priorities = Prioritized<P> && (can.priorities || !Layer<P>);
  can.map = can.map || KeepsMap<P>;
  can.list = can.list || ListsMembers<P>;
  can.tree = can.tree || BuildsTree<P>;
  can.silence_timers = KnowsSilence<P> && (can.silence_timers || !Layer<P>);
  can.beacons = Beaconing<P>;
  can.stamps = Stamped<P>;
  can.forgets = Forgets<P>;
  can.symmetric = Symmetric<P>;
  can.lasting_no_ops = KnowsNoOps<P>;
  return static_cast<void>(options), can;
}

}  // namespace bellwether::core
