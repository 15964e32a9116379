// SPDX-License-Identifier: MIT
// Included by typed_machine.hpp only.
#pragma once

namespace bellwether::check {

template <core::Protocol P>
LocalId TypedMachine<P>::intern(Local&& local) {
  const std::uint64_t digest = local.digest();
  for (auto [at, end] = local_numbers_.equal_range(digest); at != end; ++at)
    if (locals_[at->second] == local) return at->second;
  LocalFacts facts = local.facts();
  if constexpr (has_stamps)
    local.node.for_each_stamp([&](std::uint64_t group, auto& value) {
      facts.stamps.push_back(group);
      facts.stamps.push_back(static_cast<std::uint64_t>(value < 0 ? -value : value));
    });
  facts_.add(std::move(facts));
  const LocalId id = locals_.add(std::move(local));
  local_numbers_.emplace(digest, id);
  return id;
}

template <core::Protocol P>
MessageId TypedMachine<P>::intern(const Message& message) {
  const std::uint64_t digest = core::digest(message);
  for (auto [at, end] = message_numbers_.equal_range(digest); at != end; ++at)
    if (messages_[at->second] == message) return at->second;
  std::vector<std::uint64_t> stamps;
  if constexpr (has_stamps) {
    Message copy = message;
    P::for_each_stamp(copy, [&](std::uint64_t group, auto& value) {
      stamps.push_back(group);
      stamps.push_back(static_cast<std::uint64_t>(value < 0 ? -value : value));
    });
  }
  message_stamps_.add(std::move(stamps));
  const MessageId id = messages_.add(message);
  message_numbers_.emplace(digest, id);
  return id;
}

/// Runs the handler once for each series of choices that it can make.
template <core::Protocol P>
Outcome TypedMachine<P>::find_out(LocalId id, const Occurrence& what) {
  Outcome result;
  choices_.clear();
  do {
    Local local = locals_[id];
    Alternative end;
    chosen_ = 0;
    try {
      call(local, what);
      end = collect(local);
    } catch (const core::Violation& violation) {
      end.next = id;
      end.broken = sentences_.add("invariant: " + std::string(violation.what()));
    }
    if (std::find(result.alternatives.begin(), result.alternatives.end(), end) !=
        result.alternatives.end())
      continue;
    for (const auto& [value, among] : choices_) end.choices.push_back(value);
    result.alternatives.push_back(std::move(end));
  } while (next_choices());
  const Alternative& first = result.alternatives.front();
  result.no_op = result.alternatives.size() == 1 && first.next == id && first.sends.empty() &&
                 first.broken == 0;
  return result;
}

/// The next series of choices; false when all were tried.
template <core::Protocol P>
bool TypedMachine<P>::next_choices() {
  while (!choices_.empty()) {
    if (++choices_.back().first < choices_.back().second) return true;
    choices_.pop_back();
  }
  return false;
}

template <core::Protocol P>
void TypedMachine<P>::call(Local& local, const Occurrence& what) {
  using Kind = Occurrence::Kind;
  stepping_ = local.index;
  about_ = what.port;
  const Number bit = Number{1} << what.port;
  if (what.kind == Kind::link_up) local.ports |= bit;
  if (what.kind == Kind::link_down) local.ports &= ~bit;
  ports_.clear();
  const auto& sockets = plan_.sockets[local.index];
  for (std::uint32_t p = 0; p < sockets.size(); ++p)
    if ((local.ports >> p & 1) != 0 && sockets[p].out != none) ports_.push_back(Port{p});
  step_.begin(ports_, clock_of(local, what.now));
  switch (what.kind) {
    case Kind::start:
      local.started = true;
      return local.node.start(step_);
    case Kind::link_up:
      return local.node.link_up(step_, Port{what.port});
    case Kind::link_down:
      return local.node.link_down(step_, Port{what.port});
    case Kind::receive:
      return local.node.receive(step_, what.unknown ? core::stranger : Port{what.port},
                                messages_[what.what]);
    case Kind::timeout: {
      const auto timer = local.alarms[what.what].timer;
      local.alarms.erase(local.alarms.begin() + static_cast<std::ptrdiff_t>(what.what));
      return local.node.timeout(step_, timer);
    }
  }
}

/// The effects of the handler that has just run.
template <core::Protocol P>
Alternative TypedMachine<P>::collect(Local& local) {
  Alternative end;
  for (const auto& send : step_.sends()) {
    const MessageId message = intern(send.message);
    if (send.port == core::every_port)
      for (const Port port : ports_)
        end.sends.push_back({static_cast<std::uint8_t>(core::raw(port)), message});
    else if (std::find(ports_.begin(), ports_.end(), send.port) != ports_.end())
      end.sends.push_back({static_cast<std::uint8_t>(core::raw(send.port)), message});
  }
  for (const auto& alarm : step_.alarms()) {
    // A long timer with a range: both of its ends are tried.
    const bool open = alarm.armed && alarm.min > plan_.spec.delay && alarm.min < alarm.max;
    local.set(alarm, plan_.spec.delay, open && choose_for(this, 2) == 1);
  }
  end.next = intern(std::move(local));
  return end;
}

template <core::Protocol P>
bool TypedMachine<P>::canonical(Number* slots) {
  bool changed = ranks() && compress(slots);
  if (symmetries_.size() > 1) changed = pick_twin(slots) || changed;
  return changed;
}

template <core::Protocol P>
Number TypedMachine<P>::latest(const Number* slots) const {
  std::uint64_t last = 0;
  const auto look = [&](const std::vector<std::uint64_t>& stamps) {
    for (std::size_t i = 1; i < stamps.size(); i += 2) last = std::max(last, stamps[i]);
  };
  for (NodeIndex u = 0; u < plan_.nodes(); ++u) look(facts_[slots[u]].stamps);
  for (Number c = 0; c < plan_.channels.size(); ++c)
    for (const MessageId m : (*contents_)[slots[plan_.channel_slot(c)]]) look(message_stamps_[m]);
  return static_cast<Number>(last);
}

/// Readings of clocks become their ranks, group by group; 0 stays 0.
template <core::Protocol P>
bool TypedMachine<P>::compress(Number* slots) {
  Mapping mapping;  // by group: the readings, ascending
  const auto gather = [&](const std::vector<std::uint64_t>& stamps) {
    for (std::size_t i = 0; i < stamps.size(); i += 2) {
      if (stamps[i + 1] == 0) continue;
      auto group = std::find_if(mapping.begin(), mapping.end(),
                                [&](const auto& each) { return each.first == stamps[i]; });
      if (group == mapping.end()) group = mapping.insert(mapping.end(), {stamps[i], {}});
      auto& values = group->second;
      const auto at = std::lower_bound(values.begin(), values.end(), stamps[i + 1]);
      if (at == values.end() || *at != stamps[i + 1]) values.insert(at, stamps[i + 1]);
    }
  };
  for (NodeIndex u = 0; u < plan_.nodes(); ++u) gather(facts_[slots[u]].stamps);
  for (Number c = 0; c < plan_.channels.size(); ++c)
    for (const MessageId m : (*contents_)[slots[plan_.channel_slot(c)]]) gather(message_stamps_[m]);
  const bool dense = std::all_of(mapping.begin(), mapping.end(), [](const auto& group) {
    return group.second.back() == group.second.size();
  });
  if (dense) return false;
  const std::lock_guard guard(mutex_);
  for (NodeIndex u = 0; u < plan_.nodes(); ++u) slots[u] = restamped(slots[u], mapping);
  for (Number c = 0; c < plan_.channels.size(); ++c) {
    Number& content = slots[plan_.channel_slot(c)];
    if (content != 0) content = restamped_row(content, mapping);
  }
  return true;
}

namespace detail {

/// Replaces a reading by its rank, and keeps its sign.
template <class Mapping>
auto to_rank(const Mapping& mapping) {
  return [&mapping](std::uint64_t group, auto& value) {
    using T = std::remove_reference_t<decltype(value)>;
    if (value == 0) return;
    const auto magnitude = static_cast<std::uint64_t>(value < 0 ? -value : value);
    for (const auto& [name, values] : mapping) {
      if (name != group) continue;
      const auto rank = std::lower_bound(values.begin(), values.end(), magnitude) - values.begin();
      value = static_cast<T>(value < 0 ? -(rank + 1) : rank + 1);
      return;
    }
  };
}

}  // namespace detail

namespace detail {

/// A number and the ranks that its readings will have, as a key.
template <class Mapping>
std::string rank_key(Number id, const std::vector<std::uint64_t>& stamps, const Mapping& mapping) {
  std::string key(reinterpret_cast<const char*>(&id), sizeof id);
  for (std::size_t i = 0; i < stamps.size(); i += 2) {
    std::uint64_t rank = stamps[i + 1];
    to_rank(mapping)(stamps[i], rank);
    for (; rank >= 0x80; rank >>= 7) key += static_cast<char>(rank | 0x80);
    key += static_cast<char>(rank);
  }
  return key;
}

}  // namespace detail

template <core::Protocol P>
LocalId TypedMachine<P>::restamped(LocalId id, const Mapping& mapping) {
  const auto [at, fresh] =
      restamped_locals_.emplace(detail::rank_key(id, facts_[id].stamps, mapping), id);
  if constexpr (has_stamps) {
    if (!fresh) return at->second;
    Local local = locals_[id];
    local.node.for_each_stamp(detail::to_rank(mapping));
    at->second = intern(std::move(local));
  }
  return at->second;
}

template <core::Protocol P>
MessageId TypedMachine<P>::restamped_message(MessageId id, const Mapping& mapping) {
  const auto [at, fresh] =
      restamped_messages_.emplace(detail::rank_key(id, message_stamps_[id], mapping), id);
  if constexpr (has_stamps) {
    if (!fresh) return at->second;
    Message message = messages_[id];
    P::for_each_stamp(message, detail::to_rank(mapping));
    at->second = intern(message);
  }
  return at->second;
}

template <core::Protocol P>
Number TypedMachine<P>::restamped_row(Number content, const Mapping& mapping) {
  std::vector<MessageId> row = (*contents_)[content];
  for (MessageId& m : row) m = restamped_message(m, mapping);
  return contents_->of_bag(std::move(row));
}

/// Of all states that differ in the names of nodes only, the one with the smallest numbers.
template <core::Protocol P>
bool TypedMachine<P>::pick_twin(Number* slots) {
  if constexpr (is_symmetric<P>) {
    struct Names {
      const Plan& plan;
      const std::vector<NodeIndex>& to;  // the new place of each node
      NodeIndex at;                      // whose ports are renamed
      NodeId id(NodeId old) const {
        for (NodeIndex u = 0; u < plan.nodes(); ++u)
          if (plan.spec.ids[u] == old) return plan.spec.ids[to[u]];
        return old;
      }
      Port port(Port old) const {
        const auto& sockets = plan.sockets[at];
        if (core::raw(old) >= sockets.size()) return old;
        return Port{port_towards(plan, to[at], to[sockets[core::raw(old)].peer])};
      }
      static std::uint32_t port_towards(const Plan& plan, NodeIndex u, NodeIndex v) {
        const auto& row = plan.sockets[u];
        const auto found =
            std::find_if(row.begin(), row.end(), [&](const Socket& s) { return s.peer == v; });
        return static_cast<std::uint32_t>(found - row.begin());
      }
    };
    const std::lock_guard guard(mutex_);
    const Slots original(slots, slots + plan_.slots());
    Slots best = original;
    Slots twin;
    for (const auto& to : symmetries_) {
      twin = original;
      for (NodeIndex u = 0; u < plan_.nodes(); ++u) {
        const Names names{plan_, to, u};
        Local local = locals_[original[u]];
        relabel(names, local.node);
        Number ports = 0;
        for (std::uint32_t p = 0; p < plan_.sockets[u].size(); ++p)
          if ((local.ports >> p & 1) != 0) ports |= Number{1} << core::raw(names.port(Port{p}));
        local.ports = ports;
        local.index = to[u];
        for (auto& alarm : local.alarms) relabel(names, alarm.timer);
        twin[to[u]] = intern(std::move(local));
      }
      for (const Channel& c : plan_.channels) {
        const auto of = [&](NodeIndex a, NodeIndex b) {
          return plan_.channel_slot(plan_.sockets[a][Names::port_towards(plan_, a, b)].out);
        };
        std::vector<MessageId> row;
        for (const MessageId m : (*contents_)[original[of(c.from, c.to)]]) {
          Message message = messages_[m];
          relabel(Names{plan_, to, c.from}, message);
          row.push_back(intern(message));
        }
        twin[of(to[c.from], to[c.to])] = contents_->of_bag(std::move(row));
      }
      for (Number l = 0; l < plan_.links.size(); ++l) {
        const Wire& wire = plan_.links[l];
        const Number image = plan_.link_between(to[wire.a], to[wire.b]);
        LinkState state = plan_.link(original.data(), l);
        if (plan_.links[image].a != to[wire.a]) std::swap(state.untold_a, state.untold_b);
        plan_.set_link(twin.data(), image, state);
      }
      best = std::min(best, twin);
    }
    std::copy(best.begin(), best.end(), slots);
    return best != original;
  } else {
    return slots == nullptr;
  }
}

}  // namespace bellwether::check
