// SPDX-License-Identifier: MIT
#include "bellwether/layers/pulse_control.hpp"

#include <algorithm>

#include "bellwether/layers/partition.hpp"

namespace bellwether::layers {

using core::Port;
using core::Synchronizer;

PulseControl::PulseControl(const PulseOptions& options)
    : kind_(options.kind),
      pulses_(options.pulses),
      // A message that takes exactly d and a clock that is exactly d ahead meet after 2d: the
      // message has to be there before.
      period_(2 * options.delay + core::Duration{1}),
      growth_(options.growth) {
  if (kind_ == Synchronizer::gamma) tree_.collect_links();
}

void PulseControl::wake(Turn& turn, bool by_itself) {
  if (awake_) return;
  awake_ = true;
  if (has_tree()) {
    if (!by_itself) return;
    tree_.begin(turn);
    if (tree_.complete()) settle_tree(turn);  // a network of one node
    return;
  }
  allowed_ = 1;
  // Otherwise what ends the first pulse wakes the neighbours; where it is the only one, nothing
  // ends it.
  if (kind_ == Synchronizer::abd || pulses_ == 1) turn.send_all(Wake{});
}

void PulseControl::played(Turn& turn, std::uint32_t messages) {
  ++next_;
  unacked_ = messages;
  told_safe_ = told_ready_ = cluster_safe_ = false;
  if (over()) return;
  if (kind_ == Synchronizer::abd) turn.tick = period_;
  advance_if_complete(turn);
}

void PulseControl::arrived(Turn& turn, Port port, Pulse pulse) {
  if (kind_ == Synchronizer::simple) heard_.add(pulse);
  if (acknowledges()) turn.send(port, Ack{{pulse}});
  advance_if_complete(turn);
}

void PulseControl::tick(Turn&) {
  if (kind_ == Synchronizer::abd && awake_) allowed_ = std::max(allowed_, next_ + 1);
}

void PulseControl::receive(Turn& turn, Port port, const Signal& signal) {
  if (const auto* ack = std::get_if<Ack>(&signal)) {
    if (next_ > 0 && ack->pulse == current() && unacked_ > 0) --unacked_;
  } else if (const auto* safe = std::get_if<Safe>(&signal)) {
    heard_.add(safe->pulse);
  } else if (const auto* given = std::get_if<Go>(&signal)) {
    if (kind_ == Synchronizer::beta && !placed_ && tree_.parent() == port) {
      placed_ = true;
      parent_ = port;
      children_ = tree_.children();
    }
    if (placed_ && parent_ == port && given->pulse == next_) go(turn, given->pulse);
  } else if (const auto* cluster = std::get_if<ClusterSafe>(&signal)) {
    if (placed_ && parent_ == port) {
      if (next_ > 0 && cluster->pulse == current()) cluster_is_safe(turn, cluster->pulse);
    } else {
      touching_.add(cluster->pulse);
    }
  } else if (const auto* ready = std::get_if<Ready>(&signal)) {
    ready_.add(ready->pulse);
  } else if (has_tree()) {
    if (const auto* explore = std::get_if<Explore>(&signal)) tree_.explore(turn, port, *explore);
    if (const auto* echo = std::get_if<Echo>(&signal)) tree_.echo(turn, port, *echo);
    if (tree_.complete() && !placed_) settle_tree(turn);
    if (const auto* partition = std::get_if<Partition>(&signal)) take_place(turn, *partition);
  }
  advance_if_complete(turn);
}

/// Looks whether the present pulse is over.
void PulseControl::advance_if_complete(Turn& turn) {
  if (next_ == 0 || allowed_ > next_ || over()) return;
  if (kind_ == Synchronizer::simple && heard_.of(current()) >= turn.ports.size()) {
    heard_.forget(current());
    allowed_ = next_ + 1;
  }
  if (kind_ == Synchronizer::alpha) advance_alpha(turn);
  if (has_tree() && placed_) advance_tree(turn);
}

void PulseControl::advance_alpha(Turn& turn) {
  if (unacked_ == 0 && !told_safe_) {
    told_safe_ = true;
    turn.send_all(Safe{{current()}});
  }
  if (!told_safe_ || heard_.of(current()) < turn.ports.size()) return;
  heard_.forget(current());
  allowed_ = next_ + 1;
}

void PulseControl::advance_tree(Turn& turn) {
  const Pulse pulse = current();
  if (!told_safe_ && unacked_ == 0 && heard_.of(pulse) >= children_.size()) {
    told_safe_ = true;
    heard_.forget(pulse);
    if (parent_)
      turn.send(*parent_, Safe{{pulse}});
    else if (kind_ == Synchronizer::gamma)
      cluster_is_safe(turn, pulse);
    else
      go(turn, pulse + 1);
  }
  if (kind_ == Synchronizer::gamma) advance_cluster(turn);
}

void PulseControl::cluster_is_safe(Turn& turn, Pulse pulse) {
  if (cluster_safe_) return;
  cluster_safe_ = true;
  for (const Port port : children_) turn.send(port, ClusterSafe{{pulse}});
  for (const Port port : preferred_) turn.send(port, ClusterSafe{{pulse}});
}

void PulseControl::advance_cluster(Turn& turn) {
  const Pulse pulse = current();
  if (told_ready_ || !cluster_safe_ || touching_.of(pulse) < preferred_.size() ||
      ready_.of(pulse) < children_.size())
    return;
  told_ready_ = true;
  touching_.forget(pulse);
  ready_.forget(pulse);
  if (parent_)
    turn.send(*parent_, Ready{{pulse}});
  else
    go(turn, pulse + 1);
}

void PulseControl::go(Turn& turn, Pulse pulse) {
  allowed_ = pulse + 1;
  for (const Port port : children_) turn.send(port, Go{{pulse}});
}

/// The root of the spanning tree: beta gives the first pulse, gamma first says who belongs where.
void PulseControl::settle_tree(Turn& turn) {
  if (kind_ == Synchronizer::gamma)
    return take_place(turn, tree_.links().empty()
                                ? Partition{{ClusterNode{turn.self, turn.self, {}}}}
                                : make_partition(tree_.links(), growth_));
  placed_ = true;
  children_ = tree_.children();
  go(turn, 0);
}

void PulseControl::take_place(Turn& turn, const Partition& partition) {
  if (placed_ || kind_ != Synchronizer::gamma) return;
  const auto place = std::find_if(partition.places.begin(), partition.places.end(),
                                  [&](const ClusterNode& p) { return p.node == turn.self; });
  if (place == partition.places.end()) return;
  for (const Port port : tree_.children()) turn.send(port, partition);
  placed_ = true;
  std::vector<core::NodeId> below;
  for (const ClusterNode& p : partition.places)
    if (p.parent == turn.self && p.node != turn.self) below.push_back(p.node);
  for (const Port port : turn.ports) {
    const core::NodeId peer = turn.peer(port);
    if (peer == place->parent) parent_ = port;
    if (std::find(below.begin(), below.end(), peer) != below.end()) children_.push_back(port);
    if (std::find(place->preferred.begin(), place->preferred.end(), peer) != place->preferred.end())
      preferred_.push_back(port);
  }
  allowed_ = 1;  // every node begins with the first pulse when it knows its place
}

}  // namespace bellwether::layers
