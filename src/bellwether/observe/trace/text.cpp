// SPDX-License-Identifier: MIT
#include "bellwether/observe/trace/text.hpp"

#include "bellwether/core/utf8.hpp"

namespace bellwether::observe {

std::string one_line(std::string_view text) {
  std::string out = core::valid_utf8(text);
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  return out;
}

std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += core::continues_utf8(c) ? 0 : 1;
  return count;
}

std::string shortened(std::string_view text, std::size_t most) {
  if (columns(text) <= most) return std::string(text);
  const std::size_t keep = most > 3 ? most - 3 : 0;
  std::size_t bytes = 0;
  for (std::size_t kept = 0; bytes < text.size(); ++bytes) {
    if (core::continues_utf8(text[bytes])) continue;
    if (kept++ == keep) break;
  }
  return std::string(text.substr(0, bytes)) + std::string(most < 3 ? most : 3, '.');
}

}  // namespace bellwether::observe
