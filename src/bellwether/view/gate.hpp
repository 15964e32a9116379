// SPDX-License-Identifier: MIT
// Access control: pure functions of what a request says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bellwether::view {

struct Visitor {
  std::string_view target;  // "/?token=..."
  std::string_view host;    // header Host
  std::string_view origin;  // header Origin; empty: none
  std::string_view cookie;  // header Cookie; empty: none
};

/// Why not; nothing: come in.
std::optional<std::string> refusal_at_the_door(const Visitor& visitor, std::string_view token,
                                               std::string_view address, std::uint16_t port);

/// "/app.js?token=1" is "app.js"; "/" is "index.html".
std::string file_of(std::string_view target);
std::string_view media_type(std::string_view file);

inline constexpr std::string_view cookie_name = "bellwether-view";

}  // namespace bellwether::view
