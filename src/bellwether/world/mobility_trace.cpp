// SPDX-License-Identifier: MIT
#include "bellwether/world/mobility_trace.hpp"

#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>

#include "bellwether/core/input_file.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/core/utf8.hpp"
#include "bellwether/world/graph_parts.hpp"
#include "bellwether/world/mobility_parts.hpp"
#include "bellwether/world/topology_parts.hpp"

namespace bellwether::world {

namespace {

using parts::for_each_line;
using parts::quoted;
using parts::Source;
using parts::text;

/// Words of a line; quotes and brackets that only hold words together count as blanks.
std::vector<std::string_view> words_of(std::string_view line, std::string_view blanks) {
  std::vector<std::string_view> out;
  while (true) {
    const std::size_t begin = line.find_first_not_of(blanks);
    if (begin == line.npos) return out;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(blanks), line.size());
    out.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

/// What both formats need: numbers, and the rules for times and places.
struct TraceReader {
  const Source& source;
  const TraceLimits& limits;

  double number(std::string_view word, std::string_view what, std::size_t offset) const {
    double value = 0;
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, value);
    if (error != std::errc{} || stop != end || !std::isfinite(value))
      source.refuse(offset, quoted(word) + " is not a number; write " + std::string(what) +
                                " as a number such as 12.5");
    return value;
  }

  Time time(std::string_view word, std::size_t offset) const {
    const double seconds = number(word, "a time in seconds", offset);
    if (seconds < 0)
      source.refuse(offset, "time " + std::string(word) + " is negative; begin at 0");
    if (seconds > 9e9)
      source.refuse(offset, "time " + std::string(word) + " is too late; end before 9e9 seconds");
    return parts::duration(seconds);
  }

  double coordinate(std::string_view word, double size, std::string_view key,
                    std::size_t offset) const {
    const double at = number(word, "a place in metres", offset);
    if (size > 0 && !(at >= 0 && at <= size))
      source.refuse(offset, std::string(word) + " lies outside the area, from 0 to " + text(size) +
                                " m; raise " + std::string(key) + " or leave it out");
    if (!(std::abs(at) <= 1e9))
      source.refuse(offset, std::string(word) + " is too far away; stay within 1e9 metres");
    return at;
  }
  Point place(std::string_view x, std::string_view y, std::size_t offset) const {
    return {coordinate(x, limits.width, "width", offset),
            coordinate(y, limits.height, "height", offset)};
  }

  void require_count(std::size_t found) const {
    if (limits.nodes == 0 || found == limits.nodes) return;
    source.refuse_whole("the file has " + std::to_string(found) + " nodes, and " +
                        std::to_string(limits.nodes) +
                        " nodes of the network move; make the two agree");
  }
};

/// Where the path already ends at this time and place, there is nothing to add.
void append(std::vector<Waypoint>& path, Waypoint next) {
  if (path.empty() || path.back() != next) path.push_back(next);
}

// BonnMotion.

std::vector<Waypoint> bonnmotion_line(const TraceReader& reader,
                                      const std::vector<std::string_view>& words,
                                      std::size_t offset) {
  const Source& source = reader.source;
  if (words.size() % 3 != 0)
    source.refuse(offset, "the line has " + std::to_string(words.size()) +
                              " values, not three for each waypoint; write \"time x y\" for each "
                              "(the file may have been cut off)");
  std::vector<Waypoint> path;
  for (std::size_t i = 0; i < words.size(); i += 3) {
    const Time at = reader.time(words[i], offset);
    const Point place = reader.place(words[i + 1], words[i + 2], offset);
    if (path.empty() && at > Time{}) path.push_back({Time{}, place});
    if (!path.empty() && at < path.back().at)
      source.refuse(offset, "time " + std::string(words[i]) +
                                " comes after a later one; put the waypoints in order of time");
    if (!path.empty() && at == path.back().at && place != path.back().place)
      source.refuse(offset, "the node is at two places at time " + std::string(words[i]) +
                                "; leave time for the way");
    append(path, {at, place});
  }
  return path;
}

MobilityTrace parse_bonnmotion(const TraceReader& reader) {
  MobilityTrace trace;
  for_each_line(reader.source.text, [&](std::string_view line, std::size_t offset) {
    const auto words = words_of(line, " \t\r");
    if (words.empty() || words[0].starts_with('#')) return true;
    trace.push_back(bonnmotion_line(reader, words, offset));
    return true;
  });
  if (trace.empty())
    reader.source.refuse_whole("there is no node in the file; write \"time x y\" on a line");
  reader.require_count(trace.size());
  return trace;
}

// ns-2.

struct Ns2Node {
  std::optional<double> x;
  std::optional<double> y;
  std::vector<Waypoint> path;  // up to the last setdest, and the end of its way
  Time told{};                 // when that was
};

struct Ns2 {
  const TraceReader& reader;
  std::size_t most;  // nodes cannot outnumber lines
  std::vector<Ns2Node> nodes{};

  Ns2Node& node(std::string_view word, std::size_t offset) {
    const bool named = word.starts_with("$node_(") && word.ends_with(")");
    const auto number = named ? parts::integer(word.substr(7, word.size() - 8)) : std::nullopt;
    if (!number)
      reader.source.refuse(offset,
                           quoted(word) + " names no node; write for instance \"$node_(0)\"");
    if (reader.limits.nodes != 0 && *number >= reader.limits.nodes)
      reader.source.refuse(offset, "there is no node " + std::to_string(*number) +
                                       "; nodes are numbered from 0 to " +
                                       std::to_string(reader.limits.nodes - 1));
    if (*number >= most)
      reader.source.refuse(offset, "the file has too few lines to place all nodes up to " +
                                       std::to_string(*number) + "; number them from 0");
    if (*number >= nodes.size()) nodes.resize(*number + 1);
    return nodes[*number];
  }

  /// "X_" or "Y_" or "Z_", and where.
  void set(Ns2Node& n, std::string_view axis, std::string_view word, std::size_t offset) {
    const auto& [width, height] = std::pair(reader.limits.width, reader.limits.height);
    if (axis == "X_") {
      n.x = reader.coordinate(word, width, "width", offset);
    } else if (axis == "Y_") {
      n.y = reader.coordinate(word, height, "height", offset);
    } else if (axis == "Z_") {
      reader.number(word, "a height", offset);  // the plane has none
    } else {
      reader.source.refuse(offset, quoted(axis) + " is not a coordinate; write X_ or Y_");
    }
  }

  void setdest(Ns2Node& n, Time at, const std::vector<std::string_view>& words,
               std::size_t offset) {
    const Source& source = reader.source;
    if (!n.x || !n.y)
      source.refuse(offset, "the node has no place yet; set its X_ and Y_ on lines above this one");
    const Point to = reader.place(words[5], words[6], offset);
    const double speed = reader.number(words[7], "a speed in metres a second", offset);
    if (speed < 0)
      source.refuse(offset, "speed " + std::string(words[7]) + " is negative; write 0 to halt");
    if (n.path.empty()) n.path.push_back({Time{}, {*n.x, *n.y}});
    if (at < n.told)
      source.refuse(offset, "time " + std::string(words[2]) +
                                " comes after a later one; put the lines of a node in order");
    n.told = at;
    // The way that is not finished ends here and now.
    if (n.path.back().at > at) {
      const Waypoint& from = n.path[n.path.size() - 2];
      const Leg leg = parts::straight(from.at, n.path.back().at, from.place, n.path.back().place);
      const Waypoint here{at, leg.at(at)};
      n.path.pop_back();
      if (n.path.back().at == at) n.path.pop_back();
      n.path.push_back(here);
    } else {
      append(n.path, {at, n.path.back().place});
    }
    const double way = parts::distance(n.path.back().place, to);
    if (way == 0 || speed == 0) return;
    const Time arrives = parts::after(at, std::max(parts::duration(way / speed), Duration{1}));
    if (arrives != core::end_of_time) n.path.push_back({arrives, to});
  }

  void scheduled(std::string_view line, const std::vector<std::string_view>& words,
                 std::size_t offset) {
    const Source& source = reader.source;
    if (std::ranges::count(line, '"') != 2)
      source.refuse(offset,
                    "the command must stand between two quotes: $ns_ at 2.5 \"$node_(0) "
                    "setdest 30 40 5\" (the file may have been cut off)");
    if (words.size() > 3 && words[3].starts_with("$god_")) return;
    const bool moves = words.size() == 8 && words[4] == "setdest";
    const bool sets = words.size() == 7 && words[4] == "set";
    if (!moves && !sets)
      source.refuse(offset,
                    "the command is not understood; write $ns_ at 2.5 \"$node_(0) setdest "
                    "30 40 5\" with a time, x, y and a speed");
    const Time at = reader.time(words[2], offset);
    Ns2Node& n = node(words[3], offset);
    if (moves) return setdest(n, at, words, offset);
    if (at > Time{} || !n.path.empty())
      source.refuse(offset, "a node cannot jump; let it go there with setdest");
    set(n, words[5], words[6], offset);
  }

  void line(std::string_view line, std::size_t offset) {
    line = line.substr(0, line.find('#'));
    const auto words = words_of(line, " \t\r\"");
    if (words.empty() || words[0] == "set" || words[0].starts_with("$god_")) return;
    const bool schedules = words[0].starts_with("$ns");
    if (schedules && words.size() > 1 && words[1] == "at") return scheduled(line, words, offset);
    if (schedules) return;
    Ns2Node& n = node(words[0], offset);
    if (words.size() != 4 || words[1] != "set")
      reader.source.refuse(offset, "a node is placed by \"$node_(0) set X_ 10\"; write it so");
    if (!n.path.empty())
      reader.source.refuse(offset, "the node moves already; put its first place above that line");
    set(n, words[2], words[3], offset);
  }
};

MobilityTrace parse_ns2(const TraceReader& reader) {
  std::size_t lines = 0;
  for_each_line(reader.source.text, [&](std::string_view, std::size_t) { return ++lines > 0; });
  Ns2 file{reader, lines};
  for_each_line(reader.source.text, [&](std::string_view line, std::size_t offset) {
    file.line(line, offset);
    return true;
  });
  if (file.nodes.empty())
    reader.source.refuse_whole("there is no node in the file; write \"$node_(0) set X_ 10\"");
  MobilityTrace trace;
  for (std::size_t u = 0; u < file.nodes.size(); ++u) {
    Ns2Node& n = file.nodes[u];
    if (!n.x || !n.y)
      reader.source.refuse_whole("node " + std::to_string(u) + " has no place; add \"$node_(" +
                                 std::to_string(u) + ") set " + (n.x ? "Y_" : "X_") + " 10\"");
    if (n.path.empty()) n.path.push_back({Time{}, {*n.x, *n.y}});
    trace.push_back(std::move(n.path));
  }
  reader.require_count(trace.size());
  return trace;
}

bool is_ns2(std::string_view text, std::string_view path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".ns_movements" || ending == ".tcl" || ending == ".ns2") return true;
  if (ending == ".movements") return false;
  return text.find('$') != text.npos;
}

/// Follows a trace from waypoint to waypoint.
class TraceMotion final : public Motion {
 public:
  explicit TraceMotion(MobilityTrace trace) : trace_(std::move(trace)), passed_(trace_.size(), 0) {
    const Point first = trace_.empty() ? Point{} : trace_[0][0].place;
    bounds_ = {first, first};
    for (const auto& path : trace_) {
      for (const auto& [at, place] : path) {
        bounds_.low = {std::min(bounds_.low.x, place.x), std::min(bounds_.low.y, place.y)};
        bounds_.high = {std::max(bounds_.high.x, place.x), std::max(bounds_.high.y, place.y)};
      }
    }
  }

  Leg next(NodeIndex u) override {
    const auto& path = trace_[u];
    const std::uint32_t i = passed_[u]++;
    if (i + 1 >= path.size()) return {path.back().at, core::end_of_time, path.back().place, 0, 0};
    return parts::straight(path[i].at, path[i + 1].at, path[i].place, path[i + 1].place);
  }
  Extent bounds() const override { return bounds_; }

 private:
  MobilityTrace trace_;
  std::vector<std::uint32_t> passed_;
  Extent bounds_;
};

/// Seconds, exactly.
std::string seconds_text(Time t) {
  const std::string all = std::to_string(t.count());
  const std::string digits = std::string(all.size() < 10 ? 10 - all.size() : 0, '0') + all;
  std::string out = digits.substr(0, digits.size() - 9);
  std::string rest = digits.substr(digits.size() - 9);
  while (!rest.empty() && rest.back() == '0') rest.pop_back();
  return rest.empty() ? out : out + '.' + rest;
}

/// The waypoints of a node until the horizon, the last one there.
std::vector<Waypoint> walked(Motion& motion, NodeIndex u, Time horizon) {
  std::vector<Waypoint> path;
  while (true) {
    const Leg leg = motion.next(u);
    path.push_back({leg.begin, leg.from});
    if (leg.begin >= horizon) return path;
    if (leg.end <= horizon && leg.end != core::end_of_time) continue;
    const bool stands = leg.vx == 0 && leg.vy == 0;
    path.push_back({horizon, stands ? leg.from : leg.at(horizon)});
    return path;
  }
}

}  // namespace

MobilityTrace parse_trace(std::string_view text, std::string_view path, const TraceLimits& limits) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // some editors mark UTF-8 so
  const Source source{text, path};
  if (text.find_first_not_of(" \t\r\n") == text.npos)
    source.refuse_whole("the file is empty; name one that holds a trace");
  const TraceReader reader{source, limits};
  return is_ns2(text, path) ? parse_ns2(reader) : parse_bonnmotion(reader);
}

MobilityTrace read_trace_file(const std::string& path, const TraceLimits& limits) {
  const std::string all = core::read_file(path, parts::largest_input);
  if (all.starts_with("\x1F\x8B"))
    throw core::Problem(path, {}, "the file is compressed; unpack it with gunzip first");
  if (!core::is_utf8(all))
    throw core::Problem(path, {}, "is not text; name a BonnMotion or ns-2 trace");
  return parse_trace(all, path, limits);
}

std::unique_ptr<Motion> follow(MobilityTrace trace) {
  return std::make_unique<TraceMotion>(std::move(trace));
}

std::string bonnmotion_text(Motion& motion, NodeIndex nodes, Time horizon) {
  std::string out;
  for (NodeIndex u = 0; u < nodes; ++u) {
    bool first = true;
    for (const auto& [at, place] : walked(motion, u, horizon)) {
      out += (first ? "" : " ") + seconds_text(at) + ' ' + text(place.x) + ' ' + text(place.y);
      first = false;
    }
    out += '\n';
  }
  return out;
}

std::string ns2_text(Motion& motion, NodeIndex nodes, Time horizon) {
  std::string out;
  for (NodeIndex u = 0; u < nodes; ++u) {
    const std::string node = "$node_(" + std::to_string(u) + ")";
    const auto path = walked(motion, u, horizon);
    out += node + " set X_ " + text(path[0].place.x) + '\n';
    out += node + " set Y_ " + text(path[0].place.y) + '\n';
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      const Point to = path[i + 1].place;
      if (to == path[i].place) continue;  // it stands there anyway
      const double speed =
          parts::distance(path[i].place, to) / core::seconds(path[i + 1].at - path[i].at);
      out += "$ns_ at " + seconds_text(path[i].at) + " \"" + node + " setdest " + text(to.x) + ' ' +
             text(to.y) + ' ' + text(speed) + "\"\n";
    }
  }
  return out;
}

}  // namespace bellwether::world
