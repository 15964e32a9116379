// SPDX-License-Identifier: MIT
#include "bellwether/sim/audience.hpp"

namespace bellwether::sim {

void Audience::watch(core::PropertyMonitors monitors) {
  for (auto& monitor : monitors) monitors_.push_back(std::move(monitor));
}

void Audience::begin(const observe::RunHeader& header) {
  for (auto* observer : observers_) observer->begin(header);
}

void Audience::step(observe::StepRecord& record) {
  record.number = ++recorded_;
  record.sends = sent_;
  for (auto* observer : observers_) observer->step(record);
  sent_.clear();
}

void Audience::drop(const observe::DropRecord& record) {
  for (auto* observer : observers_) observer->drop(record);
}

void Audience::end() {
  for (auto* observer : observers_) observer->end();
}

void Audience::after(const core::Configuration& all, const core::Happening& what) {
  inspect([&](core::PropertyMonitor& monitor) { monitor.after(all, what); });
}

void Audience::at_rest(const core::Configuration& all) {
  inspect([&](core::PropertyMonitor& monitor) { monitor.at_rest(all); });
}

void Audience::inspect(const std::function<void(core::PropertyMonitor&)>& look) {
  for (std::size_t i = 0; i < monitors_.size(); ++i) {
    try {
      look(*monitors_[i]);
    } catch (const core::Violation& violation) {
      const auto sentence = std::string(monitors_[i]->name()) + ": " + violation.what();
      if (!pacer_) throw core::Violation(sentence);
      monitors_.erase(monitors_.begin() + static_cast<std::ptrdiff_t>(i--));
      pacer_->broken(*window_, sentence);
    }
  }
}

}  // namespace bellwether::sim
