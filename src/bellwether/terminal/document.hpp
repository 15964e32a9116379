// SPDX-License-Identifier: MIT
// `bellwether document FORMAT`: all commands and options on one page, made from the command line as
// it is: for man, and for the reference in the documents.
#pragma once

#include <string>

namespace bellwether::terminal {

class Command;

/// To be added last: it looks at all that is there.
void add_document(Command& app, int& status);

std::string man_page(const Command& app);
std::string markdown_page(const Command& app);

}  // namespace bellwether::terminal
