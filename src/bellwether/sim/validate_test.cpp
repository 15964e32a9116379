// SPDX-License-Identifier: MIT
// What is refused without a run is what a run refuses, in the same words.
#include <gtest/gtest.h>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/sim/validate.hpp"

namespace bellwether::sim {
namespace {

using scenario::Scenario;

Scenario with(const std::string& algorithm, std::initializer_list<const char*> settings) {
  Scenario out;
  out.algorithm = algorithm;
  out.network.nodes = 5;
  out.network.topology = "ring";
  out.stop.time = std::chrono::seconds(1);
  for (const char* each : settings) scenario::set_key(out, each);
  return out;
}

template <class Attempt>
std::string complaint(Attempt&& attempt) {
  try {
    attempt();
  } catch (const core::Problem& problem) {
    return problem.what();
  }
  return "";
}

TEST(Validate, SaysWhatARunSays) {
  const Scenario all[] = {
      with("height", {}),
      with("height", {"channel.loss=0.1"}),
      with("cel", {"options.rho=7"}),
      with("cel", {"options.rhu=1"}),
      with("chang-roberts", {"network.topology=grid", "network.nodes=9"}),
      with("bully", {}),
      with("cel", {"network.topology=nonsense"}),
      with("cel", {"network.topology=file", "network.file=missing.edges"}),
      with("cel", {"start.initiators=6"}),
      with("cel", {"start.nodes=[9]"}),
      with("cel", {"properties=[nonsense]"}),
      with("chang-roberts", {"churn.rate=1"}),
      with("flood-max", {"metrics.on=on"}),
      with("flood-max", {"start.initiators=6"}),
      with("flood-max", {"rounds.synchronizer=beta", "network.anonymous=true"}),
      with("flood-max", {"rounds.synchronizer=alpha", "properties=[nonsense]"}),
      with("flood-max", {"neighbours.stack=deployed"}),
      with("cel", {"mobility.model=trace", "mobility.file=missing.movements", "radio.range=10"}),
  };
  Validator validator;
  std::size_t refused = 0;
  for (const Scenario& each : all) {
    const core::Algorithm& algorithm = catalogue::algorithm(each.algorithm);
    const std::string said = complaint([&] { validator.check(algorithm, each); });
    EXPECT_EQ(said, complaint([&] { simulate(algorithm, each, {}); }));
    refused += said.empty() ? 0 : 1;
  }
  EXPECT_GE(refused, 14u);
}

TEST(Validate, BuildsANetworkOnlyWhereItDiffers) {
  Validator validator;
  const auto check = [&](const Scenario& each) {
    validator.check(catalogue::algorithm(each.algorithm), each);
    return validator.setup().network.links.data();
  };
  const auto* first = check(with("cel", {}));
  EXPECT_EQ(check(with("flooding", {"channel.mean=9 ms", "start.initiators=2"})), first);
  check(with("cel", {"network.nodes=6"}));
  EXPECT_EQ(validator.setup().network.nodes, 6u);
}

}  // namespace
}  // namespace bellwether::sim
