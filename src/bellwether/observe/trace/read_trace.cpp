// SPDX-License-Identifier: MIT
#include <istream>

#include "bellwether/core/problem.hpp"
#include "bellwether/json/json.hpp"
#include "bellwether/observe/trace/trace.hpp"

namespace bellwether::observe {
namespace {

using json::Json;

constexpr const char* whole_kind = "a whole number from 0";
constexpr const char* time_kind = "a whole number of nanoseconds, at most 4e18";

bool is_time(const Json& value) {
  constexpr auto latest = static_cast<std::uint64_t>(latest_time.count());
  return value.is_unsigned() && value.get<std::uint64_t>() <= latest;
}
Time time_in(const Json& value) {
  return Time{static_cast<std::int64_t>(value.get<std::uint64_t>())};
}

/// One line of the file, with the place to complain about.
class TraceLine {
 public:
  TraceLine(const Json& object, const std::string& path, std::size_t number)
      : object_(object), path_(path), number_(number) {}

  [[noreturn]] void fail(const std::string& sentence) const {
    throw core::Problem({path_, number_}, {}, sentence);
  }
  TraceLine inner(const Json& object) const { return {object, path_, number_}; }
  const Json* find(const char* key) const { return object_.find(key); }
  const Json& need(const char* key) const {
    const Json* value = find(key);
    if (value == nullptr) fail('"' + std::string(key) + "\" is missing");
    return *value;
  }
  std::uint64_t whole(const char* key) const {
    const Json& value = need(key);
    if (!value.is_unsigned()) wrong(key, whole_kind);
    return value.get<std::uint64_t>();
  }
  NodeId id(const char* key) const { return NodeId{whole(key)}; }
  std::optional<NodeId> id_or_null(const char* key) const {
    const Json& value = need(key);
    if (value.is_null()) return std::nullopt;
    if (!value.is_unsigned()) wrong(key, "a node or null");
    return NodeId{value.get<std::uint64_t>()};
  }
  Time time(const char* key) const {
    const Json& value = need(key);
    if (!is_time(value)) wrong(key, time_kind);
    return time_in(value);
  }
  std::string text(const char* key) const {
    const Json& value = need(key);
    if (!value.is_string()) wrong(key, "a text");
    return value.get<std::string>();
  }
  const Json& array(const char* key) const {
    const Json& value = need(key);
    if (!value.is_array()) wrong(key, "an array");
    return value;
  }
  template <core::NamedEnum E>
  E named(const char* key) const {
    const std::string name = text(key);
    if (const auto value = core::value_named<E>(name)) return *value;
    unknown(key, name);
  }
  [[noreturn]] void wrong(const std::string& key, const std::string& kind) const {
    fail('"' + key + "\" must be " + kind);
  }
  [[noreturn]] void unknown(const std::string& key, const std::string& name) const {
    fail('"' + key + "\" knows no \"" + name + '"');
  }

 private:
  const Json& object_;
  const std::string& path_;
  std::size_t number_;
};

/// The way to a value inside a schedule; becomes text only when something is wrong.
struct JsonPath {
  const JsonPath* before;
  std::string_view key;  // of an object; empty: the place in an array
  std::size_t place;

  std::string text() const {
    if (before == nullptr) return std::string(key);
    return before->text() +
           (key.empty() ? '[' + std::to_string(place) + ']' : '.' + std::string(key));
  }
};

template <class T>
T read_value(const TraceLine& line, const Json& json, const JsonPath& way);

/// A field of each kind, as core::write_json wrote it.
struct JsonField {
  const TraceLine& line;
  const Json& json;
  const JsonPath& way;

  void need(bool right, const std::string& kind) const {
    if (!right) line.wrong(way.text(), kind);
  }
  template <class T>
  T get(core::FlagField) const {
    need(json.is_boolean(), "true or false");
    return json.get<bool>();
  }
  template <class T>
  T get(core::UnsignedField) const {
    need(json.is_unsigned(), whole_kind);
    return static_cast<T>(json.get<std::uint64_t>());
  }
  template <class T>
  T get(core::LabelField) const {
    return static_cast<T>(get<std::uint64_t>(core::UnsignedField{}));
  }
  template <class T>
  T get(core::NamedField) const {
    const auto name = get<std::string>(core::TextField{});
    const auto value = core::value_named<T>(name);
    if (!value) line.unknown(way.text(), name);
    return *value;
  }
  template <class T>
  T get(core::TextField) const {
    need(json.is_string(), "a text");
    return json.get<std::string>();
  }
  template <class T>
  T get(core::DurationField) const {
    need(is_time(json), time_kind);
    return time_in(json);
  }
  template <class T>
  T get(core::OptionalField) const {
    if (json.is_null()) return std::nullopt;
    return read_value<typename T::value_type>(line, json, way);
  }
  template <class T>
  T get(core::PairField) const {
    need(json.is_array() && json.size() == 2, "an array of two");
    return {read_value<typename T::first_type>(line, json.at(0), {&way, {}, 0}),
            read_value<typename T::second_type>(line, json.at(1), {&way, {}, 1})};
  }
  template <class T>
  T get(core::SequenceField) const {
    need(json.is_array(), "an array");
    T value;
    for (const Json& each : json)
      value.push_back(read_value<typename T::value_type>(line, each, {&way, {}, value.size()}));
    return value;
  }
  template <class T>
  T get(core::StructField) const {
    need(json.is_object(), "an object");
    T value;
    core::for_each_field<T>([&](const auto& f) {
      const Json* found = json.find(f.name);
      const JsonPath inside{&way, f.name, 0};
      if (found == nullptr) line.fail('"' + inside.text() + "\" is missing");
      using Member = std::remove_cvref_t<decltype(value.*f.member)>;
      value.*f.member = read_value<Member>(line, *found, inside);
    });
    return value;
  }
};

template <class T>
T read_value(const TraceLine& line, const Json& json, const JsonPath& way) {
  return JsonField{line, json, way}.get<T>(core::FieldKind<T>{});
}

Schedule read_schedule(const TraceLine& line, const Json& json, const RunHeader& header) {
  auto schedule = read_value<Schedule>(line, json, {nullptr, "schedule", 0});
  if (const std::string fault = fault_of(schedule); !fault.empty()) line.fail("schedule." + fault);
  if (schedule.ids != header.nodes) line.fail("schedule.ids: must be the \"nodes\" of the trace");
  return schedule;
}

RunHeader read_header(const TraceLine& line) {
  const Json* format = line.find("format");
  if (format == nullptr || *format != "bellwether-trace")
    line.fail("this is not a trace: its first line lacks \"format\":\"bellwether-trace\"");
  if (const auto version = line.whole("version"); version != 1)
    line.fail("the trace has version " + std::to_string(version) +
              "; this program reads version 1");
  RunHeader header;
  header.algorithm = line.text("algorithm");
  header.scenario = line.text("scenario");
  header.seed = line.whole("seed");
  for (const Json& node : line.array("nodes")) {
    if (!node.is_unsigned()) line.fail("\"nodes\" must hold whole numbers from 0");
    header.nodes.push_back(NodeId{node.get<std::uint64_t>()});
  }
  if (const Json* schedule = line.find("schedule"))
    header.schedule = read_schedule(line, *schedule, header);
  return header;
}

TraceStep read_step(const TraceLine& line) {
  TraceStep step;
  step.number = line.whole("step");
  step.at = line.time("at_ns");
  step.node = line.id("node");
  step.cause = line.named<Cause>("cause");
  if (line.find("peer") != nullptr) step.peer = line.id("peer");
  if (line.find("message") != nullptr) step.message = line.text("message");
  if (line.find("timer") != nullptr) step.timer = line.text("timer");
  for (const Json& each : line.array("sends")) {
    if (!each.is_object()) line.fail("\"sends\" must hold objects");
    const TraceLine send = line.inner(each);
    const auto fate = send.named<Fate>("fate");
    const bool arrives = fate == Fate::sent || fate == Fate::duplicated;
    step.sends.push_back(
        {send.id("to"), send.text("message"), fate, arrives ? send.time("arrives_ns") : Time{}});
  }
  step.leader_after = line.id_or_null("leader");
  step.leader_before =
      line.find("leader_before") != nullptr ? line.id_or_null("leader_before") : step.leader_after;
  step.state = line.text("state");
  return step;
}

/// Takes one line in; the first is the header, and nothing follows the end line.
void take(Trace& trace, const TraceLine& line, bool first) {
  if (first) {
    trace.header = read_header(line);
  } else if (trace.complete) {
    line.fail("this stands after the end of the trace");
  } else if (line.find("step") != nullptr) {
    trace.steps.push_back(read_step(line));
  } else if (line.find("drop") != nullptr) {
    trace.drops.push_back({line.time("at_ns"), line.id("from"), line.id("to"), line.text("message"),
                           line.text("why"), trace.steps.size()});
  } else if (line.find("end") != nullptr) {
    if (const auto said = line.whole("steps"); said != trace.steps.size())
      line.fail("the end line counts " + std::to_string(said) + " steps, but " +
                std::to_string(trace.steps.size()) + " stand before it");
    trace.complete = true;
  } else {
    line.fail("a line must be a \"step\", a \"drop\" or the \"end\"");
  }
}

}  // namespace

Trace read_trace(std::istream& in, const std::string& path) {
  Trace trace;
  std::string text;
  std::size_t number = 0;
  while (std::getline(in, text)) {
    ++number;
    const auto read = Json::read(text);
    static const Json nothing;
    const Json& object = read ? *read : nothing;
    const TraceLine line(object, path, number);
    // A last line without its newline that does not parse was cut while it was written.
    if (!read && in.eof() && number > 1 && !trace.complete) break;
    if (!read) line.fail("this line is not JSON; a trace is written by bellwether run --trace");
    if (!object.is_object()) line.fail("this line must be a JSON object");
    take(trace, line, number == 1);
  }
  if (in.bad()) throw core::Problem({path, number + 1}, {}, "cannot be read to its end");
  if (number == 0)
    throw core::Problem({path, 1}, {}, "the file is empty; a trace begins with a header");
  return trace;
}

}  // namespace bellwether::observe
