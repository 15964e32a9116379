// SPDX-License-Identifier: MIT
// From a node's JSON to values. What is needed to act rightly (who leads, in which epoch) must be
// there; what a node of another version leaves out is left at its default, and what it adds is
// ignored. All throw ClientError(bad_answer); `place` says whose answer it was, and to what.
#pragma once

#include <string>
#include <string_view>

#include "bellwether/client/client.hpp"

namespace bellwether::client {

Leadership read_leadership(std::string_view json, const std::string& place);
/// Whether the reply to a request for a lock grants it.
bool read_granted(std::string_view json, const std::string& place);
Status read_status(std::string_view json, const std::string& place);
Members read_members(std::string_view json, const std::string& place);
InboxPage read_inbox(std::string_view json, const std::string& place);
Message read_message(std::string_view json, const std::string& place);
/// The id of a message that was sent.
std::string read_id(std::string_view json, const std::string& place);
/// The sentence of {"error": "sentence"}, if it is that.
std::optional<std::string> read_error(std::string_view json);

}  // namespace bellwether::client
