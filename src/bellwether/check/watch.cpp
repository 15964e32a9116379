// SPDX-License-Identifier: MIT
#include "bellwether/check/watch.hpp"

namespace bellwether::check {

Watcher::Watcher(core::PropertyMonitors monitors) : watches_(!monitors.empty()) {
  number_of(std::move(monitors));
}

Number Watcher::after(Number memory, const core::Configuration& seen, const core::Happening& what) {
  return watched(memory, [&](core::PropertyMonitor& m) { m.after(seen, what); });
}

Number Watcher::at_rest(Number memory, const core::Configuration& seen) {
  return watched(memory, [&](core::PropertyMonitor& m) { m.at_rest(seen); });
}

template <class Look>
Number Watcher::watched(Number memory, Look&& look) {
  core::PropertyMonitors copies;
  for (const auto& each : memories_[memory]) copies.push_back(each ? each->copy() : nullptr);
  for (std::size_t i = 0; i < copies.size(); ++i) {
    // Those that remember nothing are all one: the first.
    core::PropertyMonitor& monitor = copies[i] ? *copies[i] : *memories_[0][i];
    try {
      look(monitor);
    } catch (const core::Violation& violation) {
      throw Breach{std::string(monitor.name()), violation.what()};
    }
  }
  return number_of(std::move(copies));
}

Number Watcher::number_of(core::PropertyMonitors monitors) {
  std::vector<core::Bytes> key;
  for (const auto& each : monitors) key.push_back(each ? each->memory() : core::Bytes{});
  const auto [at, fresh] = numbers_.emplace(std::move(key), static_cast<Number>(memories_.size()));
  if (fresh) memories_.push_back(std::move(monitors));
  return at->second;
}

}  // namespace bellwether::check
