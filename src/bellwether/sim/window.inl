// SPDX-License-Identifier: MIT
// What a watcher sees of Simulation<P>, and does to it. Included by simulation.hpp only.
#pragma once

namespace bellwether::sim {

/// The protocol inside its layers that has a height; null where there is none.
template <class P>
const auto* with_height(const P& p) {
  if constexpr (requires { p.height(); })
    return &p;
  else if constexpr (requires { p.inner(); })
    return with_height(p.inner());
  else
    return static_cast<const core::NoTimer*>(nullptr);
}

template <core::Protocol P, bool observable>
class Simulation<P, observable>::Window final : public Inside {
 public:
  explicit Window(Simulation& run) : run_(run) {}

  Time now() const override { return run_.over_ ? run_.end_time_ : run_.now(); }
  NodeIndex size() const override { return run_.size(); }
  bool alive(NodeIndex u) const override { return run_.alive(u); }
  std::optional<NodeId> leader(NodeIndex u) const override { return run_.nodes_[u].leader(); }
  bool leads(NodeIndex u) const override { return core::leads(run_.nodes_[u], run_.ids_[u]); }
  std::string state(NodeIndex u) const override {
    std::string out;
    if constexpr (core::Described<P>) core::write_json(out, run_.nodes_[u]);
    return out;
  }
  std::vector<TimerDue> timers(NodeIndex u) const override {
    std::vector<TimerDue> out;
    if constexpr (timed)
      for (const Armed& armed : run_.timers_[u]) {
        out.push_back({{}, armed.due});
        core::write_json(out.back().timer, armed.timer);
      }
    return out;
  }
  std::vector<NodeId> believed_neighbours(NodeIndex u) const override {
    std::vector<NodeId> out;
    if constexpr (requires { run_.nodes_[u].neighbours().peer(0); }) {
      const auto& all = run_.nodes_[u].neighbours();
      for (std::size_t i = 0; i < all.size(); ++i) out.push_back(all.peer(i));
    } else {
      for (const End e : run_.links_.ends(u))
        out.push_back(run_.ids_[run_.links_.owner(Links::sister(e))]);
    }
    return out;
  }
  bool ranked() const override { return core::Ranked<P>; }
  std::uint32_t rank(NodeIndex u) const override {
    if constexpr (core::Ranked<P>) return run_.nodes_[u].rank();
    return static_cast<void>(u), 0;
  }
  std::optional<NodeId> head(NodeIndex u) const override {
    if constexpr (core::Ranked<P>) {
      const auto& leaders = run_.nodes_[u].leaders();
      if (!leaders.empty()) return leaders.front();
    }
    return static_cast<void>(u), std::nullopt;
  }
  bool has_heights() const override { return tall; }
  int higher(NodeIndex a, NodeIndex b) const override {
    if constexpr (tall) {
      const auto& x = with_height(run_.nodes_[a])->height();
      const auto& y = with_height(run_.nodes_[b])->height();
      return x == y ? 0 : y < x ? 1 : 2;
    }
    return static_cast<void>(a), static_cast<void>(b), 0;
  }
  std::vector<LiveLink> links() const override {
    std::vector<LiveLink> out;
    for (End e = 0; e < run_.links_.end_count(); e += 2) {
      const NodeIndex a = run_.links_.owner(e), b = run_.links_.owner(e + 1);
      const bool wanted = run_.wanted_.empty() || run_.wanted_[e / 2];
      if (wanted && run_.alive(a) && run_.alive(b)) out.push_back({a, b, run_.wireless(e)});
    }
    return out;
  }
  std::uint64_t links_version() const override { return run_.net_version_; }
  bool at_rest() const override { return run_.at_rest(); }
  Progress progress() const override { return {now(), run_.events_, run_.messages_}; }
  bool takes_changes() const override { return !run_.replay_; }
  void apply(const world::Change& change) override { run_.apply(change); }
  void pace_at(Time at) override {
    run_.pace_serial_ = (run_.pace_serial_ + 1) & low_bits;
    ++run_.paces_;
    const Time when = std::max(at, run_.now());
    if (run_.first_radio_end_ != no_end && run_.changes_) run_.changes_->look_ahead(when);
    run_.push(when, Kind::sample, pace_mark, run_.pace_serial_);
    if (!run_.pending_ && run_.begun_) run_.pull_change();
  }

 private:
  static constexpr bool tall =
      !std::is_same_v<decltype(with_height(std::declval<const P&>())), const core::NoTimer*>;
  Simulation& run_;
};

template <core::Protocol P, bool observable>
void Simulation<P, observable>::begin_pace() {
  window_ = std::make_unique<Window>(*this);
  pacer_->begin(*window_);
  begun_ = true;
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::pace_turn(std::uint32_t serial) {
  --paces_;
  if (serial == pace_serial_) pacer_->turn(*window_);
}

}  // namespace bellwether::sim
