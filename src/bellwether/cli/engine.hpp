// SPDX-License-Identifier: MIT
// Which engine carries a run: our own, or a program that links another one.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "bellwether/cli/main.hpp"
#include "bellwether/experiment/row.hpp"
#include "bellwether/scenario/scenario.hpp"
#include "bellwether/terminal/command.hpp"

namespace bellwether::cli {

/// `more`: what else this command takes, and what that is.
void add_engine_option(terminal::Command& sub, std::string& engine, const std::string& more = "");

/// The engine that is meant, by name; empty: this program's own. Where another program has it, that
/// one takes over with the same words, and this does not return. Throws Problem.
MediumChoice chosen_engine(const std::string& wanted, const CommandContext& context);

/// The same, and "both": our own and then ns-3's, which that program has both.
std::vector<MediumChoice> chosen_engines(const std::string& wanted, const CommandContext& context);

/// Whether the engine can carry such a scenario.
bool carries(const MediumChoice& engine, const scenario::Scenario& scenario);
/// Throws Problem where it cannot.
void require_carried(const scenario::Scenario& scenario, const MediumChoice& engine);

/// "-ns3" for what lies beside the results of our own engine.
std::string suffix_of(const MediumChoice& engine);

/// Makes a row in a process of its own, for engines of which there can be only one in a process.
/// What is thrown there is thrown here, as Problem.
std::optional<experiment::Row> in_own_process(
    const std::function<std::optional<experiment::Row>()>& make);

}  // namespace bellwether::cli
