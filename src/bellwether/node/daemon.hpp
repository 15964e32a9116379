// SPDX-License-Identifier: MIT
// A running node: it puts the engine, the sockets, the keys, the epoch, the messages of
// applications and the control interface together. One thread; nothing blocks.
//
// What happens with a frame that arrives:
//   1. peek: of our group, sealed as we seal, not heard before? else counted and dropped.
//   2. open: with one of our keys, and a letter inside? else counted and dropped.
//   3. judge: of a session that has proved to be alive? else its sender is asked for a proof.
//   4. The engine hears the election's part, the fence the epoch, the relay the rest.
//   5. after: what they want sent is sent; a change of leader is told to everybody who listens.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <functional>

#include "bellwether/node/config.hpp"
#include "bellwether/node/engine.hpp"
#include "bellwether/node/fence.hpp"
#include "bellwether/node/hooks.hpp"
#include "bellwether/node/http_server.hpp"
#include "bellwether/node/log.hpp"
#include "bellwether/node/recorder.hpp"
#include "bellwether/node/sessions.hpp"
#include "bellwether/node/slack.hpp"
#include "bellwether/node/suspicions.hpp"
#include "bellwether/node/system.hpp"
#include "bellwether/node/transport.hpp"

namespace bellwether::node {

struct Counters {
  std::uint64_t frames_sent = 0, bytes_sent = 0, frames_heard = 0, bytes_heard = 0;
  std::array<std::uint64_t, 5> refused{};  // by Refusal
  std::uint64_t repeated = 0, unproven = 0, doubled = 0, malformed = 0, too_many = 0;
  std::uint64_t leader_changes = 0, reborn = 0, own_id_elsewhere = 0;
  std::uint64_t submitted = 0, delivered = 0, confirmed = 0, given_up = 0;
};

class Daemon final : public Control {
 public:
  /// Told of every change of leader: who led before, and who leads now.
  using Watcher = std::function<void(const Leadership& before, const Leadership& now)>;
  /// Told of every message that arrives here.
  using Listener = std::function<void(const Delivered& message)>;
  /// The configuration anew, at SIGHUP. May throw: then all stays as it is.
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
  void watch(Watcher watcher) { watchers_.push_back(std::move(watcher)); }
  void listen(Listener listener) { listeners_.push_back(std::move(listener)); }

  Leadership leadership() const override;
  Status status() const override;
  std::vector<Member> members() const override;
  std::vector<std::pair<NodeId, NodeId>> links() const override;
  std::string metrics() const override;
  Outcome resign() override { return stand(Standing::resigned); }
  Outcome pause() override { return stand(Standing::paused); }
  Outcome resume() override { return stand(Standing::standing); }
  Outcome set_priority(std::uint32_t priority) override;
  std::variant<std::string, Refused> submit(To to, std::string payload) override;
  std::vector<Delivered> inbox(std::uint64_t after) const override;

  const Counters& counters() const { return counters_; }
  NodeId self() const { return self_; }

 private:
  /// What each letter says of this node.
  struct Said {
    std::optional<NodeId> leader;
    std::uint64_t epoch = 0;
    std::uint32_t slack_ms = 0;
    friend bool operator==(const Said&, const Said&) = default;
  };
  struct KeptMessage {
    Delivered message;
    Time at{};
  };

  // Frames: daemon_frames.cpp.
  void heard(std::span<const std::uint8_t> frame, Duration age);
  void take(Time at, Time now, const Heading& heading, const Letter& letter);
  void send_letter(Letter letter);
  void send_waiting();
  Relay::NodeContext surroundings(Time now, std::vector<NodeId>& neighbours) const;
  void drain_relay(Time now);

  // The engine and what follows from it.
  Heard call(const Call& call);
  void after(Time now);
  void publish_leader(Time now);
  void publish_members(Time now);
  void publish(const std::string& name, const std::string& data);
  void schedule();
  void ring();
  std::optional<NodeId> leader_to_publish(Time now) const;
  Role role_at(Time now) const;
  Leadership present(Time now) const;
  bool asleep(Time now) const { return now - last_turn_ > config_.timeout + slack_now_; }
  Duration age_of(Time now, NodeId neighbour) const;

  Outcome stand(Standing standing);
  void apply_priority();
  std::uint32_t effective_priority() const;
  void look_after_house();
  void watchdog();

  boost::asio::io_context& io_;
  Config config_;
  Log log_;
  SteadyTime clock_;
  NodeId self_;
  std::uint64_t session_;
  std::uint64_t next_frame_ = 1;
  GroupMark group_mark_;
  Keyring keys_;
  EpochFile epoch_file_;
  Sessions sessions_;
  Fence fence_;
  Relay relay_;
  Slack slack_;
  Duration slack_now_{};
  std::unique_ptr<Transport> transport_;
  std::unique_ptr<Engine> engine_;
  EngineSpec spec_;
  Recorder recorder_;
  std::unique_ptr<HttpServer> http_;
  std::unique_ptr<Hooks> hooks_;

  boost::asio::steady_timer timer_;
  boost::asio::steady_timer house_;
  boost::asio::steady_timer watchdog_;
  boost::asio::signal_set signals_;
  Reload reload_;
  std::vector<Watcher> watchers_;
  std::vector<Listener> listeners_;

  Time began_{};
  Time listen_until_{};
  Time last_turn_{};
  Time told_{};              // the engine, last
  std::optional<Time> due_;  // of `timer_`
  Standing standing_ = Standing::standing;
  bool stopping_ = false;

  std::optional<NodeId> leader_;  // as published
  Role role_ = Role::listening;
  std::vector<NodeId> chain_;
  Time leader_since_{};
  std::uint64_t told_epoch_ = 0;
  std::uint64_t routes_seen_ = 0;
  std::uint64_t relay_routes_ = 0;  // of which the relay knows, and with whom as the leader
  std::optional<NodeId> relay_leader_;
  Time members_told_{};
  std::uint64_t next_event_ = 1;
  std::map<NodeId, Time> last_heard_;
  std::map<NodeId, std::uint32_t> slack_heard_;
  core::Bytes probe_;
  std::optional<Said> said_;       // in the last letter
  std::vector<Challenge> proofs_;  // to be sent
  bool flush_posted_ = false;
  std::deque<KeptMessage> inbox_;
  std::uint64_t next_delivery_ = 1;
  Suspicions suspicions_;
  Counters counters_;
};

/// What an engine is made of for this configuration.
EngineSpec engine_spec(const Config& config, std::size_t longest_frame, std::uint64_t seed);

}  // namespace bellwether::node
