// SPDX-License-Identifier: MIT
// What is known about the algorithms, as dicts.
#include "bellwether/core/fields.hpp"
#include "native.hpp"

namespace bellwether::python {
namespace {

using namespace pybind11::literals;

py::dict model_of(const core::Model& m) {
  return py::dict(
      "shape"_a = core::name_of(m.shape), "synchronous"_a = m.synchronous,
      "needs_ids"_a = m.needs_ids, "needs_direction"_a = m.needs_direction,
      "needs_all"_a = m.needs_all, "randomized"_a = m.randomized,
      "knows"_a = core::name_of(m.knows), "clock"_a = core::name_of(m.clock),
      "tolerates_one_way"_a = m.tolerates_one_way, "tolerates_changes"_a = m.tolerates_changes,
      "tolerates_crashes"_a = m.tolerates_crashes, "tolerates_loss"_a = m.tolerates_loss,
      "tolerates_reordering"_a = m.tolerates_reordering,
      "tolerates_duplicates"_a = m.tolerates_duplicates);
}

py::dict described(const core::Algorithm& entry) {
  py::list options;
  for (const core::OptionRow& row : entry.options)
    options.append(py::dict("name"_a = row.name, "kind"_a = row.kind,
                            "default"_a = row.default_text, "about"_a = row.description));
  py::list properties;
  for (const core::PropertyRow& row : entry.properties)
    properties.append(py::dict("name"_a = row.name, "says"_a = row.says));
  const core::Facts& facts = entry.facts;
  return py::dict("name"_a = entry.name, "title"_a = facts.title, "source"_a = facts.source,
                  "idea"_a = facts.idea, "model"_a = model_of(facts.model),
                  "elects"_a = core::name_of(facts.criterion), "messages"_a = facts.messages,
                  "time"_a = facts.time, "guarantee"_a = facts.guarantee,
                  "differs"_a = facts.differs, "options"_a = options, "properties"_a = properties);
}

}  // namespace

void add_facts(py::module_& module, const cli::CommandContext& tables) {
  module.def("algorithms", [&tables] {
    std::vector<std::string_view> names;
    for (const core::Algorithm& entry : tables.algorithms) names.push_back(entry.name);
    return names;
  });
  module.def(
      "describe",
      [&tables](const std::string& name) { return described(cli::find_algorithm(tables, name)); },
      py::arg("name"));
}

}  // namespace bellwether::python
