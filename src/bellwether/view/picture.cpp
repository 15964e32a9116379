// SPDX-License-Identifier: MIT
#include "bellwether/view/picture.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <numeric>

#include "bellwether/scenario/scenario.hpp"

namespace bellwether::view {
namespace {

constexpr std::uint32_t magic = 0x32465742;
enum FrameFlag : std::uint32_t {
  with_places = 1,
  with_links = 2,
  with_ranks = 4,
  with_directions = 8
};
enum NodeFlag : unsigned char { is_alive = 1, is_leading = 2, is_absent = 4 };

/// Appends values as they lie in memory: browsers and this machine agree on that (little endian).
class FrameWriter {
 public:
  template <class T>
  void put(T value) {
    const auto* bytes = reinterpret_cast<const char*>(&value);
    out_.append(bytes, sizeof value);
  }
  void align() { out_.resize((out_.size() + 7) / 8 * 8, '\0'); }
  template <class T>
  void put_all(const std::vector<T>& values) {
    align();
    out_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

double number(Time t) {
  return static_cast<double>(t.count());
}

}  // namespace

void Picture::setup(const sim::RunSetup& setup) {
  ids_ = setup.ids;
  anonymous_ = setup.anonymous;
  absent_ = setup.absent;
  proximity_ = setup.proximity;
  for (NodeIndex u = 0; u < ids_.size(); ++u) indices_.emplace(core::raw(ids_[u]), u);
  seen_.assign(ids_.size(), 0);
}

NodeIndex Picture::index_of(NodeId id) const {
  const auto found = indices_.find(core::raw(id));
  return anonymous_ || found == indices_.end() ? nobody : found->second;
}

void Picture::find_components(const sim::RunView& inside, NodeIndex nodes) {
  if (links_known_ && links_version_ == inside.links_version() && shown_ == nodes) return;
  links_known_ = true;
  links_version_ = inside.links_version();
  shown_ = nodes;
  links_ = inside.links();
  std::erase_if(links_, [&](const auto& link) { return link.a >= nodes || link.b >= nodes; });
  links_sent_ = false;
  leaders_stale_ = true;
  component_.resize(nodes);
  std::iota(component_.begin(), component_.end(), 0);
  const auto root = [&](std::uint32_t u) {
    while (component_[u] != u) u = component_[u] = component_[component_[u]];
    return u;
  };
  for (const auto& link : links_) {
    const std::uint32_t a = root(link.a), b = root(link.b);
    component_[std::max(a, b)] = std::min(a, b);
  }
  components_ = 0;
  for (NodeIndex u = 0; u < nodes; ++u) {
    if (inside.alive(u) && component_[u] == u) ++components_;
    component_[u] = inside.alive(u) ? root(u) : nobody;
  }
}

void Picture::alive_changed(Time at, NodeIndex u, bool alive) {
  leaders_stale_ = true;
  if (alive) seen_[u] = 1;
  if (judged_ && u < judged_->size()) judged_->alive(at, u, alive);
}

void Picture::find_leaders(const sim::RunView& inside, NodeIndex nodes) {
  if (!leaders_stale_) return;
  leaders_stale_ = false;
  leader_.assign(nodes, nobody);
  leading_ = 0;
  for (NodeIndex u = 0; u < nodes; ++u) {
    const auto leader = inside.leader(u);
    if (leader) leader_[u] = anonymous_ ? (inside.leads(u) ? u : nobody) : index_of(*leader);
    if (inside.alive(u) && inside.leads(u)) ++leading_;
  }
  judge(inside);
}

/// How many live nodes are wrong, by what the metrics know of the network.
void Picture::judge(const sim::RunView& inside) {
  if (!judged_ || judged_->size() != ids_.size()) {
    // Distances decide for closeness only; above this many nodes the metrics have none, either.
    const bool paths = inside.criterion() == core::Criterion::closeness &&
                       ids_.size() <= scenario::measured_unasked;
    judged_.emplace(inside.criterion(), paths, ids_, std::span<const graph::Edge>{});
    judged_links_.clear();
  }
  follow_links();
  for (NodeIndex u = 0; u < leader_.size(); ++u) {
    judged_->alive(inside.now(), u, inside.alive(u));
    judged_->name(u, inside.alive(u) ? leader_[u] : nobody);
  }
  for (auto u = static_cast<NodeIndex>(leader_.size()); u < judged_->size(); ++u)
    judged_->alive(inside.now(), u, false);
  judged_->settle();
  const observe::Overview& seen = judged_->overview();
  instability_ = seen.live == 0 ? 0 : 1 - static_cast<double>(seen.right) / seen.live;
}

void Picture::follow_links() {
  std::vector<graph::Edge> now, changed;
  for (const auto& link : links_)
    now.push_back({std::min(link.a, link.b), std::max(link.a, link.b)});
  std::ranges::sort(now);
  const auto tell = [&](const auto& these, const auto& those, bool up) {
    changed.clear();
    std::ranges::set_difference(these, those, std::back_inserter(changed));
    for (const graph::Edge& link : changed) judged_->link(link.a, link.b, up);
  };
  tell(judged_links_, now, false);
  tell(now, judged_links_, true);
  judged_links_ = std::move(now);
}

namespace {

void put_flights(const std::vector<MessageInFlight>& flights, FrameWriter& out) {
  for (const MessageInFlight& flight : flights) {
    out.put(flight.from);
    out.put(flight.to);
    out.put(flight.kind);
    out.put(flight.fate);
    out.put(number(flight.sent));
    out.put(number(flight.arrives));
    out.put(static_cast<double>(flight.serial));
    out.put(flight.carries);
  }
}

}  // namespace

std::string Picture::encode_frame(const sim::RunView& inside, NodeIndex nodes,
                                  const std::vector<MessageInFlight>& flights) {
  find_components(inside, nodes);
  find_leaders(inside, nodes);
  const bool links = !links_sent_;
  links_sent_ = true;
  FrameWriter out;
  out.put(magic);
  out.put<std::uint32_t>(
      (proximity_ ? with_places : 0u) | (links ? with_links : 0u) |
      (inside.ranked() ? with_ranks : 0u) |
      (inside.has_heights() || (links && inside.one_way()) ? with_directions : 0u));
  out.put(number(inside.now()));
  out.put<std::uint32_t>(nodes);
  out.put(static_cast<std::uint32_t>(links ? links_.size() : 0));
  out.put(static_cast<std::uint32_t>(flights.size()));
  out.put(components_);
  out.put(static_cast<double>(inside.progress().events));
  out.put(static_cast<double>(inside.progress().messages));
  out.put(leading_);
  out.put(instability_);
  out.put_all(leader_);
  out.put_all(component_);
  std::vector<unsigned char> bytes(nodes);
  for (NodeIndex u = 0; u < nodes; ++u) {
    if (inside.alive(u)) seen_[u] = 1;
    bytes[u] = static_cast<unsigned char>((inside.alive(u) ? is_alive : 0) |
                                          (inside.leads(u) ? is_leading : 0) |
                                          (is_new(u) ? is_absent : 0));
  }
  out.put_all(bytes);
  if (proximity_) {
    std::vector<float> places;
    for (NodeIndex u = 0; u < nodes; ++u) {
      const world::Point at = proximity_->place(u, inside.now());
      places.push_back(static_cast<float>(at.x));
      places.push_back(static_cast<float>(at.y));
    }
    out.put_all(places);
  }
  if (inside.ranked()) {
    std::vector<std::uint32_t> heads(nodes, nobody);
    for (NodeIndex u = 0; u < nodes; ++u) {
      bytes[u] = static_cast<unsigned char>(std::min(inside.rank(u), 255u));
      if (const auto head = inside.head(u)) heads[u] = index_of(*head);
    }
    out.put_all(bytes);
    out.put_all(heads);
  }
  if (links) {
    std::vector<std::uint32_t> ends;
    bytes.clear();
    for (const auto& link : links_) {
      ends.insert(ends.end(), {link.a, link.b});
      bytes.push_back(link.wireless ? 1 : 0);
    }
    out.put_all(ends);
    out.put_all(bytes);
  }
  if (inside.has_heights() || (links && inside.one_way())) {
    bytes.clear();
    for (const auto& link : links_)
      bytes.push_back(inside.one_way() ? 1
                                       : static_cast<unsigned char>(inside.higher(link.a, link.b)));
    out.put_all(bytes);
  }
  out.align();
  put_flights(flights, out);
  return out.take();
}

}  // namespace bellwether::view
