// SPDX-License-Identifier: MIT
// What applications ask of a node.
#include "bellwether/node/daemon.hpp"

#ifndef BELLWETHER_VERSION
#define BELLWETHER_VERSION "unknown"
#endif

namespace bellwether::node {

LeaderState Daemon::leadership() const {
  return election_->leadership(clock_.now());
}

NodeStatus Daemon::status() const {
  const Time now = clock_.now();
  NodeStatus out;
  out.leadership = leadership();
  out.version = BELLWETHER_VERSION;
  out.algorithm = config_.algorithm;
  out.group = config_.group;
  out.uptime = election_->uptime(now);
  out.candidacy = election_->candidacy();
  out.priority = election_->priority();
  out.encrypted = !wire_->keys().plain();
  out.members = election_->engine().members();
  out.neighbours = election_->neighbours(now);
  if (transport_) out.interfaces = transport_->endpoints();
  out.keys = wire_->keys().names();
  out.slack = election_->slack();
  out.warnings = wire_->suspicions().sentences(now);
  return out;
}

std::vector<ComponentMember> Daemon::members() const {
  return election_->members(clock_.now());
}

std::vector<std::pair<NodeId, NodeId>> Daemon::links() const {
  return election_->engine().routes().links();
}

CommandResult Daemon::stand(Candidacy candidacy) {
  const Time now = clock_.now();
  if (auto refused = election_->stand(now, candidacy)) return refused;
  log_.info(candidacy == Candidacy::eligible ? "resumed" : std::string(core::name_of(candidacy)));
  after(now);
  return std::nullopt;
}

CommandResult Daemon::set_priority(std::uint32_t priority) {
  const Time now = clock_.now();
  if (auto refused = election_->set_priority(now, priority)) return refused;
  log_.info("priority", {{"priority", std::to_string(priority)}});
  after(now);
  return std::nullopt;
}

bool Daemon::grant(const LockRequest& request) {
  const Time now = clock_.now();
  const bool leads = election_->leadership(now).leader == self_;
  // Who does not lead may still give back what it had.
  return (leads || request.lease <= Duration{0}) && leases_.grant(now, request);
}

std::variant<std::string, Rejection> Daemon::submit(To to, std::string payload) {
  const Time now = clock_.now();
  std::vector<NodeId> neighbours;
  auto outcome = services_->submit(surroundings(now, neighbours), to, payload);
  if (std::holds_alternative<std::string>(outcome)) after(now);
  return outcome;
}

std::vector<Delivered> Daemon::inbox(std::uint64_t after) const {
  return services_->inbox(clock_.now(), after);
}

namespace {

/// One metric in the text format of Prometheus.
class PrometheusText {
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
  const LeaderState present = leadership();
  PrometheusText out;
  out.gauge("is_leader", "1 while this node leads.", present.leader == self_ ? 1 : 0);
  out.gauge("has_leader", "1 while this node knows a leader.", present.leader ? 1 : 0);
  out.gauge("leader_id", "Id of the leader; 0: none.",
            present.leader ? static_cast<double>(raw(*present.leader)) : 0);
  out.gauge("node_id", "Id of this node.", static_cast<double>(raw(self_)));
  out.gauge("epoch", "Epoch, the fencing token: never decreases, grows with each change of leader.",
            static_cast<double>(present.epoch));
  out.gauge("members", "Nodes of the component, this one included.",
            static_cast<double>(election_->engine().members()));
  out.gauge("neighbours", "Nodes with a direct link to this one.",
            static_cast<double>(election_->engine().neighbours().size()));
  out.gauge("priority", "Effective priority of this node; 0: not eligible.",
            election_->effective_priority());
  out.gauge("slack_seconds",
            "Seconds by which this node stretches its timers, since its machine is overloaded.",
            core::seconds(election_->slack()));
  out.gauge("uptime_seconds", "Seconds since the daemon started.",
            core::seconds(election_->uptime(now)));
  out.count("leader_changes_total", "Changes of leader.", election_->leader_changes());
  const WireCounters& c = wire_->counters();
  out.count("frames_sent_total", "Frames sent.", c.frames_sent);
  out.count("frame_bytes_sent_total", "Bytes of frames sent.", c.bytes_sent);
  out.count("frames_heard_total", "Frames received, refused ones included.", c.frames_heard);
  out.count("frame_bytes_heard_total", "Bytes of frames received.", c.bytes_heard);
  out.head("frames_refused_total", "counter",
           "Frames received and refused, by reason; docs/node.md explains the reasons.");
  constexpr auto reasons = names_of(Refusal{});
  for (std::size_t i = 1; i < reasons.size(); ++i)
    out.row("frames_refused_total{reason=\"" + std::string(reasons[i]) + "\"}",
            static_cast<double>(c.refused[i]));
  out.row("frames_refused_total{reason=\"repeated\"}", static_cast<double>(c.repeated));
  out.row("frames_refused_total{reason=\"unproven\"}", static_cast<double>(c.unproven));
  out.row("frames_refused_total{reason=\"duplicate-id\"}", static_cast<double>(c.duplicate_id));
  out.row("frames_refused_total{reason=\"other-algorithm\"}",
          static_cast<double>(c.other_algorithm));
  out.row("frames_refused_total{reason=\"malformed\"}", static_cast<double>(c.malformed));
  out.row("frames_refused_total{reason=\"too-many\"}", static_cast<double>(c.too_many));
  out.count("own_id_elsewhere_total", "Frames of another live node that uses this node's id.",
            c.own_id_elsewhere);
  out.count("reborn_total", "Restarts of neighbours.", c.restarted);
  const ServiceCounters& s = services_->counters();
  out.count("messages_submitted_total", "Messages that applications sent from this node.",
            s.submitted);
  out.count("messages_delivered_total", "Messages of applications delivered to this node.",
            s.delivered);
  out.count("messages_confirmed_total", "Own messages that the leader has confirmed.", s.confirmed);
  out.count("messages_given_up_total", "Own messages given up after 30 s without a confirmation.",
            s.given_up);
  out.count("hooks_run_total", "Hooks run.", services_->hooks().runs());
  out.count("hooks_dropped_total", "Hooks dropped, since too many waited.",
            services_->hooks().dropped());
  out.count("log_lines_dropped_total", "Log lines dropped, since the reader stalled.",
            log_.dropped());
  return out.text();
}

}  // namespace bellwether::node
