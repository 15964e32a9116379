// SPDX-License-Identifier: MIT
// `bellwether document FORMAT`: all commands and options on one page, made from the command line as
// it is: for man, and for the reference in the documents.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace bellwether::deploy {

/// To be added last: it looks at all that is there.
void add_document(CLI::App& app, int& status);

std::string man_page(const CLI::App& app);
std::string markdown_page(const CLI::App& app);

}  // namespace bellwether::deploy
