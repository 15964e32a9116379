// SPDX-License-Identifier: MIT
// Network namespaces without names: each is held by a descriptor and vanishes with the last one who
// holds it. So parallel runs cannot collide, and a run that was killed leaves nothing to clean up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace bellwether::bed {

/// A descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  void close();

 private:
  int fd_ = -1;
};

/// One network namespace with loopback up. IPv6 addresses are usable at once (no duplicate address
/// detection), and no router is asked for.
class Namespace {
 public:
  /// A quiet one speaks no IPv6 itself: what is heard on a switch comes from its hosts.
  enum class Speech { normal, quiet };
  explicit Namespace(Speech speech = Speech::normal);
  /// The one that this program is in: programs stay there.
  struct Here {};
  explicit Namespace(Here) {}
  Namespace(const Namespace&) = delete;
  Namespace& operator=(const Namespace&) = delete;

  int fd() const { return fd_.get(); }
  /// What `ip ... netns PATH` and `nsenter --net=PATH` take.
  std::string path() const;
  /// Does this inside, on a thread of its own; what it throws is thrown here.
  void within(const std::function<void()>& work) const;
  /// A socket that belongs to this namespace, whichever thread uses it.
  Descriptor socket(int domain, int type, int protocol) const;

  int index_of(const std::string& interface) const;
  void set_up(const std::string& interface, bool up) const;
  void set_address(const std::string& interface, const std::string& ipv4, int prefix) const;
  void set_mac(const std::string& interface, const std::string& mac) const;
  void set_mtu(const std::string& interface, int mtu) const;
  /// Frames carry whole checksums, so that a copy of one is as good as the frame.
  void compute_checksums(const std::string& interface) const;
  bool is_up(const std::string& interface) const;
  bool has_carrier(const std::string& interface) const;
  /// Waits until frames can leave through it. The kernel wakes an interface that got its carrier
  /// later, in the background, and drops what is sent before.
  void await_carrier(const std::string& interface) const;
  /// A port joins a bridge of this namespace, or leaves it.
  void enslave(const std::string& bridge, const std::string& port, bool member) const;
  /// The IPv6 link-local address; empty while there is none that can be used.
  std::string link_local(const std::string& interface) const;

 private:
  int flags(const std::string& interface) const;
  void control(unsigned long request, void* argument, const std::string& what) const;

  Descriptor fd_;
  Descriptor control_;
};

/// Throws with the reason of the last failed system call.
[[noreturn]] void fail(const std::string& what);

/// The path of `ip`, `nft` and the like, also where PATH lacks the folders of the superuser.
std::optional<std::string> tool(const std::string& name);

/// Without the rights to make network namespaces, the whole program starts again as the superuser
/// of a user namespace of its own, with an empty /run. Call it first in main. It returns when
/// nothing is to be done or nothing can be done; Network::unavailable() says which.
void enter_own_namespaces();

/// Whether the program was started again by the function above.
bool in_own_namespaces();

}  // namespace bellwether::bed
