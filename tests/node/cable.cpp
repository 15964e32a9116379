// SPDX-License-Identifier: MIT
#include "node/cable.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "node/eventually.hpp"
#include "node/process.hpp"

namespace bellwether::bed {
namespace {

using Clock = std::chrono::steady_clock;
using Frame = std::vector<char>;

constexpr const char* tun_device = "/dev/net/tun";
constexpr std::size_t most_frames_on_the_way = 100000;

/// One end: a descriptor that gives and takes whole frames.
struct End {
  Descriptor frames;
  std::string far_end;  // of the veth pair; empty for a TAP device
  bool connected = true;
};

/// A copy on its way. The number keeps the order of those that are due at the same time.
struct Copy {
  Clock::time_point due;
  std::uint64_t number;
  std::size_t from, to;
  std::shared_ptr<const Frame> frame;
};

struct Later {
  bool operator()(const Copy& a, const Copy& b) const {
    return std::pair(a.due, a.number) > std::pair(b.due, b.number);
  }
};

Descriptor open_tap(const Namespace& where, const std::string& interface) {
  Descriptor tap;
  // The device appears in the namespace of the thread that asks for it.
  where.within([&] {
    tap = Descriptor(open(tun_device, O_RDWR | O_NONBLOCK | O_CLOEXEC));
    ifreq request{};
    request.ifr_flags = IFF_TAP | IFF_NO_PI;
    std::copy_n(interface.begin(), std::min<std::size_t>(interface.size(), IFNAMSIZ - 1),
                std::begin(request.ifr_name));
    if (!tap.open() || ioctl(tap.get(), TUNSETIFF, &request) != 0)
      fail("the TAP device " + interface + " cannot be made");
  });
  return tap;
}

Descriptor open_veth(const Namespace& hub, const std::string& far_end, const Namespace& where,
                     const std::string& interface) {
  const Outcome made = run(hub,
                           {tool("ip").value_or("ip"), "link", "add", far_end, "up", "mtu", "9000",
                            "type", "veth", "peer", "name", interface, "netns", where.path()},
                           patience, {.own_sys = false});
  if (made.status != 0) throw std::runtime_error("ip cannot make " + interface + ": " + made.err);
  where.compute_checksums(interface);
  Descriptor frames = hub.socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK, 0);
  const int yes = 1, room = 4 << 20;
  sockaddr_ll address{};
  address.sll_family = AF_PACKET;
  address.sll_protocol = htons(ETH_P_ALL);
  address.sll_ifindex = hub.index_of(far_end);
  setsockopt(frames.get(), SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
  if (setsockopt(frames.get(), SOL_PACKET, PACKET_IGNORE_OUTGOING, &yes, sizeof yes) != 0 ||
      bind(frames.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    fail("no frames can be had from " + far_end);
  return frames;
}

}  // namespace

/// The ends, what is on its way between them, and the thread that moves it.
class Cable::Engine {
 public:
  Engine(std::uint64_t seed, Ends kind);
  ~Engine();

  std::size_t add(const Namespace& where, const std::string& interface, const std::string& mac);
  void connect(std::size_t end, bool connected, bool carrier);
  Counts count() const;

  mutable std::mutex mutex;
  Conditions conditions;
  Counts counts;
  std::set<std::pair<std::size_t, std::size_t>> blocked;

 private:
  void work();
  std::vector<pollfd> watched() const;
  void take(std::size_t from);
  void schedule(std::size_t from, std::size_t to, const std::shared_ptr<const Frame>& frame);
  void deliver();
  bool drawn(double percent);
  void wake() const;

  const bool taps_;
  std::optional<Namespace> hub_;  // where the far ends of veth pairs are
  std::mt19937_64 random_;
  std::vector<End> ends_;
  std::priority_queue<Copy, std::vector<Copy>, Later> on_the_way_;
  std::map<std::pair<std::size_t, std::size_t>, Clock::time_point> last_due_;
  std::uint64_t next_number_ = 0;
  std::atomic<bool> over_ = false;
  Descriptor bell_;
  std::thread thread_;
};

Cable::Engine::Engine(std::uint64_t seed, Ends kind)
    : taps_(kind == Ends::tap || (kind == Ends::any && has_tap())),
      random_(seed),
      bell_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (!taps_) hub_.emplace(Namespace::Speech::quiet);
  thread_ = std::thread([this] { work(); });
}

Cable::Engine::~Engine() {
  over_ = true;
  wake();
  thread_.join();
}

void Cable::Engine::wake() const {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t rung = write(bell_.get(), &one, sizeof one);
}

std::size_t Cable::Engine::add(const Namespace& where, const std::string& interface,
                               const std::string& mac) {
  const std::lock_guard lock(mutex);
  End end;
  if (!taps_) end.far_end = "far-" + std::to_string(ends_.size());
  end.frames = taps_ ? open_tap(where, interface) : open_veth(*hub_, end.far_end, where, interface);
  where.set_mac(interface, mac);
  where.set_up(interface, true);
  where.await_carrier(interface);
  if (!taps_) hub_->await_carrier(end.far_end);
  ends_.push_back(std::move(end));
  wake();
  return ends_.size() - 1;
}

void Cable::Engine::connect(std::size_t index, bool connected, bool carrier) {
  const std::lock_guard lock(mutex);
  End& end = ends_.at(index);
  end.connected = connected;
  int value = carrier ? 1 : 0;
  if (!taps_) {
    hub_->set_up(end.far_end, carrier);
  } else if (ioctl(end.frames.get(), TUNSETCARRIER, &value) != 0) {
    fail("the carrier of a TAP device cannot be set");
  }
}

Cable::Counts Cable::Engine::count() const {
  const std::lock_guard lock(mutex);
  Counts out = counts;
  out.on_the_way = on_the_way_.size();
  return out;
}

bool Cable::Engine::drawn(double percent) {
  return static_cast<double>(random_() >> 11) * 0x1.0p-53 * 100 < percent;
}

std::vector<pollfd> Cable::Engine::watched() const {
  std::vector<pollfd> all{{bell_.get(), POLLIN, 0}};
  for (const End& end : ends_) all.push_back({end.frames.get(), POLLIN, 0});
  return all;
}

void Cable::Engine::work() {
  // A cable is never busy: where we may, we go before the programs under test.
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), -15);
  while (!over_) {
    std::vector<pollfd> all;
    std::optional<timespec> pause;
    {
      const std::lock_guard lock(mutex);
      all = watched();
      if (!on_the_way_.empty()) {
        const auto left = std::max(Clock::duration(0), on_the_way_.top().due - Clock::now());
        const auto whole = std::chrono::duration_cast<std::chrono::seconds>(left);
        pause = timespec{whole.count(), (left - whole).count()};
      }
    }
    ppoll(all.data(), all.size(), pause ? &*pause : nullptr, nullptr);
    const std::lock_guard lock(mutex);
    std::uint64_t rings = 0;
    if (all[0].revents != 0) [[maybe_unused]]
      const ssize_t heard = read(bell_.get(), &rings, sizeof rings);
    for (std::size_t i = 1; i < all.size(); ++i)
      if (all[i].revents != 0) take(i - 1);
    deliver();
  }
}

void Cable::Engine::take(std::size_t from) {
  std::array<char, 65536> piece;
  // A bounded number: the other ends need their turn.
  for (int turn = 0; turn < 64; ++turn) {
    const ssize_t got = read(ends_[from].frames.get(), piece.data(), piece.size());
    if (got <= 0) return;
    const auto frame = std::make_shared<const Frame>(piece.data(), piece.data() + got);
    for (std::size_t to = 0; to < ends_.size(); ++to)
      if (to != from) schedule(from, to, frame);
  }
}

void Cable::Engine::schedule(std::size_t from, std::size_t to,
                             const std::shared_ptr<const Frame>& frame) {
  if (!ends_[from].connected || !ends_[to].connected || blocked.contains({from, to})) return;
  if (drawn(conditions.loss) || on_the_way_.size() >= most_frames_on_the_way) {
    ++counts.lost;
    return;
  }
  const bool twice = drawn(conditions.duplicate);
  if (twice) ++counts.duplicated;
  for (int copy = 0; copy < (twice ? 2 : 1); ++copy) {
    Clock::duration way = conditions.delay;
    if (conditions.jitter.count() > 0)
      way += std::chrono::microseconds(random_() %
                                       static_cast<std::uint64_t>(conditions.jitter.count() + 1));
    Clock::time_point due = Clock::now() + way;
    if (drawn(conditions.reorder)) {
      ++counts.reordered;
      due += conditions.held;
    } else {
      Clock::time_point& last = last_due_[{from, to}];
      due = last = std::max(due, last);
    }
    on_the_way_.push({due, next_number_++, from, to, frame});
  }
}

void Cable::Engine::deliver() {
  while (!on_the_way_.empty() && on_the_way_.top().due <= Clock::now()) {
    const Copy copy = on_the_way_.top();
    on_the_way_.pop();
    // What is still in a cable that was cut meanwhile does not arrive.
    if (!ends_[copy.from].connected || !ends_[copy.to].connected ||
        blocked.contains({copy.from, copy.to}))
      continue;
    // An interface that is down takes nothing, as in the world.
    const ssize_t sent = write(ends_[copy.to].frames.get(), copy.frame->data(), copy.frame->size());
    ++(sent < 0 ? counts.lost : counts.delivered);
  }
}

bool Cable::has_tap() {
  return Descriptor(open(tun_device, O_RDWR | O_CLOEXEC)).open();
}

Cable::Cable(std::uint64_t seed, Ends ends) : engine_(std::make_unique<Engine>(seed, ends)) {}

Cable::~Cable() = default;

std::size_t Cable::add_end(const Namespace& where, const std::string& interface,
                           const std::string& mac) {
  return engine_->add(where, interface, mac);
}

void Cable::set(const Conditions& conditions) {
  const std::lock_guard lock(engine_->mutex);
  engine_->conditions = conditions;
}

Conditions Cable::conditions() const {
  const std::lock_guard lock(engine_->mutex);
  return engine_->conditions;
}

void Cable::pull(std::size_t end) {
  engine_->connect(end, false, true);
}

void Cable::unplug(std::size_t end) {
  engine_->connect(end, false, false);
}

void Cable::plug(std::size_t end) {
  engine_->connect(end, true, true);
}

void Cable::block(std::size_t from, std::size_t to) {
  const std::lock_guard lock(engine_->mutex);
  engine_->blocked.insert({from, to});
}

void Cable::unblock(std::size_t from, std::size_t to) {
  const std::lock_guard lock(engine_->mutex);
  engine_->blocked.erase({from, to});
}

void Cable::unblock_all() {
  const std::lock_guard lock(engine_->mutex);
  engine_->blocked.clear();
}

Cable::Counts Cable::counts() const {
  return engine_->count();
}

}  // namespace bellwether::bed
