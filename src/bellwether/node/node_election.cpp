// SPDX-License-Identifier: MIT
#include "bellwether/node/node_election.hpp"

#include <algorithm>

namespace bellwether::node {
namespace {

/// Until others are taken for absent: beats of a leader that builds a tree are missed sooner than
/// neighbours are.
Duration longest_wait(const core::Algorithm& algorithm, const layers::ProbeOptions& probes) {
  return algorithm.tree ? std::min(3 * probes.period, probes.timeout) : probes.timeout;
}

/// Claims nothing.
void withdraw(LeaderState& claim) {
  claim.leader.reset();
  claim.chain.clear();
  claim.hops.reset();
  claim.role = Role::listening;
}

}  // namespace

NodeElection::NodeElection(const core::Algorithm& algorithm, const EngineSpec& spec,
                           Duration listen_first, EpochFile epoch_file)
    : spec_(spec),
      engine_(algorithm, spec),
      fence_(epoch_file.at_least()),
      epoch_file_(std::move(epoch_file)),
      // Lateness of a fifth of a period is worth a word; however late, others are not held for
      // long.
      slack_(spec.probes.period / 5, 5 * spec.probes.timeout),
      has_quiet_nodes_(algorithm.tree),
      missed_after_(longest_wait(algorithm, spec.probes)),
      listen_first_(listen_first > Duration{0} ? listen_first : missed_after_) {}

EngineInputs& NodeElection::at(Time now) {
  told_ = now;
  return decorator_ ? *decorator_ : engine_;
}

void NodeElection::start(Time now) {
  began_ = awake_ = now_.since = now;
  listen_until_ = now + listen_first_;
  at(now).start(now);
}

void NodeElection::farewell(Time now) {
  // Twice: one of them may be lost, and then the neighbours would wait for our silence.
  at(now).farewell(now);
  at(now).farewell(now);
}

LeaderChange NodeElection::end(Time now) {
  LeaderChange change{present(now), {}};
  change.other_leader = now_.leader.has_value();
  if (now_.leader) {
    now_.leader.reset();
    now_.role = Role::leaderless;
  }
  change.now = present(now);
  change.epoch_kept = epoch_file_.settle(fence_.epoch());
  return change;
}

Time NodeElection::moment(Time now, Duration age) const {
  return std::clamp(now - std::clamp<Duration>(age, Duration{0}, spec_.probes.timeout),
                    std::min(told_, now), now);
}

FrameResult NodeElection::on_frame(Time when, NodeId from, const Said& said,
                                   std::span<const std::uint8_t> body) {
  NeighbourNews& news = news_[from];
  news.heard = when;
  if (news.slack_ms != said.slack_ms) {
    news.slack_ms = said.slack_ms;
    // However late it says that it is: others must be able to do without it.
    const Duration its =
        std::min<Duration>(std::chrono::milliseconds(said.slack_ms), 2 * spec_.probes.timeout);
    at(when).set_slack(when, from, its);
  }
  fence_.on_frame(from, said.leader, said.epoch);
  if (!body.empty()) return at(when).on_frame(when, from, body);
  at(when).on_probe(when, from);
  return FrameResult::taken;
}

void NodeElection::on_neighbour_lost(Time when, NodeId neighbour) {
  at(when).on_neighbour_lost(when, neighbour);
  fence_.on_neighbour_lost(neighbour);
}

void NodeElection::forget_strangers(Time now) {
  const auto neighbours = engine_.neighbours();
  for (auto each = news_.begin(); each != news_.end();) {
    const NodeId id = each->first;
    if (std::binary_search(neighbours.begin(), neighbours.end(), id)) {
      ++each;
      continue;
    }
    at(now).set_slack(now, id, Duration{0});
    fence_.on_neighbour_lost(id);
    each = news_.erase(each);
  }
}

/// This process was stopped, or its machine too busy: others have lost it by now.
bool NodeElection::asleep(Time now) const {
  return now - awake_ > missed_after_ + slack_now_;
}

/// A node that wakes listens again, as a new one does: another node may lead by now. A leader keeps
/// what it published, since all may have slept with it, but does not claim it until it has
/// listened, and leads anew since then.
void NodeElection::turn(Time now) {
  if (!asleep(now)) return;
  listen_until_ = now + listen_first_;
  if (now_.leader == spec_.self) now_.since = now;
}

std::vector<core::Bytes> NodeElection::take_outgoing(Time now) {
  if (!engine_.outgoing().empty()) awake_ = now;
  return std::exchange(engine_.outgoing(), {});
}

std::optional<Duration> NodeElection::ring(Time now) {
  turn(now);  // before the slack grows: others have not heard of that
  std::optional<Duration> began_late;
  if (const Duration slack = slack_.now(now); slack != slack_now_) {
    if (slack_now_ == Duration{0}) began_late = slack;
    slack_now_ = slack;
    at(now).set_slack(now, slack);
  }
  if (const auto first = engine_.next_alarm(); first && *first <= now) at(now).alarm(now);
  return began_late;
}

std::optional<Time> NodeElection::next_alarm() const {
  const std::optional<Time> first = engine_.next_alarm();
  if (now_.role != Role::listening) return first;
  return first ? std::min(*first, listen_until_) : listen_until_;
}

/// Alone, a node that is new or has just woken leads only when it has listened for a while: others
/// may be there.
std::optional<NodeId> NodeElection::leader_to_publish(Time now) const {
  const auto leader = engine_.leader();
  const bool new_claim = leader == spec_.self && now_.leader != spec_.self;
  return new_claim && now < listen_until_ ? std::nullopt : leader;
}

Role NodeElection::role_at(Time now) const {
  if (now_.leader == spec_.self) return now < listen_until_ ? Role::listening : Role::leading;
  if (now_.leader) return Role::following;
  return now < listen_until_ ? Role::listening : Role::leaderless;
}

std::optional<LeaderChange> NodeElection::update(Time now) {
  turn(now);
  if (has_quiet_nodes_) awake_ = now;
  const auto leader = leader_to_publish(now);
  auto chain = engine_.chain();
  const bool changed = leader != now_.leader;
  if (!changed && role_at(now) == now_.role && chain == now_.chain && fence_.epoch() == now_.epoch)
    return std::nullopt;
  LeaderChange change{present(now), {}, changed};
  if (changed) {
    now_.leader = leader;
    now_.since = now;
    ++leader_changes_;
    fence_.lead(leader);
  }
  now_.role = role_at(now);
  now_.chain = std::move(chain);
  now_.epoch = fence_.epoch();
  change.epoch_kept = epoch_file_.keep(now_.epoch);
  change.now = claimed(now);
  return change;
}

CommandResult NodeElection::stand(Time now, Candidacy candidacy) {
  if (!engine_.has_priorities())
    return Rejection{spec_.algorithm + " cannot resign, pause or resume; " +
                     use_another_algorithm()};
  candidacy_ = candidacy;
  at(now).set_priority(now, effective_priority());
  return std::nullopt;
}

CommandResult NodeElection::set_priority(Time now, std::uint32_t priority) {
  if (!engine_.has_priorities())
    return Rejection{spec_.algorithm + " has no priorities; " + use_another_algorithm()};
  spec_.priority = priority;
  at(now).set_priority(now, effective_priority());
  return std::nullopt;
}

std::uint32_t NodeElection::effective_priority() const {
  switch (candidacy_) {
    case Candidacy::paused:
      return 0;
    case Candidacy::resigned:
      return std::min(spec_.priority, 1u);
    case Candidacy::eligible:
      break;
  }
  return spec_.priority;
}

Said NodeElection::said() const {
  return {now_.leader, fence_.epoch(),
          static_cast<std::uint32_t>(
              std::chrono::duration_cast<std::chrono::milliseconds>(slack_now_).count())};
}

Duration NodeElection::age_of(Time now, NodeId neighbour) const {
  const auto at = news_.find(neighbour);
  return at == news_.end() ? now - began_ : now - at->second.heard;
}

LeaderState NodeElection::present(Time now) const {
  LeaderState out;
  out.self = spec_.self;
  out.epoch = fence_.epoch();
  out.leader = now_.leader;
  out.role = now_.role;
  out.since = now - now_.since;
  out.chain = now_.chain;
  if (now_.leader && *now_.leader != spec_.self)
    if (const auto via = engine_.next_hop(*now_.leader)) out.age = age_of(now, *via);
  if (now_.leader == engine_.leader()) out.hops = engine_.hops_to_leader();
  out.members = engine_.members();
  return out;
}

LeaderState NodeElection::claimed(Time now) const {
  LeaderState out = present(now);
  if (now_.leader == spec_.self && now < listen_until_) withdraw(out);
  return out;
}

LeaderState NodeElection::leadership(Time now) const {
  LeaderState out = claimed(now);
  if (!asleep(now)) return out;
  withdraw(out);
  out.age = out.since = now - awake_;
  return out;
}

std::vector<NeighbourStatus> NodeElection::neighbours(Time now) const {
  std::vector<NeighbourStatus> out;
  for (const NodeId id : engine_.neighbours()) out.push_back({id, age_of(now, id)});
  return out;
}

std::vector<ComponentMember> NodeElection::members(Time now) const {
  std::vector<ComponentMember> out;
  for (const Route& route : engine_.routes().all())
    out.push_back({route.id, route.hops, route.via,
                   route.via ? age_of(now, *route.via) : Duration{0}, route.priority});
  return out;
}

}  // namespace bellwether::node
