// SPDX-License-Identifier: MIT
// What a watcher sees of a run in rounds.
#include "bellwether/sim/round_simulation.hpp"

namespace bellwether::sim {

class RoundSimulation::Window final : public RunView {
 public:
  explicit Window(RoundSimulation& run) : run_(run) {}

  /// A round happens at one moment; between two of them only messages are under way.
  Time now() const override { return std::max(time_, over_ ? end_ : Time{}); }
  NodeIndex size() const override { return run_.population_.size(); }
  bool alive(NodeIndex) const override { return true; }
  std::optional<NodeId> leader(NodeIndex u) const override { return run_.nodes().leader(u); }
  bool leads(NodeIndex u) const override { return run_.nodes().leads(u, run_.population_.ids[u]); }
  std::string state(NodeIndex u) const override { return run_.nodes().text(u, core::Form::json); }
  std::vector<TimerDue> timers(NodeIndex) const override { return {}; }
  std::vector<NodeId> believed_neighbours(NodeIndex u) const override {
    std::vector<NodeId> out;
    for (const End e : run_.wiring_.links.ends(u))
      out.push_back(run_.population_.ids[run_.wiring_.far(e)]);
    return out;
  }
  bool ranked() const override { return false; }
  std::uint32_t rank(NodeIndex) const override { return 0; }
  std::optional<NodeId> head(NodeIndex) const override { return std::nullopt; }
  bool has_heights() const override { return false; }
  int higher(NodeIndex, NodeIndex) const override { return 0; }
  core::Criterion criterion() const override {
    return run_.scenario_.metrics.oracle.value_or(run_.nodes().criterion());
  }
  bool one_way() const override { return run_.wiring_.links.one_way(); }
  std::vector<LiveLink> links() const override {
    std::vector<LiveLink> out;
    const Links& links = run_.wiring_.links;
    for (End e = 0; e < links.end_count(); e += 2)
      out.push_back({links.owner(e), links.owner(e + 1), false});
    return out;
  }
  std::uint64_t links_version() const override { return 0; }
  bool at_rest() const override { return over_; }
  Progress progress() const override {
    return {now(), run_.run_.tally.events, run_.run_.tally.messages};
  }
  bool takes_changes() const override { return false; }
  void apply(const world::Change&) override {}
  void pace_at(Time at) override { due_ = at; }

  /// The watcher's turns before the next round.
  void take_turns(Time round) {
    while (due_ < round) {
      time_ = std::max(time_, due_);
      due_ = core::end_of_time;
      run_.audience_.turn();
    }
    time_ = std::max(time_, round);
  }
  void close() {
    over_ = true;
    end_ = std::min(run_.now(), run_.scenario_.stop.time);
    run_.audience_.end_pace(run_.ended_, run_.violation_);
  }

 private:
  RoundSimulation& run_;
  Time time_{};
  Time due_ = core::end_of_time;
  Time end_{};
  bool over_ = false;
};

void RoundSimulation::pace(Pacer* pacer) {
  if (pacer == nullptr) return;
  auto window = std::make_unique<Window>(*this);
  window_ = window.get();
  audience_.pace(pacer, std::move(window));
}

void RoundSimulation::take_turns() {
  window_->take_turns(now());
}

void RoundSimulation::close_window() {
  window_->close();
}

}  // namespace bellwether::sim
