// SPDX-License-Identifier: MIT
#include "bellwether/world/graph_parts.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

#include "bellwether/world/topology.hpp"

namespace bellwether::world::parts {

std::size_t Source::line(std::size_t offset) const {
  const auto before = text.substr(0, offset);
  return 1 + static_cast<std::size_t>(std::ranges::count(before, '\n'));
}

void Source::refuse(std::size_t offset, const std::string& sentence) const {
  throw BadFile(std::string(path), line(offset), sentence);
}

void Source::refuse_whole(const std::string& sentence) const {
  throw BadFile(std::string(path), 0, sentence);
}

std::string quoted(std::string_view word) {
  return "\"" + std::string(word) + "\"";
}

bool is_integer(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789") == word.npos;
}

std::optional<std::uint64_t> integer(std::string_view word) {
  std::uint64_t n = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, n);
  if (error != std::errc{} || stop != end || word.empty()) return std::nullopt;
  return n;
}

Words::Words(std::string_view line, std::string_view separators, std::string_view comments) {
  while (true) {
    const std::size_t begin = line.find_first_not_of(separators);
    if (begin == line.npos || comments.find(line[begin]) != comments.npos) return;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(separators), line.size());
    if (count < word.size()) word[count] = line.substr(0, end);
    ++count;
    line.remove_prefix(end);
  }
}

namespace {

/// 007 and 7 are one node.
std::string_view plain(std::string_view name) {
  if (!is_integer(name)) return name;
  return name.substr(std::min(name.find_first_not_of('0'), name.size() - 1));
}

}  // namespace

bool Names::add(std::string_view name) {
  name = plain(name);
  if (!numbers_.try_emplace(name, static_cast<NodeIndex>(names_.size())).second) return false;
  names_.push_back(name);
  return true;
}

std::optional<NodeIndex> Names::find(std::string_view name) const {
  const auto found = numbers_.find(plain(name));
  if (found == numbers_.end()) return std::nullopt;
  return found->second;
}

NodeIndex Names::number(std::string_view name) {
  add(name);
  return *find(name);
}

void Names::settle(std::vector<graph::Edge>& links) const {
  if (!std::ranges::all_of(names_, is_integer)) return;
  std::vector<NodeIndex> order(names_.size());
  std::iota(order.begin(), order.end(), NodeIndex{0});
  // Without leading zeros the longer number is the larger one, however long.
  std::ranges::sort(order, {}, [&](NodeIndex u) { return std::pair(names_[u].size(), names_[u]); });
  std::vector<NodeIndex> settled(names_.size());
  for (NodeIndex i = 0; i < order.size(); ++i) settled[order[i]] = i;
  for (graph::Edge& e : links) e = {settled[e.a], settled[e.b]};
}

void Links::add(NodeIndex a, NodeIndex b, std::size_t offset) {
  if (a == b) source_.refuse(offset, "this link leads from a node to itself; delete it");
  links_.push_back({a, b});
  offsets_.push_back(offset);
}

std::vector<graph::Edge> Links::take(graph::Direction direction, bool merge) {
  if (links_.size() > largest_network)
    source_.refuse_whole("the network has more than " + std::to_string(largest_network) +
                         " links; make it smaller");
  const bool both_ways = direction == graph::Direction::both_ways;
  const auto key = [&](std::size_t i) {
    const auto [a, b] = links_[i];
    return both_ways && b < a ? graph::Edge{b, a} : graph::Edge{a, b};
  };
  std::vector<std::size_t> order(links_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(key(i), i); });

  // Equal links now stand together, in the order of the file.
  std::vector<bool> repeats(links_.size(), false);
  std::size_t earliest = links_.size();
  std::size_t original = 0;
  for (std::size_t i = 1, first = 0; i < order.size(); ++i) {
    if (key(order[i]) != key(order[first])) {
      first = i;
      continue;
    }
    repeats[order[i]] = true;
    if (order[i] >= earliest) continue;
    earliest = order[i];
    original = order[first];
  }
  if (earliest == links_.size()) return std::move(links_);
  if (!merge)
    source_.refuse(offsets_[earliest], "this link is on line " +
                                           std::to_string(source_.line(offsets_[original])) +
                                           " already; delete one of the two" +
                                           (both_ways ? " (links go both ways)" : ""));
  std::vector<graph::Edge> kept;
  for (std::size_t i = 0; i < links_.size(); ++i)
    if (!repeats[i]) kept.push_back(links_[i]);
  return kept;
}

}  // namespace bellwether::world::parts
