// SPDX-License-Identifier: MIT
#include "bellwether/sim/links.hpp"

#include <algorithm>

#include "bellwether/core/invariant.hpp"

namespace bellwether::sim {
namespace {

constexpr std::uint32_t most_ports = (1u << 29) - 1;  // what an event has room for

}  // namespace

Links::Links(const world::Network& network, const std::vector<bool>& up)
    : halves_(2 * network.links.size()),
      rooms_(network.nodes, PortSpace{}),
      one_way_(network.direction == graph::Direction::one_way) {
  rows_.assign(network.nodes, NodePorts{});
  for (const auto& [a, b] : network.links) {
    ++rooms_[a].capacity;
    if (!one_way_) ++rooms_[b].capacity;
  }
  std::uint32_t offset = 0;
  for (NodeIndex u = 0; u < network.nodes; ++u) {
    rows_[u].offset = offset;
    offset += rooms_[u].capacity;
  }
  ports_.resize(offset);
  routes_.resize(offset);
  ends_.resize(offset);
  for (std::size_t i = 0; i < network.links.size(); ++i) {
    halves_[2 * i] = {network.links[i].a, 0, 0};
    halves_[2 * i + 1] = {network.links[i].b, 0, 0};
  }
  for (const unsigned side : {0u, 1u})
    for (std::size_t i = 0; i < network.links.size(); ++i)
      if (up.empty() || up[i]) raise(static_cast<End>(2 * i + side));
}

void Links::make_room(NodeIndex u) {
  NodePorts& row = rows_[u];
  PortSpace& room = rooms_[u];
  if (row.count < room.capacity) return;
  // Move to the back, twice as large.
  const auto old = row.offset;
  room.capacity = std::max(4u, 2 * room.capacity);
  row.offset = static_cast<std::uint32_t>(ports_.size());
  const std::size_t size = ports_.size() + room.capacity;
  ports_.resize(size);
  if (routed_) routes_.resize(size);
  ends_.resize(size);
  std::copy_n(ports_.begin() + old, row.count, ports_.begin() + row.offset);
  if (routed_) std::copy_n(routes_.begin() + old, row.count, routes_.begin() + row.offset);
  std::copy_n(ends_.begin() + old, row.count, ends_.begin() + row.offset);
}

/// The copy inside the row follows the arrays.
void Links::refresh(NodeIndex u) {
  NodePorts& row = rows_[u];
  if (row.count > few) return;
  std::copy_n(ports_.begin() + row.offset, row.count, row.ports);
  if (routed_) std::copy_n(routes_.begin() + row.offset, row.count, row.routes);
}

void Links::append(NodeIndex u, Port port, End e) {
  make_room(u);
  NodePorts& row = rows_[u];
  const std::size_t at = row.offset + row.count;
  ports_[at] = port;
  if (routed_) routes_[at] = {owner(sister(e)), Links::port(sister(e))};
  ends_[at] = e;
  ++row.count;
  refresh(u);
}

void Links::add(std::uint32_t link, graph::Edge ends) {
  if (halves_.size() < 2 * (std::size_t{link} + 1)) halves_.resize(2 * (std::size_t{link} + 1));
  halves_[2 * link].owner = ends.a;
  halves_[2 * link + 1].owner = ends.b;
}

void Links::share_ports() {
  for (const PortSpace& room : rooms_) next_shared_ = std::max(next_shared_, room.next_port);
  next_shared_ = std::max(next_shared_, 1u);
}

void Links::drop_routes() {
  routed_ = false;
  routes_ = {};
}

Port Links::fresh_port(NodeIndex u) {
  if (next_shared_ == 0) return Port{rooms_[u].next_port++};
  core::invariant(next_shared_ < most_ports, "more link changes than a run can count");
  return Port{next_shared_++};
}

Port Links::raise(End e) {
  Half& half = halves_[e];
  core::invariant(!half.up, "an end that is up cannot come up");
  const Port port = fresh_port(half.owner);
  half.port = core::raw(port) & 0x7FFF'FFFFu;
  half.up = 1;
  // The far end of a one-way link only listens: it has a name there, but is not a way out.
  if (!one_way_ || e % 2 == 0) append(half.owner, port, e);
  // The sister's route leads to the new name.
  const End other = sister(e);
  if (routed_ && up(other) && (!one_way_ || other % 2 == 0)) {
    const NodeIndex v = owner(other);
    routes_[rows_[v].offset + place_of(v, Links::port(other))].port = port;
    refresh(v);
  }
  return port;
}

Port Links::lower(End e) {
  Half& half = halves_[e];
  core::invariant(half.up, "an end that is down cannot go down");
  half.up = 0;
  const Port port{half.port};
  const NodeIndex u = half.owner;
  NodePorts& row = rows_[u];
  const std::size_t place = place_of(u, port);
  if (place == row.count) return port;  // it only listened
  const auto close_gap = [&](auto& array) {
    const auto first = array.begin() + row.offset;
    std::copy(first + static_cast<std::ptrdiff_t>(place) + 1, first + row.count,
              first + static_cast<std::ptrdiff_t>(place));
  };
  close_gap(ports_);
  if (routed_) close_gap(routes_);
  close_gap(ends_);
  --row.count;
  refresh(u);
  return port;
}

}  // namespace bellwether::sim
