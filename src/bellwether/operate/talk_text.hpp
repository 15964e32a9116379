// SPDX-License-Identifier: MIT
// What a node says, for people.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "bellwether/client/client.hpp"

namespace bellwether::operate {

/// "42 ms", "5.3 s", "2 min 5 s", "3 h 12 min", "4 d 2 h"
std::string rough_time(client::Milliseconds time);

/// Text from outside, as one line that does nothing to a terminal: \n, \x1b.
std::string harmless(std::string_view text);

/// "7 leads (epoch 12, for 5.3 s)"; without a newline, as the other lines.
std::string leader_line(const client::Leadership& leadership);
std::string message_line(const client::Message& message);
/// What happened, without its time.
std::string event_line(const client::Event& event, const std::string& address);
/// "2026-07-01 21:24:54.123", where the machine is.
std::string time_stamp(std::chrono::system_clock::time_point at);

std::string status_table(const client::Status& status);
std::string members_table(const client::Members& members);

}  // namespace bellwether::operate
