// SPDX-License-Identifier: MIT
// `bellwether completion SHELL`: a script that completes commands, options and names, made from the
// command line as it is.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace bellwether::terminal {

class Command;

/// What may stand behind an option ("--algorithm"), or after a command ("describe").
using CompletionWords = std::map<std::string, std::vector<std::string>>;

/// To be added last: it looks at all that is there.
void add_completion(Command& app, CompletionWords words, int& status);

std::string bash_completion(const Command& app, const CompletionWords& words);
std::string zsh_completion(const Command& app, const CompletionWords& words);
std::string fish_completion(const Command& app, const CompletionWords& words);

}  // namespace bellwether::terminal
