// SPDX-License-Identifier: MIT
// What a node does with frames: see the five steps in daemon.hpp.
#include <algorithm>
#include <boost/asio/post.hpp>

#include "bellwether/node/daemon.hpp"

namespace bellwether::node {

namespace {

constexpr std::size_t most_proofs = 128;
constexpr std::uint64_t house_keeps = 1024;  // messages of an inbox that nobody reads

}  // namespace

void Daemon::heard(std::span<const std::uint8_t> frame, Duration age) {
  if (stopping_) return;
  ++counters_.frames_heard;
  counters_.bytes_heard += frame.size();
  const auto refuse = [&](Refusal why) {
    ++counters_.refused[static_cast<std::size_t>(why)];
    if (why == Refusal::wrong_key) suspicions_.see(clock_.now(), Suspicions::Kind::other_key);
    if (why == Refusal::not_sealed) suspicions_.see(clock_.now(), Suspicions::Kind::not_sealed);
  };
  const Peeked peeked = peek(frame, group_mark_, keys_);
  if (peeked.refusal != Refusal::none) return refuse(peeked.refusal);
  const Heading& heading = peeked.heading;
  if (heading.sender == self_) {
    if (heading.session == session_) return;
    ++counters_.own_id_elsewhere;
    suspicions_.see(clock_.now(), Suspicions::Kind::same_id, self_);
    return;
  }
  if (!sessions_.worth_opening(heading)) {
    ++counters_.repeated;
    return;
  }
  const Opened opened = open(frame, keys_);
  if (opened.refusal != Refusal::none) return refuse(opened.refusal);
  // Not before what was told last: what this node has seen since cannot be undone.
  const Time now = clock_.now();
  const Time at = std::clamp(now - std::clamp<Duration>(age, Duration{0}, config_.timeout),
                             std::min(told_, now), now);
  // Whoever asks is answered, believed or not: two that have just begun would wait for each other.
  for (const Challenge& ask : opened.letter.asks)
    if (ask.to == self_ && proofs_.size() < most_proofs)
      proofs_.push_back({heading.sender, ask.number});
  switch (sessions_.judge(at, heading, opened.letter.proofs)) {
    case Freshness::repeated:
      ++counters_.repeated;
      break;
    case Freshness::unproven:
      ++counters_.unproven;
      break;
    case Freshness::doubled:
      ++counters_.doubled;
      suspicions_.see(now, Suspicions::Kind::same_id, heading.sender);
      break;
    case Freshness::reborn:
      ++counters_.reborn;
      call({at, Told::lose, heading.sender, 0, {}});
      fence_.lose(heading.sender);
      take(at, now, heading, opened.letter);
      break;
    case Freshness::began:
    case Freshness::fresh:
      take(at, now, heading, opened.letter);
      break;
  }
  if (proofs_.empty() && !sessions_.has_asks()) return;
  if (std::exchange(flush_posted_, true)) return;
  boost::asio::post(io_, [this] { send_waiting(); });
}

/// A frame that is believed: when it came, and when it is read.
void Daemon::take(Time at, Time now, const Heading& heading, const Letter& letter) {
  const NodeId from = heading.sender;
  last_heard_[from] = at;
  const auto [slack, is_new] = slack_heard_.try_emplace(from, 0);
  if (slack->second != letter.slack_ms) {
    slack->second = letter.slack_ms;
    // However late it says that it is: others must be able to do without it.
    const Duration its =
        std::min<Duration>(std::chrono::milliseconds(letter.slack_ms), 2 * config_.timeout);
    call({at, Told::slack_of, from, static_cast<std::uint64_t>(its.count()), {}});
  }
  fence_.hear(from, letter.leader, letter.epoch);
  if (letter.election.empty()) {
    call({at, Told::see, from, 0, {}});
  } else {
    switch (call({at, Told::hear, from, 0, letter.election})) {
      case Heard::taken:
        break;
      case Heard::garbage:
        ++counters_.malformed;
        suspicions_.see(now, Suspicions::Kind::other_election);
        break;
      case Heard::too_many:
        ++counters_.too_many;
        break;
    }
  }
  if (letter.relay && (!letter.relay_to || *letter.relay_to == self_)) {
    std::vector<NodeId> neighbours;
    const auto here = surroundings(now, neighbours);
    // A parcel on the way to others is theirs; from a stranger nothing is taken.
    if (std::binary_search(neighbours.begin(), neighbours.end(), from))
      relay_.receive(here, from, *letter.relay);
  }
  after(now);
}

void Daemon::send_letter(Letter letter) {
  letter.leader = leader_;
  letter.epoch = fence_.epoch();
  letter.slack_ms = static_cast<std::uint32_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(slack_now_).count());
  // Only what was said before can wait.
  const Said said{letter.leader, letter.epoch, letter.slack_ms};
  const bool patient = letter.election == probe_ && said_ == said && !letter.relay &&
                       letter.asks.empty() && letter.proofs.empty();
  said_ = said;
  const core::Bytes frame =
      to_frame({self_, session_, next_frame_++, patient}, letter, group_mark_, keys_);
  ++counters_.frames_sent;
  counters_.bytes_sent += frame.size();
  transport_->send(frame);
}

/// Questions and proofs, of one turn together.
void Daemon::send_waiting() {
  flush_posted_ = false;
  if (stopping_) return;
  constexpr std::size_t at_once = 48;  // so many fit the smallest frame
  const Time now = clock_.now();
  while (!proofs_.empty() || sessions_.has_asks()) {
    Letter letter;
    letter.asks = sessions_.take_asks(now);
    const auto last = static_cast<std::ptrdiff_t>(std::min(proofs_.size(), at_once));
    letter.proofs.assign(proofs_.begin(), proofs_.begin() + last);
    proofs_.erase(proofs_.begin(), proofs_.begin() + last);
    send_letter(std::move(letter));
  }
}

Relay::NodeContext Daemon::surroundings(Time now, std::vector<NodeId>& neighbours) const {
  neighbours = engine_->neighbours();
  return {now, leader_, neighbours, [this](NodeId id) { return engine_->routes().next_hop(id); }};
}

void Daemon::drain_relay(Time now) {
  Relay::Outputs effects = std::exchange(relay_.effects(), {});
  for (Relay::Send& send : effects.sends) {
    Letter letter;
    letter.relay_to = send.to;
    letter.relay = std::move(send.message);
    send_letter(std::move(letter));
  }
  for (const Relay::Parcel& parcel : effects.delivered) {
    Delivered message{next_delivery_++,
                      to_text(parcel.id),
                      parcel.id.origin,
                      parcel.to,
                      {},
                      std::string(parcel.payload.begin(), parcel.payload.end())};
    ++counters_.delivered;
    for (const Listener& listener : listeners_) listener(message);
    publish("message", to_json(message));
    inbox_.push_back({std::move(message), now});
    if (inbox_.size() > house_keeps) inbox_.pop_front();
  }
  counters_.confirmed += effects.confirmed.size();
  counters_.given_up += effects.given_up.size();
  for (const ParcelId& id : effects.given_up)
    log_.warning("a message was given up", {{"message", to_text(id)}});
}

}  // namespace bellwether::node
