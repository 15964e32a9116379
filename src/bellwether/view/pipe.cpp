// SPDX-License-Identifier: MIT
#include "bellwether/view/pipe.hpp"

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace bellwether::view {
namespace {

void put(std::string& out, std::size_t word) {
  for (int i = 0; i < 4; ++i) out.push_back(static_cast<char>(word >> (8 * i)));
}

bool read_all(int fd, char* to, std::size_t size) {
  while (size > 0) {
    const ssize_t got = ::read(fd, to, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

struct Ancillary {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> bytes{};
};

}  // namespace

std::string to_wire(const PipeMessage& packet) {
  std::string out;
  out.reserve(wire_head + packet.text.size() + packet.bytes.size());
  put(out, packet.text.size());
  put(out, packet.bytes.size());
  out += packet.text;
  out += packet.bytes;
  return out;
}

WireSizes sizes_of(const WireHead& head) {
  const auto word = [&](std::size_t at) {
    std::uint32_t out = 0;
    for (std::size_t i = 4; i-- > 0;) out = out << 8 | static_cast<unsigned char>(head[at + i]);
    return out;
  };
  return {word(0), word(4)};
}

Pipe::~Pipe() {
  close(fd_);
}

std::optional<PipeMessage> Pipe::read() {
  WireHead head{};
  if (!read_all(fd_, head.data(), head.size())) return std::nullopt;
  const WireSizes sizes = sizes_of(head);
  if (sizes.text > longest_part || sizes.bytes > longest_part) return std::nullopt;
  PipeMessage out{std::string(sizes.text, '\0'), std::string(sizes.bytes, '\0')};
  if (!read_all(fd_, out.text.data(), sizes.text)) return std::nullopt;
  if (!read_all(fd_, out.bytes.data(), sizes.bytes)) return std::nullopt;
  return out;
}

bool Pipe::write(const PipeMessage& packet) {
  const std::string wire = to_wire(packet);
  for (std::size_t done = 0; done < wire.size();) {
    const ssize_t put = ::send(fd_, wire.data() + done, wire.size() - done, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    done += static_cast<std::size_t>(put);
  }
  return true;
}

void Pipe::become(int fd) {
  close(fd_);
  fd_ = fd;
}

bool send_descriptor(int socket, int descriptor) {
  char nothing = 'd';
  iovec part{&nothing, 1};
  Ancillary ancillary;
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = ancillary.bytes.data();
  message.msg_controllen = ancillary.bytes.size();
  cmsghdr* head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof descriptor);
  std::memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
  return sendmsg(socket, &message, MSG_NOSIGNAL) == 1;
}

int receive_descriptor(int socket) {
  char nothing = 0;
  iovec part{&nothing, 1};
  Ancillary ancillary;
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = ancillary.bytes.data();
  message.msg_controllen = ancillary.bytes.size();
  if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1) return -1;
  const cmsghdr* head = CMSG_FIRSTHDR(&message);
  if (!head || head->cmsg_type != SCM_RIGHTS) return -1;
  int out = -1;
  std::memcpy(&out, CMSG_DATA(head), sizeof out);
  return out;
}

}  // namespace bellwether::view
