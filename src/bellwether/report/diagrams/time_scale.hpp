// SPDX-License-Identifier: MIT
// Where a moment stands on the time axis: linear, but for long silences, which are cut short. All
// lengths are in units of the page.
#pragma once

#include <string>
#include <vector>

#include "bellwether/observe/trace/record.hpp"

namespace bellwether::report {

using observe::Time;

class TimeScale {
 public:
  struct TimeTick {
    double place;
    std::string label;
  };
  /// A silence: nothing happens between the two moments.
  struct Cut {
    Time from;
    Time to;
    double begin;
    double end;
  };

  /// `moments` are when something happens, from `from` to `to`. Outside the cuts the axis gets from
  /// `least` to `most`: the more, the more the events crowd together.
  TimeScale(std::vector<Time> moments, Time from, Time to, double begin, double least, double most);

  /// Moments outside of the axis stand at its ends.
  double place(Time at) const;
  double end() const { return pieces_.back().end; }
  const std::vector<Cut>& cuts() const { return cuts_; }
  std::vector<TimeTick> ticks() const;

 private:
  struct Piece {
    Time from;
    Time to;
    double begin;
    double end;
    bool cut;
  };
  void build(const std::vector<Time>& moments, double limit, double least);

  std::vector<Piece> pieces_;  // all of the axis
  std::vector<Cut> cuts_;
  double per_ns_ = 0;  // outside the cuts; 0: all is one moment
};

}  // namespace bellwether::report
