// SPDX-License-Identifier: MIT
// What applications ask of a node.
#include "bellwether/node/daemon.hpp"

#ifndef BELLWETHER_VERSION
#define BELLWETHER_VERSION "unknown"
#endif

namespace bellwether::node {

Duration Daemon::age_of(Time now, NodeId neighbour) const {
  const auto at = last_heard_.find(neighbour);
  return at == last_heard_.end() ? now - began_ : now - at->second;
}

/// A process that was stopped does not know what it missed: it claims nothing until it has looked.
Leadership Daemon::leadership() const {
  const Time now = clock_.now();
  Leadership out = present(now);
  if (!asleep(now)) return out;
  out.leader.reset();
  out.chain.clear();
  out.role = Role::listening;
  out.age = out.since = now - last_turn_;
  return out;
}

Leadership Daemon::present(Time now) const {
  Leadership out;
  out.self = self_;
  out.epoch = fence_.epoch();
  out.leader = leader_;
  out.role = role_;
  out.since = now - leader_since_;
  out.chain = chain_;
  if (leader_ && *leader_ != self_)
    if (const auto via = engine_->routes().next_hop(*leader_)) out.age = age_of(now, *via);
  return out;
}

Status Daemon::status() const {
  const Time now = clock_.now();
  Status out;
  out.leadership = leadership();
  out.version = BELLWETHER_VERSION;
  out.algorithm = config_.algorithm;
  out.group = config_.group;
  out.uptime = now - began_;
  out.standing = standing_;
  out.priority = config_.priority;
  out.encrypted = !keys_.plain();
  out.members = engine_->routes().all().size();
  for (const NodeId id : engine_->neighbours()) out.neighbours.push_back({id, age_of(now, id)});
  if (transport_) out.interfaces = transport_->places();
  out.keys = keys_.names();
  out.slack = slack_now_;
  out.warnings = suspicions_.sentences(now);
  return out;
}

std::vector<Member> Daemon::members() const {
  const Time now = clock_.now();
  std::vector<Member> out;
  for (const Route& route : engine_->routes().all())
    out.push_back({route.id, route.hops, route.via,
                   route.via ? age_of(now, *route.via) : Duration{0}, route.priority});
  return out;
}

std::vector<std::pair<NodeId, NodeId>> Daemon::links() const {
  return engine_->routes().links();
}

std::uint32_t Daemon::effective_priority() const {
  switch (standing_) {
    case Standing::paused:
      return 0;
    case Standing::resigned:
      return std::min(config_.priority, 1u);
    case Standing::standing:
      break;
  }
  return config_.priority;
}

void Daemon::apply_priority() {
  const Time now = clock_.now();
  call({now, Told::priority, {}, effective_priority(), {}});
  after(now);
}

Outcome Daemon::stand(Standing standing) {
  if (!engine_->has_priorities())
    return Refused{
        config_.algorithm +
        " cannot be asked to resign, pause or resume; cel-2 can (algorithm = \"cel-2\")"};
  standing_ = standing;
  log_.info(std::string(core::name_of(standing)));
  apply_priority();
  return std::nullopt;
}

Outcome Daemon::set_priority(std::uint32_t priority) {
  if (!engine_->has_priorities())
    return Refused{config_.algorithm + " knows no priorities; cel-2 does (algorithm = \"cel-2\")"};
  config_.priority = priority;
  log_.info("priority", {{"priority", std::to_string(priority)}});
  apply_priority();
  return std::nullopt;
}

std::variant<std::string, Refused> Daemon::submit(To to, std::string payload) {
  const Time now = clock_.now();
  std::vector<NodeId> neighbours;
  auto outcome =
      relay_.submit(surroundings(now, neighbours), to, core::Bytes(payload.begin(), payload.end()));
  if (auto* refused = std::get_if<Refused>(&outcome)) return *refused;
  ++counters_.submitted;
  after(now);
  return to_text(std::get<ParcelId>(outcome));
}

std::vector<Delivered> Daemon::inbox(std::uint64_t after) const {
  const Time now = clock_.now();
  std::vector<Delivered> out;
  for (const KeptMessage& kept : inbox_) {
    if (kept.message.sequence <= after) continue;
    out.push_back(kept.message);
    out.back().age = now - kept.at;
  }
  return out;
}

namespace {

/// One metric in the text format of Prometheus.
class Metrics {
 public:
  void gauge(const char* name, const char* help, double value) { one(name, "gauge", help, value); }
  void count(const char* name, const char* help, std::uint64_t value) {
    one(name, "counter", help, static_cast<double>(value));
  }
  void head(const char* name, const char* type, const char* help) {
    text_ += std::string("# HELP bellwether_") + name + " " + help + "\n# TYPE bellwether_" + name +
             " " + type + "\n";
  }
  void row(const std::string& name, double value) {
    const auto whole = static_cast<std::uint64_t>(value);
    text_ += "bellwether_" + name + " ";
    text_ += static_cast<double>(whole) == value ? std::to_string(whole) : std::to_string(value);
    text_ += "\n";
  }
  std::string text() { return std::move(text_); }

 private:
  void one(const char* name, const char* type, const char* help, double value) {
    head(name, type, help);
    row(name, value);
  }
  std::string text_;
};

}  // namespace

std::string Daemon::metrics() const {
  const Time now = clock_.now();
  const Leadership present = leadership();
  Metrics out;
  out.gauge("is_leader", "1 while this node leads.", present.leader == self_ ? 1 : 0);
  out.gauge("has_leader", "1 while this node knows a leader.", present.leader ? 1 : 0);
  out.gauge("leader_id", "The id of the leader; 0: none.",
            present.leader ? static_cast<double>(raw(*present.leader)) : 0);
  out.gauge("node_id", "The id of this node.", static_cast<double>(raw(self_)));
  out.gauge("epoch", "The epoch: never decreases, grows with each change of leader.",
            static_cast<double>(present.epoch));
  out.gauge("members", "Nodes of the component, this one among them.",
            static_cast<double>(engine_->routes().all().size()));
  out.gauge("neighbours", "Nodes that are heard.",
            static_cast<double>(engine_->neighbours().size()));
  out.gauge("priority", "The priority of this node as it stands now.", effective_priority());
  out.gauge("slack_seconds", "By how much timers are stretched, for this node is late.",
            core::seconds(slack_now_));
  out.gauge("uptime_seconds", "Time since the start.", core::seconds(now - began_));
  const Counters& c = counters_;
  out.count("leader_changes_total", "Changes of leader.", c.leader_changes);
  out.count("frames_sent_total", "Frames sent.", c.frames_sent);
  out.count("frame_bytes_sent_total", "Bytes of frames sent.", c.bytes_sent);
  out.count("frames_heard_total", "Frames heard, good and bad.", c.frames_heard);
  out.count("frame_bytes_heard_total", "Bytes of frames heard.", c.bytes_heard);
  out.head("frames_refused_total", "counter", "Frames heard and not believed, by reason.");
  constexpr auto reasons = names_of(Refusal{});
  for (std::size_t i = 1; i < reasons.size(); ++i)
    out.row("frames_refused_total{reason=\"" + std::string(reasons[i]) + "\"}",
            static_cast<double>(c.refused[i]));
  out.row("frames_refused_total{reason=\"repeated\"}", static_cast<double>(c.repeated));
  out.row("frames_refused_total{reason=\"unproven\"}", static_cast<double>(c.unproven));
  out.row("frames_refused_total{reason=\"doubled\"}", static_cast<double>(c.doubled));
  out.row("frames_refused_total{reason=\"malformed\"}", static_cast<double>(c.malformed));
  out.row("frames_refused_total{reason=\"too-many\"}", static_cast<double>(c.too_many));
  out.count("own_id_elsewhere_total", "Frames of another node that uses this node's id.",
            c.own_id_elsewhere);
  out.count("reborn_total", "Neighbours that came back in a new life.", c.reborn);
  out.count("messages_submitted_total", "Messages of applications sent from here.", c.submitted);
  out.count("messages_delivered_total", "Messages of applications that arrived here.", c.delivered);
  out.count("messages_confirmed_total", "Own messages that the leader has.", c.confirmed);
  out.count("messages_given_up_total", "Own messages that grew too old.", c.given_up);
  out.count("hooks_run_total", "Commands run.", hooks_->runs());
  out.count("hooks_dropped_total", "Commands dropped, for too many waited.", hooks_->dropped());
  out.count("log_lines_dropped_total", "Lines of the log that nobody took.", log_.dropped());
  return out.text();
}

}  // namespace bellwether::node
