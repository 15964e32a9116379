// SPDX-License-Identifier: MIT
#include "bellwether/world/csma.hpp"

#include <algorithm>

#include "bellwether/core/invariant.hpp"

namespace bellwether::world {
namespace {

/// How long the medium had been free when a run began: long enough.
constexpr Time long_ago = -std::chrono::hours(1);

/// A receiver needs so long to detect a preamble; a second one within this time hides the first.
constexpr Duration detection = std::chrono::microseconds(4);

/// How much of [from, to) lies in [first, last).
Duration overlap(Time from, Time to, Time first, Time last) {
  return std::max(Duration{0}, std::min(to, last) - std::max(from, first));
}

}  // namespace

Csma::Csma(const RadioSpec& spec, NodeIndex nodes, std::uint64_t seed)
    : spec_(spec.csma), mtu_(spec.mtu), power_(spec.power), aifs_(spec.csma.aifs()), nodes_(nodes) {
  core::invariant(spec_.slot > Duration{0} && spec_.rate > 0, "slots and bits take time");
  for (NodeIndex u = 0; u < nodes; ++u) {
    nodes_[u].busy_until = nodes_[u].tx_end = long_ago;
    nodes_[u].prng = core::stream(seed, "csma", u);
  }
}

void Csma::link(NodeIndex a, NodeIndex b, bool up) {
  core::invariant(a != b && a < nodes_.size() && b < nodes_.size(), "a link joins two nodes");
  const auto set = [&](std::vector<NodeIndex>& near, NodeIndex other) {
    const auto place = std::lower_bound(near.begin(), near.end(), other);
    const bool there = place != near.end() && *place == other;
    if (up && !there) near.insert(place, other);
    if (!up && there) near.erase(place);
  };
  set(nodes_[a].near, b);
  set(nodes_[b].near, a);
}

// Access.

/// From when on the medium is free enough at a node for its backoff to run, as far as is known.
inline Time Csma::free_from(const Station& node) const {
  return std::max(node.busy_until, node.tx_end) + aifs_;
}

/// When its backoff is over if the medium stays free; long ago if there is none.
inline Time Csma::ready(const Station& node) const {
  return free_from(node) + node.slots * spec_.slot;
}

/// A node that finds the medium free, even since this moment, draws no backoff, and sends when the
/// next slot begins. Slots are counted from AIFS after the medium became free. So all who answer
/// what they have just heard answer at once.
inline Time Csma::next_slot(const Station& node, Time now) const {
  const Time from = free_from(node);
  if (now <= from) return from;
  const auto slots = (now - from + spec_.slot - Duration{1}) / spec_.slot;
  return from + slots * spec_.slot;
}

inline void Csma::draw_backoff(Station& node) {
  node.slots = static_cast<std::uint32_t>(node.prng.below(std::uint64_t{spec_.cw} + 1));
  node.backoff = true;
}

void Csma::set_wake(NodeIndex u, Time at, MediumEffects& effects) {
  effects.wakes.push_back({at, u, ++nodes_[u].serial});
}

void Csma::await_turn(NodeIndex u, MediumEffects& effects) {
  nodes_[u].due = ready(nodes_[u]);
  set_wake(u, nodes_[u].due, effects);
}

void Csma::send(NodeIndex u, std::uint32_t frame, std::size_t bytes, Time now,
                MediumEffects& effects) {
  Station& node = nodes_[u];
  if (bytes > mtu_) ++counts_.too_large;
  if (bytes > mtu_ || !node.on) return effects.done.push_back(frame);

  node.line.push_back({frame, static_cast<std::uint32_t>(bytes)});
  if (node.sending || node.due != core::end_of_time) return;  // its turn comes
  if (spec_.aligned && !node.backoff && node.busy_until <= now) {
    node.due = next_slot(node, now);
    if (node.due > now) return set_wake(u, node.due, effects);
  }
  if (now >= ready(node) || now == node.found_free) return transmit(u, now, effects);
  if (!node.backoff) draw_backoff(node);
  await_turn(u, effects);
}

void Csma::wake(NodeIndex u, std::uint32_t serial, Time now, MediumEffects& effects) {
  Station& node = nodes_[u];
  if (serial != node.serial) return;
  if (node.sending) return finish(u, effects);
  // A node that was heard meanwhile has moved the turn; the wake had been left where it was.
  if (now < node.due) return set_wake(u, node.due, effects);
  transmit(u, now, effects);
}

void Csma::transmit(NodeIndex u, Time now, MediumEffects& effects) {
  Station& node = nodes_[u];
  settle(node, now);
  if (node.locked != nobody) {  // on a frame that ends, or begins, right now
    if (nodes_[node.locked].tx_end <= now) {
      deliver(u, effects);
    } else {
      if (!node.spoilt) ++counts_.lost_deaf;
      unlock(node, now);
    }
  }
  const QueuedFrame next = node.line[node.head++];
  if (node.head == node.line.size()) {
    node.line.clear();
    node.head = 0;
  } else if (2 * node.head >= node.line.size()) {
    node.line.erase(node.line.begin(), node.line.begin() + static_cast<std::ptrdiff_t>(node.head));
    node.head = 0;
  }
  node.frame = next.frame;
  node.sending = true;
  node.tx_end = now + spec_.airtime(next.bytes);
  node.due = core::end_of_time;
  node.found_free = Time{-1};
  draw_backoff(node);
  ++counts_.sent;
  set_wake(u, node.tx_end, effects);
  node.audience.assign(node.near.begin(), node.near.end());
  for (const NodeIndex v : node.audience)
    if (nodes_[v].on) hear(v, u, now, effects);
}

void Csma::finish(NodeIndex u, MediumEffects& effects) {
  Station& node = nodes_[u];
  node.sending = false;
  for (const NodeIndex v : node.audience)
    if (nodes_[v].locked == u) deliver(v, effects);
  effects.done.push_back(node.frame);
  if (!node.line.empty()) await_turn(u, effects);
}

// What others hear.

void Csma::hear(NodeIndex v, NodeIndex from, Time now, MediumEffects& effects) {
  Station& node = nodes_[v];
  settle(node, now);
  hold_backoff(node, now);
  const bool quiet = node.busy_until <= now;
  node.busy_until = std::max(node.busy_until, nodes_[from].tx_end);
  if (node.due != core::end_of_time && node.due > now) node.due = ready(node);
  receive(v, from, now, quiet, effects);
}

/// The medium is no longer free: slots that have passed count, one that has begun does not.
inline void Csma::hold_backoff(Station& node, Time now) {
  const Time from = free_from(node);
  if (now >= from + node.slots * spec_.slot) {
    node.backoff = false;
    node.slots = 0;
    node.found_free = now;
  } else if (now > from) {
    node.slots -= static_cast<std::uint32_t>((now - from) / spec_.slot);
  }
}

void Csma::receive(NodeIndex v, NodeIndex from, Time now, bool quiet, MediumEffects& effects) {
  Station& node = nodes_[v];
  ++counts_.possible;
  if (node.sending && node.tx_end > now) {
    ++counts_.lost_deaf;
    return;
  }
  if (node.locked != nobody && nodes_[node.locked].tx_end <= now) deliver(v, effects);
  if (node.locked != nobody) {
    ++counts_.lost_overlap;
    const bool hidden = now - node.locked_at <= detection;
    if (!node.spoilt && (hidden || !survives(node))) {
      ++counts_.lost_overlap;
      node.spoilt = true;  // its receiver may notice at the end only
    }
    if (hidden) unlock(node, now);
  } else if (!quiet) {
    ++counts_.lost_overlap;
  } else {
    node.locked = from;
    node.locked_at = now;
    node.spoilt = false;
    node.rx_from = now + spec_.preamble;
    node.rx_until = nodes_[from].tx_end;
  }
}

/// Nothing is drawn where it is certain.
bool Csma::survives(Station& node) const {
  if (spec_.capture >= 1) return true;
  return spec_.capture > 0 && node.prng.unit() < spec_.capture;
}

void Csma::deliver(NodeIndex v, MediumEffects& effects) {
  Station& node = nodes_[v];
  if (!node.spoilt) {
    ++counts_.received;
    effects.heard.push_back({nodes_[node.locked].frame, v});
  }
  node.locked = nobody;
}

/// Gives a frame up before its end. The node must be settled.
void Csma::unlock(Station& node, Time now) {
  node.locked = nobody;
  node.rx_until = std::min(node.rx_until, now);
}

// Crashes.

void Csma::power(NodeIndex u, bool on, Time now, MediumEffects& effects) {
  if (nodes_[u].on == on) return;
  settle(nodes_[u], now);
  nodes_[u].on = on;
  on ? switch_on(u, now) : switch_off(u, now, effects);
}

void Csma::switch_off(NodeIndex u, Time now, MediumEffects& effects) {
  Station& node = nodes_[u];
  ++node.serial;
  if (node.sending) {
    effects.done.push_back(node.frame);
    if (node.tx_end > now) {
      cut_off(u, now, effects);
    } else {  // it has just come to its end
      for (const NodeIndex v : node.audience)
        if (nodes_[v].locked == u) deliver(v, effects);
    }
    node.sending = false;
  }
  for (; node.head < node.line.size(); ++node.head)
    effects.done.push_back(node.line[node.head].frame);
  node.line.clear();
  node.head = 0;
  node.due = core::end_of_time;
  if (node.locked == nobody) return;
  if (nodes_[node.locked].tx_end <= now) return deliver(u, effects);
  if (!node.spoilt) ++counts_.cut_off;
  unlock(node, now);
}

/// The frame of u ends here, unread. Who waited for its end may go on earlier.
void Csma::cut_off(NodeIndex u, Time now, MediumEffects& effects) {
  nodes_[u].tx_end = now;
  nodes_[u].sending = false;
  for (const NodeIndex v : nodes_[u].audience) {
    Station& node = nodes_[v];
    if (!node.on) continue;
    settle(node, now);
    if (node.locked == u) {
      if (!node.spoilt) ++counts_.cut_off;
      unlock(node, now);
    }
    node.busy_until = std::min(node.busy_until, now);
  }
  // A crash is rare: to look through all nodes costs less than to keep the senders that each hears.
  for (const Station& other : nodes_) {
    if (!other.sending || other.tx_end <= now) continue;
    for (const NodeIndex v : other.audience)
      nodes_[v].busy_until = std::max(nodes_[v].busy_until, other.tx_end);
  }
  for (const NodeIndex v : nodes_[u].audience) {
    const Station& node = nodes_[v];
    if (node.on && node.due != core::end_of_time && node.due > now) await_turn(v, effects);
  }
}

void Csma::switch_on(NodeIndex u, Time now) {
  Station& node = nodes_[u];
  node.busy_until = now;
  node.backoff = false;
  node.slots = 0;
  node.found_free = Time{-1};
  for (const Station& other : nodes_)  // what is on the air is noise to a newcomer
    if (other.sending && std::ranges::binary_search(other.audience, u))
      node.busy_until = std::max(node.busy_until, other.tx_end);
}

// Energy.

/// Nothing has changed since the last time but what the times in the node foretold. Its own sending
/// and the energy of others each fill the first part of the interval, or none of it; reception
/// lies within the latter and outside of the former.
void Csma::settle(Station& node, Time now) {
  const Time since = node.settled;
  node.settled = now;
  if (!node.on) {
    node.spent.sleep += now - since;
    return;
  }
  const Duration tx = overlap(since, now, since, node.tx_end);
  const Duration rx = overlap(since, now, node.rx_from, node.rx_until);
  const Duration air = overlap(since, now, since, node.busy_until);
  const Duration busy = air - std::min(air, tx) - rx;
  node.spent.tx += tx;
  node.spent.rx += rx;
  node.spent.busy += busy;
  node.spent.idle += now - since - tx - rx - busy;
}

Csma::Energy Csma::energy(NodeIndex u, Time now) const {
  const Station& from = nodes_[u];
  Station node;
  node.on = from.on;
  node.settled = from.settled;
  node.tx_end = from.tx_end;
  node.busy_until = from.busy_until;
  node.rx_from = from.rx_from;
  node.rx_until = from.rx_until;
  node.spent = from.spent;
  settle(node, now);
  Energy out = node.spent;
  out.joules = power_.idle * core::seconds(out.idle) + power_.busy * core::seconds(out.busy) +
               power_.rx * core::seconds(out.rx) + power_.tx * core::seconds(out.tx) +
               power_.sleep * core::seconds(out.sleep);
  return out;
}

}  // namespace bellwether::world
