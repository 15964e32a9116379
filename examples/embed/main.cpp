// SPDX-License-Identifier: MIT
// An application with a node inside: no daemon, no socket, no other process. It is called back when
// the leader changes and when a message arrives, in its own event loop.
//
//   embed id=1 plain=true port=7001 peer=127.0.0.1:7002    every key of `bellwether node`, as
//   KEY=VALUE
//
// The leader counts, and sends its count to all members; a new leader continues from that
// count.
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bellwether/algorithms/moving/drumbeat.hpp"
#include "bellwether/core/algorithm_of.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/node/daemon.hpp"

using namespace bellwether;

/// Throws Problem with one sentence.
node::Config configured(int argc, char** argv) {
  node::Config config;
  config.socket = "none";  // no other program asks this node
  config.nice = 0;         // the process is the application's
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::size_t equals = word.find('=');
    if (equals == word.npos) throw core::Problem(word, {}, "write KEY=VALUE");
    const std::string key = word.substr(0, equals), value = word.substr(equals + 1);
    if (key == "peer")
      config.peers.push_back(value);
    else
      node::set_key(config, key, {value});
  }
  return config;
}

class Counter {
 public:
  Counter(boost::asio::io_context& io, const node::Config& config)
      : node_(io, config, {core::algorithm_of<algorithms::Drumbeat>()}), timer_(io) {
    node_.watch([this](const node::LeaderState&, const node::LeaderState& now) { changed(now); });
    node_.listen(
        [this](const node::Delivered& message) { count_ = std::atol(message.payload.c_str()); });
    node_.follow_signals([config] { return config; });
    node_.start();
  }

 private:
  void changed(const node::LeaderState& now) {
    if (now.leader)
      std::printf("%llu leads (epoch %llu)\n", static_cast<unsigned long long>(raw(*now.leader)),
                  static_cast<unsigned long long>(now.epoch));
    else
      std::printf("no leader\n");
    timer_.cancel();
    if (now.role == node::Role::leading) work();
    std::fflush(stdout);
  }

  void work() {
    std::printf("I count: %ld\n", ++count_);
    std::fflush(stdout);
    // Refused while there is no other member: then no other node has to know.
    static_cast<void>(node_.submit(node::To::members, std::to_string(count_)));
    timer_.expires_after(std::chrono::milliseconds(200));
    timer_.async_wait([this](const boost::system::error_code& error) {
      if (!error && node_.leadership().role == node::Role::leading) work();
    });
  }

  node::Daemon node_;
  boost::asio::steady_timer timer_;
  long count_ = 0;
};

int main(int argc, char** argv) try {
  boost::asio::io_context io(1);
  Counter counter(io, configured(argc, argv));
  io.run();
} catch (const std::exception& error) {
  std::fprintf(stderr, "embed: %s\n", error.what());
  return 2;
}
