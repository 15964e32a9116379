// SPDX-License-Identifier: MIT
#include "bellwether/scenario/script.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "bellwether/core/problem.hpp"
#include "bellwether/scenario/keys.hpp"
#include "bellwether/scenario/kinds.hpp"

namespace bellwether::scenario {
namespace {

using world::ChangeKind;
using world::ScriptedChange;
using world::ScriptedPartition;

constexpr std::string_view pairs_kind = "a list of pairs of nodes, such as [[3, 4]]";
constexpr std::string_view nodes_kind = "a node or a list of nodes, such as [5]";
constexpr std::string_view moves_kind =
    "a node and its place in metres, such as [5, 120, 80.5], or a list of these";
constexpr std::string_view groups_kind = "a list of groups of nodes, such as [[1, 2, 3], [4, 5]]";

std::pair<NodeId, NodeId> read_pair(const Value& value) {
  const auto* ends = value.as<List>();
  if (!ends) refuse(std::string(pairs_kind), value);
  if (ends->size() != 2)
    throw core::Problem("a pair has two nodes, such as [3, 4], not " +
                        std::to_string(ends->size()));
  const NodeId a = read_node(ends->front());
  const NodeId b = read_node(ends->back());
  if (a == b)
    throw core::Problem("node " + std::to_string(core::raw(a)) +
                        " is not linked to itself; name two different nodes");
  return {a, b};
}

const List& filled_list(const Value& value, std::string_view kind) {
  const auto* list = value.as<List>();
  if (!list || list->empty()) refuse(std::string(kind), value);
  return *list;
}

/// What all verbs of one entry share.
struct Moment {
  Time at{};
  bool memory = false;
  world::ScriptEntry entry{};
};

void read_links(world::ChangeSpec& out, Moment moment, ChangeKind kind, const Value& value) {
  const List& list = filled_list(value, pairs_kind);
  const auto add = [&](const Value& pair) {
    const auto [a, b] = read_pair(pair);
    out.script.push_back({moment.at, kind, a, b, false, moment.entry});
  };
  if (!list.front().as<List>()) return add(value);  // one pair goes without the outer brackets
  for (const Value& each : list) add(each);
}

void read_nodes(world::ChangeSpec& out, Moment moment, ChangeKind kind, const Value& value) {
  const auto add = [&](const Value& node) {
    out.script.push_back({moment.at, kind, read_node(node), NodeId{}, moment.memory, moment.entry});
  };
  if (value.as<std::int64_t>()) return add(value);
  for (const Value& each : filled_list(value, nodes_kind)) add(each);
}

void read_partition(world::ChangeSpec& out, Moment moment, const Value& value) {
  ScriptedPartition partition{moment.at, false, {}, moment.entry};
  std::set<NodeId> seen;
  for (const Value& group : filled_list(value, groups_kind)) {
    std::vector<NodeId> nodes;
    if (!group.as<List>()) throw core::Problem("must be " + std::string(groups_kind));
    for (const Value& each : filled_list(group, "a group of nodes, such as [4, 5]")) {
      nodes.push_back(read_node(each));
      if (!seen.insert(nodes.back()).second)
        throw core::Problem("node " + std::to_string(core::raw(nodes.back())) +
                            " is named twice; name it in one group");
    }
    partition.groups.push_back(std::move(nodes));
  }
  out.partitions.push_back(std::move(partition));
}

void read_moves(world::ChangeSpec& out, Moment moment, const Value& value) {
  const List& list = filled_list(value, moves_kind);
  const auto add = [&](const Value& each) {
    const auto* parts = each.as<List>();
    if (!parts || parts->size() != 3) refuse(std::string(moves_kind), each);
    out.moves.push_back({moment.at,
                         read_node(parts->front()),
                         {CoordinateKind{}.read((*parts)[1]), CoordinateKind{}.read((*parts)[2])},
                         moment.entry});
  };
  if (!list.front().as<List>()) return add(value);
  for (const Value& each : list) add(each);
}

struct Verb {
  std::string_view name;
  std::string_view kind;
  std::string_view description;
  void (*read)(world::ChangeSpec&, Moment, const Value&);
};

constexpr std::array<Verb, 7> verbs{{
    {"cut", pairs_kind, "these links go down; a single pair goes without the outer brackets",
     [](auto& out, Moment m, const Value& v) { read_links(out, m, ChangeKind::link_down, v); }},
    {"join", pairs_kind, "these links come up; they may be new",
     [](auto& out, Moment m, const Value& v) { read_links(out, m, ChangeKind::link_up, v); }},
    {"crash", nodes_kind, "these nodes crash",
     [](auto& out, Moment m, const Value& v) { read_nodes(out, m, ChangeKind::crash, v); }},
    {"restart", nodes_kind, "these nodes restart",
     [](auto& out, Moment m, const Value& v) { read_nodes(out, m, ChangeKind::restart, v); }},
    {"partition", groups_kind,
     "every link between two groups goes down; nodes that are not named form a group of their own",
     read_partition},
    {"move", moves_kind,
     "a node is moved to a position and stays there; only in networks that move", read_moves},
    {"heal", "true", "the links that partitions have cut come up again",
     [](auto& out, Moment m, const Value& v) {
       if (!FlagKind{}.read(v))
         throw core::Problem("must be true, not false; leave the entry out instead");
       out.partitions.push_back({m.at, true, {}, m.entry});
     }},
}};

constexpr std::string_view at_about = "when it happens";
constexpr std::string_view memory_about =
    "restart: the nodes keep their memory; default: they restart without memory";

const Verb* find_verb(std::string_view name) {
  const auto found = std::ranges::find(verbs, name, &Verb::name);
  return found == verbs.end() ? nullptr : &*found;
}

/// One entry while it is read: knows how to complain.
class EntryReader {
 public:
  EntryReader(std::string path, std::string key, std::size_t line)
      : path_(std::move(path)), key_(std::move(key)), line_(line) {}

  void read(world::ChangeSpec& out, const Table& table, world::ScriptEntry number) {
    for (const Entry& entry : table) take(entry);
    if (!at_) complain(line_, ".at", "is missing; write for instance at = \"5 s\"");
    if (!verb_) complain(line_, "", "needs one of " + verb_names());
    const bool restarts = find_verb(verb_->key)->name == "restart";
    if (memory_ && !restarts)
      complain(memory_->value.line, ".memory", "goes with restart only, not with " + verb_->key);
    Moment moment;
    moment.entry = number;
    guarded(*at_, [&] { moment.at = DurationKind{}.read(at_->value); });
    if (memory_) guarded(*memory_, [&] { moment.memory = FlagKind{}.read(memory_->value); });
    guarded(*verb_, [&] { find_verb(verb_->key)->read(out, moment, verb_->value); });
  }

 private:
  void take(const Entry& entry) {
    if (entry.key == "at") {
      at_ = &entry;
    } else if (entry.key == "memory") {
      memory_ = &entry;
    } else if (!find_verb(entry.key)) {
      std::vector<std::string> known{"at", "memory"};
      for (const Verb& verb : verbs) known.emplace_back(verb.name);
      complain(entry.value.line, '.' + entry.key, unknown_among("key", entry.key, known));
    } else if (verb_) {
      complain(line_, "",
               "says " + verb_->key + " and " + entry.key + "; write a [[change]] for each");
    } else {
      verb_ = &entry;
    }
  }

  template <class Read>
  void guarded(const Entry& entry, Read&& read) const {
    try {
      read();
    } catch (const core::Problem& refused) {
      complain(entry.value.line, '.' + entry.key, refused.sentence());
    }
  }

  [[noreturn]] void complain(std::size_t line, const std::string& leaf,
                             const std::string& sentence) const {
    throw core::Problem({path_, line}, key_ + leaf, sentence);
  }

  static std::string verb_names() {
    std::string out;
    for (const Verb& verb : verbs) out.append(out.empty() ? "" : ", ").append(verb.name);
    return out;
  }

  std::string path_;
  std::string key_;
  std::size_t line_;
  const Entry* at_ = nullptr;
  const Entry* memory_ = nullptr;
  const Entry* verb_ = nullptr;
};

std::string head(Time at) {
  return "\n[[change]]\nat = " + DurationKind{}.print(at) + '\n';
}

std::string printed(const ScriptedPartition& partition) {
  if (partition.heal) return head(partition.at) + "heal = true\n";
  std::string out = head(partition.at) + "partition = [";
  for (std::size_t i = 0; i < partition.groups.size(); ++i)
    out += (i ? ", " : "") + NodeIdsKind{}.print(partition.groups[i]);
  return out + "]\n";
}

std::string printed(const world::ScriptedMove& move) {
  return head(move.at) + "move = [" + std::to_string(core::raw(move.node)) + ", " +
         CoordinateKind{}.print(move.to.x) + ", " + CoordinateKind{}.print(move.to.y) + "]\n";
}

using Script = std::vector<ScriptedChange>;

/// One entry for neighbours in the script that differ in their nodes only.
std::string printed(Script::const_iterator begin, Script::const_iterator end) {
  const bool links = begin->kind == ChangeKind::link_up || begin->kind == ChangeKind::link_down;
  constexpr std::array<std::string_view, 4> names{"join", "cut", "crash", "restart"};
  std::string out = head(begin->at);
  out.append(names[static_cast<std::size_t>(begin->kind)]).append(" = [");
  for (auto each = begin; each != end; ++each) {
    out += each == begin ? "" : ", ";
    out += links ? NodeIdsKind{}.print({each->a, each->b}) : std::to_string(core::raw(each->a));
  }
  return out + "]\n" + (begin->memory ? "memory = true\n" : "");
}

}  // namespace

void read_changes(Scenario& scenario, const Value& entries, const std::string& path) {
  const core::Location where(path, entries.line);
  const auto* list = entries.as<List>();
  if (!list) throw core::Problem(where, "change", "is a list; write [[change]] above each entry");
  scenario.where["change"] = where;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Value& each = (*list)[i];
    const std::string key = "change[" + std::to_string(i + 1) + ']';
    const core::Location place(path, each.line);
    const auto* table = each.as<Table>();
    if (!table)
      throw core::Problem(
          place, key, "must be a table, not " + shown(each) + "; write [[change]] above its keys");
    scenario.where[key] = place;
    const world::ScriptEntry number{static_cast<std::uint32_t>(i + 1)};
    EntryReader(path, key, each.line).read(scenario.changes, *table, number);
  }
}

std::string print_changes(const world::ChangeSpec& changes) {
  std::string out;
  auto partition = changes.partitions.begin();
  auto move = changes.moves.begin();
  const auto print_others_before = [&](Time time) {
    for (; partition != changes.partitions.end() && partition->at < time; ++partition)
      out += printed(*partition);
    for (; move != changes.moves.end() && move->at < time; ++move) out += printed(*move);
  };
  for (auto begin = changes.script.begin(); begin != changes.script.end();) {
    const auto end = std::find_if(begin, changes.script.end(), [&](const ScriptedChange& each) {
      return each.at != begin->at || each.kind != begin->kind || each.memory != begin->memory;
    });
    print_others_before(begin->at);
    out += printed(begin, end);
    begin = end;
  }
  for (; partition != changes.partitions.end(); ++partition) out += printed(*partition);
  for (; move != changes.moves.end(); ++move) out += printed(*move);
  return out;
}

std::vector<KeyFact> change_keys() {
  std::vector<KeyFact> out{{"change.at", DurationKind{}.kind(), "", std::string(at_about)}};
  for (const Verb& verb : verbs)
    out.push_back({"change." + std::string(verb.name), std::string(verb.kind), "",
                   std::string(verb.description)});
  out.push_back(
      {"change.memory", FlagKind{}.kind(), FlagKind{}.print(false), std::string(memory_about)});
  return out;
}

}  // namespace bellwether::scenario
