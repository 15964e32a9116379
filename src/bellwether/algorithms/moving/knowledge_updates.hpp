// SPDX-License-Identifier: MIT
// Changes of a map as a list: what Topology Aware gathers and forwards, as published and as
// repaired.
#pragma once

#include "bellwether/algorithms/moving/knowledge.hpp"
#include "bellwether/core/time.hpp"

namespace bellwether::algorithms {

/// Additions to and removals from the neighbours of one node.
struct Updt {
  core::NodeId src{};
  Ids add;
  Ids rmv;
  std::uint64_t old_clk = 0;  // 0: a whole view
  std::uint64_t new_clk = 0;
  void name_members(core::NewMembers& found) const { found.add(src, add.size()); }
  static constexpr auto fields =
      std::tuple{core::field("src", &Updt::src), core::field("add", &Updt::add),
                 core::field("rmv", &Updt::rmv), core::field("old_clk", &Updt::old_clk),
                 core::field("new_clk", &Updt::new_clk)};
  friend bool operator==(const Updt&, const Updt&) = default;
};

struct UpdatesMessage {  // what I have learned since I sent this last
  static constexpr std::uint8_t tag = 2;
  static constexpr std::string_view name = "updates";
  std::vector<Updt> updates;
  static constexpr auto fields = std::tuple{core::field("updates", &UpdatesMessage::updates)};
  friend bool operator==(const UpdatesMessage&, const UpdatesMessage&) = default;
};

/// Delta: `period`, or 70 log10(range) - 60 milliseconds where that is 0.
core::Duration delta(core::Duration period, double range);

/// Whether what they add and remove can be sets: input from the network need not be.
bool are_sets(const std::vector<Updt>& updates);

/// The updates from `before` to `after`, which has every node of `before`. From clock 0 where a
/// node is new.
std::vector<Updt> differences(const Known& before, const Known& after);

/// When an update can be applied to a view of its source.
enum class Fit : unsigned char { now, later, never };
/// As published (lines 41 to 52): a whole view fits only where there is none.
Fit fit(const MemberView* view, const Updt& update);

void apply(Known& known, const Updt& update);

/// The pending updates are a set: the same update from two neighbours is kept once.
void wait(std::vector<Updt>& pending, const Updt& update);

/// PendingUpdates: removes all updates that fit by now and hands them to `take`, which applies
/// them; removes outdated ones, too.
template <class Take>
void take_pending(const Known& known, std::vector<Updt>& pending, Take&& take) {
  bool again = !pending.empty();
  while (std::exchange(again, false)) {
    std::erase_if(pending, [&](const Updt& each) {
      const Fit fits = fit(find(known, each.src), each);
      if (fits != Fit::now) return fits == Fit::never;
      take(each);
      return again = true;
    });
  }
}

}  // namespace bellwether::algorithms
