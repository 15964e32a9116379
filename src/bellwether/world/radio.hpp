// SPDX-License-Identifier: MIT
// The model of a radio: its range, its delays, its losses and its costs.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "bellwether/core/prng.hpp"
#include "bellwether/world/channel.hpp"

namespace bellwether::world {

enum class RadioModel : unsigned char { ideal, lossy, csma };
constexpr auto names_of(RadioModel) {
  return std::array<std::string_view, 3>{"ideal", "lossy", "csma"};
}

/// Losses in bursts (Gilbert 1960, Elliott 1963), in continuous time: a link is good and bad by
/// turns, each for an exponential time.
struct BurstSpec {
  Duration good = std::chrono::seconds(1);  // mean length of good periods
  Duration bad{};                           // and of bad ones; 0: there are none
  double loss_good = 0;                     // share of the messages that vanish in a good period
  double loss_bad = 1;                      // and in a bad one
  friend bool operator==(const BurstSpec&, const BurstSpec&) = default;

  bool on() const { return bad > Duration{0}; }
  /// How much of the time a link is bad.
  double share_bad() const {
    return on() ? core::seconds(bad) / (core::seconds(good) + core::seconds(bad)) : 0;
  }
  /// How much is lost in the long run.
  double mean_loss() const { return on() ? loss_good + (loss_bad - loss_good) * share_bad() : 0; }
};

/// How the strength of a signal falls with the distance. For engines that know signals; to others
/// all are alike within the range.
enum class Reach : unsigned char { range, logrange, rssi };
constexpr auto names_of(Reach) {
  return std::array<std::string_view, 3>{"range", "logrange", "rssi"};
}

/// One medium for all, after 802.11 with broadcasts at its basic rate. Powers in watts.
struct CsmaSpec {
  double rate = 1e6;                                   // bits a second
  Duration preamble = std::chrono::microseconds(192);  // and header: before the first byte
  std::uint32_t overhead = 38;  // bytes around each payload: LLC 8, QoS MAC header 26, FCS 4
  Duration slot = std::chrono::microseconds(20);  // long ones, as at 2.4 GHz
  Duration sifs = std::chrono::microseconds(10);
  std::uint32_t aifsn = 3;  // a node listens for sifs + aifsn * slot before it sends
  std::uint32_t cw = 15;    // a backoff is 0 to cw slots long
  Duration symbol{};        // bits come in symbols of this length, as with OFDM; 0: one by one
  double capture = 1;       // probability that the first of overlapping frames survives
  bool aligned =
      true;  // a node that finds the medium free waits for the next slot, as with 802.11e
  friend bool operator==(const CsmaSpec&, const CsmaSpec&) = default;

  Duration aifs() const { return sifs + aifsn * slot; }
  /// How long a frame with that many bytes of payload is on the air.
  Duration airtime(std::size_t bytes) const;
};

/// What a radio draws in each state, in watts.
struct PowerSpec {
  double idle = 0.5;
  double busy = 0.5;  // it hears something that it cannot read, or not yet
  double rx = 1;
  double tx = 2.5;
  double sleep = 0.00005;
  friend bool operator==(const PowerSpec&, const PowerSpec&) = default;
};

/// What a scenario says under [radio].
struct RadioSpec {
  RadioModel model = RadioModel::ideal;
  double range = 0;  // metres; 0: not given
  Reach reach = Reach::range;
  // How long a message takes by an ideal or lossy radio; see ChannelSpec.
  Delay delay = Delay::poisson;
  Duration mean = std::chrono::milliseconds(10);
  Duration min = std::chrono::milliseconds(1);
  Duration max = std::chrono::milliseconds(20);
  Duration unit = std::chrono::milliseconds(1);
  double loss = 0;  // share of the messages that vanish, each on its own
  BurstSpec burst;
  std::uint32_t mtu = 1500;  // the largest payload of a frame in bytes
  CsmaSpec csma;
  PowerSpec power;
  friend bool operator==(const RadioSpec&, const RadioSpec&) = default;
};

/// The latency and the independent losses of an ideal or lossy radio, as a channel.
ChannelSpec channel_of(const RadioSpec& spec);

std::span<const NamedFact> radio_models();

/// The state of one directed link. It is asked when a message is sent, and only then catches up
/// with the present, by the law of the two-state chain: exact, however long ago the last one was.
/// Begins in the long run. Must not be asked about the past.
class GilbertElliott {
 public:
  bool bad(const BurstSpec& spec, Time now, core::Prng& prng);
  bool loses(const BurstSpec& spec, Time now, core::Prng& prng);

 private:
  Time at_{};
  bool known_ = false;
  bool bad_ = false;
};

}  // namespace bellwether::world
