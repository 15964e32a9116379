// SPDX-License-Identifier: MIT
// A running node: it joins the wire, the election and the services in one event loop. It has the
// sockets, the timers, the signals and the log. One thread; nothing blocks.
//
// What happens with a frame that arrives:
//   1. The wire opens it and judges whether it is fresh; else it is counted and dropped.
//   2. The election hears what it says of its sender, and the election's part.
//   3. The services get the messages of applications in it.
//   4. after: what the parts want sent is sent; all listeners are notified of a change of leader.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include "bellwether/node/node_election.hpp"
#include "bellwether/node/node_services.hpp"
#include "bellwether/node/node_wire.hpp"
#include "bellwether/node/transport.hpp"

namespace bellwether::node {

class Daemon final : public Control {
 public:
  using OnLeaderChange = NodeServices::OnLeaderChange;
  using Listener = NodeServices::Listener;
  /// The configuration anew, at SIGHUP. May throw: then nothing changes.
  using Reload = std::function<Config()>;

  /// Opens everything. Throws Problem or another std::runtime_error with one
  /// sentence; then nothing is left behind.
  Daemon(boost::asio::io_context& io, Config config, const catalogue::Algorithms& algorithms);
  ~Daemon() override;

  void start();
  /// Says goodbye, and lets hooks come to an end. `io` then runs out of work.
  void stop();
  /// SIGTERM and SIGINT stop, SIGHUP reloads.
  void follow_signals(Reload reload);
  void reload(const Config& wanted);
  void watch(OnLeaderChange watcher) { services_->watch(std::move(watcher)); }
  void listen(Listener listener) { services_->listen(std::move(listener)); }

  LeaderState leadership() const override;
  NodeStatus status() const override;
  std::vector<ComponentMember> members() const override;
  std::vector<std::pair<NodeId, NodeId>> links() const override;
  std::string metrics() const override;
  CommandResult resign() override { return stand(Candidacy::resigned); }
  CommandResult pause() override { return stand(Candidacy::paused); }
  CommandResult resume() override { return stand(Candidacy::eligible); }
  CommandResult set_priority(std::uint32_t priority) override;
  bool grant(const LockRequest& request) override;
  std::variant<std::string, Rejection> submit(To to, std::string payload) override;
  std::vector<Delivered> inbox(std::uint64_t after) const override;

  NodeId self() const { return self_; }

 private:
  void on_frame(std::span<const std::uint8_t> frame, Duration age, const FrameSource& source);
  void take(Time at, Time now, const FreshLetter& fresh);
  void send(FrameBody letter);
  void send_answers();

  void after(Time now);
  void publish(const LeaderChange& change);
  Relay::NodeContext surroundings(Time now, std::vector<NodeId>& neighbours) const;
  void schedule();
  void ring();
  void look_at_network();
  void watchdog();
  CommandResult stand(Candidacy candidacy);

  boost::asio::io_context& io_;
  Config config_;
  NewFiles new_files_;  // until the daemon has started
  Log log_;
  SteadyTime clock_;
  NodeId self_;
  std::unique_ptr<Transport> transport_;
  std::unique_ptr<NodeElection> election_;
  std::unique_ptr<NodeWire> wire_;
  std::unique_ptr<NodeServices> services_;

  LockLeases leases_;

  boost::asio::steady_timer timer_;
  std::optional<Time> due_;  // of `timer_`
  boost::asio::steady_timer network_timer_;
  boost::asio::steady_timer watchdog_;
  boost::asio::signal_set signals_;
  Reload reload_;
  bool answers_posted_ = false;
  bool stopping_ = false;
};

}  // namespace bellwether::node
