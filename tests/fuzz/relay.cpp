// SPDX-License-Identifier: MIT
// Messages of applications, as neighbours may send them, at a relay with small limits.
#include "bellwether/node/relay.hpp"

#include <array>

#include "input.hpp"

namespace {

using namespace bellwether;
using namespace std::chrono_literals;
using core::NodeId;
using fuzz::require;

constexpr NodeId self{5};
constexpr std::array<NodeId, 4> everybody{NodeId{1}, NodeId{3}, NodeId{6}, NodeId{9}};

node::RelayOptions small_options() {
  node::RelayOptions options;
  options.most_payload = 16;
  options.most_parcels = 4;
  options.most_remembered = 6;
  options.most_hops = 8;
  return options;
}

class Driven {
 public:
  void next(fuzz::Input& input) {
    const unsigned kind = input.byte();
    const unsigned chosen = kind >> 4U;
    switch (kind & 7U) {
      case 0:
        leader_ = NodeId{chosen};
        return wake();
      case 1:
        leader_.reset();
        return wake();
      case 2:  // the neighbours
        near_.clear();
        for (std::size_t i = 0; i < everybody.size(); ++i)
          if ((chosen >> i & 1U) != 0) near_.push_back(everybody[i]);
        return wake();
      case 3:
        now_ += std::chrono::milliseconds(20 * input.byte());
        return wake();
      case 4: {
        const auto piece = input.piece();
        const auto to = chosen % 2 == 0 ? node::To::leader : node::To::members;
        relay_.submit(here(), to, {piece.begin(), piece.end()});
        return check();
      }
      default: {
        const auto message = core::decode<node::Relay::RelayMessage>(input.piece());
        if (message) relay_.receive(here(), everybody[chosen % everybody.size()], *message);
        return check();
      }
    }
  }

 private:
  node::Relay::NodeContext here() const {
    return {now_, leader_, near_, [this](NodeId id) -> std::optional<NodeId> {
              if (near_.empty()) return std::nullopt;
              return near_[raw(id) % near_.size()];
            }};
  }
  void wake() {
    relay_.wake(here());
    const auto next = relay_.next_alarm();
    require(!next || *next > now_, "an alarm is still due");
    check();
  }
  void check() {
    const node::RelayOptions options = small_options();
    require(relay_.held() <= options.most_parcels, "too many parcels are held");
    for (const auto& send : relay_.effects().sends) {
      require(send.to != self, "a message to oneself");
      if (const auto* parcel = std::get_if<node::Parcel>(&send.message))
        require(parcel->payload.size() <= options.most_payload, "a payload is too long");
      const auto bytes = core::encode(send.message);
      require(core::decode<node::Relay::RelayMessage>(bytes) == send.message,
              "cannot be read again");
    }
    // One call sends each of what is held once, and answers one message.
    require(relay_.effects().sends.size() <= 2 * options.most_parcels + 2, "too much is sent");
    relay_.effects() = {};
  }

  node::Relay relay_{self, 77, small_options()};
  core::Time now_ = 1000s;
  std::optional<NodeId> leader_;
  std::vector<NodeId> near_{everybody.begin(), everybody.end()};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  Driven relay;
  while (!input.empty()) relay.next(input);
  return 0;
}
