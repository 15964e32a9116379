// SPDX-License-Identifier: MIT
// What a watcher sees of RoundSimulation<P>. Included by round_simulation.hpp only.
#pragma once

namespace bellwether::sim {

template <core::RoundProtocol P>
class RoundSimulation<P>::Window final : public Inside {
 public:
  explicit Window(RoundSimulation& run) : run_(run) {}

  /// A round happens at one moment; between two of them only messages are under way.
  Time now() const override { return std::max(time_, over_ ? end_ : Time{}); }
  NodeIndex size() const override { return static_cast<NodeIndex>(run_.nodes_.size()); }
  bool alive(NodeIndex) const override { return true; }
  std::optional<NodeId> leader(NodeIndex u) const override { return run_.nodes_[u].leader(); }
  bool leads(NodeIndex u) const override { return core::leads(run_.nodes_[u], run_.ids_[u]); }
  std::string state(NodeIndex u) const override {
    std::string out;
    if constexpr (core::Described<P>) core::write_json(out, run_.nodes_[u]);
    return out;
  }
  std::vector<TimerDue> timers(NodeIndex) const override { return {}; }
  std::vector<NodeId> believed_neighbours(NodeIndex u) const override {
    std::vector<NodeId> out;
    for (const End e : run_.links_.ends(u))
      out.push_back(run_.ids_[run_.links_.owner(Links::sister(e))]);
    return out;
  }
  bool ranked() const override { return false; }
  std::uint32_t rank(NodeIndex) const override { return 0; }
  std::optional<NodeId> head(NodeIndex) const override { return std::nullopt; }
  bool has_heights() const override { return false; }
  int higher(NodeIndex, NodeIndex) const override { return 0; }
  std::vector<LiveLink> links() const override {
    std::vector<LiveLink> out;
    for (End e = 0; e < run_.links_.end_count(); e += 2)
      out.push_back({run_.links_.owner(e), run_.links_.owner(e + 1), false});
    return out;
  }
  std::uint64_t links_version() const override { return 0; }
  bool at_rest() const override { return over_; }
  Progress progress() const override { return {now(), run_.events_, run_.messages_}; }
  bool takes_changes() const override { return false; }
  void apply(const world::Change&) override {}
  void pace_at(Time at) override { due_ = at; }

  /// The watcher's turns before the next round.
  void take_turns(Time round) {
    while (due_ < round) {
      time_ = std::max(time_, due_);
      due_ = core::end_of_time;
      run_.pacer_->turn(*this);
    }
    time_ = std::max(time_, round);
  }
  void close() {
    over_ = true;
    end_ = std::min(run_.now(), run_.scenario_.stop.time);
    run_.pacer_->end(*this, run_.ended_, run_.violation_);
  }

 private:
  RoundSimulation& run_;
  Time time_{};
  Time due_ = core::end_of_time;
  Time end_{};
  bool over_ = false;
};

template <core::RoundProtocol P>
void RoundSimulation<P>::take_turns(Window& window) {
  window.take_turns(now());
}

}  // namespace bellwether::sim
