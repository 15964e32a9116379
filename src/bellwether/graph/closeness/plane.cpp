// SPDX-License-Identifier: MIT
// Large graphs that lie in a plane or in space, more or less: radio networks, grids, roads. A few
// searches from far landmarks bound all sums from below; where many candidates are left, landmarks
// near them bound better; the nodes left then are searched, 256 at a time.
#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "bellwether/graph/closeness/bounds.hpp"

namespace bellwether::graph {

namespace {

constexpr std::uint32_t batch_size = 256;
constexpr std::uint32_t few = 8;  // searched one by one
constexpr std::uint32_t samples = 64;
constexpr std::size_t far_landmarks = 12;
constexpr int rounds = 2;                              // of landmarks near the candidates
constexpr std::size_t enough_candidates = batch_size;  // no more landmarks for so few

struct BoundedNode {
  std::uint64_t bound;
  std::uint32_t place;
};

bool better(const BoundedNode& a, const BoundedNode& b) {
  return a.bound < b.bound;
}

/// The bits of a number at even positions.
std::uint32_t spread(std::uint32_t bits) {
  bits = (bits | bits << 4) & 0x0F0F;
  bits = (bits | bits << 2) & 0x3333;
  return (bits | bits << 1) & 0x5555;
}

/// Where the largest of them is; of equals the last. That is the farthest from node 0, and so more
/// likely at an end than in the middle.
template <class Distance>
std::size_t farthest(const std::vector<Distance>& distances) {
  Distance most = 0;
  for (const Distance each : distances) most = std::max(most, each);
  const auto last = std::find(distances.rbegin(), distances.rend(), most);
  return static_cast<std::size_t>(distances.rend() - last) - 1;
}

/// Nodes in the order of a curve that fills the plane (Morton 1966), with the distances from two
/// landmarks as coordinates: nodes with neighbouring places lie near each other.
template <class Distance>
std::vector<std::uint32_t> along_a_curve(const std::vector<Distance>& x,
                                         const std::vector<Distance>& y) {
  const Distance most =
      std::max(*std::max_element(x.begin(), x.end()), *std::max_element(y.begin(), y.end()));
  const int bits = static_cast<int>(std::bit_width(most));
  const int used = std::min(bits, 8);
  const int shift = bits - used;
  const auto key = [&](std::size_t v) {
    return spread(static_cast<std::uint32_t>(x[v] >> shift)) << 1 |
           spread(static_cast<std::uint32_t>(y[v] >> shift));
  };
  std::vector<std::uint32_t> begins((std::size_t{1} << 2 * used) + 1, 0);
  for (std::size_t v = 0; v < x.size(); ++v) ++begins[key(v) + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<std::uint32_t> order(x.size());
  for (std::size_t v = 0; v < x.size(); ++v)
    order[begins[key(v)]++] = static_cast<std::uint32_t>(v);
  return order;
}

template <class Distance>
class PlaneSearch {
 public:
  PlaneSearch(const LocalGraph& graph, const std::vector<std::uint8_t>& kept,
              const std::vector<std::uint8_t>& allowed, Processor processor, Podium& podium)
      : graph_(graph),
        allowed_(allowed),
        podium_(podium),
        pulls_(graph, kept),
        searcher_(pulls_),
        batch_(graph, pulls_, processor),
        fine_(landmarks_, 8, processor),
        // The sum of a coarse cell must fit, too.
        coarse_(landmarks_, graph.first_eccentricity < 512 ? 32 : 8, processor) {}

  void run() {
    place_far_landmarks();
    open();
    collect(0, graph_.size());
    // The nearer the landmarks, the sharper the bounds; the better the best, the lower the bar.
    for (int round = 0; round < rounds && left_.size() > enough_candidates; ++round) {
      place_near_landmarks();
      search_best();
    }
    search();
  }

 private:
  using Distances = std::vector<Distance>;

  std::uint32_t node(const BoundedNode& each) const { return order_[each.place]; }
  void offer(std::uint32_t node, std::uint64_t sum) {
    podium_.offer({graph_.names[node], graph_.size(), sum});
  }

  /// Distances by place.
  void add(const std::vector<Distances>& landmarks) {
    for (const Distances& each : landmarks) {
      Distances& by_place = landmarks_.emplace_back(each.size());
      for (std::size_t i = 0; i < each.size(); ++i) by_place[i] = each[order_[i]];
    }
    fine_.pack();
    coarse_.pack();
  }
  std::uint64_t bound(std::uint32_t place) { return fine_.of(place, place + 1); }

  /// Each as far as can be from those before.
  void place_far_landmarks() {
    std::vector<Distances> found(far_landmarks);
    Distances nearest(graph_.size(), std::numeric_limits<Distance>::max());
    std::uint32_t at = graph_.size() - 1;  // the farthest from node 0
    for (Distances& each : found) {
      searcher_.run(at, each);
      for (std::uint32_t v = 0; v < graph_.size(); ++v) nearest[v] = std::min(nearest[v], each[v]);
      at = static_cast<std::uint32_t>(farthest(nearest));
    }
    // The second one lies opposite the first: the third tells the two sides apart.
    order_ = along_a_curve(found[0], found[2]);
    place_.resize(order_.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
    done_.assign(order_.size(), 0);
    add(found);
  }

  /// The first sums: those of nodes around one that looks best. They set the bar.
  void open() {
    const std::uint32_t step = std::max(1u, graph_.size() / samples);
    BoundedNode best{~std::uint64_t{0}, 0};
    for (std::uint32_t place = 0; place < graph_.size(); place += step)
      best = std::min(best, {bound(place), place}, better);
    for (BoundedNode last{0, graph_.size()}; last.place != best.place;) {
      last = best;
      for (const std::uint32_t v : graph_.neighbours(node(last)))
        best = std::min(best, {bound(place_[v]), place_[v]}, better);
    }
    const std::size_t few_of_many = std::clamp(graph_.size() / 400, 32u, batch_size);
    const std::size_t enough = std::max(few_of_many, podium_.places());
    for (const std::uint32_t v : around(graph_, node(best), allowed_, enough))
      left_.push_back({0, place_[v]});
    search();
  }

  /// Who may win, by quarters of quarters.
  void collect(std::uint32_t first, std::uint32_t last) {
    if (last - first == 1 && allowed_[order_[first]] == 0) return;
    if (coarse_.of(first, last) > podium_.bar()) return;
    if (last - first == 1) {
      const std::uint64_t sharper = bound(first);
      if (sharper <= podium_.bar() && done_[first] == 0) left_.push_back({sharper, first});
      return;
    }
    const std::uint32_t size = (last - first + 3) / 4;
    for (; first < last; first += size) collect(first, std::min(last, first + size));
  }

  /// On a ring around the candidates: whatever the direction of v as seen from a candidate w, some
  /// landmark lies almost behind w. The nearer it is, the less it matters that it is not quite so.
  void place_near_landmarks() {
    // The larger the graph, the more a search of all candidates costs.
    std::vector<Distances> found(std::clamp<std::size_t>(graph_.size() / 5000, 6, 20));
    const BoundedNode best = *std::min_element(left_.begin(), left_.end(), better);
    offer(node(best), searcher_.run(node(best), found[0]));
    done_[best.place] = 1;
    Distance radius = 0;
    for (const BoundedNode& each : left_) radius = std::max(radius, found[0][node(each)]);
    std::vector<std::uint32_t> ring;
    for (std::uint32_t v = 0; v < graph_.size(); ++v)
      if (found[0][v] == radius) ring.push_back(v);
    Distances nearest(ring.size(), std::numeric_limits<Distance>::max());
    std::size_t at = 0;
    for (std::size_t i = 1; i < found.size(); ++i) {
      searcher_.run(ring[at], found[i]);
      for (std::size_t j = 0; j < ring.size(); ++j)
        nearest[j] = std::min(nearest[j], found[i][ring[j]]);
      at = farthest(nearest);
    }
    add(found);
    for (BoundedNode& each : left_) each.bound = bound(each.place);
    drop();
  }

  /// Drops nodes that are done or cannot win. None may be offered twice: it would take two places.
  void drop() {
    std::erase_if(left_, [&](const BoundedNode& each) {
      return done_[each.place] != 0 || each.bound > podium_.bar();
    });
  }

  /// Where there are many, the best come first: they lower the bar for the others.
  void search_best() {
    if (left_.size() <= 2 * batch_size) return;
    std::vector<BoundedNode> best = left_;
    std::nth_element(best.begin(), best.begin() + batch_size, best.end(), better);
    best.resize(batch_size);
    search_all(best);
    drop();
  }

  /// In turn, so that those that are searched together lie together.
  void search() {
    const std::size_t batches = (left_.size() + batch_size - 1) / batch_size;
    for (std::size_t i = 0; i < batches; ++i) {
      const std::size_t first = i * left_.size() / batches;
      const std::size_t last = (i + 1) * left_.size() / batches;
      search_all(std::span(left_).subspan(first, last - first));
    }
    left_.clear();
  }

  void search_all(std::span<const BoundedNode> some) {
    std::vector<std::uint32_t> sources;
    for (const BoundedNode& each : some) {
      if (each.bound > podium_.bar()) continue;
      sources.push_back(node(each));
      done_[each.place] = 1;
    }
    Distances unused;
    if (sources.size() <= few) {
      for (const std::uint32_t v : sources) offer(v, searcher_.run(v, unused));
      return;
    }
    const std::vector<std::uint64_t> sums = batch_.sums(sources, ~std::uint64_t{0});
    for (std::size_t i = 0; i < sums.size(); ++i) offer(sources[i], sums[i]);
  }

  const LocalGraph& graph_;
  const std::vector<std::uint8_t>& allowed_;
  Podium& podium_;
  Pulls pulls_;
  Searcher<Distance> searcher_;
  SourceBatch batch_;
  LandmarkDistances<Distance> landmarks_;
  Bounds<Distance> fine_;
  Bounds<Distance> coarse_;
  std::vector<std::uint32_t> order_;  // nodes by place
  std::vector<std::uint32_t> place_;  // by node
  std::vector<std::uint8_t> done_;    // by place: its sum is known
  std::vector<BoundedNode> left_;     // by place
};

}  // namespace

void plane_central(const LocalGraph& graph, const std::vector<std::uint8_t>& kept,
                   const std::vector<std::uint8_t>& allowed, Processor processor, Podium& podium) {
  // No distance is more than twice that of the farthest node from node 0, and cells add up eight.
  if (graph.first_eccentricity < 2048)
    PlaneSearch<std::uint16_t>(graph, kept, allowed, processor, podium).run();
  else
    PlaneSearch<std::uint32_t>(graph, kept, allowed, processor, podium).run();
}

}  // namespace bellwether::graph
