// SPDX-License-Identifier: MIT
// A trace without a schedule cannot be run again, but it can be shown: its steps, one after the
// other, to the same player. What the trace does not say is not shown: links are inferred from
// the messages between nodes.
#pragma once

#include "bellwether/observe/trace/trace.hpp"
#include "bellwether/sim/pace.hpp"

namespace bellwether::view {

/// `watcher` and `observer` are usually one and the same.
void play_trace(const observe::Trace& trace, sim::Pacer& watcher, observe::Observer& observer);

}  // namespace bellwether::view
