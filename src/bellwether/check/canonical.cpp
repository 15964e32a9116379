// SPDX-License-Identifier: MIT
// One state for all that are the same but for the readings of clocks or the names of nodes.
#include <algorithm>

#include "bellwether/check/machine.hpp"
#include "bellwether/core/relabel.hpp"

namespace bellwether::check {

/// Readings of clocks and their ranks, group by group; 0 stays 0.
class StampRanks {
 public:
  void gather(const std::vector<std::uint64_t>& stamps) {
    for (std::size_t i = 0; i < stamps.size(); i += 2) {
      if (stamps[i + 1] == 0) continue;
      auto group = std::find_if(groups_.begin(), groups_.end(),
                                [&](const auto& each) { return each.first == stamps[i]; });
      if (group == groups_.end()) group = groups_.insert(groups_.end(), {stamps[i], {}});
      auto& values = group->second;
      const auto at = std::lower_bound(values.begin(), values.end(), stamps[i + 1]);
      if (at == values.end() || *at != stamps[i + 1]) values.insert(at, stamps[i + 1]);
    }
  }
  /// A number that is only compared, with readings that are here and with later ones, which are
  /// above it: the rank of the last reading that is not above it says as much; 0: none.
  std::uint64_t of_bound(std::uint64_t group, std::uint64_t bound) const {
    for (const auto& [name, values] : groups_)
      if (name == group)
        return static_cast<std::uint64_t>(std::upper_bound(values.begin(), values.end(), bound) -
                                          values.begin());
    return 0;
  }
  bool are_ranks(const std::vector<std::uint64_t>& bounds) const {
    for (std::size_t i = 0; i < bounds.size(); i += 2)
      if (of_bound(bounds[i], bounds[i + 1]) != bounds[i + 1]) return false;
    return true;
  }
  /// Every reading is its rank already.
  bool dense() const {
    return std::all_of(groups_.begin(), groups_.end(), [](const auto& group) {
      return group.second.back() == group.second.size();
    });
  }
  std::uint64_t of(std::uint64_t group, std::uint64_t reading) const {
    if (reading == 0) return 0;
    for (const auto& [name, values] : groups_)
      if (name == group)
        return static_cast<std::uint64_t>(std::lower_bound(values.begin(), values.end(), reading) -
                                          values.begin()) +
               1;
    return reading;
  }
  /// A number and the ranks that its readings will have, as a key.
  std::string key(Number id, const std::vector<std::uint64_t>& stamps,
                  const std::vector<std::uint64_t>& bounds = {}) const {
    std::string key(reinterpret_cast<const char*>(&id), sizeof id);
    const auto add = [&](std::uint64_t rank) {
      for (; rank >= 0x80; rank >>= 7) key += static_cast<char>(rank | 0x80);
      key += static_cast<char>(rank);
    };
    for (std::size_t i = 0; i < stamps.size(); i += 2) add(of(stamps[i], stamps[i + 1]));
    for (std::size_t i = 0; i < bounds.size(); i += 2) add(of_bound(bounds[i], bounds[i + 1]));
    return key;
  }
  /// What core::Nodes::for_each_stamp calls: `context` are the ranks.
  static void replace(void* context, std::uint64_t group, std::uint64_t& reading) {
    reading = static_cast<const StampRanks*>(context)->of(group, reading);
  }
  static void replace_bound(void* context, std::uint64_t group, std::uint64_t& bound) {
    bound = static_cast<const StampRanks*>(context)->of_bound(group, bound);
  }

 private:
  std::vector<std::pair<std::uint64_t, std::vector<std::uint64_t>>> groups_;  // ascending
};

bool Machine::canonical(Number* slots) {
  bool changed = ranks_ && compress(slots);
  if (symmetries_.size() > 1) changed = pick_twin(slots) || changed;
  return changed;
}

Number Machine::latest(const Number* slots) const {
  std::uint64_t last = 0;
  const auto look = [&](const std::vector<std::uint64_t>& stamps) {
    for (std::size_t i = 1; i < stamps.size(); i += 2) last = std::max(last, stamps[i]);
  };
  for (NodeIndex u = 0; u < plan_.nodes(); ++u) look(facts_[slots[u]].stamps);
  for (Number c = 0; c < plan_.channels.size(); ++c)
    for (const MessageId m : (*contents_)[slots[plan_.channel_slot(c)]]) look(messages_.stamps(m));
  return static_cast<Number>(last);
}

/// Readings of clocks become their ranks.
bool Machine::compress(Number* slots) {
  StampRanks ranks;
  for (NodeIndex u = 0; u < plan_.nodes(); ++u) ranks.gather(facts_[slots[u]].stamps);
  for (Number c = 0; c < plan_.channels.size(); ++c)
    for (const MessageId m : (*contents_)[slots[plan_.channel_slot(c)]])
      ranks.gather(messages_.stamps(m));
  bool are_ranks = ranks.dense();
  for (NodeIndex u = 0; are_ranks && u < plan_.nodes(); ++u)
    are_ranks = ranks.are_ranks(facts_[slots[u]].bounds);
  if (are_ranks) return false;
  const std::lock_guard guard(mutex_);
  for (NodeIndex u = 0; u < plan_.nodes(); ++u) slots[u] = restamped(slots[u], ranks);
  for (Number c = 0; c < plan_.channels.size(); ++c) {
    Number& content = slots[plan_.channel_slot(c)];
    if (content == 0) continue;
    std::vector<MessageId> row = (*contents_)[content];
    for (MessageId& m : row) m = restamped_message(m, ranks);
    content = contents_->of_bag(std::move(row));
  }
  return true;
}

LocalId Machine::restamped(LocalId id, StampRanks& ranks) {
  const LocalFacts& facts = facts_[id];
  const auto [at, fresh] = restamped_locals_.emplace(ranks.key(id, facts.stamps, facts.bounds), id);
  if (!fresh) return at->second;
  LocalState local = taken_up(id);
  nodes_->for_each_stamp(draft_, &StampRanks::replace, &ranks);
  nodes_->for_each_bound(draft_, &StampRanks::replace_bound, &ranks);
  return at->second = number_of(std::move(local));
}

MessageId Machine::restamped_message(MessageId id, StampRanks& ranks) {
  const auto [at, fresh] = restamped_messages_.emplace(ranks.key(id, messages_.stamps(id)), id);
  if (!fresh) return at->second;
  MessageDraft message = messages_.draft(id);
  nodes_->for_each_stamp(message.value(), &StampRanks::replace, &ranks);
  return at->second = messages_.number_of(message.value());
}

namespace {

std::uint32_t port_towards(const Plan& plan, NodeIndex u, NodeIndex v) {
  const auto& row = plan.sockets[u];
  const auto found =
      std::find_if(row.begin(), row.end(), [&](const PortWiring& s) { return s.peer == v; });
  return static_cast<std::uint32_t>(found - row.begin());
}

/// The names that nodes have in a twin, and the ports of one of them.
class TwinNames final : public core::Relabelling {
 public:
  TwinNames(const Plan& plan, const std::vector<NodeIndex>& to, NodeIndex at)
      : plan_(plan), to_(to), at_(at) {}

  NodeId id(NodeId old) const override {
    for (NodeIndex u = 0; u < plan_.nodes(); ++u)
      if (plan_.spec.ids[u] == old) return plan_.spec.ids[to_[u]];
    return old;
  }
  Port port(Port old) const override {
    const auto& sockets = plan_.sockets[at_];
    if (core::raw(old) >= sockets.size()) return old;
    return Port{port_towards(plan_, to_[at_], to_[sockets[core::raw(old)].peer])};
  }

 private:
  const Plan& plan_;
  const std::vector<NodeIndex>& to_;  // the new place of each node
  const NodeIndex at_;                // whose ports are renamed
};

}  // namespace

/// Of all states that differ in the names of nodes only, the one with the smallest numbers.
bool Machine::pick_twin(Number* slots) {
  const std::lock_guard guard(mutex_);
  const StateVector original(slots, slots + plan_.slots());
  StateVector best = original;
  for (const auto& to : symmetries_) best = std::min(best, twin_of(original, to));
  std::copy(best.begin(), best.end(), slots);
  return best != original;
}

StateVector Machine::twin_of(const StateVector& original, const std::vector<NodeIndex>& to) {
  StateVector twin = original;
  for (NodeIndex u = 0; u < plan_.nodes(); ++u) {
    const TwinNames names(plan_, to, u);
    LocalState local = taken_up(original[u]);
    nodes_->relabel(draft_, names);
    Number ports = 0;
    for (std::uint32_t p = 0; p < plan_.sockets[u].size(); ++p)
      if ((local.ports >> p & 1) != 0) ports |= Number{1} << core::raw(names.port(Port{p}));
    local.ports = ports;
    local.index = to[u];
    for (auto& alarm : local.alarms) alarm.timer = nodes_->relabelled(alarm.timer, names);
    twin[to[u]] = number_of(std::move(local));
  }
  for (const Channel& c : plan_.channels) {
    const auto of = [&](NodeIndex a, NodeIndex b) {
      return plan_.channel_slot(plan_.sockets[a][port_towards(plan_, a, b)].out);
    };
    const TwinNames names(plan_, to, c.from);
    std::vector<MessageId> row;
    for (const MessageId m : (*contents_)[original[of(c.from, c.to)]]) {
      MessageDraft message = messages_.draft(m);
      nodes_->relabel(message.value(), names);
      row.push_back(messages_.number_of(message.value()));
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
  return twin;
}

}  // namespace bellwether::check
