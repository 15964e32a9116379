// SPDX-License-Identifier: MIT
// Datagrams. By the first byte the rest is a plain frame, a sealed one made without the key, or
// one sealed with the key: a letter, or not. What is read is written the same.
#include "bellwether/node/frame.hpp"

#include "input.hpp"

namespace {

using namespace bellwether;
using fuzz::require;

const std::string group = "boats";

struct Keys {
  node::GroupMark mark = node::group_mark(group);
  node::Keyring plain;
  node::Keyring sealed{{node::SecretKey{1, 2, 3}, node::SecretKey{4, 5, 6}}, group};
};
const Keys& keys() {
  static const Keys made;
  return made;
}

/// Whether it was taken.
bool take(std::span<const std::uint8_t> frame, const node::Keyring& ring) {
  const node::Peeked peeked = node::peek(frame, keys().mark, ring);
  if (peeked.refusal != node::Refusal::none) return false;
  const node::Opened opened = node::open(frame, ring);
  if (opened.refusal != node::Refusal::none) return false;
  const core::Bytes again = node::to_frame(peeked.heading, opened.letter, keys().mark, ring);
  require(std::ranges::equal(again, frame), "a frame was read, but is written in another way");
  return true;
}

core::Bytes sealed(std::span<const std::uint8_t> text) {
  node::FrameBody none;
  core::Bytes frame = node::to_frame({core::NodeId{7}, 8, 9}, none, keys().mark, keys().sealed);
  frame.resize(node::heading_size);
  const core::Bytes associated(frame.begin(), frame.begin() + node::associated_size);
  node::Nonce nonce{};
  std::copy_n(frame.begin() + node::associated_size, nonce.size(), nonce.begin());
  keys().sealed.seal(frame, text, associated, nonce);
  return frame;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const unsigned kind = input.byte() % 4;
  const auto rest = input.bytes(size);
  if (kind == 0) {
    take(rest, keys().plain);
  } else if (kind == 1) {
    require(!take(rest, keys().sealed), "a frame was forged");
  } else if (kind == 2) {
    const core::Bytes frame = sealed(rest);
    const bool taken = take(frame, keys().sealed);
    require(!taken || core::decode<node::FrameBody>(rest), "no letter was taken for one");
  } else {  // a plain frame of the group
    core::Bytes frame = node::to_frame({core::NodeId{7}, 8, 9}, {}, keys().mark, keys().plain);
    frame.resize(node::heading_size);
    frame.insert(frame.end(), rest.begin(), rest.end());
    take(frame, keys().plain);
  }
  return 0;
}
