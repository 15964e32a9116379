// SPDX-License-Identifier: MIT
#include "bellwether/operate/talk_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "bellwether/client/decode.hpp"
#include "bellwether/core/utf8.hpp"

namespace bellwether::operate {
namespace {

using client::Leadership;
using client::Milliseconds;

constexpr std::size_t page = 100;

/// The bytes of the character at the beginning, if it is one to show; 0 if not.
std::size_t shown_bytes(std::string_view text) {
  const std::size_t bytes = core::utf8_length(text);
  if (bytes == 1) return text[0] >= 0x20 && text[0] != 0x7F ? 1 : 0;
  // U+0080 to U+009F command terminals, too.
  return bytes == 2 && text[0] == '\xC2' && static_cast<unsigned char>(text[1]) < 0xA0 ? 0 : bytes;
}

/// With commas, on lines that fit the page behind the labels of a table.
std::string listed(const std::vector<std::string>& words) {
  constexpr std::size_t indent = 13;
  std::string out;
  std::size_t column = indent;
  for (const std::string& word : words) {
    if (!out.empty()) {
      const bool full = column + 2 + word.size() + 1 > page;
      out += full ? ",\n" + std::string(indent, ' ') : ", ";
      column = full ? indent : column + 2;
    }
    out += word;
    column += word.size();
  }
  return out.empty() ? "none" : out;
}
std::string names(std::vector<std::string> words) {
  for (std::string& word : words) word = harmless(word);
  return listed(words);
}

std::string counted(std::uint64_t number, const char* one) {
  return fmt::format("{} {}{}", number, one, number == 1 ? "" : "s");
}

std::string since_text(const Leadership& l) {
  return fmt::format("(epoch {}, for {})", l.epoch, rough_time(l.since));
}

/// Which of its members has changed, is not in the event; who is there now is.
std::string members_line(const client::Members& members) {
  std::string out = counted(members.members.size(), "member") + ":";
  constexpr std::size_t most = 20;
  for (std::size_t i = 0; i < members.members.size() && i < most; ++i)
    out += fmt::format(" {}", members.members[i].id);
  return out + (members.members.size() > most ? " ..." : "");
}

std::string keys_text(const client::Status& s) {
  if (!s.encrypted) return "none: frames are plain, and anyone near can read and forge them";
  return names(s.keys) + (s.keys.size() > 1 ? " (the first one encrypts)" : "");
}

std::string neighbours_text(const client::Status& s) {
  std::vector<std::string> words;
  for (const client::Neighbour& n : s.neighbours)
    words.push_back(fmt::format("{} ({} ago)", n.id, rough_time(n.age)));
  return listed(words);
}

/// Whether the node can be elected.
std::string candidacy_text(const client::Status& s) {
  if (s.priority == 0) return "not eligible";
  if (s.standing == "standing") return "eligible";
  if (s.standing == "resigned") return "resigned: leads only if no other node is eligible";
  if (s.standing == "paused") return "paused: not eligible";
  return harmless(s.standing);
}

}  // namespace

std::string rough_time(Milliseconds time) {
  const std::int64_t ms = time.count();
  const std::int64_t s = ms / 1000;
  if (ms < 1000) return fmt::format("{} ms", ms);
  if (s < 60) return fmt::format("{}.{} s", s, ms % 1000 / 100);
  if (s < 3600) return fmt::format("{} min {} s", s / 60, s % 60);
  if (s < 86400) return fmt::format("{} h {} min", s / 3600, s % 3600 / 60);
  return fmt::format("{} d {} h", s / 86400, s % 86400 / 3600);
}

std::string harmless(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t bytes = shown_bytes(text);
    if (bytes > 0)
      out += text.substr(0, bytes);
    else if (text.front() == '\n')
      out += "\\n";
    else
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return out;
}

std::string leader_line(const Leadership& l) {
  std::string out;
  if (l.is_leader)
    out = fmt::format("this node ({}) leads {}", l.id, since_text(l));
  else if (l.leader)
    out = fmt::format("{} leads {}", *l.leader, since_text(l));
  else if (l.role == "listening")
    return fmt::format("no leader: this node ({}) began to listen {} ago", l.id,
                       rough_time(l.since));
  else
    return fmt::format("no leader: this node ({}) is {} {}", l.id,
                       l.role.empty() ? "leaderless" : harmless(l.role), since_text(l));
  if (l.hops && !l.is_leader) out += fmt::format("; {} away", counted(*l.hops, "hop"));
  if (l.members)
    out += fmt::format("{} {}", l.hops && !l.is_leader ? "," : ";", counted(*l.members, "member"));
  if (l.chain.empty()) return out;
  out += "; chain";
  for (const std::uint64_t id : l.chain) out += fmt::format(" {}", id);
  return out;
}

std::string message_line(const client::Message& m) {
  return fmt::format("{}  from {} to {}, {} ago: {}", m.sequence, m.from, harmless(m.to),
                     rough_time(m.age), harmless(m.payload));
}

std::string event_line(const client::Event& event, const std::string& address) {
  std::string text = harmless(event.data);
  try {
    if (event.leadership) text = leader_line(*event.leadership);
    if (event.name == "members") text = members_line(client::read_members(event.data, address));
    if (event.name == "message") {
      const client::Message m = client::read_message(event.data, address);
      text = fmt::format("{} from {} to {}: {}", m.sequence, m.from, harmless(m.to),
                         harmless(m.payload));
    }
  } catch (const client::ClientError&) {
    // A node of another version: its own words will do.
  }
  return fmt::format("{:<8} {}", harmless(event.name), text);
}

std::string time_stamp(std::chrono::system_clock::time_point at) {
  using std::chrono::floor;
  const auto ms = floor<Milliseconds>(at.time_since_epoch()).count();
  const std::time_t seconds = ms / 1000;
  std::tm parts{};
  localtime_r(&seconds, &parts);
  char day[32];
  std::strftime(day, sizeof day, "%Y-%m-%d %H:%M:%S", &parts);
  return fmt::format("{}.{:03}", day, ms % 1000);
}

std::string status_table(const client::Status& s) {
  const Leadership& l = s.leadership;
  std::string out =
      fmt::format("node {} of group \"{}\": {}\n\n", l.id, harmless(s.group), harmless(l.role));
  const auto line = [&](const char* label, const std::string& text) {
    out += fmt::format("  {:<10} {}\n", label, text);
  };
  Leadership leader = l;
  leader.members.reset();  // they have a line of their own
  line("leader", leader_line(leader));
  if (l.leader && !l.is_leader)
    line("last heard", "from the leader's side " + rough_time(l.age) + " ago");
  line("candidacy", fmt::format("{}, priority {}", candidacy_text(s), s.priority));
  line("members", counted(s.members, "node"));
  line("neighbours", neighbours_text(s));
  // Peers have a port, and interfaces have none.
  const bool peers = !s.interfaces.empty() && s.interfaces[0].find(':') != std::string::npos;
  line(peers ? "peers" : "interfaces", names(s.interfaces));
  line("keys", keys_text(s));
  line("algorithm", harmless(s.algorithm));
  line("uptime", rough_time(s.uptime));
  line("slack", s.slack.count() == 0
                    ? "none: timers ring on time"
                    : fmt::format("timers are stretched by {}: this machine is overloaded",
                                  rough_time(s.slack)));
  line("version", harmless(s.version));
  for (const std::string& each : s.warnings) line("warning", harmless(each));
  return out;
}

std::string members_table(const client::Members& all) {
  const std::string leader = all.leader ? fmt::format("{} leads", *all.leader) : "no leader";
  std::string out = fmt::format("{}, {} (epoch {})\n\n", counted(all.members.size(), "member"),
                                leader, all.epoch);
  std::size_t width = 4;
  for (const client::Member& row : all.members)
    width = std::max(
        {width, fmt::formatted_size("{}", row.id), fmt::formatted_size("{}", row.via.value_or(0))});
  out += fmt::format("  {:>{}}  {:>4}  {:>{}}  {:>12}  {:>10}\n", "node", width, "hops", "via",
                     width, "heard", "priority");
  for (const client::Member& row : all.members) {
    const bool self = row.hops == 0;
    std::string note = self ? "this node" : "";
    if (row.is_leader) note += self ? ", leads" : "leads";
    out += fmt::format("  {:>{}}  {:>4}  {:>{}}  {:>12}  {:>10}{}{}\n", row.id, width, row.hops,
                       row.via ? fmt::format("{}", *row.via) : "-", width,
                       self ? "-" : rough_time(row.age) + " ago", row.priority,
                       note.empty() ? "" : "  ", note);
  }
  return out;
}

}  // namespace bellwether::operate
