// SPDX-License-Identifier: MIT
// The ranges of options that several elections share.
#pragma once

#include <chrono>
#include <cstdint>

#include "bellwether/core/fields.hpp"

namespace bellwether::algorithms {

inline constexpr core::OptionRange<double> probability{0, 1};

/// Of periods and timeouts. A timer of no duration would expire again and again at one instant.
inline constexpr core::OptionRange<std::chrono::nanoseconds> timer_duration{
    std::chrono::microseconds(1), std::chrono::hours(24)};
/// The same for those that are computed unless they are given.
inline constexpr core::OptionRange<std::chrono::nanoseconds> timer_duration_or_zero{
    timer_duration.least, timer_duration.most, true};

/// Of digests: each is a message to every neighbour that is not known to be up to date.
inline constexpr core::OptionRange<std::chrono::nanoseconds> digest_period{
    std::chrono::milliseconds(1), timer_duration.most};

/// As many nodes, hops or rounds as a network can have.
inline constexpr core::OptionRange<std::uint32_t> network_size{0, 0x7fff'ffff};

/// Of a radio, in metres.
inline constexpr core::OptionRange<double> radio_range{1, 1'000'000};

}  // namespace bellwether::algorithms
