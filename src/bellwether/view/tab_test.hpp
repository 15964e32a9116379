// SPDX-License-Identifier: MIT
// A tab without a browser: asks a session, and reads its pictures.
#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <cstring>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/json/json.hpp"
#include "bellwether/sim/simulate.hpp"
#include "bellwether/view/session.hpp"

namespace bellwether::view {

/// The bytes of a picture, read as the page does.
struct Seen {
  double t = 0, events = 0, messages = 0, leaders = 0, instability = 0;
  std::uint32_t flags = 0, n = 0, links = 0, flights = 0, components = 0;
  std::vector<std::uint32_t> leader, component;
  std::vector<unsigned char> state;
  std::vector<float> places;

  explicit Seen(const std::string& bytes) {
    std::size_t at = 0;
    const auto take = [&]<class T>(T& to) {
      if (at + sizeof to > bytes.size()) throw std::runtime_error("a picture is too short");
      std::memcpy(&to, bytes.data() + at, sizeof to);
      at += sizeof to;
    };
    const auto take_all = [&]<class T>(std::vector<T>& to, std::size_t count) {
      at = (at + 7) / 8 * 8;
      to.resize(count);
      for (T& each : to) take(each);
    };
    std::uint32_t magic = 0;
    take(magic);
    if (magic != 0x32465742) throw std::runtime_error("this is no picture");
    take(flags), take(t), take(n), take(links), take(flights), take(components);
    take(events), take(messages), take(leaders), take(instability);
    take_all(leader, n), take_all(component, n), take_all(state, n);
    if (flags & 1) take_all(places, 2 * n);
  }
  /// The leader of a node's component, as that node believes.
  std::vector<std::uint32_t> live_leaders() const {
    std::vector<std::uint32_t> out;
    for (std::size_t u = 0; u < n; ++u)
      if (state[u] & 1) out.push_back(leader[u]);
    return out;
  }
};

class Tab {
 public:
  explicit Tab(Look live = nullptr)
      : algorithms_{catalogue::algorithm("height"), catalogue::algorithm("cel-2"),
                    catalogue::algorithm("flood-max"), catalogue::algorithm("vasudevan"),
                    catalogue::algorithm("chang-roberts")},
        server_state_{
            algorithms_,
            Play{scenario::parse_scenario("algorithm = \"height\"\n[network]\nnodes = 8\n", "f"), 0,
                 nullptr, std::move(live)},
            "test"},
        session_(io_, server_state_, [this](std::string text, std::string frame) {
          return keep(std::move(text), std::move(frame));
        }) {}

  /// The answer; progress is left out.
  json::Json ask(json::Json request) {
    request["id"] = ++asked_;
    got_.clear();
    boost::asio::co_spawn(io_, session_.handle(request.dump()), boost::asio::detached);
    io_.restart();
    io_.run();
    if (got_.empty()) throw std::runtime_error("no answer to " + request.dump());
    return got_.back();
  }
  Seen seen() const { return Seen(frame_); }
  /// Goes on to a time, however long it takes.
  Seen to(std::int64_t ns) {
    while (ask({{"do", "advance"}, {"to", ns}, {"budget", 500}}).at("t").get<std::int64_t>() < ns)
      if (!got_.back().at("ended").is_null()) break;
    return seen();
  }
  observe::RunReport plainly(const scenario::Scenario& scenario) const {
    return sim::simulate(catalogue::algorithm(scenario.algorithm), scenario, {});
  }

 private:
  boost::asio::awaitable<void> keep(std::string text, std::string frame) {
    auto json = json::Json::parse(text);
    if (json.at("is") != "progress") got_.push_back(std::move(json));
    if (!frame.empty()) frame_ = std::move(frame);
    co_return;
  }

  boost::asio::io_context io_;
  catalogue::Algorithms algorithms_;
  ServerState server_state_;
  Session session_;
  int asked_ = 0;
  std::vector<json::Json> got_;
  std::string frame_;
};

}  // namespace bellwether::view
