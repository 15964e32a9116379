// SPDX-License-Identifier: MIT
// Packets between the server and a runner, over a Unix socket: a text, and bytes behind it. The
// runner waits for them; the server must not (see runner.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace bellwether::view {

struct PipeMessage {
  std::string text;   // JSON
  std::string bytes;  // a frame; may be empty
};

/// As it goes over the socket: two lengths of four bytes, low byte first, then both.
std::string to_wire(const PipeMessage& packet);
inline constexpr std::size_t wire_head = 8;
inline constexpr std::uint32_t longest_part = 1u << 30;
struct WireSizes {
  std::uint32_t text = 0, bytes = 0;
};
using WireHead = std::array<char, wire_head>;
WireSizes sizes_of(const WireHead& head);

/// One end, for a caller that waits. Closed with its owner.
class Pipe {
 public:
  explicit Pipe(int fd) : fd_(fd) {}
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  /// Nothing when the other end is closed.
  std::optional<PipeMessage> read();
  /// False when the other end is closed.
  bool write(const PipeMessage& packet);
  /// Goes on with another socket.
  void become(int fd);

 private:
  int fd_;
};

/// Hands an open file to the process at the other end of a socket.
bool send_descriptor(int socket, int descriptor);
/// -1 where there is none.
int receive_descriptor(int socket);

}  // namespace bellwether::view
