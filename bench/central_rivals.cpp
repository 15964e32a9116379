// SPDX-License-Identifier: MIT
#include "central_rivals.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#ifdef BELLWETHER_HAS_IGRAPH
#include <igraph/igraph.h>
#endif
#ifdef BELLWETHER_HAS_BOOST_GRAPH
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/visitors.hpp>
#include <boost/pending/queue.hpp>
#endif

namespace bench {

using bellwether::core::NodeIndex;
using bellwether::graph::Graph;

#ifdef BELLWETHER_HAS_IGRAPH

namespace {

/// igraph's own handler of errors ends the program, so no call is asked how it went.
class Igraph : public Rival {
 public:
  explicit Igraph(const Graph& graph) : nodes_(graph.size()) {
    igraph_vector_int_t ends;
    igraph_vector_int_init(&ends, 0);
    for (NodeIndex u = 0; u < graph.size(); ++u) {
      for (const NodeIndex v : graph.neighbours(u)) {
        if (u > v) continue;
        igraph_vector_int_push_back(&ends, u);
        igraph_vector_int_push_back(&ends, v);
      }
    }
    igraph_create(&graph_, &ends, graph.size(), IGRAPH_UNDIRECTED);
    igraph_vector_int_destroy(&ends);
    igraph_vector_init(&closeness_, 0);
  }
  ~Igraph() override {
    igraph_vector_destroy(&closeness_);
    igraph_destroy(&graph_);
  }

  void run(std::span<const NodeIndex> sources) override {
    if (sources.size() == nodes_) return closeness(igraph_vss_all());
    igraph_vector_int_t some;
    igraph_vector_int_init(&some, 0);
    for (const NodeIndex u : sources) igraph_vector_int_push_back(&some, u);
    closeness(igraph_vss_vector(&some));
    igraph_vector_int_destroy(&some);
  }

  std::vector<std::uint64_t> sums() const override {
    std::vector<std::uint64_t> out;
    for (igraph_integer_t i = 0; i < igraph_vector_size(&closeness_); ++i) {
      const double inverse = 1 / VECTOR(closeness_)[i];
      out.push_back(static_cast<std::uint64_t>(std::llround(inverse)));
    }
    return out;
  }

 private:
  void closeness(const igraph_vs_t& sources) {
    igraph_closeness(&graph_, &closeness_, nullptr, nullptr, sources, IGRAPH_ALL, nullptr, false);
  }

  NodeIndex nodes_;
  igraph_t graph_{};
  igraph_vector_t closeness_{};
};

}  // namespace

std::unique_ptr<Rival> make_igraph(const Graph& graph) {
  return std::make_unique<Igraph>(graph);
}

#else

std::unique_ptr<Rival> make_igraph(const Graph&) {
  return nullptr;
}

#endif

#ifdef BELLWETHER_HAS_BOOST_GRAPH

namespace {

/// Colours, distances and queue are made once and used by all searches.
class Boost : public Rival {
 public:
  explicit Boost(const Graph& graph)
      : graph_(make(graph)), colours_(graph.size()), distances_(graph.size()) {}

  void run(std::span<const NodeIndex> sources) override {
    const auto index = get(boost::vertex_index, graph_);
    const auto colours = boost::make_iterator_property_map(colours_.data(), index);
    const auto distances = boost::make_iterator_property_map(distances_.data(), index);
    const auto visitor =
        boost::make_bfs_visitor(boost::record_distances(distances, boost::on_tree_edge()));
    sums_.clear();
    for (const NodeIndex source : sources) {
      std::fill(colours_.begin(), colours_.end(), boost::white_color);
      distances_[source] = 0;
      boost::breadth_first_visit(graph_, source, queue_, visitor, colours);
      sums_.push_back(std::accumulate(distances_.begin(), distances_.end(), std::uint64_t{0}));
    }
  }

  std::vector<std::uint64_t> sums() const override { return sums_; }

 private:
  using Csr =
      boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                         boost::no_property, std::uint32_t, std::uint32_t>;

  static Csr make(const Graph& graph) {
    std::vector<std::pair<NodeIndex, NodeIndex>> arcs;
    for (NodeIndex u = 0; u < graph.size(); ++u)
      for (const NodeIndex v : graph.neighbours(u)) arcs.emplace_back(u, v);
    return Csr(boost::edges_are_sorted, arcs.begin(), arcs.end(), graph.size());
  }

  Csr graph_;
  std::vector<boost::default_color_type> colours_;
  std::vector<std::uint32_t> distances_;
  boost::queue<std::uint32_t> queue_;
  std::vector<std::uint64_t> sums_;
};

}  // namespace

std::unique_ptr<Rival> make_boost(const Graph& graph) {
  return std::make_unique<Boost>(graph);
}

#else

std::unique_ptr<Rival> make_boost(const Graph&) {
  return nullptr;
}

#endif

}  // namespace bench
