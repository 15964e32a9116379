// SPDX-License-Identifier: MIT
// What a watcher sees of a run, and does to it.
#include "bellwether/sim/simulation.hpp"

namespace bellwether::sim {

class Simulation::Window final : public RunView {
 public:
  explicit Window(Simulation& run) : run_(run) {}

  Time now() const override { return run_.ending_.over ? run_.ending_.time : run_.now(); }
  NodeIndex size() const override { return run_.size(); }
  bool alive(NodeIndex u) const override { return run_.alive(u); }
  std::optional<NodeId> leader(NodeIndex u) const override { return run_.nodes().leader(u); }
  bool leads(NodeIndex u) const override { return run_.nodes().leads(u, run_.id(u)); }
  std::string state(NodeIndex u) const override { return run_.nodes().text(u, core::Form::json); }
  std::vector<TimerDue> timers(NodeIndex u) const override {
    std::vector<TimerDue> out;
    if (!run_.can().timers) return out;
    for (const Timers::Armed& armed : run_.timers_.of(u))
      out.push_back({run_.nodes().text(armed.timer, core::Form::json), armed.due});
    return out;
  }
  std::vector<NodeId> believed_neighbours(NodeIndex u) const override {
    if (const auto* detected = run_.nodes().detected(u)) return *detected;
    std::vector<NodeId> out;
    for (const End e : run_.wiring_.links.ends(u)) out.push_back(run_.id(run_.wiring_.far(e)));
    return out;
  }
  bool ranked() const override { return run_.can().ranked; }
  std::uint32_t rank(NodeIndex u) const override { return run_.nodes().rank(u); }
  std::optional<NodeId> head(NodeIndex u) const override {
    const auto leaders = run_.nodes().leaders(u);
    return leaders.empty() ? std::nullopt : std::optional(leaders.front());
  }
  bool has_heights() const override { return run_.can().heights; }
  int higher(NodeIndex a, NodeIndex b) const override { return run_.nodes().higher(a, b); }
  core::Criterion criterion() const override {
    return run_.scenario_.metrics.oracle.value_or(run_.nodes().criterion());
  }
  bool one_way() const override { return run_.wiring_.links.one_way(); }
  std::vector<LiveLink> links() const override {
    std::vector<LiveLink> out;
    const Links& links = run_.wiring_.links;
    for (End e = 0; e < links.end_count(); e += 2) {
      const NodeIndex a = links.owner(e), b = links.owner(e + 1);
      if (run_.wiring_.wanted(e / 2) && run_.alive(a) && run_.alive(b))
        out.push_back({a, b, run_.wiring_.wireless(e)});
    }
    return out;
  }
  std::uint64_t links_version() const override { return run_.wiring_.version; }
  bool at_rest() const override { return run_.at_rest(); }
  Progress progress() const override { return {now(), run_.counts_.events, run_.counts_.messages}; }
  bool takes_changes() const override { return !run_.replay_; }
  void apply(const world::Change& change) override { run_.apply(change); }
  void pace_at(Time at) override {
    Turns& turns = run_.turns_;
    turns.serial = (turns.serial + 1) & low_bits;
    ++turns.queued;
    const Time when = std::max(at, run_.now());
    if (run_.wiring_.moves() && run_.changes_) run_.changes_->look_ahead(when);
    run_.agenda_.push(when, EventKind::sample, pace_mark, turns.serial);
    if (!run_.pending_ && turns.begun) run_.pull_change();
  }

 private:
  Simulation& run_;
};

void Simulation::pace(Pacer* pacer) {
  if (pacer != nullptr) audience_.pace(pacer, std::make_unique<Window>(*this));
}

void Simulation::begin_pace() {
  audience_.begin_pace();
  turns_.begun = true;
}

void Simulation::pace_turn(std::uint32_t serial) {
  --turns_.queued;
  if (serial == turns_.serial) audience_.turn();
}

}  // namespace bellwether::sim
