// SPDX-License-Identifier: MIT
#include "bellwether/world/changes.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "bellwether/core/problem.hpp"

namespace bellwether::world {
namespace {

/// A list, in order.
class ListedChanges final : public Changes {
 public:
  explicit ListedChanges(std::vector<Change> list) : list_(std::move(list)) {
    std::stable_sort(list_.begin(), list_.end(),
                     [](const Change& x, const Change& y) { return x.at < y.at; });
  }
  std::optional<Change> next() override {
    if (at_ == list_.size()) return std::nullopt;
    return list_[at_++];
  }

 private:
  std::vector<Change> list_;
  std::size_t at_ = 0;
};

/// Several streams as one; at equal times the earlier source goes first.
class Merged final : public Changes {
 public:
  explicit Merged(std::vector<std::unique_ptr<Changes>> sources) {
    for (auto& source : sources) heads_.push_back({std::move(source), std::nullopt});
  }
  std::optional<Change> next() override {
    if (ask_all_)
      for (Head& head : heads_)
        if (!head.change) head.change = head.source->next();
    ask_all_ = until_ != core::end_of_time;
    Head* earliest = nullptr;
    for (Head& head : heads_)
      if (head.change && (!earliest || head.change->at < earliest->change->at)) earliest = &head;
    if (!earliest || earliest->change->at > until_) return std::nullopt;
    const Change result = *earliest->change;
    earliest->change = earliest->source->next();
    return result;
  }
  void look_ahead(Time until) override {
    until_ = until;
    ask_all_ = true;
    for (Head& head : heads_) head.source->look_ahead(until);
  }

 private:
  struct Head {
    std::unique_ptr<Changes> source;
    std::optional<Change> change;
  };
  std::vector<Head> heads_;
  Time until_ = core::end_of_time;
  bool ask_all_ = true;  // who had nothing may have something now
};

/// Things that fail at random moments and come back: links and nodes alike.
class Outages final : public Changes {
 public:
  /// `failed(i)` and `back(i)` make the change for the i-th thing; its time is filled in here.
  struct OutageSpec {
    double rate;
    Duration down;
    Time from;
    Time until;
  };
  using Make = Change (*)(const LinkBook*, std::uint64_t, bool memory);

  Outages(OutageSpec spec, std::uint64_t things, std::shared_ptr<LinkBook> book, Make failed,
          Make back, bool memory, core::Prng prng)
      : spec_(spec),
        things_(things),
        book_(std::move(book)),
        failed_(failed),
        back_(back),
        memory_(memory),
        prng_(prng),
        failure_(spec.from) {
    advance();
  }

  std::optional<Change> next() override {
    while (true) {
      if (!away_.empty() && away_.begin()->first <= failure_) {
        const auto [at, thing] = *away_.begin();
        away_.erase(away_.begin());
        down_.erase(thing);
        return stamped(back_, thing, at);
      }
      if (failure_ >= spec_.until) return std::nullopt;
      const Time at = failure_;
      const std::uint64_t thing = prng_.below(things_);
      const auto away = Duration{
          static_cast<std::int64_t>(prng_.exponential(static_cast<double>(spec_.down.count())))};
      advance();
      if (!down_.insert(thing).second) continue;  // it is down already
      away_.insert({std::min(at + std::max(away, Duration{1}), spec_.until), thing});
      return stamped(failed_, thing, at);
    }
  }

 private:
  void advance() {
    const double wait = prng_.exponential(1e9 / spec_.rate);
    const double left = static_cast<double>((spec_.until - failure_).count());
    failure_ = wait >= left ? spec_.until : failure_ + Duration{static_cast<std::int64_t>(wait)};
  }
  Change stamped(Make make, std::uint64_t thing, Time at) const {
    Change change = make(book_.get(), thing, memory_);
    change.at = at;
    return change;
  }

  OutageSpec spec_;
  std::uint64_t things_;
  std::shared_ptr<LinkBook> book_;
  Make failed_;
  Make back_;
  bool memory_;
  core::Prng prng_;
  Time failure_;
  std::set<std::pair<Time, std::uint64_t>> away_;
  std::set<std::uint64_t> down_;
};

/// Births by skipping over all pairs, deaths by skipping over the present links: the cost of a
/// period is that of its changes, not of all pairs.
class EdgeMarkovian final : public Changes {
 public:
  EdgeMarkovian(const MarkovSpec& spec, NodeIndex nodes, std::shared_ptr<LinkBook> book,
                core::Prng prng)
      : spec_(spec), nodes_(nodes), book_(std::move(book)), prng_(prng) {
    for (LinkIndex i = 0; i < book_->original(); ++i) insert(i);
  }

  std::optional<Change> next() override {
    while (at_ == batch_.size()) {
      if (now_ + spec_.period > spec_.until) return std::nullopt;
      now_ += spec_.period;
      one_period();
    }
    return batch_[at_++];
  }

 private:
  void insert(LinkIndex link) {
    if (place_.size() <= link) place_.resize(link + 1, absent);
    place_[link] = present_.size();
    present_.push_back(link);
  }
  void erase(LinkIndex link) {
    const std::size_t hole = place_[link];
    present_[hole] = present_.back();
    place_[present_[hole]] = hole;
    present_.pop_back();
    place_[link] = absent;
  }
  void change(ChangeKind kind, LinkIndex link) {
    batch_.push_back({now_, kind, link, book_->ends(link), false});
  }

  void one_period() {
    batch_.clear();
    at_ = 0;
    std::vector<LinkIndex> dead;
    for (std::uint64_t i = prng_.geometric(spec_.death); i < present_.size();
         i += 1 + std::min<std::uint64_t>(prng_.geometric(spec_.death), present_.size()))
      dead.push_back(present_[i]);
    const std::uint64_t n = nodes_;
    const std::uint64_t pairs = n * (n - 1) / 2;
    std::vector<LinkIndex> born;
    for (std::uint64_t i = prng_.geometric(spec_.birth); i < pairs;
         i += 1 + std::min(prng_.geometric(spec_.birth), pairs)) {
      const LinkIndex link = book_->number(pair(i));
      if (link >= place_.size() || place_[link] == absent) born.push_back(link);
    }
    for (const LinkIndex link : dead) {
      erase(link);
      change(ChangeKind::link_down, link);
    }
    for (const LinkIndex link : born) {
      insert(link);
      change(ChangeKind::link_up, link);
    }
  }

  /// The i-th of all pairs a < b, row by row.
  graph::Edge pair(std::uint64_t i) const {
    NodeIndex a = 0;
    std::uint64_t row = nodes_ - 1;
    // Rows shrink by one each: jump by the root of the quadratic, then settle.
    const double n = static_cast<double>(nodes_);
    const double guess = n - 0.5 - std::sqrt((n - 0.5) * (n - 0.5) - 2.0 * static_cast<double>(i));
    a = guess > 1 ? static_cast<NodeIndex>(guess) - 1 : 0;
    std::uint64_t before = std::uint64_t{a} * (2 * std::uint64_t{nodes_} - a - 1) / 2;
    row = nodes_ - 1 - a;
    while (i - before >= row) {
      before += row;
      ++a;
      row = nodes_ - 1 - a;
    }
    return {a, static_cast<NodeIndex>(a + 1 + (i - before))};
  }

  static constexpr std::size_t absent = ~std::size_t{0};
  MarkovSpec spec_;
  NodeIndex nodes_;
  std::shared_ptr<LinkBook> book_;
  core::Prng prng_;
  Time now_{};
  std::vector<LinkIndex> present_;
  std::vector<std::size_t> place_;
  std::vector<Change> batch_;
  std::size_t at_ = 0;
};

std::map<NodeId, NodeIndex> places(const std::vector<NodeId>& ids) {
  std::map<NodeId, NodeIndex> out;
  for (NodeIndex i = 0; i < ids.size(); ++i) out.emplace(ids[i], i);
  return out;
}

std::string key_of(ScriptEntry entry) {
  return entry.number == 0 ? "change" : "change[" + std::to_string(entry.number) + "]";
}

NodeIndex place_of(const std::map<NodeId, NodeIndex>& where, NodeId id, ScriptEntry entry) {
  const auto found = where.find(id);
  if (found == where.end())
    throw core::Problem(key_of(entry),
                        "there is no node " + std::to_string(core::raw(id)) + " in this network");
  return found->second;
}

std::vector<Change> scripted(const ChangeSpec& spec, const std::vector<NodeId>& ids,
                             LinkBook& book) {
  const auto where = places(ids);
  std::vector<Change> out;
  for (const ScriptedChange& s : spec.script) {
    Change c{s.at, s.kind, 0, {}, s.memory};
    c.ends.a = place_of(where, s.a, s.entry);
    if (s.kind == ChangeKind::link_up || s.kind == ChangeKind::link_down) {
      c.ends.b = place_of(where, s.b, s.entry);
      if (c.ends.a == c.ends.b)
        throw core::Problem(key_of(s.entry), "node " + std::to_string(core::raw(s.a)) +
                                                 " cannot be linked to itself; name two nodes");
      c.link = book.number(c.ends);
      c.ends = book.ends(c.link);
    }
    out.push_back(c);
  }
  // A partition cuts the original links between its groups; healing joins what the last one cut.
  std::vector<ScriptedPartition> partitions = spec.partitions;
  std::stable_sort(partitions.begin(), partitions.end(),
                   [](const auto& x, const auto& y) { return x.at < y.at; });
  std::set<LinkIndex> cut;
  for (const ScriptedPartition& p : partitions) {
    if (p.heal) {
      for (const LinkIndex link : cut)
        out.push_back({p.at, ChangeKind::link_up, link, book.ends(link), false});
      cut.clear();
      continue;
    }
    std::vector<std::size_t> group(ids.size(), p.groups.size());  // the rest is a group, too
    for (std::size_t g = 0; g < p.groups.size(); ++g)
      for (const NodeId id : p.groups[g]) group[place_of(where, id, p.entry)] = g;
    for (LinkIndex link = 0; link < book.original(); ++link) {
      const graph::Edge ends = book.ends(link);
      if (group[ends.a] != group[ends.b] && cut.insert(link).second)
        out.push_back({p.at, ChangeKind::link_down, link, ends, false});
    }
  }
  return out;
}

/// The leader crashes periodically and restarts before the next crash.
class LeaderCrashes final : public Changes {
 public:
  explicit LeaderCrashes(const CrashChurnSpec& spec)
      : spec_(spec), down_(std::min(spec.down, spec.leader_every - Duration{1})) {}
  std::optional<Change> next() override {
    const Time falls = spec_.from + (fallen_ + 1) * spec_.leader_every;
    if (is_down_) {
      is_down_ = false;
      ++fallen_;
      return Change{
          std::min(falls + down_, spec_.until), ChangeKind::restart_leader, 0, {}, spec_.memory};
    }
    if (falls >= spec_.until) return std::nullopt;
    is_down_ = true;
    return Change{falls, ChangeKind::crash_leader, 0, {}, false};
  }

 private:
  CrashChurnSpec spec_;
  Duration down_;
  std::int64_t fallen_ = 0;
  bool is_down_ = false;
};

}  // namespace

LinkBook::LinkBook(const Network& network)
    : links_(network.links), original_(network.links.size()) {
  for (LinkIndex i = 0; i < links_.size(); ++i) {
    auto [a, b] = links_[i];
    numbers_.emplace(graph::Edge{std::min(a, b), std::max(a, b)}, i);
  }
}

LinkIndex LinkBook::number(graph::Edge ends) {
  const graph::Edge key{std::min(ends.a, ends.b), std::max(ends.a, ends.b)};
  const auto [found, fresh] = numbers_.emplace(key, static_cast<LinkIndex>(links_.size()));
  if (fresh) links_.push_back(key);
  return found->second;
}

std::unique_ptr<Changes> merged(std::vector<std::unique_ptr<Changes>> sources) {
  return std::make_unique<Merged>(std::move(sources));
}

std::unique_ptr<Changes> link_churn(const LinkChurnSpec& spec, std::shared_ptr<LinkBook> book,
                                    core::Prng prng) {
  const auto down = [](const LinkBook* b, std::uint64_t i, bool) {
    const auto link = static_cast<LinkIndex>(i);
    return Change{{}, ChangeKind::link_down, link, b->ends(link), false};
  };
  const auto up = [](const LinkBook* b, std::uint64_t i, bool) {
    const auto link = static_cast<LinkIndex>(i);
    return Change{{}, ChangeKind::link_up, link, b->ends(link), false};
  };
  const std::size_t links = book->original();
  return std::make_unique<Outages>(Outages::OutageSpec{spec.rate, spec.down, spec.from, spec.until},
                                   links, std::move(book), down, up, false, prng);
}

std::unique_ptr<Changes> crash_churn(const CrashChurnSpec& spec, NodeIndex nodes, core::Prng prng) {
  const auto crash = [](const LinkBook*, std::uint64_t i, bool) {
    return Change{{}, ChangeKind::crash, 0, {static_cast<NodeIndex>(i), 0}, false};
  };
  const auto back = [](const LinkBook*, std::uint64_t i, bool memory) {
    return Change{{}, ChangeKind::restart, 0, {static_cast<NodeIndex>(i), 0}, memory};
  };
  return std::make_unique<Outages>(Outages::OutageSpec{spec.rate, spec.down, spec.from, spec.until},
                                   nodes, nullptr, crash, back, spec.memory, prng);
}

std::unique_ptr<Changes> edge_markovian(const MarkovSpec& spec, NodeIndex nodes,
                                        std::shared_ptr<LinkBook> book, core::Prng prng) {
  return std::make_unique<EdgeMarkovian>(spec, nodes, std::move(book), prng);
}

bool decides_links(const ChangeSpec& spec) {
  return !spec.partitions.empty() || spec.markov.birth > 0 || spec.markov.death > 0 ||
         std::any_of(spec.script.begin(), spec.script.end(), [](const ScriptedChange& change) {
           return change.kind == ChangeKind::link_up || change.kind == ChangeKind::link_down;
         });
}

bool has_crashes(const ChangeSpec& spec) {
  return spec.crashes.rate > 0 || spec.crashes.leader_every > Duration{0} ||
         std::any_of(spec.script.begin(), spec.script.end(), [](const ScriptedChange& change) {
           return change.kind == ChangeKind::crash || change.kind == ChangeKind::restart;
         });
}

std::vector<NodeIndex> movers(const std::vector<ScriptedMove>& moves,
                              const std::vector<NodeId>& ids) {
  const auto where = places(ids);
  std::vector<NodeIndex> out;
  for (const ScriptedMove& move : moves) out.push_back(place_of(where, move.node, move.entry));
  return out;
}

std::unique_ptr<Changes> make_changes(const ChangeSpec& spec, const Network& network,
                                      const std::vector<NodeId>& ids, std::uint64_t seed,
                                      std::shared_ptr<LinkBook> book) {
  std::vector<std::unique_ptr<Changes>> sources;
  if (!spec.any()) return merged(std::move(sources));
  if (!book) book = std::make_shared<LinkBook>(network);
  sources.push_back(std::make_unique<ListedChanges>(scripted(spec, ids, *book)));
  if (spec.links.rate > 0 && book->original() > 0)
    sources.push_back(link_churn(spec.links, book, core::stream(seed, "link-churn")));
  if (spec.crashes.rate > 0)
    sources.push_back(crash_churn(spec.crashes, network.nodes, core::stream(seed, "crash-churn")));
  if (spec.crashes.leader_every > Duration{0})
    sources.push_back(std::make_unique<LeaderCrashes>(spec.crashes));
  if (spec.markov.birth > 0 || spec.markov.death > 0)
    sources.push_back(
        edge_markovian(spec.markov, network.nodes, book, core::stream(seed, "edge-markovian")));
  return merged(std::move(sources));
}

}  // namespace bellwether::world
