// SPDX-License-Identifier: MIT
// The long run: daemons in a network that is drawn, faults that are drawn, then healing, then one
// leader per component. `node_chaos --minutes 10 --seed 7`, or `--networks 2`: so many, however
// long that takes. A seed draws the same faults again, though not the same moments: these are real
// processes. Status 1 as soon as something is wrong.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <tuple>

#include "bellwether/core/prng.hpp"
#include "node/flock.hpp"

namespace bellwether::bed {
namespace {

struct Wrong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Chaos {
 public:
  Chaos(std::uint64_t seed, bool talk) : prng_(seed), talk_(talk) {
    static constexpr const char* algorithms[]{"drumbeat", "drumbeat", "cel-2", "height",
                                              "hierarchy"};
    const std::size_t hosts = 3 + prng_.below(8);
    draw_network(hosts);
    const std::string algorithm = algorithms[prng_.below(5)];
    flock_ = std::make_unique<Flock>(network_, FlockOptions{.algorithm = algorithm});
    say("seed " + std::to_string(seed) + ": " + std::to_string(hosts) + " hosts, " + shape_ + ", " +
        algorithm);
    state_.assign(hosts, State::running);
    epochs_.assign(hosts, 0);
    for (std::size_t i = 0; i < hosts; ++i) start(i);
    demand_agreement();
  }

  /// Some faults, then healing, then agreement.
  void round() {
    const std::uint64_t faults = 1 + prng_.below(6);
    for (std::uint64_t i = 0; i < faults; ++i) {
      fault();
      std::this_thread::sleep_for(std::chrono::milliseconds(prng_.below(800)));
      look_at_epochs();
    }
    heal();
    demand_agreement();
    look_at_epochs();
  }

  std::string logs() const { return flock_->logs(); }

 private:
  enum class State { running, down, frozen };

  void draw_network(std::size_t hosts) {
    switch (prng_.below(5)) {
      case 0:
        shape_ = "line", network_.line(hosts);
        break;
      case 1:
        shape_ = "ring", network_.ring(hosts);
        break;
      case 2:
        shape_ = "star", network_.star(hosts);
        break;
      case 3:
        shape_ = "lan", network_.lan(hosts);
        break;
      default:
        shape_ = "random", network_.random(hosts, prng_.next());
        break;
    }
  }
  std::size_t any() { return prng_.below(network_.size()); }
  void say(const std::string& text) const {
    if (talk_) std::printf("%s\n", text.c_str()), std::fflush(stdout);
  }
  void start(std::size_t i) {
    flock_->start(i, {"--state", flock_->folder().path("epoch" + std::to_string(i))});
    state_[i] = State::running;
  }

  void fault() {
    const std::size_t i = any();
    const std::string who = std::to_string(i + 1);
    switch (prng_.below(10)) {
      case 0:
        if (state_[i] == State::down) break;
        say("  kill -9 " + who);
        flock_->daemon(i).cont();
        flock_->kill(i);
        state_[i] = State::down;
        break;
      case 1:
        if (state_[i] != State::running) break;
        say("  stop " + who);
        if (flock_->stop(i) != 0) throw Wrong("node " + who + " did not stop in good order");
        state_[i] = State::down;
        break;
      case 2:
        if (state_[i] != State::down) break;
        say("  start " + who);
        start(i);
        break;
      case 3:
        if (state_[i] != State::running) break;
        say("  freeze " + who);
        flock_->daemon(i).stop();
        state_[i] = State::frozen;
        break;
      case 4:
        say("  pull " + who), network_.pull(network_[i]);
        break;
      case 5:
        say("  plug " + who), network_.plug(network_[i]);
        break;
      case 6:
        block();
        break;
      case 7:
        say("  loss"), network_.lose(static_cast<double>(5 + prng_.below(40)));
        break;
      case 8:
        partition();
        break;
      default:
        say("  garbage from " + who);
        network_[i].inject_garbage(prng_.next(), 1400, "ff02::4265:6c6c", 7745,
                                   {.count = 3000, .per_second = 20000});
    }
  }

  /// A link that works one way only: of those that there are.
  void block() {
    std::size_t from = any(), to = any();
    if (!network_.links().empty())
      std::tie(from, to) = network_.links()[prng_.below(network_.links().size())];
    if (from == to) return;
    if (prng_.below(2) == 0) std::swap(from, to);
    say("  one way only, not " + std::to_string(from + 1) + " to " + std::to_string(to + 1));
    network_.block(network_[from], network_[to]);
  }

  void partition() {
    say("  partition");
    std::vector<Network::Group> groups(2);
    for (std::size_t i = 0; i < network_.size(); ++i)
      groups[prng_.below(2)].emplace_back(network_[i]);
    network_.partition(groups);
  }

  void heal() {
    say("  heal");
    network_.heal();
    for (std::size_t i = 0; i < network_.size(); ++i) {
      network_.plug(network_[i]);
      if (state_[i] == State::frozen) flock_->daemon(i).cont();
      if (state_[i] == State::down)
        start(i);
      else if (!flock_->runs(i))
        throw Wrong("node " + std::to_string(i + 1) + " has died of itself");
      state_[i] = State::running;
    }
  }

  void demand_agreement() {
    if (!flock_->settle()) throw Wrong("no agreement after healing");
  }

  /// Never smaller at a node, through all of its lives.
  void look_at_epochs() {
    for (std::size_t i = 0; i < network_.size(); ++i) {
      if (state_[i] != State::running) continue;
      const auto said = flock_->leadership(i);
      if (!said) continue;
      if (said->epoch < epochs_[i])
        throw Wrong("the epoch of node " + std::to_string(i + 1) + " fell from " +
                    std::to_string(epochs_[i]) + " to " + std::to_string(said->epoch));
      epochs_[i] = said->epoch;
    }
  }

  core::Prng prng_;
  bool talk_;
  Network network_;
  std::string shape_;
  std::unique_ptr<Flock> flock_;
  std::vector<State> state_;
  std::vector<std::uint64_t> epochs_;
};

struct Wish {
  double minutes = 0.3;
  std::uint64_t networks = 0;  // 0: as many as there is time for
  std::uint64_t seed = 1;
  bool quiet = false;
};

Wish parse(int argc, char** argv) {
  Wish wish;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--quiet") {
      wish.quiet = true;
    } else if (word == "--minutes" && i + 1 < argc) {
      wish.minutes = std::atof(argv[++i]);
    } else if (word == "--networks" && i + 1 < argc) {
      wish.networks = std::strtoull(argv[++i], nullptr, 10);
    } else if (word == "--seed" && i + 1 < argc) {
      wish.seed = std::strtoull(argv[++i], nullptr, 10);
    } else {
      std::fprintf(stderr, "node_chaos: write --minutes N or --networks N, --seed N, --quiet\n");
      std::exit(2);
    }
  }
  return wish;
}

int run_chaos(const Wish& wish) {
  if (const auto why = Network::unavailable()) {
    std::printf("SKIPPED: %s\n", why->c_str());
    return 77;
  }
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::duration<double>(60 * wish.minutes);
  std::size_t rounds = 0;
  std::uint64_t seed = wish.seed;
  const auto goes_on = [&] {
    return wish.networks > 0 ? seed < wish.seed + wish.networks
                             : std::chrono::steady_clock::now() < end;
  };
  for (; goes_on(); ++seed) {
    std::unique_ptr<Chaos> chaos;
    try {
      chaos = std::make_unique<Chaos>(seed, !wish.quiet);
      for (int i = 0; i < 5 && goes_on(); ++i, ++rounds) chaos->round();
    } catch (const Wrong& wrong) {
      if (chaos) std::printf("%s", chaos->logs().c_str());
      std::printf("WRONG: %s\nagain with: node_chaos --seed %llu\n", wrong.what(),
                  static_cast<unsigned long long>(seed));
      return 1;
    }
  }
  std::printf("%zu rounds in %llu networks, all healed\n", rounds,
              static_cast<unsigned long long>(seed - wish.seed));
  return 0;
}

}  // namespace
}  // namespace bellwether::bed

int main(int argc, char** argv) {
  const auto wish = bellwether::bed::parse(argc, argv);
  bellwether::bed::enter_own_namespaces();
  return bellwether::bed::run_chaos(wish);
}
