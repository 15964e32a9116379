// SPDX-License-Identifier: MIT
#include "why.hpp"

#include <array>

#include "judge.hpp"

namespace bellwether::swarm {
namespace {

struct Fault {
  std::string_view name;
  void (*leave_out)(Scenario&);
};

void leave_out_loss(Scenario& s) {
  s.channel.loss = s.radio.loss = 0;
  s.radio.burst = {};
}
void leave_out_crashes(Scenario& s) {
  s.changes.crashes = {};
}
void leave_out_oblivion(Scenario& s) {
  if (s.changes.crashes.rate > 0) s.changes.crashes.memory = true;
}
void leave_out_churn(Scenario& s) {
  s.changes.links = {};
}
void leave_out_late_news(Scenario& s) {
  s.notify = {};
}
void leave_out_reordering(Scenario& s) {
  s.channel.order = world::Order::fifo;
}
void leave_out_duplicates(Scenario& s) {
  s.channel.duplicate = 0;
}
void leave_out_probes(Scenario& s) {
  if (s.radio.model != world::RadioModel::csma) s.neighbours.detect = scenario::Detect::told;
}

constexpr std::array faults{Fault{"loss", leave_out_loss},
                            Fault{"crashes", leave_out_crashes},
                            Fault{"oblivion", leave_out_oblivion},
                            Fault{"churn", leave_out_churn},
                            Fault{"late news", leave_out_late_news},
                            Fault{"reordering", leave_out_reordering},
                            Fault{"duplicates", leave_out_duplicates},
                            Fault{"probes", leave_out_probes}};

}  // namespace

std::string without_each_fault(const Trial& trial) {
  std::string out;
  for (const Fault& fault : faults) {
    Trial less = trial;
    fault.leave_out(less.scenario);
    if (less.scenario == trial.scenario) continue;
    if (!out.empty()) out += "; ";
    out += "without " + std::string(fault.name) + ": ";
    out += verdict(less).empty() ? "fine" : "fails";
  }
  return out;
}

}  // namespace bellwether::swarm
