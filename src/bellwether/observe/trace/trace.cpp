// SPDX-License-Identifier: MIT
#include "bellwether/observe/trace/trace.hpp"

#include <ostream>

#include "bellwether/core/utf8.hpp"
#include "bellwether/observe/trace/text.hpp"

namespace bellwether::observe {
namespace {

void add_key(std::string& out, std::string_view key) {
  out += out.empty() || out.back() == '{' ? "" : ",";
  out += '"';
  out += key;
  out += "\":";
}

void add(std::string& out, std::string_view key, std::string_view text) {
  add_key(out, key);
  core::append_json_string(out, core::valid_utf8(text));
}

template <std::integral Number>
void add(std::string& out, std::string_view key, Number number) {
  add_key(out, key);
  out += std::to_string(number);
}

void add(std::string& out, std::string_view key, NodeId id) {
  add(out, key, core::raw(id));
}

void add(std::string& out, std::string_view key, std::optional<NodeId> id) {
  if (id) return add(out, key, *id);
  add_key(out, key);
  out += "null";
}

bool arrives(Fate fate) {
  return fate == Fate::sent || fate == Fate::duplicated;
}

void add_sends(std::string& out, const std::vector<TraceSend>& sends) {
  add_key(out, "sends");
  out += '[';
  for (const TraceSend& send : sends) {
    if (&send != &sends.front()) out += ',';
    out += '{';
    add(out, "to", send.to);
    add(out, "message", send.message);
    add(out, "fate", core::name_of(send.fate));
    if (arrives(send.fate)) add(out, "arrives_ns", send.arrives.count());
    out += '}';
  }
  out += ']';
}

void add_step(std::string& out, const TraceStep& step) {
  out += '{';
  add(out, "step", step.number);
  add(out, "at_ns", step.at.count());
  add(out, "node", step.node);
  add(out, "cause", core::name_of(step.cause));
  if (step.peer) add(out, "peer", *step.peer);
  if (!step.message.empty()) add(out, "message", step.message);
  if (!step.timer.empty()) add(out, "timer", step.timer);
  add_sends(out, step.sends);
  add(out, "leader", step.leader_after);
  if (step.leader_before != step.leader_after) add(out, "leader_before", step.leader_before);
  add(out, "state", step.state);
  out += '}';
}

std::string name(std::optional<NodeId> id) {
  return id ? std::to_string(core::raw(*id)) : "none";
}

std::string_view remark(Fate fate) {
  switch (fate) {
    case Fate::sent:
      return "";
    case Fate::lost:
      return " (lost)";
    case Fate::duplicated:
      return " (twice)";
    case Fate::no_link:
      return " (no-link)";
  }
  return "";
}

}  // namespace

TraceStep to_trace(const StepRecord& record) {
  TraceStep step;
  step.number = record.number;
  step.at = record.at;
  step.node = record.node;
  step.cause = record.cause;
  step.peer = record.peer;
  step.message = record.message.text();
  step.timer = record.timer.text();
  step.sends.reserve(record.sends.size());
  for (const SendRecord& send : record.sends)
    step.sends.push_back(
        {send.to, send.message.text(), send.fate, arrives(send.fate) ? send.arrives : Time{}});
  step.leader_before = record.leader_before;
  step.leader_after = record.leader_after;
  step.state = record.state.text();
  return step;
}

std::string happened(const TraceStep& step) {
  const std::string peer = name(step.peer);
  switch (step.cause) {
    case Cause::link_up:
      return "link up: " + peer;
    case Cause::link_down:
      return "link down: " + peer;
    case Cause::receive:
      return "from " + peer + ": " + one_line(step.message);
    case Cause::timeout:
      return "timeout " + one_line(step.timer);
    default:
      return std::string(core::name_of(step.cause));
  }
}

std::string sent(const TraceStep& step) {
  std::string out;
  const std::string* last = nullptr;  // a broadcast is written once
  for (const TraceSend& send : step.sends) {
    if (last != nullptr && *last == send.message) {
      out += ", ";
    } else {
      out += (last == nullptr ? "" : "; ") + one_line(send.message) + " -> ";
    }
    out += name(send.to);
    out += remark(send.fate);
    last = &send.message;
  }
  return out;
}

std::string leader_change(const TraceStep& step) {
  if (step.leader_before == step.leader_after) return "";
  return name(step.leader_before) + " -> " + name(step.leader_after);
}

std::string step_line(const TraceStep& step) {
  std::string out = '#' + std::to_string(step.number) + ' ' + core::to_text(step.at) + " node " +
                    name(step.node) + ", " + happened(step);
  const auto part = [&out](std::string_view what, const std::string& text) {
    if (!text.empty()) out.append("; ").append(what).append(" ").append(text);
  };
  part("sends", sent(step));
  part("leader", leader_change(step));
  return out;
}

void TraceWriter::begin(const RunHeader& header) {
  line_ = '{';
  add(line_, "format", "bellwether-trace");
  add(line_, "version", 1);
  add(line_, "algorithm", header.algorithm);
  add(line_, "scenario", header.scenario);
  add(line_, "seed", header.seed);
  add_key(line_, "nodes");
  char before = '[';
  for (const NodeId id : header.nodes) {
    line_ += before;
    line_ += name(id);
    before = ',';
  }
  line_ += header.nodes.empty() ? "[]" : "]";
  if (header.schedule) {
    add_key(line_, "schedule");
    core::write_json(line_, *header.schedule);
  }
  line_ += '}';
  write_line();
}

void TraceWriter::step(const StepRecord& record) {
  step(to_trace(record));
}

void TraceWriter::step(const TraceStep& step) {
  line_.clear();
  add_step(line_, step);
  write_line();
  ++steps_;
}

void TraceWriter::drop(const DropRecord& record) {
  drop(TraceDrop{record.at, record.from, record.to, record.message.text(), std::string(record.why),
                 0});
}

void TraceWriter::drop(const TraceDrop& record) {
  line_ = '{';
  add_key(line_, "drop");
  line_ += "true";
  add(line_, "at_ns", record.at.count());
  add(line_, "from", record.from);
  add(line_, "to", record.to);
  add(line_, "message", record.message);
  add(line_, "why", record.why);
  line_ += '}';
  write_line();
}

void TraceWriter::end() {
  line_ = "{\"end\":true";
  add(line_, "steps", steps_);
  line_ += '}';
  write_line();
  out_.flush();
}

void TraceWriter::write_line() {
  line_ += '\n';
  out_.write(line_.data(), static_cast<std::streamsize>(line_.size()));
}

void write_trace(std::ostream& out, const Trace& trace) {
  TraceWriter writer(out);
  writer.begin(trace.header);
  std::size_t drops = 0;
  for (std::size_t i = 0; i <= trace.steps.size(); ++i) {
    for (; drops < trace.drops.size() && trace.drops[drops].after_steps == i; ++drops)
      writer.drop(trace.drops[drops]);
    if (i < trace.steps.size()) writer.step(trace.steps[i]);
  }
  if (trace.complete) writer.end();
}

void TailObserver::step(const StepRecord& record) {
  if (keep_ == 0) return;
  if (last_.size() == keep_) last_.pop_front();
  last_.push_back(to_trace(record));
}

std::vector<std::string> TailObserver::lines() const {
  std::vector<std::string> out;
  out.reserve(last_.size());
  for (const TraceStep& step : last_) out.push_back(step_line(step));
  return out;
}

}  // namespace bellwether::observe
