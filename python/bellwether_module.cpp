// SPDX-License-Identifier: MIT
// The extension module _core: runs and sweeps as the program makes them. The package around it, in
// bellwether/, is what people see.
#include <algorithm>
#include <atomic>
#include <thread>

#include "bellwether/cli/experiments.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/experiment/statistics.hpp"
#include "bellwether/report/tables/print.hpp"
#include "native.hpp"

namespace bellwether::python {
namespace {

/// Never destroyed: a thread may still be in a run while the process ends. The module offers
/// neither checking nor deployment.
const cli::CommandContext& tables() {
  static const auto& all = *new cli::CommandContext{catalogue::all(), {}, {}};
  return all;
}

/// The report as JSON.
std::string run(const Wanted& wanted, bool series) {
  Ear ear;
  std::string json = natively([&] {
    const scenario::Scenario scenario = wanted.scenario();
    const auto& entry = cli::find_algorithm(tables(), scenario);
    sim::check_effects(entry, scenario);
    if (series) cli::require_series(scenario, entry);
    sim::Attachments attachments;
    attachments.on_progress = [&](const sim::Progress&) { return ear.go_on(); };
    return report::report_json(sim::simulate(entry, scenario, attachments));
  });
  ear.raise();
  return json;
}

experiment::Experiment experiment_of(const Source& source, const std::optional<Source>& base) {
  if (!source.text) return experiment::read_experiment(source.path);
  return experiment::parse_experiment(*source.text, source.path,
                                      base ? std::optional(load(*base)) : std::nullopt);
}

/// Whether it came to its end or not, what was made is in the file, if there is one.
std::vector<experiment::Row> rows_of(experiment::Orders& orders, const std::string& out) {
  if (!out.empty()) {
    cli::into_store(orders, out);
    return experiment::read_results(out).rows;
  }
  std::vector<experiment::Row> rows;
  orders.keep = [&](const experiment::Row& row) { rows.push_back(row); };
  experiment::sweep(orders);
  std::ranges::sort(rows, {}, [](const auto& row) { return std::pair(row.point, row.seed); });
  return rows;
}

/// The rows as CSV, by point, then seed. `base`: the scenario, where the experiment names none.
std::string sweep_all(const Source& source, const std::optional<Source>& base,
                      const std::vector<std::string>& set, std::uint64_t runs, unsigned jobs,
                      const std::string& out, const py::object& progress) {
  Ear ear(progress);
  std::string csv = natively([&] {
    const experiment::Experiment experiment =
        cli::changed(experiment_of(source, base), {"", set, "", runs}, tables());
    cli::require_runnable(experiment, {}, tables());
    std::atomic<bool> stopped = false;
    experiment::Orders orders;
    orders.experiment = &experiment;
    orders.run = cli::runner_of(experiment, tables(), {}, [&] { return !stopped; });
    orders.threads = jobs > 0 ? jobs : std::max(1u, std::thread::hardware_concurrency());
    orders.on_progress = [&](const experiment::SweepStatus& status) {
      stopped = !ear.go_on(status.done, status.planned);
      return !stopped;
    };
    const auto points = experiment::points(experiment);
    std::string text = experiment::csv_header(experiment);
    for (const experiment::Row& row : rows_of(orders, out))
      text += experiment::csv_line(experiment, points[row.point], row);
    return text;
  });
  ear.raise();
  return csv;
}

/// The mean of a sample, and from where to where its confidence interval reaches.
std::tuple<double, double, double> estimate(const std::vector<double>& values, double confidence,
                                            bool bootstrap) {
  return natively([&] {
    if (!(confidence > 0 && confidence < 1))
      throw core::Problem("confidence", {}, "must lie between 0 and 1, such as 0.95");
    using experiment::Interval;
    const auto e = experiment::estimate(values, bootstrap ? Interval::bootstrap : Interval::student,
                                        confidence);
    return std::tuple(e.mean, e.low, e.high);
  });
}

/// One line of text, whatever the user's input has brought into the sentence.
void set_bad_input(const py::handle& type, const char* what) {
  std::string sentence = what;
  for (char& c : sentence)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  const auto text = py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(sentence.data(), static_cast<Py_ssize_t>(sentence.size()), "replace"));
  PyErr_SetObject(type.ptr(), text.ptr());
}

void add_errors(py::module_& module) {
  static py::handle type = py::exception<core::Problem>(module, "BadInput", PyExc_ValueError)
                               .release();  // as long as the process lives
  type.attr("__module__") = "bellwether";
  type.doc() = "What was asked for cannot be done: one sentence with place and cure.";
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const core::Problem& error) {
      set_bad_input(type, error.what());
    }
  });
}

}  // namespace
}  // namespace bellwether::python

PYBIND11_MODULE(_core, module) {
  using namespace bellwether::python;
  namespace py = pybind11;
  using py::arg;
  module.doc() = "What the package bellwether is made of; ask that one.";
  add_errors(module);
  py::class_<Source>(module, "Source")
      .def(py::init<std::string, std::optional<std::string>>(), arg("path"), arg("text"));
  py::class_<Wanted>(module, "Wanted")
      .def(py::init([](Source source, std::string algorithm, std::vector<std::string> set,
                       std::string seed) {
             return Wanted{std::move(source),
                           {"", std::move(algorithm), std::move(set), std::move(seed)}};
           }),
           arg("source"), arg("algorithm"), arg("set"), arg("seed"));
  module.def("run", &run, arg("wanted"), arg("series"));
  module.def("sweep", &sweep_all, arg("experiment"), arg("base"), arg("set"), arg("runs"),
             arg("jobs"), arg("out"), arg("progress"));
  module.def("estimate", &estimate, arg("values"), arg("confidence"), arg("bootstrap"));
  add_graphs(module);
  add_facts(module, tables());
}
