// SPDX-License-Identifier: MIT
// Datagrams to the nodes nearby: on interfaces by multicast or broadcast, or to a list of peers.
// Interfaces may vanish and come back while the node runs: the node never stops looking
// for them.
//
// A frame that is patient says nothing new: it wakes no process, and is read with the next that
// does, or when the node wakes by itself (`drain`). So a node with many neighbours sleeps between
// its timers.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bellwether/core/time.hpp"
#include "bellwether/node/config.hpp"
#include "bellwether/node/frame_source.hpp"
#include "bellwether/node/udp.hpp"

namespace bellwether::node {

class Transport {
 public:
  /// A frame, how long ago it arrived by the wall clock, and where it came from.
  using Receive = std::function<void(std::span<const std::uint8_t>, core::Duration age,
                                     const FrameSource& source)>;

  /// Opens its sockets. Throws Problem with one sentence: no such interface, port in use, ...
  Transport(boost::asio::io_context& io, const Config& config, Receive receive);
  ~Transport();
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  /// To all. What the network does not take is lost, as it might be on its way.
  void send(std::span<const std::uint8_t> frame);
  /// Hands in what has arrived already, up to a bound.
  void drain();
  /// Opens what has come back, closes what has gone. Whether anything changed.
  bool look_again();

  std::size_t longest_frame() const;           // bytes of a datagram
  std::vector<std::string> endpoints() const;  // "wlan0", "192.0.2.1:7745"

 private:
  struct Impl;
  std::shared_ptr<Impl> state_;
};

}  // namespace bellwether::node
