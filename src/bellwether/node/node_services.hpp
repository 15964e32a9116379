// SPDX-License-Identifier: MIT
// What a node does for applications: the control interface over HTTP with its events, the hooks,
// messages from node to node with an inbox at their end, and callbacks for who embeds a node. It is
// handed where the node is (Relay::NodeContext) and what has changed; letters to be sent are taken
// out.
#pragma once

#include <deque>
#include <functional>

#include "bellwether/node/config.hpp"
#include "bellwether/node/hooks.hpp"
#include "bellwether/node/http_server.hpp"
#include "bellwether/node/log.hpp"
#include "bellwether/node/relay.hpp"

namespace bellwether::node {

struct ServiceCounters {
  std::uint64_t submitted = 0, delivered = 0, confirmed = 0, given_up = 0;
};

class NodeServices {
 public:
  /// Notified of every change of leader: the state before, and the state now.
  using OnLeaderChange = std::function<void(const LeaderState& before, const LeaderState& now)>;
  /// Notified of every message that arrives here.
  using Listener = std::function<void(const Delivered& message)>;

  /// Opens the sockets of the control interface, which asks `control`. Throws std::runtime_error
  /// with one sentence. `session` tells the lives of a node apart.
  NodeServices(boost::asio::io_context& io, Control& control, const Config& config, NodeId self,
               std::uint64_t session, Log& log);

  void watch(OnLeaderChange watcher) { watchers_.push_back(std::move(watcher)); }
  void listen(Listener listener) { listeners_.push_back(std::move(listener)); }
  /// Hooks that begin later are these.
  void configure_hooks(const Config& config);
  /// Gives the socket to a user before root is dropped. Throws std::runtime_error.
  void give_socket_to(unsigned user, unsigned group) { http_->give_to(user, group); }
  /// No more requests; hooks that run come to an end.
  void close() {
    http_.reset();
    hooks_->settle_now();
  }

  /// An event for those that listen over HTTP.
  void publish(const std::string& name, const std::string& data);
  /// Another leader: watchers, then hooks.
  void change_leader(const LeaderState& before, const LeaderState& now);
  /// Whether the members are to be published: at most ten times a second, for while a large group
  /// comes together, they change at every frame. `version`: of the routes.
  bool members_due(Time now, std::uint64_t version) const;
  /// The text of hundreds of members is long: it is made only where someone listens. An event that
  /// nobody hears has a number all the same.
  void publish_members(Time now, std::uint64_t version, const std::function<std::string()>& text);

  std::variant<std::string, Rejection> submit(const Relay::NodeContext& here, To to,
                                              const std::string& payload);
  void receive(const Relay::NodeContext& here, NodeId from, const Relay::RelayMessage& message);
  /// Whether the relay knows other routes or another leader than these.
  bool relay_outdated(std::uint64_t version, std::optional<NodeId> leader) const;
  void update_relay(const Relay::NodeContext& here, std::uint64_t version);
  /// Whether it is time to carry messages on.
  bool relay_due(Time now) const;
  void wake_relay(const Relay::NodeContext& here) { relay_.wake(here); }
  /// Messages to be sent to neighbours.
  std::vector<Relay::Transmission> take_sends();
  /// What has arrived goes to listeners, events and the inbox.
  void deliver(Time now);
  /// What has arrived behind `after`, oldest first.
  std::vector<Delivered> inbox(Time now, std::uint64_t after) const;

  /// When members or messages want to be looked at again.
  std::optional<Time> next_alarm(std::uint64_t version) const;
  const ServiceCounters& counters() const { return counters_; }
  const Hooks& hooks() const { return *hooks_; }

 private:
  struct KeptMessage {
    Delivered message;
    Time at{};
  };

  Log& log_;
  std::string group_;
  Relay relay_;
  std::unique_ptr<HttpServer> http_;
  std::unique_ptr<Hooks> hooks_;
  std::vector<OnLeaderChange> watchers_;
  std::vector<Listener> listeners_;
  std::uint64_t next_event_ = 1;
  std::uint64_t members_version_ = 0;  // of the routes, as published
  Time members_told_{};
  std::uint64_t relay_version_ = 0;  // of the routes that the relay knows
  std::optional<NodeId> relay_leader_;
  std::deque<KeptMessage> inbox_;
  std::uint64_t next_delivery_ = 1;
  ServiceCounters counters_;
};

}  // namespace bellwether::node
