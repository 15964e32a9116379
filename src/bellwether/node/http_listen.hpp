// SPDX-License-Identifier: MIT
// Where the HTTP server listens: a Unix socket with its file, or a port of this machine only.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <utility>

namespace bellwether::node {

/// A socket that listens, closed at the end. Programs that are started do not inherit it.
class Listening {
 public:
  explicit Listening(int descriptor) : descriptor_(descriptor) {}
  Listening(Listening&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;
  ~Listening();

  int get() const { return descriptor_; }
  int release() { return std::exchange(descriptor_, -1); }  // the caller closes it

 private:
  int descriptor_;
};

/// Throws Problem with one sentence, as HttpServer says. A stale file is replaced.
Listening listen_at_path(const std::string& path, unsigned mode);

/// "127.0.0.1:7746", "localhost:7746" or "[::1]:7746"; port 0: any that is free.
Listening listen_at_loopback(const std::string& address);

/// The port on which an internet socket listens.
unsigned short port_of(int descriptor);

/// Which file stands at a path, to know later whether it is still the same one.
struct FileIdentity {
  dev_t device = 0;
  ino_t inode = 0;
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};
FileIdentity identity_of(const std::string& path);  // zeros: there is none

/// Whether a Host header means this machine, and not a foreign name that resolves to it.
bool names_loopback(std::string_view host);

}  // namespace bellwether::node
