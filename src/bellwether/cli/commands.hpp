// SPDX-License-Identifier: MIT
// The subcommands: one file each. A command throws BadInput, or one of the errors of the rooms
// below, and main turns that into one sentence and status 2.
#pragma once

#include <string>
#include <vector>

#include "bellwether/cli/main.hpp"
#include "bellwether/deploy/program.hpp"

namespace CLI {
class App;
}

namespace bellwether::cli {

using deploy::BadInput;

/// Each adds its subcommand; the command, when chosen, leaves its exit status in `status`.
void add_run(CLI::App& app, const Tables& tables, int& status);
void add_list(CLI::App& app, const Tables& tables, int& status);
void add_describe(CLI::App& app, const Tables& tables, int& status);
void add_trace(CLI::App& app, int& status);
void add_motion(CLI::App& app, int& status);
void add_central(CLI::App& app, int& status);
void add_check(CLI::App& app, const Tables& tables, int& status);
void add_sweep(CLI::App& app, const Tables& tables, int& status);
void add_report(CLI::App& app, int& status);
void add_reproduce(CLI::App& app, const Tables& tables, int& status);
void add_compare(CLI::App& app, const Tables& tables, int& status);
void add_view(CLI::App& app, const Tables& tables, int& status);
void add_new(CLI::App& app, const Tables& tables, int& status);
void add_doctor(CLI::App& app, const Tables& tables, int& status);

/// The name by which hints call this program.
std::string own_name(const Tables& tables);

/// What `list` can be asked for.
std::vector<std::string> list_topics(const Tables& tables);

/// The entry of an algorithm; throws BadInput with the nearest name when there is none.
const core::Algorithm& find_algorithm(const Tables& tables, const std::string& name,
                                       const std::string& place);

/// Writes a file whole or not at all: into a neighbour first, then renamed. Throws BadInput.
void write_file(const std::string& path, const std::string& content);

}  // namespace bellwether::cli
