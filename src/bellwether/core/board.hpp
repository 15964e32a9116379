// SPDX-License-Identifier: MIT
// The broadcasts of one round: one place for each node, and whether it is taken. A broadcast is
// kept once, at its sender, and every neighbour reads it there.
#pragma once

#include <vector>

#include "bellwether/core/aligned.hpp"
#include "bellwether/core/any_message.hpp"

namespace bellwether::core {

class Board {
 public:
  Board(const MessageKind& kind, NodeIndex nodes)
      : kind_(&kind), words_((kind.bytes + 7) / 8), places_(words_ * nodes), there_(nodes, 0) {
    if (!kind.small) made_.resize(nodes, 0);
  }
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;
  ~Board() {
    for (std::size_t u = 0; u < made_.size(); ++u)
      if (made_[u] != 0) kind_->destroy(place(static_cast<NodeIndex>(u)));
  }

  bool has(NodeIndex u) const { return there_[u] != 0; }
  const void* at(NodeIndex u) const { return places_.data() + u * words_; }
  void clear(NodeIndex u) { there_[u] = 0; }
  /// Taken from now on; the caller writes a message there.
  void* place_for(NodeIndex u) {
    there_[u] = 1;
    if (!kind_->small && std::exchange(made_[u], 1) != 0) kind_->destroy(place(u));
    return place(u);
  }
  void swap(Board& other) {
    places_.swap(other.places_);
    there_.swap(other.there_);
    made_.swap(other.made_);
  }

 private:
  void* place(NodeIndex u) { return places_.data() + u * words_; }

  const MessageKind* kind_;
  std::size_t words_;  // of a message
  LineVector<std::uint64_t> places_;
  std::vector<unsigned char> there_;
  std::vector<unsigned char> made_;  // whether there is a message to be destroyed
};

}  // namespace bellwether::core
