// SPDX-License-Identifier: MIT
// Searches in one line.
#pragma once

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/check/check.hpp"
#include "bellwether/check/prepare.hpp"

namespace bellwether::searches {

using check::ChannelOrder;
using check::From;
using check::Notify;
using check::SearchEnd;
using check::Spec;
using check::Verdict;

inline const core::Model& model_of(const std::string& algorithm) {
  return catalogue::algorithm(algorithm).facts.model;
}

/// What `bellwether check` takes for granted where nothing is said.
inline Spec on(const std::string& algorithm, const std::string& graph,
               const std::string& script = "") {
  Spec spec;
  spec.algorithm = algorithm;
  const core::Model& model = model_of(algorithm);
  check::set_graph(spec, graph);
  if (!script.empty()) check::set_script(spec, script);
  spec.order = model.tolerates_reordering ? ChannelOrder::unordered : ChannelOrder::fifo;
  spec.from = model.tolerates_changes ? From::settled : From::cold;
  return spec;
}
inline Spec on_all(const std::string& algorithm, core::NodeIndex nodes, bool connected) {
  Spec spec = on(algorithm, "empty:" + std::to_string(nodes));
  check::set_all_graphs(spec, nodes, model_of(algorithm), connected);
  return spec;
}

/// Periods that are multiples of each other: else the phases of timers make spaces endless.
inline const std::vector<std::pair<std::string, std::string>> whole_periods_of_gomez_calzado{
    {"period", "100ms"}, {"timeout", "250ms"}, {"timeout_step", "250ms"}, {"announce", "500ms"}};

/// Every beat is a wave, and timers that wait for a node outlast what is under way.
inline const std::vector<std::pair<std::string, std::string>> whole_periods_of_drumbeat{
    {"period", "1s"}, {"slack", "200ms"}, {"wave", "1"}, {"taps", "0"}, {"tenure", "1s"}};

/// Everything on: patience adapts (in one step), a leader hands over soon, calls are early enough
/// to be answered, echoes outlast what is under way, and with `wave` 2 leaves are silent.
inline void all_of_drumbeat(Spec& spec) {
  spec.options = {{"period", "320ms"}, {"slack", "300ms"}, {"jitter", "20ms"}, {"patience", "2"},
                  {"tenure", "640ms"}, {"gain", "1"},      {"wave", "1"},      {"taps", "0"}};
  spec.delay = std::chrono::milliseconds(20);
}

inline Verdict search(const Spec& spec) {
  return check::check(catalogue::algorithm(spec.algorithm), spec, {});
}

}  // namespace bellwether::searches
