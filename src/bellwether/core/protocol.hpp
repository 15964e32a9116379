// SPDX-License-Identifier: MIT
// The contract of an election protocol: a regular value whose handlers write effects into a Step.
#pragma once

#include <concepts>

#include "bellwether/core/inbox.hpp"
#include "bellwether/core/step.hpp"

namespace bellwether::core {

template <class P>
concept Caching = requires {
  typename P::Cache;
};

template <class P>
struct CacheOfProtocol {
  using type = NoCache;
};
template <Caching P>
struct CacheOfProtocol<P> {
  using type = typename P::Cache;
};
template <class P>
using CacheOf = typename CacheOfProtocol<P>::type;
template <class P>
using StepOf = Step<typename P::Message, typename P::Timer, CacheOf<P>>;

/// What every protocol shows, whatever drives it.
template <class P>
concept Elector = std::regular<P> &&  // copy and == come from the compiler: checkable
    std::constructible_from<P, NodeId, typename P::Options> && Described<typename P::Options> &&
    requires(const P& seen) {
  { P::name } -> std::convertible_to<std::string_view>;
  { seen.leader() } -> std::same_as<std::optional<NodeId>>;
};

/// Whether a node says that it leads. Where nodes have no ids, a protocol says it with `leads()`.
template <class P>
bool leads(const P& node, NodeId id) {
  if constexpr (requires { node.leads(); }) return node.leads();
  return node.leader() == id;
}

/// An asynchronous protocol: it reacts to links, messages and timers.
template <class P>
concept Protocol = Elector<P> &&
    requires(P p, StepOf<P>& step, Port port, const typename P::Message& m, typename P::Timer t) {
  p.start(step);
  p.link_up(step, port);
  p.link_down(step, port);
  p.receive(step, port, m);
  p.timeout(step, t);
};

template <class P>
using RoundStepOf = Step<typename P::Message, NoTimer, CacheOf<P>>;

/// A synchronous protocol: in each round it reads what was sent in the round before. The first
/// round has an empty inbox. A port carries at most one message a round. `halted()` says that the
/// node needs no further round unless something reaches it.
template <class P>
concept RoundProtocol = Elector<P> &&
    requires(P p, const P& seen, RoundStepOf<P>& step, Inbox<typename P::Message> inbox) {
  p.round(step, inbox);
  { seen.halted() } -> std::same_as<bool>;
};

template <class P>
concept AnyProtocol = Protocol<P> || RoundProtocol<P>;

}  // namespace bellwether::core
