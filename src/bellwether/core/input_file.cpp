// SPDX-License-Identifier: MIT
#include "bellwether/core/input_file.hpp"

#include <algorithm>
#include <filesystem>

#include "bellwether/core/human_bytes.hpp"
#include "bellwether/core/problem.hpp"

namespace bellwether::core {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::ifstream open_file(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (status.type() == fs::file_type::not_found) throw Problem(path, {}, "there is no such file");
  if (fs::is_directory(status)) throw Problem(path, {}, "is a folder; name a file in it");
  if (fs::is_character_file(status) || fs::is_block_file(status))
    throw Problem(path, {}, "is a device; name a file");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Problem(path, {}, "cannot be read; check its permissions");
  return in;
}

std::string read_file(const std::string& path, std::uint64_t limit) {
  std::ifstream in = open_file(path);
  std::string text;
  // A pipe does not say how long it is: pieces grow with what has come.
  for (std::uint64_t piece = 1 << 16; in && text.size() <= limit; piece *= 2) {
    const std::size_t size = text.size();
    text.resize(size + std::min(piece, limit + 1 - size));
    in.read(text.data() + size, static_cast<std::streamsize>(text.size() - size));
    text.resize(size + static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) throw Problem(path, {}, "cannot be read to its end");
  if (text.size() > limit)
    throw Problem(path, {}, "is larger than " + human_bytes(limit) + "; name a smaller file");
  return text;
}

}  // namespace bellwether::core
