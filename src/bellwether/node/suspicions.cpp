// SPDX-License-Identifier: MIT
#include "bellwether/node/suspicions.hpp"

#include <algorithm>

namespace bellwether::node {
namespace {

constexpr core::Duration memory = std::chrono::minutes(1);
constexpr std::size_t most = 64;         // ids can be made up
constexpr std::size_t most_sources = 3;  // and so can addresses

}  // namespace

void Suspicions::add(core::Time now, Reason kind, const FrameSource& from, core::NodeId who,
                     const std::string& what) {
  const SuspicionKey key{kind, who};
  auto at = all_.find(key);
  if (at == all_.end() || now - at->second.last > memory) {
    std::erase_if(all_, [&](const auto& each) { return now - each.second.last > memory; });
    if (all_.size() >= most) return;
    at = all_.emplace(key, Sightings{}).first;
  }
  Sightings& seen = at->second;
  seen.last = now;
  seen.what = what;
  if (std::find(seen.sources.begin(), seen.sources.end(), from) != seen.sources.end()) return;
  if (seen.sources.size() < most_sources)
    seen.sources.push_back(from);
  else
    seen.more_sources = true;
}

std::vector<std::string> Suspicions::sentences(core::Time now) const {
  std::vector<std::string> out;
  for (const auto& [key, seen] : all_)
    if (now - seen.last <= memory) out.push_back(sentence(key, seen));
  return out;
}

std::vector<std::string> Suspicions::take_unlogged(core::Time now) {
  std::vector<std::string> out;
  for (auto& [key, seen] : all_) {
    const bool goes_on = !seen.logged || seen.last > *seen.logged;
    if (!goes_on || (seen.logged && now - *seen.logged < memory)) continue;
    seen.logged = now;
    out.push_back(sentence(key, seen));
  }
  return out;
}

std::string Suspicions::sentence(const SuspicionKey& key, const Sightings& seen) {
  std::vector<std::string> words;
  if (key.kind == Reason::own_id) words.emplace_back("this node");
  for (const FrameSource& each : seen.sources) words.push_back(each.text());
  if (seen.more_sources) words.emplace_back("others");
  std::string sources;
  for (std::size_t i = 0; i < words.size(); ++i)
    sources += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  switch (key.kind) {
    case Reason::other_key:
      return "frames with another key arrive from " + sources +
             "; give all nodes of the group the same key file";
    case Reason::not_sealed:
      return "encryption differs between this node and " + sources +
             "; give all nodes of the group the same key file, or run all with --plain";
    case Reason::other_election:
      return "frames of another election arrive from " + sources +
             "; give all nodes of the group the same algorithm and version";
    case Reason::other_algorithm:
      return "node " + std::to_string(core::raw(key.who)) + " (" + sources + ") " + seen.what +
             ": their frames are refused; give all nodes of the group the same algorithm";
    case Reason::same_id:
    case Reason::own_id:
      break;
  }
  return "two nodes use the id " + std::to_string(core::raw(key.who)) + ": " + sources +
         "; give each node its own id";
}

}  // namespace bellwether::node
