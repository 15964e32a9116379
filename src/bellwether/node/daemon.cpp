// SPDX-License-Identifier: MIT
// The life of a node: how it begins, turns, and ends. The answers to applications are in
// daemon_control.cpp.
#include "bellwether/node/daemon.hpp"

#include <sys/resource.h>

#include <boost/asio/post.hpp>
#include <csignal>
#include <utility>

#include "bellwether/core/problem.hpp"
#include "bellwether/node/engine_spec.hpp"
#include "bellwether/node/recorder.hpp"

namespace bellwether::node {

namespace {

using namespace std::chrono_literals;

std::string text_of_leader(const std::optional<NodeId>& leader) {
  return leader ? std::to_string(raw(*leader)) : "none";
}

}  // namespace

Daemon::Daemon(boost::asio::io_context& io, Config config, const catalogue::Algorithms& algorithms)
    : io_(io),
      config_((validate(config), std::move(config))),
      new_files_({config_.log_file, config_.state, config_.record}),
      log_(config_),
      self_(NodeId{config_.id != 0 ? config_.id : machine_node_id()}),
      timer_(io),
      network_timer_(io),
      watchdog_(io),
      signals_(io) {
  config_.id = raw(self_);
  const UserIds ids = config_.user.empty() ? UserIds{} : find_user(config_.user);
  const std::uint64_t session = random_word();
  Keyring keys = config_.plain ? Keyring() : Keyring::load(config_.key, config_.group);
  EpochFile epoch_file(config_.state);
  const core::Algorithm& algorithm = find_suitable(algorithms, config_.algorithm);
  transport_ = std::make_unique<Transport>(
      io_, config_,
      [this](std::span<const std::uint8_t> frame, Duration age, const FrameSource& source) {
        on_frame(frame, age, source);
      });
  const EngineSpec spec = engine_spec(config_, algorithm, transport_->longest_frame(), session);
  election_ =
      std::make_unique<NodeElection>(algorithm, spec, config_.listen_first, std::move(epoch_file));
  wire_ = std::make_unique<NodeWire>(
      WireIdentity{self_, session, group_mark(config_.group), election_->engine().probe(),
                   config_.algorithm, suitable_names(algorithms)},
      std::move(keys), random_word,
      [this](std::span<const std::uint8_t> frame) { transport_->send(frame); });
  if (config_.priority != core::usual_priority && !election_->engine().has_priorities())
    throw core::Problem(
        "priority",
        config_.algorithm + " has no priorities; remove `priority`, or " + use_another_algorithm());
  services_ = std::make_unique<NodeServices>(io_, *this, config_, self_, session, log_);
  if (!config_.record.empty())
    election_->decorate(std::make_unique<Recorder>(
        config_.record, std::uint64_t{config_.record_megabytes} << 20, spec, election_->engine()));
  if (config_.nice != 0) setpriority(PRIO_PROCESS, 0, config_.nice);  // where it is allowed
  if (!config_.user.empty()) {
    services_->give_socket_to(ids.user, ids.group);
    election_->epoch_file().give_to(ids);
    become(config_.user, ids);
  }
  new_files_.keep();
}

Daemon::~Daemon() = default;

void Daemon::start() {
  const Time now = clock_.now();
  std::string endpoints;
  for (const std::string& endpoint : transport_->endpoints())
    endpoints += (endpoints.empty() ? "" : ",") + endpoint;
  log_.info("started", {{"id", std::to_string(raw(self_))},
                        {"group", config_.group},
                        {"algorithm", config_.algorithm},
                        {"on", endpoints},
                        {"sealed", wire_->keys().plain() ? "no" : "yes"}});
  if (wire_->keys().plain())
    log_.warning("frames are plain: anyone near can read them, forge them and join");
  election_->start(now);
  after(now);
  look_at_network();
  watchdog();
  tell_service_manager("READY=1\nSTATUS=listening");
}

void Daemon::stop() {
  if (stopping_) return;
  stopping_ = true;
  const Time now = clock_.now();
  tell_service_manager("STOPPING=1");
  election_->farewell(now);
  for (core::Bytes& body : election_->take_outgoing(now)) {
    FrameBody letter;
    letter.election = std::move(body);
    send(std::move(letter));
  }
  const LeaderChange end = election_->end(now);
  if (end.other_leader) {
    services_->publish("leader", to_json(end.now));
    services_->change_leader(end.before, end.now);
  }
  log_.info("stopped", {{"epoch", std::to_string(election_->epoch())}});
  timer_.cancel();
  network_timer_.cancel();
  watchdog_.cancel();
  signals_.cancel();
  transport_.reset();
  services_->close();
}

void Daemon::follow_signals(Reload reload) {
  reload_ = std::move(reload);
  signals_.add(SIGTERM);
  signals_.add(SIGINT);
  signals_.add(SIGHUP);
  const auto wait = [this](const auto& again) -> void {
    signals_.async_wait([this, again](const boost::system::error_code& error, int signal) {
      if (error) return;
      if (signal != SIGHUP) return stop();
      try {
        this->reload(reload_());
      } catch (const std::exception& bad) {
        log_.error("reload refused; nothing changes", {{"why", bad.what()}});
      }
      again(again);
    });
  };
  wait(wait);
}

void Daemon::reload(const Config& given) {
  Config wanted = given;
  if (wanted.id == 0) wanted.id = raw(self_);
  validate(wanted);
  Keyring keys = wanted.plain ? Keyring() : Keyring::load(wanted.key, config_.group);
  if (keys.plain() != wire_->keys().plain())
    throw core::Problem("plain", "a running group does not change this; restart the node");
  if (wanted.priority != election_->priority() && !election_->engine().has_priorities())
    throw core::Problem("priority", config_.algorithm + " has no priorities; remove `priority`");
  for (const std::string& key : need_restart(config_, wanted))
    log_.warning("a change of this key needs a restart", {{"key", key}});
  tell_service_manager("RELOADING=1");
  wire_->set_keys(std::move(keys));
  log_.set_level(wanted.log_level);
  log_.reopen();
  services_->configure_hooks(wanted);
  if (election_->priority() != wanted.priority) set_priority(wanted.priority);
  log_.info("reloaded");
  tell_service_manager("READY=1");
}

void Daemon::on_frame(std::span<const std::uint8_t> frame, Duration age,
                      const FrameSource& source) {
  if (stopping_) return;
  const Time now = clock_.now();
  const Time at = election_->moment(now, age);
  if (const auto fresh = wire_->receive(at, now, frame, source)) take(at, now, *fresh);
  if (!wire_->has_answers() || std::exchange(answers_posted_, true)) return;
  boost::asio::post(io_, [this] { send_answers(); });
}

/// A frame that is believed: when it came, and when it is read.
void Daemon::take(Time at, Time now, const FreshLetter& fresh) {
  const FrameBody& letter = fresh.letter;
  if (fresh.restarted) election_->on_neighbour_lost(at, fresh.from);
  switch (election_->on_frame(at, fresh.from, letter.said(), letter.election)) {
    case FrameResult::taken:
      break;
    case FrameResult::garbage:
      wire_->reject_malformed(now);
      break;
    case FrameResult::too_many:
      wire_->reject_too_many();
      break;
  }
  if (letter.relay && (!letter.relay_to || *letter.relay_to == self_)) {
    std::vector<NodeId> neighbours;
    services_->receive(surroundings(now, neighbours), fresh.from, *letter.relay);
  }
  after(now);
}

void Daemon::send(FrameBody letter) {
  const Said said = election_->said();
  letter.leader = said.leader;
  letter.epoch = said.epoch;
  letter.slack_ms = said.slack_ms;
  wire_->send(letter);
}

/// Questions and proofs, of one turn together.
void Daemon::send_answers() {
  answers_posted_ = false;
  if (stopping_) return;
  const Time now = clock_.now();
  while (wire_->has_answers()) send(wire_->take_answers(now));
}

Relay::NodeContext Daemon::surroundings(Time now, std::vector<NodeId>& neighbours) const {
  const Engine& engine = election_->engine();
  neighbours = engine.neighbours();
  return {now, election_->leader(), neighbours,
          [&engine](NodeId id) { return engine.next_hop(id); }};
}

/// After each thing that happened.
void Daemon::after(Time now) {
  if (stopping_) return;
  if (const auto change = election_->update(now)) publish(*change);
  if (stopping_) return;  // a watcher may stop the node
  for (core::Bytes& body : election_->take_outgoing(now)) {
    FrameBody letter;
    letter.election = std::move(body);
    send(std::move(letter));
  }
  const Routes& routes = election_->engine().routes();
  if (services_->relay_outdated(routes.version(), election_->leader())) {
    std::vector<NodeId> neighbours;
    services_->update_relay(surroundings(now, neighbours), routes.version());
  }
  for (Relay::Transmission& parcel : services_->take_sends()) {
    FrameBody letter;
    letter.relay_to = parcel.to;
    letter.relay = std::move(parcel.message);
    send(std::move(letter));
  }
  services_->deliver(now);
  if (stopping_) return;  // so may a listener
  if (services_->members_due(now, routes.version()))
    services_->publish_members(now, routes.version(), [&] {
      return members_json(election_->present(now), election_->members(now));
    });
  schedule();
}

void Daemon::publish(const LeaderChange& change) {
  if (!change.epoch_kept) log_.error("the epoch cannot be written", {{"file", config_.state}});
  services_->publish("leader", to_json(change.now));
  if (!change.other_leader) return;
  const std::string leader = text_of_leader(change.now.leader);
  log_.info("leader", {{"leader", leader},
                       {"was", text_of_leader(change.before.leader)},
                       {"epoch", std::to_string(change.now.epoch)},
                       {"members", std::to_string(election_->engine().members())}});
  tell_service_manager("STATUS=" + std::string(core::name_of(change.now.role)) + ", leader " +
                       leader);
  services_->change_leader(change.before, change.now);
}

/// The timer rings when the first of all is due.
void Daemon::schedule() {
  std::optional<Time> first = election_->next_alarm();
  const auto services = services_->next_alarm(election_->engine().routes().version());
  if (services && (!first || *services < *first)) first = services;
  // Most frames put the first moment off a little. A timer that rings too early costs less than one
  // that is set anew with each frame.
  if (!first || (due_ && *due_ <= *first)) return;
  due_ = first;
  timer_.expires_after(std::max<Duration>(*first - clock_.now(), Duration{0}));
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (!error) ring();
  });
}

/// What has arrived already is heard first: who is late must not take its own delay for the silence
/// of others.
void Daemon::ring() {
  const Time rang = clock_.now();
  if (due_) election_->rang(rang, *due_);
  due_.reset();
  transport_->drain();
  if (stopping_) return;
  const Time now = clock_.now();
  if (const auto slack = election_->ring(now))
    log_.info("timers ring late; this node gives the others more time",
              {{"slack", core::to_text(std::chrono::ceil<std::chrono::milliseconds>(*slack))}});
  if (services_->relay_due(now)) {
    std::vector<NodeId> neighbours;
    services_->wake_relay(surroundings(now, neighbours));
  }
  after(now);
}

/// Once a second: interfaces that come and go, neighbours that have left.
void Daemon::look_at_network() {
  network_timer_.expires_after(1s);
  network_timer_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    if (transport_->look_again()) log_.info("network interfaces have changed");
    const Time now = clock_.now();
    for (const std::string& sentence : wire_->suspicions().take_unlogged(now))
      log_.warning(sentence, {});
    election_->forget_strangers(now);
    look_at_network();
  });
}

void Daemon::watchdog() {
  const auto period = watchdog_period();
  if (!period) return;
  tell_service_manager("WATCHDOG=1");
  watchdog_.expires_after(*period);
  watchdog_.async_wait([this](const boost::system::error_code& error) {
    if (!error) watchdog();
  });
}

}  // namespace bellwether::node
