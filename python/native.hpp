// SPDX-License-Identifier: MIT
// What the parts of the extension module share: how Python hands over scenarios, and how native
// work is done beside the interpreter.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <chrono>

#include "bellwether/cli/commands.hpp"
#include "bellwether/cli/load.hpp"
#include "bellwether/core/problem.hpp"

namespace bellwether::python {

namespace py = pybind11;

/// A file, or the name of a scenario that is a part of the program; or a text and what to call it
/// in complaints.
struct Source {
  std::string path;
  std::optional<std::string> text;
};

inline scenario::Scenario load(const Source& source, cli::ScenarioOptions options = {}) {
  if (source.text)
    return cli::changed(scenario::parse_scenario(*source.text, source.path), options);
  options.file = source.path;
  return cli::load(options);
}

/// A scenario with what is to be changed of it.
struct Wanted {
  Source source;
  cli::ScenarioOptions options;

  scenario::Scenario scenario() const { return load(source, options); }
};

/// Work during which other threads of Python go on. What the program would complain of is Problem.
template <class Work>
auto natively(Work&& work) {
  const py::gil_scoped_release release;
  try {
    return work();
  } catch (const std::invalid_argument& error) {
    throw core::Problem(error.what());
  } catch (const std::runtime_error& error) {
    throw core::Problem(error.what());
  }
}

/// Notices Ctrl-C, which Python only records, while native work is under way. Python handles
/// signals in its main thread alone. Other threads need no such check, and must not wait for an
/// interpreter that is about to end.
class Ear {
 public:
  /// `progress` is None or is called with (done, planned).
  explicit Ear(py::object progress = py::none()) : progress_(std::move(progress)) {
    const auto threading = py::module_::import("threading");
    main_ = threading.attr("current_thread")().is(threading.attr("main_thread")());
  }

  /// Called without the interpreter's lock. False: stop, and then raise().
  bool go_on() {
    const auto now = std::chrono::steady_clock::now();
    if (!main_ || now < next_) return !raised_;
    next_ = now + std::chrono::milliseconds(50);
    const py::gil_scoped_acquire acquire;
    raised_ = raised_ || PyErr_CheckSignals() != 0;
    return !raised_;
  }
  bool go_on(std::size_t done, std::size_t planned) {
    if (!go_on() || progress_.is_none()) return !raised_;
    const py::gil_scoped_acquire acquire;
    try {
      progress_(done, planned);
    } catch (py::error_already_set& error) {
      error.restore();
      raised_ = true;
    }
    return !raised_;
  }

  /// With the lock again: what was raised meanwhile goes on its way.
  void raise() const {
    if (raised_) throw py::error_already_set();
  }

 private:
  py::object progress_;
  bool main_ = false;
  bool raised_ = false;
  std::chrono::steady_clock::time_point next_{};
};

/// The parts of the module: graphs.cpp, facts.cpp.
void add_graphs(py::module_& module);
void add_facts(py::module_& module, const cli::CommandContext& tables);

}  // namespace bellwether::python
