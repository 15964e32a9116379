// SPDX-License-Identifier: MIT
#include "bellwether/node/relay.hpp"

#include <algorithm>
#include <charconv>

namespace bellwether::node {

namespace {

/// Waits grow up to this multiple of the first.
constexpr int most_growth = 8;
/// A wait of nothing would be a busy loop.
constexpr Duration least_wait = std::chrono::milliseconds(1);

bool contains(std::span<const NodeId> ascending, NodeId id) {
  return std::binary_search(ascending.begin(), ascending.end(), id);
}

}  // namespace

std::string to_text(const ParcelId& id) {
  char session[16];
  const auto end = std::to_chars(std::begin(session), std::end(session), id.session, 16).ptr;
  return std::to_string(raw(id.origin)) + '-' + std::string(session, end) + '-' +
         std::to_string(id.number);
}

Relay::Relay(NodeId self, std::uint64_t session, const RelayOptions& options)
    : self_(self), session_(session), options_(options) {
  options_.retry = std::max(options_.retry, least_wait);
  options_.again = std::max(options_.again, least_wait);
}

std::variant<ParcelId, Rejection> Relay::submit(const NodeContext& here, To to,
                                                core::Bytes payload) {
  if (payload.size() > options_.most_payload)
    return Rejection{"the payload has " + std::to_string(payload.size()) + " bytes: send at most " +
                     std::to_string(options_.most_payload)};
  if (to == To::leader && !here.leader)
    return Rejection{"there is no leader at the moment; send it again when there is one"};
  const bool for_me = to == To::leader && here.leader == self_;
  if (!for_me && full())
    return Rejection{std::to_string(held_.size()) +
                     " messages are on their way already, which is the most: send it again later"};

  const ParcelId id{self_, session_, next_number_++};
  Parcel parcel{id, to, options_.most_hops, std::move(payload)};
  if (for_me) {
    deliver(parcel);
    effects_.confirmed.push_back(id);
    return id;
  }
  const ParcelIterator place = hold(here, std::move(parcel));
  StoredParcel& held = place->second;
  if (to == To::leader) {
    held.custody = true;
    held.anew = here.now + options_.again;
    held.gap = options_.again;
    carry(here, place);
  } else {
    spread(here, held);
  }
  return id;
}

void Relay::receive(const NodeContext& here, NodeId from, const RelayMessage& message) {
  if (from == self_) return;
  std::visit([&](const auto& each) { on(here, from, each); }, message);
}

void Relay::on(const NodeContext& here, NodeId from, const Parcel& parcel) {
  if (parcel.payload.size() > options_.most_payload) return;
  parcel.to == To::leader ? on_for_leader(here, from, parcel) : on_for_members(here, from, parcel);
}

void Relay::on_for_leader(const NodeContext& here, NodeId from, const Parcel& parcel) {
  ParcelIterator place = held_.find(parcel.id);
  const bool known = place != held_.end();
  if (known && place->second.parcel.to != parcel.to) return;  // one id for two messages: a lie

  const bool delivered = delivered_.contains(parcel.id);
  // An own message that is no longer held has been confirmed or given up.
  const bool refused = parcel.hops_left == 0 || (own(parcel.id) && !known);
  const bool leading = here.leader == self_;
  // Without a receipt the sender keeps it, and tries again when there may be room.
  if (!delivered && !refused && !known && !leading && full()) return;

  send(from, Receipt{parcel.id});
  remember_sender(parcel.id, from);
  if (delivered) return send_arrival(here, {parcel.id, options_.most_hops});
  if (refused) return;
  if (known && place->second.custody) {
    // Who gives it to us no longer has it: a receipt from before does not count any more.
    if (place->second.hop == from) place->second.owed = false;
    return;
  }
  if (leading && !known) return arrived_here(here, parcel);
  if (!known) place = hold(here, parcel);
  StoredParcel& held = place->second;
  held.custody = true;
  held.parcel.hops_left = parcel.hops_left - 1;
  held.owed = false;
  held.hop = towards(here, here.leader);
  // Where it came from and here each takes the other for the way. One of them will learn better;
  // until then the parcel does not run to and fro as fast as the link can.
  if (!leading && held.hop == from) {
    held.next_try = here.now + options_.retry;
    return;
  }
  held.next_try.reset();
  carry(here, place);
}

void Relay::on_for_members(const NodeContext& here, NodeId from, const Parcel& parcel) {
  ParcelIterator place = held_.find(parcel.id);
  if (place == held_.end()) {
    if (parcel.hops_left == 0 || own(parcel.id) || delivered_.contains(parcel.id))
      return send(from, Receipt{parcel.id});
    if (full()) return;  // it will be sent again, for want of a receipt
    place = hold(here, parcel);
    --place->second.parcel.hops_left;
    place->second.has.insert(parcel.id.origin);
    // An origin that was restarted still helps to spread what it sent in its earlier life.
    if (parcel.id.origin != self_) deliver(parcel);
  }
  StoredParcel& held = place->second;
  if (held.parcel.to != parcel.to) return;  // one id for two messages: a lie
  held.has.insert(from);
  spread(here, held);
  // While it is still sent from here, that tells the sender, too.
  if (!held.next_try) send(from, Receipt{parcel.id});
}

void Relay::on(const NodeContext& here, NodeId from, const Receipt& receipt) {
  const ParcelIterator place = held_.find(receipt.id);
  if (place == held_.end()) return;
  StoredParcel& held = place->second;
  if (held.parcel.to == To::members) {
    held.has.insert(from);
    return spread(here, held);
  }
  if (!held.custody || !held.owed || held.hop != from) return;
  if (!own(receipt.id)) {
    held_.erase(place);
    return;
  }
  held.custody = held.owed = false;
  held.next_try.reset();
}

void Relay::on(const NodeContext& here, NodeId from, const Arrival& arrival) {
  const ParcelIterator place = held_.find(arrival.id);
  if (place != held_.end() && place->second.parcel.to == To::leader) {
    // The leader has it. No other node needs to carry it further.
    if (own(arrival.id)) effects_.confirmed.push_back(arrival.id);
    held_.erase(place);
  }
  if (arrival.hops_left > 0) send_arrival(here, {arrival.id, arrival.hops_left - 1}, from);
}

void Relay::wake(const NodeContext& here) {
  for (ParcelIterator place = held_.begin(); place != held_.end();) {
    const ParcelIterator each = place++;
    StoredParcel& held = each->second;
    if (held.expires <= here.now) {
      if (held.anew) effects_.given_up.push_back(each->first);
      held_.erase(each);
    } else if (held.parcel.to == To::members) {
      spread(here, held);
    } else {
      if (held.anew && *held.anew <= here.now) {
        held.gap = std::min(2 * held.gap, most_growth * options_.again);
        held.anew = here.now + held.gap;
        if (!held.custody) {
          held.custody = true;
          held.parcel.hops_left = options_.most_hops;
          held.hop.reset();
        }
      }
      carry(here, each);
    }
  }
}

std::optional<Time> Relay::next_alarm() const {
  std::optional<Time> earliest;
  const auto consider = [&](std::optional<Time> time) {
    if (time && (!earliest || *time < *earliest)) earliest = time;
  };
  for (const auto& [id, held] : held_) {
    consider(held.expires);
    consider(held.next_try);
    consider(held.anew);
  }
  return earliest;
}

Relay::ParcelIterator Relay::hold(const NodeContext& here, Parcel parcel) {
  const ParcelId id = parcel.id;
  StoredParcel held;
  held.parcel = std::move(parcel);
  held.expires = here.now + std::max(options_.keep, least_wait);
  return held_.insert_or_assign(id, std::move(held)).first;
}

void Relay::carry(const NodeContext& here, ParcelIterator place) {
  StoredParcel& held = place->second;
  if (!held.custody) return;
  if (here.leader == self_) {
    const Parcel parcel = std::move(held.parcel);
    if (held.anew) effects_.confirmed.push_back(parcel.id);
    held_.erase(place);
    return arrived_here(here, parcel);
  }
  const auto hop = towards(here, here.leader);
  const bool turned = hop && hop != held.hop;  // a new way need not wait
  if (held.next_try && *held.next_try > here.now && !turned) return;
  held.next_try = here.now + options_.retry;
  if (!hop) return;
  held.hop = hop;
  held.owed = true;
  send(*hop, held.parcel);
}

void Relay::spread(const NodeContext& here, StoredParcel& held) {
  std::set<NodeId> missing;
  if (held.parcel.hops_left > 0)
    for (const NodeId id : here.neighbours)
      if (!held.has.contains(id)) missing.insert(missing.end(), id);
  // Neighbours that come and go must not make this grow.
  if (held.has.size() > options_.most_remembered)
    std::erase_if(held.has, [&](NodeId id) { return !contains(here.neighbours, id); });

  if (missing.empty()) {
    held.next_try.reset();
    held.awaited.clear();
    return;
  }
  const bool newcomer = !std::ranges::includes(held.awaited, missing);
  if (held.next_try && *held.next_try > here.now && !newcomer) return;
  held.gap = newcomer ? options_.retry : std::min(2 * held.gap, most_growth * options_.retry);
  held.next_try = here.now + held.gap;
  held.awaited = std::move(missing);
  send(std::nullopt, held.parcel);
}

void Relay::arrived_here(const NodeContext& here, const Parcel& parcel) {
  deliver(parcel);
  send_arrival(here, {parcel.id, options_.most_hops});
}

void Relay::deliver(const Parcel& parcel) {
  if (!delivered_.insert(parcel.id).second) return;
  delivered_order_.push_back(parcel.id);
  while (delivered_order_.size() > options_.most_remembered) {
    delivered_.erase(delivered_order_.front());
    delivered_order_.pop_front();
  }
  effects_.delivered.push_back(parcel);
}

void Relay::send_arrival(const NodeContext& here, const Arrival& arrival,
                         std::optional<NodeId> not_by) {
  if (arrival.id.origin == self_) return;
  auto hop = towards(here, arrival.id.origin);
  if (!hop)
    if (const auto back = came_from_.find(arrival.id);
        back != came_from_.end() && contains(here.neighbours, back->second))
      hop = back->second;
  // Back to where it comes from: the routes are not in order. The origin will ask again.
  if (hop && hop != not_by) send(*hop, arrival);
}

void Relay::remember_sender(const ParcelId& id, NodeId from) {
  if (!came_from_.insert_or_assign(id, from).second) return;
  came_order_.push_back(id);
  while (came_order_.size() > options_.most_remembered) {
    came_from_.erase(came_order_.front());
    came_order_.pop_front();
  }
}

void Relay::send(std::optional<NodeId> to, RelayMessage message) {
  effects_.sends.push_back({to, std::move(message)});
}

std::optional<NodeId> Relay::towards(const NodeContext& here, std::optional<NodeId> member) const {
  if (!member || !here.next_hop) return std::nullopt;
  const auto hop = here.next_hop(*member);
  return hop == self_ ? std::nullopt : hop;
}

}  // namespace bellwether::node
