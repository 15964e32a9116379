// SPDX-License-Identifier: MIT
// A node that is none, for tests of what asks a node.
#pragma once

#include <string>
#include <vector>

#include "bellwether/node/control.hpp"

namespace bellwether::node {

struct FakeControl : Control {
  FakeControl() {
    using namespace std::chrono_literals;
    now = {NodeId{3}, NodeId{7}, 12, Role::following, 5321ms, 42ms, {}};
    state.version = "1.2.3";
    state.algorithm = "cel-2";
    state.group = "boats";
    state.uptime = 61s;
    state.priority = 50;
    state.members = 2;
    state.neighbours = {{NodeId{7}, 42ms}};
    state.interfaces = {"eth0"};
    state.keys = {"a1b2"};
    state.slack = 5ms;
    component = {{NodeId{3}, 0, std::nullopt, 0ms, 50}, {NodeId{7}, 1, NodeId{7}, 42ms, 100}};
  }

  LeaderState leadership() const override { return now; }
  NodeStatus status() const override {
    NodeStatus result = state;
    result.leadership = now;
    return result;
  }
  std::vector<ComponentMember> members() const override { return component; }
  std::vector<std::pair<NodeId, NodeId>> links() const override { return {{NodeId{3}, NodeId{7}}}; }
  std::string metrics() const override { return figures; }

  CommandResult resign() override { return called("resign"); }
  CommandResult pause() override { return called("pause"); }
  CommandResult resume() override { return called("resume"); }
  CommandResult set_priority(std::uint32_t priority) override {
    return called("priority " + std::to_string(priority));
  }

  bool grant(const LockRequest& request) override {
    called("lock " + request.name + " " + request.holder);
    return leases.grant(Time{0}, request);
  }
  std::variant<std::string, Rejection> submit(To to, std::string payload) override {
    if (auto refused = called("submit")) return *refused;
    sent.emplace_back(to, std::move(payload));
    return "3-" + std::to_string(sent.size());
  }
  std::vector<Delivered> inbox(std::uint64_t after) const override {
    ++asked;
    std::vector<Delivered> result;
    for (const Delivered& message : messages) {
      if (message.sequence > after) result.push_back(message);
    }
    return result;
  }

  void deliver(std::string payload) {
    const std::uint64_t sequence = messages.empty() ? 1 : messages.back().sequence + 1;
    messages.push_back({sequence, "7-" + std::to_string(sequence), NodeId{7}, To::members,
                        std::chrono::milliseconds(9), std::move(payload)});
  }

  LockLeases leases;
  LeaderState now;
  NodeStatus state;
  std::vector<ComponentMember> component;
  std::string figures = "bellwether_epoch 12\n";
  std::vector<std::pair<To, std::string>> sent;
  std::vector<Delivered> messages;
  std::vector<std::string> calls;
  mutable int asked = 0;  // how often for the inbox
  CommandResult refusal;  // what everything that can be refused says

 private:
  CommandResult called(std::string name) {
    calls.push_back(std::move(name));
    return refusal;
  }
};

}  // namespace bellwether::node
