// SPDX-License-Identifier: MIT
// For searches: what a node holds and will not read before it writes it again. Two states that
// differ in nothing else do the same whatever happens to them, so they are one. Properties read
// only what stays.
#include "bellwether/algorithms/moving/drumbeat.hpp"

namespace bellwether::algorithms {

void Drumbeat::forget_unused() {
  seen_.forget_order();
  tree_.forget_unused(state_ == State::leads);
  if (state_ != State::leads) {  // lead() begins all this anew
    handover_ = {};
    phase_ = tapped_ = led_ = 0;
    unheard_ = 0;
  }
  if (state_ != State::follows) called_ = false;  // read in follow(), of the same leader
  if (state_ != State::follows && state_ != State::leads)
    is_wave_ = relayed_ = answered_ = false;  // follow() and speak() set them
  // Read in relay(), of a beat that is no wave: of one that is passed on, too, since a node that
  // finds itself misplaced relays again.
  if (state_ != State::follows || is_wave_) copies_ = 0;
}

}  // namespace bellwether::algorithms
