// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/knowledge.hpp"

#include <algorithm>
#include <functional>

#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {

using core::NodeId;

namespace {

constexpr auto by_id = [](const MemberView& view, NodeId id) { return view.id < id; };

/// Merges two maps entry by entry; the result may equal one of them.
class Merger {
 public:
  Merger(Known& ours, const Known& theirs, Ties ties) : ours_(ours), theirs_(theirs), ties_(ties) {}

  bool run() {
    const std::vector<MemberView>& a = *ours_;
    const std::vector<MemberView>& b = *theirs_;
    if (!is_map(b)) return false;
    auto x = a.begin();
    for (auto y = b.begin(); y != b.end(); ++y) {
      for (; x != a.end() && x->id < y->id; ++x) take_ours(*x);
      if (x == a.end() || y->id < x->id) {
        if (!take_theirs(*y)) return false;
      } else if (!take_either(*x++, *y)) {
        return false;
      }
    }
    for (; x != a.end(); ++x) take_ours(*x);
    if (equals_theirs_)
      ours_ = theirs_;  // also where nothing changed: the next comparison is for free
    else if (changed_)
      ours_ = Known(std::move(merged_));
    return changed_;
  }

 private:
  static bool is_map(const std::vector<MemberView>& views) {
    return std::adjacent_find(views.begin(), views.end(),
                              [](const MemberView& a, const MemberView& b) {
                                return !(a.id < b.id);
                              }) == views.end();
  }

  void take_ours(const MemberView& ours) {
    equals_theirs_ = false;
    keep(ours);
  }
  bool take_theirs(const MemberView& theirs) {
    change();
    merged_.push_back(theirs);
    return is_set(*theirs.neighbours);
  }
  bool take_either(const MemberView& ours, const MemberView& theirs) {
    if (theirs.clock > ours.clock) {
      change();
      merged_.push_back(theirs);
      return is_set(*theirs.neighbours);
    }
    if (theirs == ours) {
      keep(ours);
      return true;
    }
    if (theirs.clock < ours.clock || ties_ == Ties::keep) {
      take_ours(ours);
      return true;
    }
    if (!is_set(*theirs.neighbours)) return false;
    // Where one of them has the default priority, so has the union: the node is in it.
    MemberView both{ours.id, ours.clock,
                    core::Shared<Ids>(united(*ours.neighbours, *theirs.neighbours)),
                    std::max(ours.priority, theirs.priority)};
    equals_theirs_ = equals_theirs_ && both == theirs;
    if (both == ours) {
      keep(ours);
    } else {
      change();
      merged_.push_back(std::move(both));
    }
    return true;
  }

  void keep(const MemberView& ours) {
    if (changed_)
      merged_.push_back(ours);
    else
      ++kept_;
  }
  /// From here on the result differs: first copies the entries so far.
  void change() {
    if (changed_) return;
    changed_ = true;
    merged_.reserve(std::max(ours_->size(), theirs_->size()) + 1);
    merged_.assign(ours_->begin(), ours_->begin() + kept_);
  }

  Known& ours_;
  const Known& theirs_;
  Ties ties_;
  bool changed_ = false;
  bool equals_theirs_ = true;
  std::ptrdiff_t kept_ = 0;
  std::vector<MemberView> merged_;
};

}  // namespace

Known initial_knowledge(NodeId id) {
  return Known({MemberView{id, 0, core::Shared<Ids>({id})}});
}

const MemberView* find(const Known& known, NodeId id) {
  const auto at = std::lower_bound(known->begin(), known->end(), id, by_id);
  return at == known->end() || at->id != id ? nullptr : &*at;
}

MemberView& entry(Known& known, NodeId id) {
  std::vector<MemberView>& views = known.edit();
  const auto at = std::lower_bound(views.begin(), views.end(), id, by_id);
  if (at != views.end() && at->id == id) return *at;
  return *views.insert(at, MemberView{id, 0, {}});
}

bool contains(const Ids& ids, NodeId id) {
  return std::binary_search(ids.begin(), ids.end(), id);
}

void insert(core::Shared<Ids>& ids, NodeId id) {
  if (contains(*ids, id)) return;
  Ids& all = ids.edit();
  all.insert(std::lower_bound(all.begin(), all.end(), id), id);
}

void erase(core::Shared<Ids>& ids, NodeId id) {
  if (contains(*ids, id)) std::erase(ids.edit(), id);
}

Ids united(const Ids& a, const Ids& b) {
  Ids out;
  out.reserve(a.size() + b.size());
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

Ids without(const Ids& a, const Ids& b) {
  Ids out;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

bool is_set(const Ids& ids) {
  return std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()) == ids.end();
}

bool merge(Known& ours, const Known& theirs, Ties ties) {
  return !ours.same(theirs) && Merger(ours, theirs, ties).run();
}

bool pruned_by_neighbour(const Known& known, NodeId self) {
  const MemberView* own = find(known, self);
  if (own->unusual()) return false;  // the neighbour's set must contain us, and ours does not
  return std::any_of(own->neighbours->begin(), own->neighbours->end(), [&](NodeId n) {
    if (!(n < self)) return false;
    const MemberView* other = find(known, n);
    return other && other->neighbours == own->neighbours;
  });
}

bool clocks_rise(const Known& before, const Known& after) {
  if (before.same(after)) return true;
  return std::all_of(before->begin(), before->end(), [&](const MemberView& old) {
    const MemberView* now = find(after, old.id);
    return !now || now->clock >= old.clock;
  });
}

std::string to_text(const Known& known) {
  std::string out;
  for (const MemberView& view : *known) {
    out += out.empty() ? "" : " ";
    out += core::text_of(view.id) + ":" + core::text_of(view.clock) + "{";
    core::detail::join(out, *view.neighbours, [&](NodeId id) { core::print(out, id); });
    out += "}";
    if (const std::uint32_t priority = view.effective_priority(); priority != usual_priority)
      out += "@" + core::text_of(priority);
  }
  return out;
}

}  // namespace bellwether::algorithms
