// SPDX-License-Identifier: MIT
#include "bellwether/view/live.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "bellwether/view/observed_run.hpp"

namespace bellwether::view {
namespace {

using namespace std::chrono_literals;

constexpr auto between_looks = 200ms;
constexpr auto tick = 10ms;  // how late a watcher may be answered

class LiveGroup final : public ObservedRun {
 public:
  LiveGroup(const Look& look, sim::Pacer& watcher, observe::Observer& observer)
      : look_(look), watcher_(watcher), observer_(observer) {}

  [[noreturn]] void play() {
    const Sighting first = look_();
    for (const Sighting::NodeReport& node : first.nodes) seat(node.id);
    watcher_.setup(setup());
    watcher_.begin(*this);
    take(first);
    for (auto next_look = began_ + between_looks;;) {
      now_ = std::chrono::steady_clock::now() - began_;
      if (std::chrono::steady_clock::now() >= next_look) {
        take(look_());
        next_look = std::chrono::steady_clock::now() + between_looks;
      }
      watcher_.turn(*this);
      std::this_thread::sleep_for(std::clamp<Time>(due_ - now_, 0ms, tick));
    }
  }

  bool at_rest() const override { return false; }
  sim::Progress progress() const override { return {now_, steps_, 0}; }

 private:
  void take(const Sighting& seen) {
    const NodeIndex before = size();
    for (const Sighting::NodeReport& node : seen.nodes) seat(node.id);
    if (size() > before) watcher_.setup(setup());
    take_links(seen);
    std::vector<bool> there(size(), false);
    for (const Sighting::NodeReport& node : seen.nodes) there[place(node.id)] = true;
    for (NodeIndex u = 0; u < size(); ++u)
      if (!there[u] && alive(u)) tell_gone(u);
    for (const Sighting::NodeReport& node : seen.nodes) take(node);
  }
  void take_links(const Sighting& seen) {
    std::set<std::pair<NodeIndex, NodeIndex>> now;
    for (const auto& [a, b] : seen.links)
      now.emplace(std::min(place(a), place(b)), std::max(place(a), place(b)));
    for (const auto& [a, b] : std::set(links_))
      if (!now.contains({a, b})) link(a, b, false);
    for (const auto& [a, b] : now) link(a, b, true);
  }
  void take(const Sighting::NodeReport& node) {
    const NodeIndex u = place(node.id);
    seats_[u].state = node.state;
    if (!alive(u)) {
      set_alive(u, true);
      tell(u, core::Cause::restart, seats_[u].leader, node.why);
    }
    if (seats_[u].leader == node.leader) return;
    const auto was = std::exchange(seats_[u].leader, node.leader);
    tell(u, core::Cause::receive, was, node.why);
  }
  void tell_gone(NodeIndex u) {
    set_alive(u, false);
    const auto was = std::exchange(seats_[u].leader, std::nullopt);
    tell(u, core::Cause::crash, was, "no node reports it any more");
  }
  void tell(NodeIndex u, core::Cause cause, std::optional<NodeId> was, const std::string& why) {
    observe::StepRecord record;
    record.number = ++steps_;
    record.at = now_;
    record.node = ids_[u];
    record.node_index = u;
    record.cause = cause;
    record.message = observe::View::of(why);
    record.leader_before = was;
    record.leader_after = seats_[u].leader;
    observer_.step(record);
  }

  const Look& look_;
  sim::Pacer& watcher_;
  observe::Observer& observer_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::uint64_t steps_ = 0;
};

}  // namespace

void watch_live(const Look& look, sim::Pacer& watcher, observe::Observer& observer) {
  LiveGroup(look, watcher, observer).play();
}

}  // namespace bellwether::view
