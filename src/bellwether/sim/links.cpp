// SPDX-License-Identifier: MIT
#include "bellwether/sim/links.hpp"

#include <algorithm>

#include "bellwether/core/invariant.hpp"

namespace bellwether::sim {

Links::Links(const world::Network& network)
    : halves_(2 * network.links.size()),
      rows_(network.nodes, Row{}),
      one_way_(network.direction == graph::Direction::one_way) {
  for (const auto& [a, b] : network.links) {
    ++rows_[a].capacity;
    if (!one_way_) ++rows_[b].capacity;
  }
  std::uint32_t offset = 0;
  for (Row& row : rows_) {
    row.offset = offset;
    offset += row.capacity;
  }
  ports_.resize(offset);
  ends_.resize(offset);
  for (const unsigned side : {0u, 1u}) {
    for (std::size_t i = 0; i < network.links.size(); ++i) {
      const auto& [a, b] = network.links[i];
      const End e = static_cast<End>(2 * i + side);
      halves_[e] = {side == 0 ? a : b, 0, 0};
      raise(e);
    }
  }
}

End Links::search(NodeIndex u, Port port) const {
  const auto row = ports(u);
  const auto found = std::lower_bound(row.begin(), row.end(), port);
  if (found == row.end() || *found != port) return no_end;
  return ends(u)[static_cast<std::size_t>(found - row.begin())];
}

void Links::append(NodeIndex u, Port port, End e) {
  Row& row = rows_[u];
  if (row.count == row.capacity) {  // move to the back, twice as large
    const auto old = row.offset;
    row.capacity = std::max(4u, 2 * row.capacity);
    row.offset = static_cast<std::uint32_t>(ports_.size());
    ports_.resize(ports_.size() + row.capacity);
    ends_.resize(ends_.size() + row.capacity);
    std::copy_n(ports_.begin() + old, row.count, ports_.begin() + row.offset);
    std::copy_n(ends_.begin() + old, row.count, ends_.begin() + row.offset);
  }
  ports_[row.offset + row.count] = port;
  ends_[row.offset + row.count] = e;
  ++row.count;
}

void Links::add(std::uint32_t link, graph::Edge ends) {
  if (halves_.size() < 2 * (std::size_t{link} + 1)) halves_.resize(2 * (std::size_t{link} + 1));
  halves_[2 * link].owner = ends.a;
  halves_[2 * link + 1].owner = ends.b;
}

Port Links::raise(End e) {
  Half& half = halves_[e];
  core::invariant(!half.up, "an end that is up cannot come up");
  Row& row = rows_[half.owner];
  const std::uint32_t port = row.next_port++;
  half.port = port & 0x7FFF'FFFFu;
  half.up = 1;
  // The far end of a one-way link only listens: it has a name there, but is not a way out.
  if (!one_way_ || e % 2 == 0) append(half.owner, Port{port}, e);
  return Port{port};
}

Port Links::lower(End e) {
  Half& half = halves_[e];
  core::invariant(half.up, "an end that is down cannot go down");
  half.up = 0;
  const Port port{half.port};
  Row& row = rows_[half.owner];
  const auto first = ports_.begin() + row.offset;
  const auto found = std::lower_bound(first, first + row.count, port);
  if (found != first + row.count && *found == port) {
    const auto at = found - first;
    std::copy(found + 1, first + row.count, found);
    std::copy(ends_.begin() + row.offset + at + 1, ends_.begin() + row.offset + row.count,
              ends_.begin() + row.offset + at);
    --row.count;
  }
  return port;
}

std::vector<Port> Links::lower_all(NodeIndex u) {
  const auto row = ports(u);
  std::vector<Port> had(row.begin(), row.end());
  while (rows_[u].count > 0) lower(ends(u).back());
  return had;
}

}  // namespace bellwether::sim
