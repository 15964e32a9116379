// SPDX-License-Identifier: MIT
// All ends of a node, up or down. Made on the first request: most runs never need them.
#pragma once

#include <vector>

#include "bellwether/sim/links.hpp"

namespace bellwether::sim {

class Incidence {
 public:
  const std::vector<End>& of(const Links& links, NodeIndex nodes, NodeIndex u) {
    if (ends_.empty()) {
      ends_.resize(nodes);
      for (End e = 0; e < links.end_count(); ++e)
        if (links.owner(e) != links.owner(Links::sister(e))) add(links, e);  // else: not added yet
    }
    return ends_[u];
  }
  /// A link has come that was not there at the first request.
  void add_link(const Links& links, End e) {
    if (ends_.empty()) return;
    add(links, e);
    add(links, Links::sister(e));
  }
  /// The slot of a link is about to be given to another one.
  void remove_link(const Links& links, End e) {
    if (ends_.empty()) return;
    std::erase(ends_[links.owner(e)], e);
    std::erase(ends_[links.owner(Links::sister(e))], Links::sister(e));
  }
  /// The end behind a port that only listens; no_end when there is none.
  End listening(const Links& links, NodeIndex nodes, NodeIndex u, Port port) {
    for (const End e : of(links, nodes, u))
      if (links.up(e) && links.port(e) == port) return e;
    return no_end;
  }

 private:
  void add(const Links& links, End e) { ends_[links.owner(e)].push_back(e); }
  std::vector<std::vector<End>> ends_;
};

}  // namespace bellwether::sim
