// SPDX-License-Identifier: MIT
#include "bellwether/report/diagrams/flights.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace bellwether::report {
namespace {

using observe::Cause;
using observe::Fate;
using observe::TraceDrop;
using observe::TraceSend;
using observe::TraceStep;

double portion(Time sent, Time ended, Time due) {
  const double all = static_cast<double>(due.count()) - static_cast<double>(sent.count());
  const double made = static_cast<double>(ended.count()) - static_cast<double>(sent.count());
  return all <= 0 ? 1 : made / all;
}

/// Messages carry no numbers, so ends are matched to sends by the two nodes, the text and the time.
class Matcher {
 public:
  explicit Matcher(std::vector<Flight>& flights) : flights_(flights) {}

  void sent(const TraceStep& step, const TraceSend& send) {
    Flight flight{step.node, send.to,      step.at, send.arrives, 1, Journey::under_way,
                  false,     send.message, {}};
    if (send.fate == Fate::lost) flight.journey = Journey::lost;
    if (send.fate == Fate::no_link) flight.journey = Journey::no_link;
    if (flight.journey == Journey::under_way)
      pending_[{step.node, send.to, send.message}].push_back(
          {flights_.size(), send.arrives, send.fate == Fate::duplicated ? 2 : 1});
    flights_.push_back(flight);
  }

  void received(const TraceStep& step) {
    if (Flight* flight = finish(step.peer.value_or(NodeId{}), step.node, step.message, step.at)) {
      flight->journey = Journey::delivered;
      flight->ended = step.at;
    }
  }

  void dropped(const TraceDrop& drop) {
    if (Flight* flight = finish(drop.from, drop.to, drop.message, drop.at)) {
      flight->journey = Journey::dropped;
      // A cross on the life line would hide whose end it is.
      flight->way = std::clamp(portion(flight->sent, drop.at, flight->ended), 0.3, 0.9);
      flight->ended = drop.at;
      flight->why = drop.why;
    }
  }

 private:
  struct Pending {
    std::size_t flight;
    Time due;
    int copies;
  };

  /// The flight that ends here: the one that is due now, else the oldest.
  Flight* finish(NodeId from, NodeId to, std::string_view message, Time at) {
    const auto found = pending_.find({from, to, message});
    if (found == pending_.end() || found->second.empty()) return nullptr;
    auto& waiting = found->second;
    auto match = std::find_if(waiting.begin(), waiting.end(),
                              [at](const Pending& p) { return p.due == at; });
    if (match == waiting.end()) match = waiting.begin();
    std::size_t index = match->flight;
    if (flights_[index].journey != Journey::under_way) {  // its first copy has ended already
      flights_.push_back(flights_[index]);
      index = flights_.size() - 1;
      flights_[index].copy = true;
      flights_[index].way = 1;
      flights_[index].ended = at;
    }
    if (--match->copies == 0) waiting.erase(match);
    return &flights_[index];
  }

  std::vector<Flight>& flights_;
  std::map<std::tuple<NodeId, NodeId, std::string_view>, std::vector<Pending>> pending_;
};

/// A lost message was never due: it is drawn as if it had died on an ordinary way.
void place_lost(std::vector<Flight>& flights) {
  std::vector<Time> delays;
  for (const Flight& f : flights)
    if (f.journey == Journey::delivered) delays.push_back(f.ended - f.sent);
  Time usual{};
  if (!delays.empty()) {
    const auto middle = delays.begin() + static_cast<std::ptrdiff_t>(delays.size() / 2);
    std::nth_element(delays.begin(), middle, delays.end());
    usual = *middle;
  }
  for (Flight& f : flights) {
    if (f.journey == Journey::no_link) f.ended = f.sent;
    if (f.journey != Journey::lost) continue;
    f.way = 0.6;
    f.ended = f.sent + usual / 5 * 3;
  }
}

}  // namespace

std::vector<Flight> flights_of(const Trace& trace) {
  std::vector<Flight> flights;
  Matcher matcher(flights);
  auto drop = trace.drops.begin();
  for (std::size_t i = 0; i <= trace.steps.size(); ++i) {
    for (; drop != trace.drops.end() && drop->after_steps <= i; ++drop) matcher.dropped(*drop);
    if (i == trace.steps.size()) break;
    const TraceStep& step = trace.steps[i];
    if (step.cause == Cause::receive) matcher.received(step);
    for (const TraceSend& send : step.sends) matcher.sent(step, send);
  }
  place_lost(flights);
  std::stable_partition(flights.begin(), flights.end(), [](const Flight& f) { return !f.copy; });
  return flights;
}

}  // namespace bellwether::report
