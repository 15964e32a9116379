// SPDX-License-Identifier: MIT
#include "bellwether/node/node_services.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace bellwether::node {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t most_kept = 1024;      // messages of an inbox that is not read
constexpr Duration between_members = 100ms;  // two events

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
  options.settle = config.hook_settle;
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

/// The daemon makes the folder of the default socket.
void make_socket_folder(const std::string& socket) {
  const auto folder = std::filesystem::path(socket).parent_path();
  std::error_code error;
  if (!folder.empty() && folder.filename() == "bellwether")
    std::filesystem::create_directory(folder, error);  // where it fails, the socket says so
}

void write_result(Log& log, const HookResult& result) {
  log.write(result.status == 0 ? LogLevel::info : LogLevel::warning,
            result.killed ? "hook killed at its time limit" : "hook ended",
            {{"hook", result.hook},
             {"status", std::to_string(result.status)},
             {"took",
              core::to_text(std::chrono::duration_cast<std::chrono::milliseconds>(result.took))}});
}

}  // namespace

NodeServices::NodeServices(boost::asio::io_context& io, Control& control, const Config& config,
                           NodeId self, std::uint64_t session, Log& log)
    : log_(log), group_(config.group), relay_(self, session, relay_options(config)) {
  const HttpOptions http = http_options(config);
  make_socket_folder(http.socket);
  http_ = std::make_unique<HttpServer>(io, control, http);
  hooks_ = std::make_unique<Hooks>(
      io, hook_options(config), [this](const HookResult& result) { write_result(log_, result); });
}

void NodeServices::configure_hooks(const Config& config) {
  hooks_->configure(hook_options(config));
}

void NodeServices::publish(const std::string& name, const std::string& data) {
  if (http_) http_->publish({next_event_++, name, data});
}

void NodeServices::change_leader(const LeaderState& before, const LeaderState& now) {
  for (const OnLeaderChange& watcher : watchers_) watcher(before, now);
  hooks_->changed(before, now, group_);
}

bool NodeServices::members_due(Time now, std::uint64_t version) const {
  return version != members_version_ && now - members_told_ >= between_members;
}

void NodeServices::publish_members(Time now, std::uint64_t version,
                                   const std::function<std::string()>& text) {
  members_version_ = version;
  members_told_ = now;
  if (http_ && http_->has_listeners())
    publish("members", text());
  else
    ++next_event_;
}

std::variant<std::string, Rejection> NodeServices::submit(const Relay::NodeContext& here, To to,
                                                          const std::string& payload) {
  auto outcome = relay_.submit(here, to, core::Bytes(payload.begin(), payload.end()));
  if (auto* refused = std::get_if<Rejection>(&outcome)) return *refused;
  ++counters_.submitted;
  return to_text(std::get<ParcelId>(outcome));
}

void NodeServices::receive(const Relay::NodeContext& here, NodeId from,
                           const Relay::RelayMessage& message) {
  // A parcel on the way to others is theirs; from a stranger nothing is taken.
  if (std::binary_search(here.neighbours.begin(), here.neighbours.end(), from))
    relay_.receive(here, from, message);
}

bool NodeServices::relay_outdated(std::uint64_t version, std::optional<NodeId> leader) const {
  return version != relay_version_ || leader != relay_leader_;
}

bool NodeServices::relay_due(Time now) const {
  const auto first = relay_.next_alarm();
  return first && *first <= now;
}

void NodeServices::update_relay(const Relay::NodeContext& here, std::uint64_t version) {
  relay_version_ = version;
  relay_leader_ = here.leader;
  relay_.wake(here);
}

std::vector<Relay::Transmission> NodeServices::take_sends() {
  return std::exchange(relay_.effects().sends, {});
}

void NodeServices::deliver(Time now) {
  // Taken out first: a listener may submit, and be back here before the loop is over.
  Relay::Outputs effects = std::exchange(relay_.effects(), {});
  relay_.effects().sends.swap(effects.sends);
  for (const Relay::Parcel& parcel : effects.delivered) {
    Delivered message{next_delivery_++,
                      to_text(parcel.id),
                      parcel.id.origin,
                      parcel.to,
                      {},
                      std::string(parcel.payload.begin(), parcel.payload.end())};
    ++counters_.delivered;
    for (const Listener& listener : listeners_) listener(message);
    publish("message", to_json(message));
    inbox_.push_back({std::move(message), now});
    if (inbox_.size() > most_kept) inbox_.pop_front();
  }
  counters_.confirmed += effects.confirmed.size();
  counters_.given_up += effects.given_up.size();
  for (const ParcelId& id : effects.given_up)
    log_.warning("a message was given up", {{"message", to_text(id)}});
}

std::vector<Delivered> NodeServices::inbox(Time now, std::uint64_t after) const {
  std::vector<Delivered> out;
  for (const KeptMessage& kept : inbox_) {
    if (kept.message.sequence <= after) continue;
    out.push_back(kept.message);
    out.back().age = now - kept.at;
  }
  return out;
}

std::optional<Time> NodeServices::next_alarm(std::uint64_t version) const {
  const std::optional<Time> first = relay_.next_alarm();
  if (version == members_version_) return first;
  const Time members = members_told_ + between_members;
  return first ? std::min(*first, members) : members;
}

}  // namespace bellwether::node
