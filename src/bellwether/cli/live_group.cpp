// SPDX-License-Identifier: MIT
#include "bellwether/cli/live_group.hpp"

#include <chrono>
#include <map>
#include <set>

#include "bellwether/client/client.hpp"
#include "bellwether/json/json.hpp"

namespace bellwether::cli {
namespace {

using client::Client;
using client::ClientError;
using client::Clock;
using core::NodeId;
using json::Json;
using view::Sighting;
using namespace std::chrono_literals;

/// One node that is queried. It is skipped for a while if it does not answer: the others go on.
struct Witness {
  Client node;
  Clock::time_point not_before{};
};

/// What one node says of itself and of its component.
struct Testimony {
  Json status, map;
  std::string group, algorithm;
  NodeId self{};
  std::optional<NodeId> leader;
};

Testimony ask(const Client& node) {
  Testimony out;
  const client::Leadership leadership = node.leader();  // checked more strictly than the rest
  out.self = NodeId{leadership.id};
  if (leadership.leader) out.leader = NodeId{*leadership.leader};
  try {
    out.status = Json::parse(node.get("/v1/status"));
    out.group = out.status.at("group").get<std::string>();
    out.algorithm = out.status.at("algorithm").get<std::string>();
    out.map = Json::parse(node.get("/v1/map"));
    for (const Json& id : out.map.at("members")) id.get<std::uint64_t>();
    for (const Json& link : out.map.at("links"))
      for (const std::size_t end : {0, 1}) link.at(end).get<std::uint64_t>();
  } catch (const core::Problem&) {
    throw ClientError(
        client::Trouble::bad_answer,
        node.address() + ": the reply is not that of a Bellwether node; check the address");
  }
  return out;
}

/// What nodes say of themselves stands; of the others the first to know of them is believed.
Sighting together(const std::vector<Testimony>& all) {
  Sighting out;
  std::map<NodeId, Sighting::NodeReport> nodes;
  std::set<std::pair<NodeId, NodeId>> links;
  for (const Testimony& each : all)
    nodes[each.self] = {
        each.self, each.leader, each.status.dump(),
        "reported by the node itself, in epoch " + each.status.value("epoch", Json()).dump()};
  for (const Testimony& each : all) {
    const std::string self = std::to_string(core::raw(each.self));
    for (const Json& id : each.map.at("members")) {
      const NodeId other{id.get<std::uint64_t>()};
      Json state = Json::object();
      state["id"] = id;
      state["seen_by"] = core::raw(each.self);
      state["leader_of_" + self] = each.leader ? Json(core::raw(*each.leader)) : Json();
      nodes.try_emplace(other, Sighting::NodeReport{other, each.leader, state.dump(),
                                                    "reported by node " + self});
    }
    for (const Json& link : each.map.at("links"))
      links.emplace(NodeId{link.at(0).get<std::uint64_t>()},
                    NodeId{link.at(1).get<std::uint64_t>()});
  }
  for (auto& [id, node] : nodes) out.nodes.push_back(std::move(node));
  for (const auto& link : links)
    if (nodes.contains(link.first) && nodes.contains(link.second)) out.links.push_back(link);
  return out;
}

std::vector<Testimony> ask_all(std::vector<Witness>& witnesses) {
  std::vector<Testimony> out;
  for (Witness& witness : witnesses) {
    if (Clock::now() < witness.not_before) continue;
    try {
      out.push_back(ask(witness.node));
    } catch (const ClientError&) {
      witness.not_before = Clock::now() + 2s;
    }
  }
  return out;
}

}  // namespace

view::Play live_group(std::vector<std::string> addresses) {
  if (addresses.empty()) addresses.push_back(client::default_address());
  std::vector<Witness> witnesses;
  for (const std::string& address : addresses) witnesses.push_back({Client(address, 500ms)});
  std::vector<Testimony> first = ask_all(witnesses);
  if (first.empty()) first.push_back(ask(witnesses.front().node));  // which says what is wrong
  view::Play out;
  out.scenario.name = "the group " + first.front().group;
  out.scenario.algorithm = first.front().algorithm;
  out.scenario.about =
      "A live group, as " + std::to_string(first.size()) +
      (first.size() == 1 ? " of its nodes reports it." : " of its nodes report it.");
  out.scenario.stop.time = 24h;
  out.live = [witnesses]() mutable { return together(ask_all(witnesses)); };
  return out;
}

}  // namespace bellwether::cli
