// SPDX-License-Identifier: MIT
// An election that receives what its neighbours may send: they hold the key, and are broken or
// malicious. Nothing that they send throws, or makes it grow beyond its limits; what it sends
// fits a frame. The first byte chooses the election, and whether a second one gets the same calls
// and must behave the same.
#include "bellwether/node/engine.hpp"

#include "bellwether/layers/deployed.hpp"
#include "bellwether/node/recorder.hpp"
#include "input.hpp"

namespace {

using namespace bellwether;
using namespace std::chrono_literals;
using core::NodeId;
using fuzz::require;

constexpr std::size_t longest = 300;  // bytes of a body

node::EngineSpec small_spec(const core::Algorithm& algorithm) {
  node::EngineSpec spec;
  spec.self = NodeId{5};
  spec.seed = 1;
  spec.probes = layers::deployed_probes(algorithm, {}, 100ms, 300ms, longest);
  spec.limits = {.neighbours = 4, .members = 8, .message = 4096};
  return spec;
}

struct Election {
  explicit Election(std::string_view name)
      : algorithm(catalogue::algorithm(name)),
        nodes(layers::stack(
            algorithm, {},
            layers::deployed_stack(algorithm, catalogue::algorithm("cel-2"),
                                   small_spec(algorithm).probes, small_spec(algorithm).limits))) {}

  std::unique_ptr<node::Engine> make(const node::EngineSpec& spec) const {
    return std::make_unique<node::Engine>(algorithm, spec);
  }
  /// A value has one encoding.
  void check(const core::Bytes& body) const {
    if (const auto message = nodes->decode(body))
      require(core::encode(*message) == body, "a body was read, but is written in another way");
  }

  const core::Algorithm& algorithm;
  std::unique_ptr<core::Nodes> nodes;  // none: they read messages
};

class Told {
 public:
  Told(const Election& election, bool twice)
      : election_(election), spec_(small_spec(election.algorithm)) {
    engine_ = election.make(spec_);
    if (twice) twin_ = election.make(spec_);
    call({now_, node::CallKind::start, {}, 0, {}});
  }

  /// One thing that happens.
  void next(fuzz::Input& input) {
    const unsigned kind = input.byte();
    const NodeId who{kind >> 4U};
    switch (kind & 15U) {
      case 0:
        return call({now_, node::CallKind::see, who, 0, {}});
      case 1:
        return call({now_, node::CallKind::lose, who, 0, {}});
      case 2:
        return call({now_, node::CallKind::priority, {}, input.byte(), {}});
      case 3:
        return call({now_, node::CallKind::slack, {}, input.byte() * 10'000'000ULL, {}});
      case 4:
        return call({now_, node::CallKind::slack_of, who, input.byte() * 10'000'000ULL, {}});
      case 5:
      case 6:
      case 7:
        now_ += std::chrono::milliseconds(input.byte());
        return call({now_, node::CallKind::alarm, {}, 0, {}});
      case 8:
        now_ += std::chrono::seconds(input.byte());
        return call({now_, node::CallKind::alarm, {}, 0, {}});
      case 9: {  // from any sender, in any name
        const auto piece = input.piece();
        return hear(who, {piece.begin(), piece.end()});
      }
      default:  // in its own name
        core::Bytes body{input.byte(), static_cast<std::uint8_t>(raw(who))};
        const auto piece = input.piece();
        body.insert(body.end(), piece.begin(), piece.end());
        return hear(who, std::move(body));
    }
  }

 private:
  void hear(NodeId from, core::Bytes body) {
    election_.check(body);
    // The daemon has already dropped frames with its own id.
    if (from != NodeId{5}) call({now_, node::CallKind::hear, from, 0, std::move(body)});
  }

  void call(const node::EngineCall& call) {
    const node::CallResult answer = node::answer_to(call, *engine_);
    for (const core::Bytes& body : engine_->outgoing()) {
      require(body.size() <= longest, "a body does not fit a frame");
      election_.check(body);
    }
    engine_->outgoing().clear();
    require(engine_->neighbours().size() <= spec_.limits.neighbours, "too many neighbours");
    require(engine_->routes().all().size() <= spec_.limits.members + 1, "too many members");
    const auto next = engine_->next_alarm();
    require(call.kind != node::CallKind::alarm || !next || *next > now_, "an alarm is still due");
    if (!twin_) return;
    require(node::answer_to(call, *twin_) == answer, "told the same, two do not do the same");
    twin_->outgoing().clear();
  }

  const Election& election_;
  node::EngineSpec spec_;
  std::unique_ptr<node::Engine> engine_;
  std::unique_ptr<node::Engine> twin_;
  core::Time now_ = 1000s;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Election elections[] = {Election("cel-2"), Election("hierarchy"),
                                       Election("drumbeat")};
  fuzz::Input input(data, size);
  const unsigned choice = input.byte();
  Told told(elections[(choice & 4U) != 0 ? 2U : choice & 1U], (choice & 2U) != 0);
  constexpr int most = 64;  // many short stories find more than a few long ones
  for (int i = 0; i < most && !input.empty(); ++i) told.next(input);
  return 0;
}
