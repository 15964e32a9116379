// SPDX-License-Identifier: MIT
#include "bellwether/node/suspicions.hpp"

namespace bellwether::node {
namespace {

constexpr core::Duration memory = std::chrono::minutes(1);
constexpr std::size_t most = 64;  // ids can be made up

}  // namespace

void Suspicions::see(core::Time now, Kind kind, core::NodeId who) {
  const Key key{kind, who};
  if (const auto at = all_.find(key); at != all_.end()) {
    at->second.seen = now;
    return;
  }
  std::erase_if(all_, [&](const auto& each) { return now - each.second.seen > memory; });
  if (all_.size() < most) all_[key] = {now, std::nullopt};
}

std::vector<std::string> Suspicions::sentences(core::Time now) const {
  std::vector<std::string> out;
  for (const auto& [key, times] : all_)
    if (now - times.seen <= memory) out.push_back(sentence(key));
  return out;
}

std::vector<std::string> Suspicions::take_untold(core::Time now) {
  std::vector<std::string> out;
  for (auto& [key, times] : all_) {
    const bool goes_on = !times.told || times.seen > *times.told;
    if (!goes_on || (times.told && now - *times.told < memory)) continue;
    times.told = now;
    out.push_back(sentence(key));
  }
  return out;
}

std::string Suspicions::sentence(const Key& key) {
  switch (key.kind) {
    case Kind::other_key:
      return "frames with another key are heard; give all nodes of the group the same key file";
    case Kind::not_sealed:
      return "some nodes of this group seal their frames and some do not; give all of them the "
             "same key file, or run all with --plain";
    case Kind::other_election:
      return "frames of another election are heard; give all nodes the same algorithm and version";
    case Kind::same_id:
      break;
  }
  return "two nodes use the id " + std::to_string(core::raw(key.who)) + "; give each its own";
}

}  // namespace bellwether::node
