// SPDX-License-Identifier: MIT
#include "bellwether/check/explore_test.hpp"

namespace bellwether::check {

Explored explore(std::unique_ptr<core::Nodes> nodes, const Spec& spec, bool agreement,
                 const TextOfNode& text) {
  Explored result;
  Plan plan(spec, nodes->facts().model.hears_strangers);
  Contents contents(spec.order);
  JudgeSpec judge;
  judge.agreement = agreement;
  const bool symmetric = spec.symmetry && nodes->can().symmetric;
  Machine machine(plan, std::move(nodes), {}, judge);
  machine.read_channels_from(contents);
  if (symmetric) machine.use_symmetries(symmetries_of(plan));
  const std::vector<Root> roots = make_roots(plan, machine, contents);
  const auto record = [&](const Number* slots) {
    machine.show(slots, [&](const core::Configuration& seen) {
      std::string out;
      for (NodeIndex u = 0; u < seen.size(); ++u) out += text(seen, u);
      result.outcomes.insert(out);
    });
  };
  const SearchSettings settings{
      .reduce = spec.reduce, .cycles = spec.cycles, .threads = spec.threads, .on_rest = record};
  Search search(plan, machine, contents, settings, {});
  result.found = search.run(roots);
  return result;
}

}  // namespace bellwether::check
