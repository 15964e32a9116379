// SPDX-License-Identifier: MIT
#include "bellwether/world/graph_parts.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <span>
#include <utility>

#include "bellwether/core/problem.hpp"
#include "bellwether/core/utf8.hpp"
#include "bellwether/world/topology.hpp"

namespace bellwether::world::parts {

std::size_t Source::line(std::size_t offset) const {
  const auto before = text.substr(0, offset);
  return 1 + static_cast<std::size_t>(std::ranges::count(before, '\n'));
}

void Source::refuse(std::size_t offset, const std::string& sentence) const {
  throw core::Problem({std::string(path), line(offset)}, {}, sentence);
}

void Source::refuse_whole(const std::string& sentence) const {
  throw core::Problem(std::string(path), {}, sentence);
}

std::string quoted(std::string_view word) {
  constexpr std::size_t most = 60;
  if (word.size() <= most) return "\"" + std::string(word) + "\"";
  std::size_t end = most;
  while (end > most - 4 && core::continues_utf8(word[end])) --end;
  return "\"" + std::string(word.substr(0, end)) + "...\"";
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

NodeIndex node_count(const Source& source, std::uint64_t number, std::size_t offset) {
  if (number == 0 || number > largest_network)
    source.refuse(offset, std::string(number == 0 ? "the graph has no nodes; " : "") +
                              "a network has from 1 to " + std::to_string(largest_network) +
                              " nodes, not " + std::to_string(number));
  try {  // a header is short, and what it promises may be large
    require_room(static_cast<double>(number), 0, "");
  } catch (const core::Problem& problem) {
    source.refuse(offset, problem.sentence());
  }
  return static_cast<NodeIndex>(number);
}

bool is_number(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789.") == word.npos;
}

std::uint32_t weight(const Source& source, std::string_view word, std::size_t offset) {
  if (word.empty())
    source.refuse(offset, "this link has no weight; add one, or measure without weights");
  std::string_view whole = word;
  if (const std::size_t point = word.find('.'); point != word.npos && point > 0)
    if (word.find_first_not_of('0', point + 1) == word.npos) whole = word.substr(0, point);
  const auto n = integer(whole);
  if (!n || *n == 0 || *n > 0xFFFF'FFFF)
    source.refuse(offset, "a weight is a whole number from 1 to 4294967295, not " + quoted(word) +
                              "; correct it, or measure without weights");
  return static_cast<std::uint32_t>(*n);
}

LineWords::LineWords(std::string_view line, const Blanks& separators, std::string_view comments) {
  while (true) {
    const std::string_view next = separators.next_word(line);
    if (next.empty() || comments.find(next[0]) != comments.npos) return;
    if (count < word.size()) word[count] = next;
    ++count;
  }
}

namespace {

/// 007 and 7 are one node.
std::string_view plain(std::string_view name) {
  if (!is_integer(name)) return name;
  return name.substr(std::min(name.find_first_not_of('0'), name.size() - 1));
}

}  // namespace

NodeIndex& NameTable::slot(std::string_view name) {
  const auto n = integer(name);
  if (!n || *n >= table_limit_) return numbers_.try_emplace(name, unknown).first->second;
  if (*n >= table_.size())
    table_.resize(std::min(table_limit_, std::max(*n + 1, std::uint64_t{2} * table_.size())),
                  unknown);
  return table_[*n];
}

bool NameTable::add(std::string_view name) {
  const std::size_t before = names_.size();
  number(name);
  return names_.size() > before;
}

std::optional<NodeIndex> NameTable::find(std::string_view name) {
  const NodeIndex number = slot(plain(name));
  if (number == unknown) return std::nullopt;
  return number;
}

NodeIndex NameTable::number(std::string_view name) {
  name = plain(name);
  NodeIndex& number = slot(name);
  if (number == unknown) {
    number = static_cast<NodeIndex>(names_.size());
    names_.push_back(name);
  }
  return number;
}

std::vector<NodeIndex> NameTable::ascending() const {
  std::vector<NodeIndex> order;
  order.reserve(names_.size());
  for (const NodeIndex u : table_)
    if (u != unknown) order.push_back(u);
  if (order.size() == names_.size()) return order;
  order.resize(names_.size());
  std::iota(order.begin(), order.end(), NodeIndex{0});
  // Without leading zeros the longer number is the larger one, however long.
  const auto value = [&](NodeIndex u) { return std::pair(names_[u].size(), names_[u]); };
  if (std::ranges::all_of(names_, is_integer)) std::ranges::sort(order, {}, value);
  return order;
}

void NameTable::settle(Listing& listing) const {
  const std::vector<NodeIndex> order = ascending();
  std::vector<NodeIndex> settled(order.size());
  for (NodeIndex i = 0; i < order.size(); ++i) settled[order[i]] = i;
  for (graph::Edge& e : listing.links) e = {settled[e.a], settled[e.b]};
  for (const NodeIndex u : order) listing.names.add(names_[u]);
  listing.nodes = static_cast<NodeIndex>(names_.size());
}

namespace {

using ListingIndex = std::uint32_t;  // of a link in its listing
constexpr ListingIndex nowhere = 0xFFFF'FFFF;

/// Calls visit(places) for each distinct link: where it is listed, ascending.
template <class Visit>
void for_each_link(const Listing& listing, Visit&& visit) {
  const std::vector<graph::Edge>& links = listing.links;
  const bool both_ways = listing.direction == graph::Direction::both_ways;
  const auto low = [&](const graph::Edge& e) { return both_ways ? std::min(e.a, e.b) : e.a; };
  const auto high = [&](const graph::Edge& e) { return both_ways ? std::max(e.a, e.b) : e.b; };
  std::vector<ListingIndex> ends(std::size_t{listing.nodes} + 1, 0);
  for (const graph::Edge& e : links) ++ends[low(e) + std::size_t{1}];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<ListingIndex> order(links.size());
  for (ListingIndex i = 0; i < links.size(); ++i) order[ends[low(links[i])]++] = i;
  // Each end is now where it ought to be, and each node's links stand together.
  std::size_t begin = 0;
  for (NodeIndex u = 0; u < listing.nodes; ++u) {
    const std::span<ListingIndex> mine(order.data() + begin, ends[u] - begin);
    begin = ends[u];
    std::ranges::sort(mine, {}, [&](ListingIndex i) { return std::pair(high(links[i]), i); });
    for (std::size_t from = 0, to = 0; from < mine.size(); from = to) {
      while (to < mine.size() && high(links[mine[to]]) == high(links[mine[from]])) ++to;
      visit(std::span<const ListingIndex>(mine.subspan(from, to - from)));
    }
  }
}

/// What is left when every link is there once, and what was too much.
struct Sifted {
  std::vector<bool> dropped;
  std::size_t loops = 0;
  std::size_t repeated = 0;
  ListingIndex loop = nowhere;        // the first in the file
  ListingIndex repetition = nowhere;  // the first in the file
  ListingIndex original = nowhere;    // what it repeats
};

class Sieve {
 public:
  Sieve(const Source& source, Listing& listing) : source_(source), listing_(listing) {}

  /// Refuses what is wrong in any case. Each link that is left has the smallest of its weights.
  Sifted sift() {
    if (listing_.links.size() > largest_network)
      source_.refuse_whole("the network has more than " + std::to_string(largest_network) +
                           " links; make it smaller");
    sifted_.dropped.assign(listing_.links.size(), false);
    for_each_link(listing_, [&](std::span<const ListingIndex> places) { link(places); });
    if (one_sided_ != nowhere) refuse_one_sided();
    if (uneven_ != nowhere) refuse_uneven();
    if (!listing_.miscounted.empty()) source_.refuse(listing_.header, listing_.miscounted);
    return std::move(sifted_);
  }

 private:
  void link(std::span<const ListingIndex> places) {
    const graph::Edge first = listing_.links[places[0]];
    const bool loop = first.a == first.b;
    for (std::size_t i = loop ? 0 : 1; i < places.size(); ++i) sifted_.dropped[places[i]] = true;
    if (loop) {
      sifted_.loops += places.size();
      sifted_.loop = std::min(sifted_.loop, places[0]);
      return;
    }
    if (listing_.listed == LinkMentions::once) {
      if (places.size() > 1) repeat(places.size() - 1, places[1], places[0]);
    } else {
      directions(places, first);
    }
    if (listing_.weights.empty()) return;
    std::uint32_t& least = listing_.weights[places[0]];
    for (const ListingIndex i : places) least = std::min(least, listing_.weights[i]);
  }

  void repeat(std::size_t times, ListingIndex repetition, ListingIndex original) {
    sifted_.repeated += times;
    if (repetition >= sifted_.repetition) return;
    sifted_.repetition = repetition;
    sifted_.original = original;
  }

  /// A link and its way back are one; a second one in the same direction is a repetition.
  void directions(std::span<const ListingIndex> places, graph::Edge first) {
    std::array<std::size_t, 2> times{};
    std::array<ListingIndex, 2> earliest{nowhere, nowhere};
    std::array<std::uint32_t, 2> weight{0xFFFF'FFFF, 0xFFFF'FFFF};
    ListingIndex repetition = nowhere;
    ListingIndex original = nowhere;
    for (const ListingIndex i : places) {
      const std::size_t way = listing_.links[i] == first ? 0 : 1;
      if (++times[way] == 1) {
        earliest[way] = i;
      } else if (repetition == nowhere) {
        repetition = i;
        original = earliest[way];
      }
      if (!listing_.weights.empty()) weight[way] = std::min(weight[way], listing_.weights[i]);
    }
    if (repetition != nowhere) repeat(std::max(times[0], times[1]) - 1, repetition, original);
    if (listing_.listed != LinkMentions::from_both_ends) return;
    if (times[1] == 0) {
      one_sided_ = std::min(one_sided_, places[0]);
    } else if (weight[0] != weight[1] && earliest[1] < uneven_) {
      uneven_ = earliest[1];
      even_ = earliest[0];
    }
  }

  [[noreturn]] void refuse_one_sided() const {
    const graph::Edge e = listing_.links[one_sided_];
    const std::string here = listing_.names[e.a];
    const std::string there = listing_.names[e.b];
    source_.refuse(listing_.offsets[one_sided_],
                   "node " + here + " lists node " + there + ", but node " + there +
                       " does not list node " + here + "; add it there or delete it here");
  }

  [[noreturn]] void refuse_uneven() const {
    source_.refuse(listing_.offsets[uneven_],
                   "the link to node " + listing_.names[listing_.links[uneven_].b] +
                       " has another weight on line " +
                       std::to_string(source_.line(listing_.offsets[even_])) +
                       "; make the two equal");
  }

  const Source& source_;
  Listing& listing_;
  Sifted sifted_;
  ListingIndex one_sided_ = nowhere;
  ListingIndex uneven_ = nowhere;
  ListingIndex even_ = nowhere;
};

template <class T>
void drop(std::vector<T>& all, const std::vector<bool>& dropped) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!dropped[i]) all[kept++] = all[i];
  all.resize(kept);
}

}  // namespace

Network strict_network(const Source& source, Listing listing) {
  const Sifted sifted = Sieve(source, listing).sift();
  if (sifted.loop != nowhere)
    source.refuse(listing.offsets[sifted.loop], "this link leads from a node to itself; delete it");
  const bool both_ways = listing.direction == graph::Direction::both_ways;
  if (sifted.repetition != nowhere && listing.listed != LinkMentions::as_arcs)
    source.refuse(
        listing.offsets[sifted.repetition],
        "this link is on line " + std::to_string(source.line(listing.offsets[sifted.original])) +
            " already; delete one of the two" + (both_ways ? " (links go both ways)" : ""));
  drop(listing.links, sifted.dropped);
  Network network;
  network.nodes = listing.nodes;
  network.direction = listing.direction;
  network.links = std::move(listing.links);
  return network;
}

MeasuredGraph lenient_graph(const Source& source, Listing listing) {
  if (source.reading.two_way && listing.direction == graph::Direction::one_way) {
    listing.direction = graph::Direction::both_ways;
    listing.listed = LinkMentions::as_arcs;
  }
  const Sifted sifted = Sieve(source, listing).sift();
  drop(listing.links, sifted.dropped);
  if (!listing.weights.empty()) drop(listing.weights, sifted.dropped);
  MeasuredGraph graph;
  graph.nodes = listing.nodes;
  graph.direction = listing.direction;
  graph.links = std::move(listing.links);
  graph.weights = std::move(listing.weights);
  graph.names = std::move(listing.names);
  graph.loops = sifted.loops;
  graph.repeated = sifted.repeated;
  return graph;
}

}  // namespace bellwether::world::parts
