// SPDX-License-Identifier: MIT
// What is to be searched, and what was found.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bellwether/core/ids.hpp"
#include "bellwether/core/time.hpp"
#include "bellwether/graph/graph.hpp"
#include "bellwether/observe/trace/trace.hpp"

namespace bellwether::check {

using core::Duration;
using core::NodeId;
using core::NodeIndex;
using core::Port;

/// How the ends of a link learn of a change. Edge: of every change, in order, at any later time.
/// Level: only while what an end believes differs from the link (a blip may go unseen). Instant:
/// both in the moment of the change.
enum class Notify : unsigned char { edge, level, instant };
constexpr auto names_of(Notify) {
  return std::array<std::string_view, 3>{"edge", "level", "instant"};
}

enum class ChannelOrder : unsigned char { fifo, unordered };
constexpr auto names_of(ChannelOrder) {
  return std::array<std::string_view, 2>{"fifo", "unordered"};
}

/// Where the runs begin. Settled: every node has started and the links of the graph have come up
/// one after the other, each with all that followed from it. Cold: nodes start at any time, links
/// are up.
enum class From : unsigned char { settled, cold };
constexpr auto names_of(From) {
  return std::array<std::string_view, 2>{"settled", "cold"};
}

enum class SearchOrder : unsigned char { breadth, depth };
constexpr auto names_of(SearchOrder) {
  return std::array<std::string_view, 2>{"breadth", "depth"};
}

/// Clocks that only tell before from after: their readings may be renumbered in the order they
/// have, so that an infinite run returns to a state that it had.
enum class ClockValues : unsigned char { exact, rank };
constexpr auto names_of(ClockValues) {
  return std::array<std::string_view, 2>{"exact", "rank"};
}

/// One entry of a script of changes: a link that flips, a node that crashes or comes back.
struct ScriptStep {
  enum class Kind : unsigned char { flip, crash, restart } kind = Kind::flip;
  NodeIndex a = 0;
  NodeIndex b = 0;
};

struct Spec {
  std::string algorithm;
  std::vector<std::pair<std::string, std::string>> options;  // of the algorithm, as they were typed
  NodeIndex nodes = 0;
  std::vector<NodeId> ids;                       // by index
  std::vector<std::vector<graph::Edge>> graphs;  // where the runs begin, one or many
  bool one_way = false;
  From from = From::settled;
  Notify notify = Notify::edge;
  ChannelOrder order = ChannelOrder::fifo;
  Duration delay = std::chrono::milliseconds(100);  // timers beyond outlast what is under way
  unsigned changes = 0;
  std::vector<ScriptStep> script;  // in this order, at any time; instead of `changes`
  unsigned crashes = 0;
  unsigned restarts = 0;
  bool memory = false;  // restarts with what the node knew
  unsigned losses = 0;
  unsigned duplicates = 0;
  unsigned transit = 32;                // messages on one channel at most: beyond, a limit was met
  std::vector<std::string> properties;  // empty: agreement
  ClockValues clocks = ClockValues::rank;
  bool beyond_model = false;  // also what the algorithm's model excludes
  // How.
  SearchOrder search = SearchOrder::breadth;
  unsigned threads = 1;
  bool reduce = true;    // partial orders
  bool symmetry = true;  // where the protocol allows it
  bool absorb = true;    // messages that can never again have an effect
  bool forget = true;    // what no later step reads
  bool compact = false;  // keep 64 bits of a state in place of all
  bool cycles = true;    // look for infinite runs
  std::uint64_t memory_limit = std::uint64_t{4} << 30;
  std::uint64_t max_states = 0;  // 0: no bound
  unsigned max_depth = 0;        // 0: no bound
  std::uint64_t walks = 0;       // random walks in place of a search
  unsigned walk_steps = 1000;
  std::uint64_t seed = 1;
};

/// Nodes may come back without memory.
inline bool has_restarts(const Spec& spec) {
  const auto comes_back = [](const ScriptStep& s) { return s.kind == ScriptStep::Kind::restart; };
  return !spec.memory &&
         (spec.restarts > 0 || std::any_of(spec.script.begin(), spec.script.end(), comes_back));
}

struct SearchProgress {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t waiting = 0;
  unsigned depth = 0;
  std::uint64_t memory = 0;
  std::string_view phase;
};
using OnSearchProgress = std::function<bool(const SearchProgress&)>;  // false: stop

enum class SearchEnd : unsigned char {
  complete,
  violation,
  memory,
  states,
  depth,
  transit,
  stopped
};
constexpr auto names_of(SearchEnd) {
  return std::array<std::string_view, 7>{"complete",    "violation",   "memory limit",
                                         "state limit", "depth limit", "transit limit",
                                         "interrupted"};
}

/// How often each kind of action was taken: what never happened was not checked.
enum class ActionKind : unsigned char {
  start,
  tell,
  deliver,
  fire,
  flip,
  crash,
  restart,
  lose,
  duplicate
};
constexpr auto names_of(ActionKind) {
  return std::array<std::string_view, 9>{"start", "notify",  "deliver", "timer",    "link change",
                                         "crash", "restart", "loss",    "duplicate"};
}
inline constexpr std::size_t action_kinds = 9;

struct Verdict {
  SearchEnd ended = SearchEnd::complete;
  std::string property;  // the one that was broken
  std::string sentence;  // how
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t rests = 0;  // states where nothing was left to do
  unsigned depth = 0;
  bool cycles_searched = false;
  bool acyclic = true;
  std::uint64_t cyclic_states = 0;  // in cycles
  bool reduced = false;
  std::uint64_t symmetries = 1;
  double omission = 0;  // expected number of states missed by compaction
  std::array<std::uint64_t, action_kinds> taken{};
  bool agreed = false;  // some state was seen in which all is as it should be
  double seconds = 0;
  std::uint64_t memory = 0;
  std::uint64_t stored = 0;    // bytes, for the states alone
  std::uint64_t searches = 1;  // where several graphs were searched one after the other
  // Of a violation:
  std::size_t setup = 0;             // steps of the trace that lead to where the search began
  std::size_t actions = 0;           // from there
  std::optional<std::size_t> lasso;  // the step to which the last one leads back
  struct NarratedAction {
    std::string what;          // "link 1-2 goes up"
    std::size_t first, count;  // its steps in the trace
  };
  std::vector<NarratedAction> narration;
  observe::Trace trace;
  std::string note;
};

}  // namespace bellwether::check
