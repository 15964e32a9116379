// SPDX-License-Identifier: MIT
#include "bellwether/node/node_wire.hpp"

#include <algorithm>
#include <utility>

namespace bellwether::node {

namespace {

constexpr std::size_t most_proofs = 128;
constexpr std::size_t proofs_at_once = 48;  // what the smallest frame has room for
constexpr std::size_t most_sources = 2048;

}  // namespace

NodeWire::NodeWire(WireIdentity identity, Keyring keys, Sessions::Draw draw, SendFrame send)
    : identity_(std::move(identity)),
      keys_(std::move(keys)),
      send_(std::move(send)),
      sessions_(identity_.self, std::move(draw)) {}

void NodeWire::refuse(Time now, Refusal why, const FrameSource& source) {
  ++counters_.refused[static_cast<std::size_t>(why)];
  if (why == Refusal::wrong_key) suspicions_.add(now, Suspicions::Reason::other_key, source);
  if (why == Refusal::not_sealed) suspicions_.add(now, Suspicions::Reason::not_sealed, source);
}

void NodeWire::refuse_algorithm(Time now, NodeId sender, AlgorithmMark its,
                                const FrameSource& source) {
  ++counters_.other_algorithm;
  std::string name = "another algorithm";
  for (const std::string& each : identity_.algorithms)
    if (algorithm_mark(each) == its) name = each;
  suspicions_.add(now, Suspicions::Reason::other_algorithm, source, sender,
                  "runs " + name + ", this node runs " + identity_.algorithm);
}

std::optional<FreshLetter> NodeWire::receive(Time at, Time now, std::span<const std::uint8_t> frame,
                                             const FrameSource& source) {
  ++counters_.frames_heard;
  counters_.bytes_heard += frame.size();
  const Peeked peeked = peek(frame, identity_.group, keys_);
  if (peeked.refusal != Refusal::none) return refuse(now, peeked.refusal, source), std::nullopt;
  const FrameHeader& heading = peeked.heading;
  if (heading.sender == identity_.self && heading.session == identity_.session) return std::nullopt;
  if (!sessions_.worth_opening(heading)) {
    ++counters_.repeated;
    return std::nullopt;
  }
  Opened opened = open(frame, keys_);
  if (opened.refusal != Refusal::none) return refuse(now, opened.refusal, source), std::nullopt;
  if (opened.letter.algorithm != algorithm_mark(identity_.algorithm))
    return refuse_algorithm(now, heading.sender, opened.letter.algorithm, source), std::nullopt;
  // Every question is answered, believed or not: two nodes that have just begun would wait for each
  // other.
  for (const Challenge& ask : opened.letter.asks)
    if (ask.to == identity_.self && proofs_.size() < most_proofs)
      proofs_.push_back({heading.sender, ask.number});
  const Freshness freshness = sessions_.judge(at, heading, opened.letter.proofs);
  if (!judge(now, heading, freshness, source)) return std::nullopt;
  return FreshLetter{heading.sender, freshness == Freshness::restarted, std::move(opened.letter)};
}

bool NodeWire::judge(Time now, const FrameHeader& heading, Freshness freshness,
                     const FrameSource& source) {
  last_source_ = source;
  switch (freshness) {
    case Freshness::repeated:
      ++counters_.repeated;
      return false;
    case Freshness::unproven:
      ++counters_.unproven;
      return false;
    case Freshness::duplicate_id:
      ++counters_.duplicate_id;
      if (const auto other = sources_.find(heading.sender); other != sources_.end())
        suspicions_.add(now, Suspicions::Reason::same_id, other->second, heading.sender);
      suspicions_.add(now, Suspicions::Reason::same_id, source, heading.sender);
      return false;
    case Freshness::restarted:
    case Freshness::began:
    case Freshness::fresh:
      break;
  }
  // It has proved to be alive, which a recording of this node's own frames cannot.
  if (heading.sender == identity_.self) {
    ++counters_.own_id_elsewhere;
    suspicions_.add(now, Suspicions::Reason::own_id, source, identity_.self);
    return false;
  }
  if (freshness == Freshness::restarted) ++counters_.restarted;
  if (sources_.size() >= most_sources && !sources_.contains(heading.sender)) sources_.clear();
  sources_[heading.sender] = source;
  return true;
}

void NodeWire::reject_malformed(Time now) {
  ++counters_.malformed;
  suspicions_.add(now, Suspicions::Reason::other_election, last_source_);
}

void NodeWire::send(FrameBody letter) {
  letter.algorithm = algorithm_mark(identity_.algorithm);
  // Only what was said before can wait.
  const Said said = letter.said();
  const bool patient = letter.election == identity_.probe && said_ == said && !letter.relay &&
                       letter.asks.empty() && letter.proofs.empty();
  said_ = said;
  const FrameHeader heading{identity_.self, identity_.session, next_frame_++, patient};
  const core::Bytes frame = to_frame(heading, letter, identity_.group, keys_);
  ++counters_.frames_sent;
  counters_.bytes_sent += frame.size();
  send_(frame);
}

FrameBody NodeWire::take_answers(Time now) {
  FrameBody letter;
  letter.asks = sessions_.take_asks(now);
  const auto last =
      proofs_.begin() + static_cast<std::ptrdiff_t>(std::min(proofs_.size(), proofs_at_once));
  letter.proofs.assign(proofs_.begin(), last);
  proofs_.erase(proofs_.begin(), last);
  return letter;
}

}  // namespace bellwether::node
