// SPDX-License-Identifier: MIT
// Relays in small networks that lose, repeat, delay and reorder frames, whose links come and go,
// and whose nodes learn of it late and each on its own: so routes have loops and leaders disagree.
// Then the network heals, and every message must get where it is due.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "bellwether/core/prng.hpp"
#include "bellwether/node/relay.hpp"

namespace bellwether::node {
namespace {

using namespace std::chrono_literals;
using core::Prng;

constexpr Time healed = 10s;  // from then on nothing changes
constexpr Duration keep = RelayOptions{}.keep;

/// What a node believes of the network.
struct View {
  std::optional<NodeId> leader;
  std::vector<NodeId> neighbours;
  std::map<NodeId, NodeId> hops;  // towards each member
};

struct Station {
  Relay relay;
  View view;
  std::map<ParcelId, int> inbox{};
  std::vector<ParcelId> for_leader{}, for_members{}, confirmed{}, given_up{};
};

struct Frame {
  std::size_t from = 0, to = 0;
  core::Bytes bytes;
};

class Network {
 public:
  /// `listed`: nodes know the ways to all members; else only that to the leader.
  explicit Network(std::uint64_t seed, const RelayOptions& options = {}, bool listed = true)
      : prng_(seed), size_(2 + prng_.below(11)), listed_(listed) {
    for (std::size_t i = 0; i < size_; ++i) {
      stations_.push_back({Relay(id_of(i), 1 + prng_.below(99), options), {}});
      rank_.push_back(prng_.next());
    }
    for (std::size_t i = 1; i < size_; ++i) linked_.insert({prng_.below(i), i});
    for (std::size_t extra = prng_.below(size_ + 1); extra > 0; --extra)
      if (const auto i = prng_.below(size_), j = prng_.below(size_); i < j) linked_.insert({i, j});
    wires_ = linked_;
    loss_ = 0.4 * prng_.unit();
    for (std::size_t i = 0; i < size_; ++i) learn(i);
  }

  void run(Time until, bool lossy_for_ever) {
    while (true) {
      const Time next = std::min({next_change_, next_submit_, soonest()});
      if (next > until) return;
      ASSERT_GE(next, now_);
      now_ = next;
      if (now_ == next_change_) {
        change();
        next_change_ =
            now_ < healed ? std::min(healed, now_ + prng_.between(10ms, 2s)) : core::end_of_time;
        if (now_ >= healed) loss_ = lossy_for_ever ? loss_ / 2 : 0;
      }
      if (now_ == next_submit_) {
        submit();
        next_submit_ = now_ < healed ? now_ + prng_.between(1ms, 800ms) : core::end_of_time;
      }
      step();
    }
  }

  std::vector<Station>& stations() { return stations_; }
  std::uint64_t frames() const { return frames_; }
  std::uint64_t submitted() const { return submitted_; }
  std::uint64_t refused() const { return refused_; }

 private:
  static NodeId id_of(std::size_t i) { return NodeId{100 - i}; }
  static std::size_t index(NodeId id) { return 100 - raw(id); }
  bool linked(std::size_t i, std::size_t j) const {
    return linked_.contains({std::min(i, j), std::max(i, j)});
  }

  /// Links come and go, and so does the leader; the last change heals everything.
  void change() {
    linked_ = wires_;
    if (now_ < healed) std::erase_if(linked_, [&](const auto&) { return prng_.chance(0.3); });
    if (prng_.chance(0.5)) rank_[prng_.below(size_)] = prng_.next();
    for (std::size_t i = 0; i < size_; ++i) learning_.insert({now_ + prng_.between(0ms, 400ms), i});
  }

  /// A node sees the network as it is. Now and then it knows no leader for a while.
  void learn(std::size_t self) {
    View& view = stations_[self].view = {};
    std::vector<std::size_t> reached{self};
    for (std::size_t at = 0; at < reached.size(); ++at)
      for (std::size_t j = 0; j < size_; ++j) {
        if (!linked(reached[at], j) || std::ranges::count(reached, j) > 0) continue;
        reached.push_back(j);
        const auto before = view.hops.find(id_of(reached[at]));
        view.hops.emplace(id_of(j), before == view.hops.end() ? id_of(j) : before->second);
        if (at == 0) view.neighbours.push_back(id_of(j));
      }
    std::ranges::sort(view.neighbours);
    view.leader = id_of(*std::ranges::max_element(reached, {}, [&](auto i) { return rank_[i]; }));
    if (!listed_)
      std::erase_if(view.hops, [&](const auto& way) { return way.first != view.leader; });
    if (now_ < healed && prng_.chance(0.1)) {
      view.leader.reset();
      learning_.insert({now_ + prng_.between(1ms, 400ms), self});
    }
  }

  Relay::NodeContext here(const Station& station) const {
    const View& view = station.view;
    return {now_, view.leader, view.neighbours, [&view](NodeId id) -> std::optional<NodeId> {
              const auto found = view.hops.find(id);
              if (found == view.hops.end()) return std::nullopt;
              return found->second;
            }};
  }

  Time soonest() const {
    Time time = core::end_of_time;
    if (!air_.empty()) time = air_.begin()->first;
    if (!learning_.empty()) time = std::min(time, learning_.begin()->first);
    for (const Station& station : stations_)
      time = std::min(time, station.relay.next_alarm().value_or(core::end_of_time));
    return time;
  }

  void step() {
    for (; !learning_.empty() && learning_.begin()->first <= now_;
         learning_.erase(learning_.begin())) {
      const std::size_t self = learning_.begin()->second;
      learn(self);
      wake(self);
    }
    for (std::size_t i = 0; i < size_; ++i)
      if (const auto alarm = stations_[i].relay.next_alarm(); alarm && *alarm <= now_) wake(i);
    while (!air_.empty() && air_.begin()->first <= now_) {
      const Frame frame = std::move(air_.extract(air_.begin()).mapped());
      Station& station = stations_[frame.to];
      const auto message = core::decode<Relay::RelayMessage>(frame.bytes);
      ASSERT_TRUE(message);
      station.relay.receive(here(station), id_of(frame.from), *message);
      take(frame.to);
    }
  }

  void wake(std::size_t i) {
    stations_[i].relay.wake(here(stations_[i]));
    take(i);
    stations_[i].relay.wake(here(stations_[i]));  // nothing is due any more
    EXPECT_TRUE(stations_[i].relay.effects().sends.empty());
    const auto alarm = stations_[i].relay.next_alarm();
    EXPECT_TRUE(!alarm || *alarm > now_) << "a busy loop";
  }

  void submit() {
    const std::size_t i = prng_.below(size_);
    Station& station = stations_[i];
    const To to = prng_.chance(0.5) ? To::leader : To::members;
    const auto answer = station.relay.submit(here(station), to, {static_cast<std::uint8_t>(i)});
    if (const auto* id = std::get_if<ParcelId>(&answer)) {
      (to == To::leader ? station.for_leader : station.for_members).push_back(*id);
      ++submitted_;
    } else {
      ++refused_;
    }
    take(i);
  }

  void take(std::size_t i) {
    Station& station = stations_[i];
    const Relay::Outputs effects = std::exchange(station.relay.effects(), {});
    for (const Relay::Parcel& parcel : effects.delivered) {
      ++station.inbox[parcel.id];
      EXPECT_TRUE(parcel.to == To::members || station.view.leader == id_of(i)) << "no leader";
      EXPECT_EQ(parcel.payload, core::Bytes{static_cast<std::uint8_t>(index(parcel.id.origin))});
    }
    std::ranges::copy(effects.confirmed, std::back_inserter(station.confirmed));
    std::ranges::copy(effects.given_up, std::back_inserter(station.given_up));
    for (const Relay::Transmission& send : effects.sends) {
      ++frames_;
      const core::Bytes bytes = core::encode(send.message);
      for (std::size_t j = 0; j < size_; ++j)
        if (linked(i, j) && (!send.to || *send.to == id_of(j)))
          for (int copies = 1 + prng_.chance(0.1); copies > 0; --copies)
            if (!prng_.chance(loss_))
              air_.emplace(now_ + prng_.between(1ms, prng_.chance(0.1) ? 300ms : 20ms),
                           Frame{i, j, bytes});
    }
  }

  Prng prng_;
  std::size_t size_;
  bool listed_;
  Time now_{}, next_change_ = prng_.between(0s, 2s), next_submit_{};
  double loss_ = 0;
  std::vector<Station> stations_;
  std::vector<std::uint64_t> rank_;  // the highest of a component leads it
  std::set<std::pair<std::size_t, std::size_t>> wires_, linked_;
  std::multimap<Time, Frame> air_;
  std::set<std::pair<Time, std::size_t>> learning_;
  std::uint64_t frames_ = 0, submitted_ = 0, refused_ = 0;
};

/// At least once at a leader, once at every member but the origin, and never twice anywhere.
void check_inboxes(Network& network) {
  std::map<ParcelId, std::size_t> reached;
  for (const Station& station : network.stations())
    for (const auto& [id, times] : station.inbox) {
      EXPECT_EQ(times, 1) << to_text(id);
      ++reached[id];
    }
  for (const Station& station : network.stations()) {
    for (const ParcelId& id : station.for_leader) EXPECT_GE(reached[id], 1u) << to_text(id);
    for (const ParcelId& id : station.for_members) {
      EXPECT_EQ(reached[id], network.stations().size() - 1) << to_text(id);
      EXPECT_FALSE(station.inbox.contains(id)) << "delivered at its origin";
    }
  }
}

TEST(RelayNetwork, EverythingArrivesOnceTheNetworkHeals) {
  std::uint64_t submitted = 0, elsewhere = 0;
  for (std::uint64_t seed = 1; seed <= 400 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Network network(seed);
    network.run(healed + 10s, false);
    submitted += network.submitted();
    check_inboxes(network);
    for (Station& station : network.stations()) {
      std::ranges::sort(station.confirmed);
      EXPECT_EQ(station.confirmed, station.for_leader);
      EXPECT_TRUE(station.given_up.empty());
      for (const auto& [id, times] : station.inbox) elsewhere += id.origin != NodeId{100};
    }
    // From here on no frame is sent: what is kept is kept silently, and for a limited time.
    const std::uint64_t frames = network.frames();
    network.run(healed + 2 * keep, false);
    EXPECT_EQ(network.frames(), frames);
    for (const Station& station : network.stations()) {
      EXPECT_EQ(station.relay.held(), 0u);
      EXPECT_FALSE(station.relay.next_alarm());
    }
  }
  EXPECT_GT(submitted, 5000u);
  EXPECT_GT(elsewhere, 5000u);
}

TEST(RelayNetwork, TheWayToTheLeaderIsEnough) {
  for (std::uint64_t seed = 1; seed <= 200 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Network network(seed, {}, false);
    network.run(healed + 10s, false);
    check_inboxes(network);
    for (Station& station : network.stations()) {
      std::ranges::sort(station.confirmed);
      EXPECT_EQ(station.confirmed, station.for_leader);
      EXPECT_TRUE(station.given_up.empty());
    }
  }
}

TEST(RelayNetwork, EverythingArrivesThroughLoss) {
  for (std::uint64_t seed = 1001; seed <= 1200 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Network network(seed);
    network.run(healed + 4 * keep, true);
    check_inboxes(network);
    for (const Station& station : network.stations()) {
      // An arrival has no receipt, so some learn too late that theirs was there.
      EXPECT_EQ(station.confirmed.size() + station.given_up.size(), station.for_leader.size());
      EXPECT_EQ(station.relay.held(), 0u);
    }
  }
}

TEST(RelayNetwork, AFullStoreLosesButNeitherGrowsNorLasts) {
  constexpr RelayOptions small{.most_parcels = 3, .most_remembered = 5};
  std::uint64_t refused = 0;
  for (std::uint64_t seed = 2001; seed <= 2100 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Network network(seed, small);
    for (Time time = 100ms; time < healed + 4 * keep; time += 100ms) {
      network.run(time, true);
      for (const Station& station : network.stations())
        ASSERT_LE(station.relay.held(), small.most_parcels);
    }
    for (const Station& station : network.stations()) {
      EXPECT_EQ(station.confirmed.size() + station.given_up.size(), station.for_leader.size());
      EXPECT_EQ(station.relay.held(), 0u);
    }
    refused += network.refused();
  }
  EXPECT_GT(refused, 500u);
}

TEST(RelayNetwork, TheSameSeedGivesTheSameRun) {
  const auto frames = [](std::uint64_t seed) {
    Network network(seed);
    network.run(healed, false);
    return network.frames();
  };
  EXPECT_EQ(frames(3), frames(3));
  EXPECT_NE(frames(3), frames(4));
}

}  // namespace
}  // namespace bellwether::node
