// SPDX-License-Identifier: MIT
#include "bellwether/node/recorder.hpp"

#include <cerrno>
#include <cstring>

#include "bellwether/core/problem.hpp"
#include "bellwether/json/json.hpp"
#include "bellwether/node/config.hpp"
#include "bellwether/node/system.hpp"

namespace bellwether::node {

namespace {

using json::Json;
constexpr const char* format_name = "bellwether recording";
/// No node has a longer period, timeout or slack, and none ran before 1970 or behind 2100: a sum of
/// such times does not run over.
constexpr Duration longest = std::chrono::hours(1);
constexpr Time latest = std::chrono::hours(24 * 365 * 130);

std::string hex(std::span<const std::uint8_t> bytes) {
  constexpr const char* digits = "0123456789abcdef";
  std::string out;
  out.reserve(2 * bytes.size());
  for (const std::uint8_t byte : bytes) {
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

core::Bytes from_hex(const std::string& text) {
  const auto value = [](char c) -> unsigned {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
    throw core::Problem("\"body\" must consist of hexadecimal digits");
  };
  if (text.size() % 2 != 0) throw core::Problem("\"body\" has an odd number of hexadecimal digits");
  core::Bytes out;
  out.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2)
    out.push_back(static_cast<std::uint8_t>(value(text[i]) << 4 | value(text[i + 1])));
  return out;
}

Json parsed(const std::string& line) {
  auto out = Json::read(line);
  if (!out || !out->is_object()) throw core::Problem("this line is not a JSON object");
  return std::move(*out);
}

const Json& member(const Json& object, const std::string& key) {
  const Json* at = object.find(key);
  if (at == nullptr) throw core::Problem("\"" + key + "\" is missing");
  return *at;
}

template <class T>
T as(const Json& value, const std::string& key) {
  if constexpr (std::integral<T>) {
    if (!value.is_whole() || (std::unsigned_integral<T> && !value.is_unsigned()))
      throw core::Problem('"' + key + "\" must be a whole number");
  }
  try {
    return value.get<T>();
  } catch (const core::Problem&) {
    throw core::Problem('"' + key + "\" has the wrong type");
  }
}

template <class T>
T get(const Json& object, const char* key) {
  return as<T>(member(object, key), key);
}

core::OptionTexts options_in(const Json& options) {
  if (!options.is_object()) throw core::Problem("\"options\" must be an object");
  core::OptionTexts out;
  for (const auto& [name, text] : options.members()) out[name] = as<std::string>(text, name);
  return out;
}

Duration get_time(const Json& object, const char* key, Duration least, Duration most) {
  const Duration out{get<std::int64_t>(object, key)};
  if (out < least || out > most)
    throw core::Problem(std::string("\"") + key + "\" is out of range");
  return out;
}

FrameResult tell(Engine& engine, const EngineCall& call) {
  switch (call.kind) {
    case CallKind::start:
      engine.start(call.at);
      break;
    case CallKind::hear:
      return engine.on_frame(call.at, call.who, call.body);
    case CallKind::see:
      engine.on_probe(call.at, call.who);
      break;
    case CallKind::alarm:
      engine.alarm(call.at);
      break;
    case CallKind::lose:
      engine.on_neighbour_lost(call.at, call.who);
      break;
    case CallKind::farewell:
      engine.farewell(call.at);
      break;
    case CallKind::priority:
      engine.set_priority(call.at, static_cast<std::uint32_t>(call.number));
      break;
    case CallKind::slack:
      engine.set_slack(call.at, Duration{static_cast<std::int64_t>(call.number)});
      break;
    case CallKind::slack_of:
      engine.set_slack(call.at, call.who, Duration{static_cast<std::int64_t>(call.number)});
      break;
  }
  return FrameResult::taken;
}

/// The engine has just been called; `before`: bodies that were there.
CallResult answer_of(Engine& engine, std::size_t before) {
  const auto& out = engine.outgoing();
  CallResult answer{0, static_cast<std::uint32_t>(out.size() - before), engine.leader()};
  for (std::size_t i = before; i < out.size(); ++i)
    answer.sent = core::mix(answer.sent, core::digest(out[i]));
  return answer;
}

}  // namespace

CallResult answer_to(const EngineCall& call, Engine& engine) {
  const std::size_t before = engine.outgoing().size();
  tell(engine, call);
  return answer_of(engine, before);
}

std::string header_line(const EngineSpec& spec) {
  Json options = Json::object();
  for (const auto& [name, text] : spec.options) options[name] = text;
  Json out{{"algorithm", spec.algorithm},
           {"format", format_name},
           {"id", raw(spec.self)},
           {"jitter_ns", spec.probes.jitter.count()},
           {"most_members", spec.limits.members},
           {"most_message", spec.limits.message},
           {"most_neighbours", spec.limits.neighbours},
           {"mtu", spec.probes.mtu},
           {"options", options},
           {"period_ns", spec.probes.period.count()},
           {"priority", spec.priority},
           {"seed", spec.seed},
           {"timeout_ns", spec.probes.timeout.count()},
           {"version", 1}};
  if (spec.probes.spare > 0) out["spare"] = spec.probes.spare;
  return out.dump();
}

std::string call_line(const EngineCall& call, const CallResult& answer) {
  std::string out = "{\"at\":" + std::to_string(call.at.count()) + ",\"do\":\"";
  out += core::name_of(call.kind);
  out += "\"";
  if (raw(call.who) != 0) out += ",\"who\":" + std::to_string(raw(call.who));
  if (call.number != 0) out += ",\"number\":" + std::to_string(call.number);
  if (!call.body.empty()) out += ",\"body\":\"" + hex(call.body) + "\"";
  if (answer.frames != 0)
    out +=
        ",\"frames\":" + std::to_string(answer.frames) + ",\"sent\":" + std::to_string(answer.sent);
  if (answer.leader) out += ",\"leader\":" + std::to_string(raw(*answer.leader));
  return out + "}";
}

bool is_recording(const std::string& first_line) {
  const auto line = Json::read(first_line);
  return line && line->value("format", Json()) == format_name;
}

EngineSpec read_header(const std::string& line) {
  const Json in = parsed(line);
  if (in.value("format", Json()) != format_name)
    throw core::Problem("this is not a recording; name a file of bellwether node --record");
  if (get<std::uint64_t>(in, "version") != 1)
    throw core::Problem("another version of bellwether wrote this recording; use that version");
  EngineSpec spec;
  spec.algorithm = get<std::string>(in, "algorithm");
  spec.self = NodeId{get<std::uint64_t>(in, "id")};
  spec.seed = get<std::uint64_t>(in, "seed");
  const Duration shortest = std::chrono::milliseconds(1);
  spec.probes.period = get_time(in, "period_ns", shortest, longest);
  spec.probes.timeout = get_time(in, "timeout_ns", shortest, longest);
  spec.probes.jitter = get_time(in, "jitter_ns", Duration{0}, spec.probes.period / 2);
  spec.probes.mtu = get<std::uint32_t>(in, "mtu");
  if (in.contains("spare")) spec.probes.spare = get<std::uint32_t>(in, "spare");
  spec.options = options_in(member(in, "options"));
  spec.priority = get<std::uint32_t>(in, "priority");
  spec.limits.neighbours = get<std::uint64_t>(in, "most_neighbours");
  spec.limits.members = get<std::uint64_t>(in, "most_members");
  spec.limits.message = get<std::uint64_t>(in, "most_message");
  return spec;
}

Recorded read_call(const std::string& line) {
  const Json in = parsed(line);
  Recorded out;
  out.call.at = get_time(in, "at", Time{0}, latest);
  const auto told = get<std::string>(in, "do");
  const auto value = core::value_named<CallKind>(told);
  if (!value) throw core::Problem("unknown call \"" + told + "\" in the recording");
  out.call.kind = *value;
  if (in.contains("who")) out.call.who = NodeId{get<std::uint64_t>(in, "who")};
  if (in.contains("number")) out.call.number = get<std::uint64_t>(in, "number");
  const bool slack = out.call.kind == CallKind::slack || out.call.kind == CallKind::slack_of;
  if (slack && out.call.number > static_cast<std::uint64_t>(longest.count()))
    throw core::Problem("\"number\" is a slack of more than 1 h; no node records that");
  if (in.contains("body")) out.call.body = from_hex(get<std::string>(in, "body"));
  if (in.contains("frames")) {
    out.answer.frames = get<std::uint32_t>(in, "frames");
    out.answer.sent = get<std::uint64_t>(in, "sent");
  }
  if (in.contains("leader")) out.answer.leader = NodeId{get<std::uint64_t>(in, "leader")};
  return out;
}

Recorder::Recorder(const std::string& path, std::uint64_t most_bytes, const EngineSpec& spec,
                   Engine& engine)
    : engine_(engine), left_(most_bytes) {
  check_output_file("record", path);
  file_.reset(std::fopen(path.c_str(), "we"));
  if (!file_)
    throw core::Problem("record = \"" + path + "\": " + std::strerror(errno) +
                        "; name a file in a folder that exists and that you may write to");
  if (std::fprintf(file_.get(), "%s\n", header_line(spec).c_str()) < 0 ||
      std::fflush(file_.get()) != 0)
    throw core::Problem("record = \"" + path + "\": " + std::strerror(errno) +
                        "; free some space, or name a file on another disk");
}

FrameResult Recorder::record(const EngineCall& call) {
  const std::size_t before = engine_.outgoing().size();
  const FrameResult heard = tell(engine_, call);
  if (file_) write(call_line(call, answer_of(engine_, before)));
  return heard;
}

void Recorder::start(Time now) {
  record({now, CallKind::start, {}, 0, {}});
}

FrameResult Recorder::on_frame(Time now, NodeId from, std::span<const std::uint8_t> body) {
  return record({now, CallKind::hear, from, 0, core::Bytes(body.begin(), body.end())});
}

void Recorder::on_probe(Time now, NodeId from) {
  record({now, CallKind::see, from, 0, {}});
}

void Recorder::alarm(Time now) {
  record({now, CallKind::alarm, {}, 0, {}});
}

void Recorder::on_neighbour_lost(Time now, NodeId neighbour) {
  record({now, CallKind::lose, neighbour, 0, {}});
}

void Recorder::farewell(Time now) {
  record({now, CallKind::farewell, {}, 0, {}});
}

bool Recorder::set_priority(Time now, std::uint32_t priority) {
  record({now, CallKind::priority, {}, priority, {}});
  return engine_.has_priorities();
}

void Recorder::set_slack(Time now, Duration own) {
  record({now, CallKind::slack, {}, static_cast<std::uint64_t>(own.count()), {}});
}

void Recorder::set_slack(Time now, NodeId neighbour, Duration its) {
  record({now, CallKind::slack_of, neighbour, static_cast<std::uint64_t>(its.count()), {}});
}

void Recorder::write(const std::string& line) {
  if (line.size() >= left_ || std::fprintf(file_.get(), "%s\n", line.c_str()) < 0) {
    file_.reset();
    return;
  }
  left_ -= line.size() + 1;
}

}  // namespace bellwether::node
