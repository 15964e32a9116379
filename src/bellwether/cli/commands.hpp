// SPDX-License-Identifier: MIT
// The subcommands: one file each. A command throws BadInput, or one of the errors of the rooms
// below, and main turns that into one sentence and status 2.
#pragma once

#include <string>
#include <vector>

#include "bellwether/cli/main.hpp"
#include "bellwether/deploy/command.hpp"
#include "bellwether/deploy/program.hpp"

namespace bellwether::cli {

using deploy::BadInput;

/// Each adds its subcommand; the command, when chosen, leaves its exit status in `status`.
void add_run(deploy::Command& app, const Tables& tables, int& status);
void add_list(deploy::Command& app, const Tables& tables, int& status);
void add_describe(deploy::Command& app, const Tables& tables, int& status);
void add_trace(deploy::Command& app, int& status);
void add_motion(deploy::Command& app, int& status);
void add_central(deploy::Command& app, int& status);
void add_check(deploy::Command& app, const Tables& tables, int& status);
void add_sweep(deploy::Command& app, const Tables& tables, int& status);
void add_report(deploy::Command& app, int& status);
void add_reproduce(deploy::Command& app, const Tables& tables, int& status);
void add_compare(deploy::Command& app, const Tables& tables, int& status);
void add_view(deploy::Command& app, const Tables& tables, int& status);
void add_new(deploy::Command& app, const Tables& tables, int& status);
void add_doctor(deploy::Command& app, const Tables& tables, int& status);

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
