// SPDX-License-Identifier: MIT
// The life of a node: how it begins, turns, and ends. Frames are in daemon_frames.cpp, the answers
// to applications in daemon_control.cpp.
#include "bellwether/node/daemon.hpp"

#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <utility>

#include "bellwether/core/problem.hpp"

namespace bellwether::node {

namespace {

using namespace std::chrono_literals;

std::string text_of_leader(const std::optional<NodeId>& leader) {
  return leader ? std::to_string(raw(*leader)) : "none";
}

RelayOptions relay_options(const Config& config) {
  RelayOptions options;
  options.retry = std::max<Duration>(config.period, 50ms);
  return options;
}

HookOptions hook_options(const Config& config) {
  HookOptions options;
  options.on_elected = config.on_elected;
  options.on_deposed = config.on_deposed;
  options.on_change = config.on_change;
  options.limit = config.hook_limit;
  return options;
}

HttpOptions http_options(const Config& config) {
  HttpOptions options;
  options.socket = config.socket.empty() ? default_socket() : config.socket;
  if (config.socket == "none") options.socket.clear();
  options.socket_mode =
      static_cast<unsigned>(std::stoul(std::to_string(config.socket_mode), nullptr, 8));
  options.listen = config.http;
  return options;
}

/// The folder of the standard socket is ours to make.
void make_socket_folder(const std::string& socket) {
  const auto folder = std::filesystem::path(socket).parent_path();
  std::error_code error;
  if (!folder.empty() && folder.filename() == "bellwether")
    std::filesystem::create_directory(folder, error);  // where it fails, the socket says so
}

}  // namespace

EngineSpec engine_spec(const Config& config, std::size_t longest_frame, std::uint64_t seed) {
  EngineSpec spec;
  spec.algorithm = config.algorithm;
  spec.self = NodeId{config.id};
  spec.seed = seed;
  const auto longest_body = static_cast<std::uint32_t>(
      std::max<std::size_t>(longest_frame, frame_overhead + 128) - frame_overhead);
  spec.probes = layers::deployed_probes(config.period, config.timeout, longest_body);
  spec.options = config.options;
  spec.priority = config.priority;
  spec.limits.members = config.most_members;
  spec.limits.neighbours = config.most_neighbours;
  return spec;
}

Daemon::Daemon(boost::asio::io_context& io, Config config, const catalogue::Algorithms& algorithms)
    : io_(io),
      config_((validate(config), std::move(config))),
      log_(config_),
      self_(NodeId{config_.id != 0 ? config_.id : machine_node_id()}),
      session_(random_word()),
      group_mark_(group_mark(config_.group)),
      keys_(config_.plain ? Keyring() : Keyring::load(config_.key, config_.group)),
      epoch_file_(config_.state),
      sessions_(self_, random_word),
      fence_(epoch_file_.at_least()),
      relay_(self_, session_, relay_options(config_)),
      // Lateness of a fifth of a period is worth a word; however late, others are not held for
      // long.
      slack_(config_.period / 5, 5 * config_.timeout),
      timer_(io),
      house_(io),
      watchdog_(io),
      signals_(io) {
  config_.id = raw(self_);
  const core::Algorithm& algorithm = find_suitable(algorithms, config_.algorithm);
  transport_ = std::make_unique<Transport>(
      io_, config_,
      [this](std::span<const std::uint8_t> frame, Duration age) { heard(frame, age); });
  spec_ = engine_spec(config_, transport_->longest_frame(), session_);
  engine_ = std::make_unique<Engine>(algorithm, spec_);
  probe_ = engine_->probe();
  if (config_.priority != core::usual_priority && !engine_->has_priorities())
    throw core::Problem("priority",
                        config_.algorithm + " knows no priorities; leave it out, or take cel-2");
  const HttpOptions http = http_options(config_);
  make_socket_folder(http.socket);
  http_ = std::make_unique<HttpServer>(io_, *this, http);
  recorder_ = Recorder(config_.record, std::uint64_t{config_.record_megabytes} << 20, spec_);
  hooks_ = std::make_unique<Hooks>(io_, hook_options(config_), [this](const HookResult& result) {
    log_.write(result.status == 0 ? LogLevel::info : LogLevel::warning,
               result.killed ? "hook killed at its time limit" : "hook ended",
               {{"hook", result.hook},
                {"status", std::to_string(result.status)},
                {"took", core::to_text(
                             std::chrono::duration_cast<std::chrono::milliseconds>(result.took))}});
  });
  if (config_.nice != 0) setpriority(PRIO_PROCESS, 0, config_.nice);  // where it is allowed
  if (!config_.user.empty()) {
    const UserIds ids = find_user(config_.user);
    http_->give_to(ids.user, ids.group);
    epoch_file_.give_to(ids);
    become(config_.user, ids);
  }
}

Daemon::~Daemon() = default;

void Daemon::start() {
  const Time now = clock_.now();
  began_ = last_turn_ = leader_since_ = now;
  listen_until_ =
      now + (config_.listen_first > Duration{0} ? config_.listen_first : config_.timeout);
  std::string places;
  for (const std::string& place : transport_->places())
    places += (places.empty() ? "" : ",") + place;
  log_.info("started", {{"id", std::to_string(raw(self_))},
                        {"group", config_.group},
                        {"algorithm", config_.algorithm},
                        {"on", places},
                        {"sealed", keys_.plain() ? "no" : "yes"}});
  if (keys_.plain()) log_.warning("plain frames: anybody near can read, forge and join");
  call({now, Told::start, {}, 0, {}});
  after(now);
  look_after_house();
  watchdog();
  tell_service_manager("READY=1\nSTATUS=listening");
}

void Daemon::stop() {
  if (stopping_) return;
  stopping_ = true;
  const Time now = clock_.now();
  tell_service_manager("STOPPING=1");
  // Twice: one of them may be lost, and then the neighbours would wait for our silence.
  call({now, Told::farewell, {}, 0, {}});
  call({now, Told::farewell, {}, 0, {}});
  for (const core::Bytes& body : engine_->outgoing()) {
    Letter letter;
    letter.leader = leader_;
    letter.epoch = fence_.epoch();
    letter.election = body;
    send_letter(std::move(letter));
  }
  engine_->outgoing().clear();
  const Leadership before = present(now);
  if (leader_) {
    leader_.reset();
    role_ = Role::leaderless;
    const Leadership after = present(now);
    for (const Watcher& watcher : watchers_) watcher(before, after);
    hooks_->changed(before, after, config_.group);
    publish("leader", to_json(after));
  }
  epoch_file_.settle(fence_.epoch());
  log_.info("stopped", {{"epoch", std::to_string(fence_.epoch())}});
  timer_.cancel();
  house_.cancel();
  watchdog_.cancel();
  signals_.cancel();
  transport_.reset();
  http_.reset();
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
        log_.error("reload refused; all stays as it is", {{"why", bad.what()}});
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
  if (keys.plain() != keys_.plain())
    throw core::Problem("plain", "a running group does not change this; restart the node");
  if (wanted.priority != config_.priority && !engine_->has_priorities())
    throw core::Problem("priority", config_.algorithm + " knows no priorities");
  for (const std::string& key : need_restart(config_, wanted))
    log_.warning("this key needs a restart", {{"key", key}});
  tell_service_manager("RELOADING=1");
  keys_ = std::move(keys);
  log_.set_level(wanted.log_level);
  log_.reopen();
  hooks_->configure(hook_options(wanted));
  config_.key = wanted.key;
  config_.log_level = wanted.log_level;
  config_.on_elected = wanted.on_elected;
  config_.on_deposed = wanted.on_deposed;
  config_.on_change = wanted.on_change;
  config_.hook_limit = wanted.hook_limit;
  if (config_.priority != wanted.priority) set_priority(wanted.priority);
  log_.info("reloaded");
  tell_service_manager("READY=1");
}

/// Tells the engine, and records it.
Heard Daemon::call(const Call& call) {
  told_ = call.at;
  return recorder_.tell(*engine_, call);
}

/// After each thing that happened.
void Daemon::after(Time now) {
  if (stopping_) return;
  publish_leader(now);
  std::vector<core::Bytes> bodies;
  bodies.swap(engine_->outgoing());
  for (core::Bytes& body : bodies) {
    Letter letter;
    letter.election = std::move(body);
    send_letter(std::move(letter));
  }
  if (engine_->routes().version() != relay_routes_ || leader_ != relay_leader_) {
    relay_routes_ = engine_->routes().version();
    relay_leader_ = leader_;
    std::vector<NodeId> neighbours;
    relay_.wake(surroundings(now, neighbours));
  }
  drain_relay(now);
  publish_members(now);
  schedule();
}

/// Alone, a new node leads only when it has listened for a while: others may be there.
std::optional<NodeId> Daemon::leader_to_publish(Time now) const {
  const auto leader = engine_->leader();
  return leader == self_ && now < listen_until_ ? std::nullopt : leader;
}

Role Daemon::role_at(Time now) const {
  if (leader_ == self_) return Role::leading;
  if (leader_) return Role::following;
  return now < listen_until_ ? Role::listening : Role::leaderless;
}

void Daemon::publish_leader(Time now) {
  const auto leader = leader_to_publish(now);
  const auto chain = engine_->chain();
  const bool changed = leader != leader_;
  if (!changed && role_at(now) == role_ && chain == chain_ && fence_.epoch() == told_epoch_) return;
  const Leadership before = present(now);
  if (changed) {
    leader_ = leader;
    leader_since_ = now;
    ++counters_.leader_changes;
    fence_.lead(leader);
  }
  role_ = role_at(now);
  chain_ = chain;
  told_epoch_ = fence_.epoch();
  if (!epoch_file_.keep(told_epoch_))
    log_.error("the epoch cannot be kept", {{"file", config_.state}});
  const Leadership current = present(now);
  publish("leader", to_json(current));
  if (!changed) return;
  log_.info("leader", {{"leader", text_of_leader(leader_)},
                       {"was", text_of_leader(before.leader)},
                       {"epoch", std::to_string(told_epoch_)},
                       {"members", std::to_string(engine_->routes().all().size())}});
  tell_service_manager("STATUS=" + std::string(core::name_of(role_)) + ", leader " +
                       text_of_leader(leader_));
  for (const Watcher& watcher : watchers_) watcher(before, current);
  hooks_->changed(before, current, config_.group);
}

/// At most ten times a second: while a large group comes together, it changes at every frame.
void Daemon::publish_members(Time now) {
  if (engine_->routes().version() == routes_seen_ || now - members_told_ < 100ms) return;
  routes_seen_ = engine_->routes().version();
  members_told_ = now;
  publish("members", members_json(present(now), members()));
}

void Daemon::publish(const std::string& name, const std::string& data) {
  if (http_) http_->publish({next_event_++, name, data});
}

/// The timer rings when the first of all is due.
void Daemon::schedule() {
  std::optional<Time> first = engine_->next_alarm();
  const auto consider = [&](std::optional<Time> at) {
    if (at && (!first || *at < *first)) first = at;
  };
  consider(relay_.next_alarm());
  if (role_ == Role::listening) consider(listen_until_);
  if (engine_->routes().version() != routes_seen_) consider(members_told_ + 100ms);
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
  if (due_) slack_.rang(rang, *due_);
  due_.reset();
  transport_->drain();
  if (stopping_) return;
  const Time now = clock_.now();
  last_turn_ = now;
  if (const Duration slack = slack_.now(now); slack != slack_now_) {
    if (slack_now_ == Duration{0})
      log_.info("this node is late; it gives others more time",
                {{"slack", core::to_text(std::chrono::ceil<std::chrono::milliseconds>(slack))}});
    slack_now_ = slack;
    call({now, Told::slack, {}, static_cast<std::uint64_t>(slack.count()), {}});
  }
  if (const auto first = engine_->next_alarm(); first && *first <= now)
    call({now, Told::alarm, {}, 0, {}});
  if (const auto first = relay_.next_alarm(); first && *first <= now) {
    std::vector<NodeId> neighbours;
    relay_.wake(surroundings(now, neighbours));
  }
  after(now);
}

/// Once a second: interfaces that come and go, neighbours that nobody asks for any more.
void Daemon::look_after_house() {
  house_.expires_after(1s);
  house_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    if (transport_->look_again()) log_.info("network interfaces have changed");
    for (const std::string& sentence : suspicions_.take_untold(clock_.now()))
      log_.warning(sentence, {});
    const auto neighbours = engine_->neighbours();
    const auto gone = [&](const auto& each) {
      return !std::binary_search(neighbours.begin(), neighbours.end(), each.first);
    };
    for (const auto& [id, slack] : slack_heard_)
      if (gone(std::pair{id, 0})) {
        call({clock_.now(), Told::slack_of, id, 0, {}});
        fence_.lose(id);
      }
    std::erase_if(slack_heard_, gone);
    std::erase_if(last_heard_, gone);
    look_after_house();
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
