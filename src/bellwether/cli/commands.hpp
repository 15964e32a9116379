// SPDX-License-Identifier: MIT
// The subcommands: one file each. A command throws Problem,
// and main turns that into one sentence and status 2.
#pragma once

#include <string>
#include <vector>

#include "bellwether/cli/main.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/terminal/command.hpp"
#include "bellwether/terminal/program.hpp"

namespace bellwether::cli {

/// Each adds its subcommand; the command, when chosen, leaves its exit status in `status`.
void add_run(terminal::Command& app, const CommandContext& context, int& status);
void add_list(terminal::Command& app, const CommandContext& context, int& status);
void add_describe(terminal::Command& app, const CommandContext& context, int& status);
void add_trace(terminal::Command& app, int& status);
void add_motion(terminal::Command& app, int& status);
void add_central(terminal::Command& app, int& status);
void add_check(terminal::Command& app, const CommandContext& context, int& status);
void add_sweep(terminal::Command& app, const CommandContext& context, int& status);
void add_report(terminal::Command& app, int& status);
void add_reproduce(terminal::Command& app, const CommandContext& context, int& status);
void add_compare(terminal::Command& app, const CommandContext& context, int& status);
void add_tune(terminal::Command& app, const CommandContext& context, int& status);
void add_view(terminal::Command& app, const CommandContext& context, int& status);
void add_new(terminal::Command& app, const CommandContext& context, int& status);
void add_doctor(terminal::Command& app, const CommandContext& context, int& status);

/// The name by which hints call this program.
std::string own_name(const CommandContext& context);

/// What `list` can be asked for.
std::vector<std::string> list_topics(const CommandContext& context);

/// The entry of an algorithm; throws Problem with the nearest name when there is none.
const core::Algorithm& find_algorithm(const CommandContext& context, const std::string& name,
                                      const core::Location& where = {});

/// Writes a file whole or not at all: into a neighbour first, then renamed. Throws Problem.
void write_file(const std::string& path, const std::string& content);

}  // namespace bellwether::cli
