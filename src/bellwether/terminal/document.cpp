// SPDX-License-Identifier: MIT
#include "bellwether/terminal/document.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdio>

#include "bellwether/core/nearest.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/terminal/command.hpp"
#include "bellwether/terminal/command_line.hpp"
#include "bellwether/terminal/program.hpp"

#ifndef BELLWETHER_VERSION
#define BELLWETHER_VERSION "unknown"
#endif

namespace bellwether::terminal {
namespace {

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

/// In one line and without a full stop: the caller decides on that.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (text.ends_with('.') && !text.ends_with("...")) text.pop_back();
  return text;
}

/// Options of a command and what stands without a dash, in the order of --help.
struct OptionEntry {
  std::string names;  // "-s,--set", or "scenario"
  std::string value;  // "TEXT ..."; empty: a flag
  std::string description;
  bool positional = false;
  bool required = false;
};

std::vector<OptionEntry> rows_of(const Command& command) {
  std::vector<OptionEntry> out;
  for (const ArgumentText& argument : command.arguments()) {
    OptionEntry each{argument.names, "", one_line(argument.description), argument.positional,
                     argument.required};
    if (!argument.positional && argument.most_values > 0) {
      each.value = argument.type_name;
      if (argument.most_values > 1) each.value += " ...";
    }
    if (!argument.default_text.empty())
      each.description += fmt::format(" (default: {})", argument.default_text);
    out.push_back(std::move(each));
  }
  return out;
}

/// "bellwether run [OPTIONS] [scenario]"
std::string usage(const Command& app, const Command& command) {
  std::string out = app.get_name() + " " + command.get_name() + " [OPTIONS]";
  for (const OptionEntry& each : rows_of(command))
    if (each.positional) out += each.required ? " " + each.names : " [" + each.names + "]";
  return out;
}

/// A text for roff: no backslashes, hyphens that can be copied, no line that is taken for a
/// request.
std::string roff(const std::string& text) {
  std::string out = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
  out = replaced(out, "\n.", "\n\\&.");
  out = replaced(out, "\n'", "\n\\&'");
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string roff_block(const std::string& text) {
  return text.empty() ? "" : ".PP\n.nf\n" + roff(text) + "\n.fi\n";
}

std::string roff_arguments(const Command& command) {
  std::string out;
  for (const OptionEntry& each : rows_of(command)) {
    out += ".TP\n\\fB" + roff(each.names) + "\\fR";
    if (!each.value.empty()) out += " \\fI" + roff(each.value) + "\\fR";
    out += "\n" + roff(each.description) + "\n";
  }
  return out;
}

std::string markdown_cell(const std::string& text) {
  return replaced(replaced(text, "|", "\\|"), "<", "&lt;");
}

std::string markdown_arguments(const Command& command) {
  std::string out = "| | |\n|---|---|\n";
  for (const OptionEntry& each : rows_of(command))
    out += fmt::format("| `{}{}{}` | {} |\n", each.names, each.value.empty() ? "" : " ", each.value,
                       markdown_cell(each.description));
  return out;
}

}  // namespace

std::string man_page(const Command& app) {
  const std::string name = app.get_name();
  std::string out = fmt::format(
      ".TH {} 1 \"\" \"bellwether {}\" \"Bellwether\"\n.SH NAME\n{} \\- leader election in "
      "networks that move\n.SH SYNOPSIS\n.B {}\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n"
      ".SH DESCRIPTION\n{}\n",
      upper(roff(name)), BELLWETHER_VERSION, roff(name), roff(name), roff(app.get_description()));
  out += ".SH COMMANDS\n";
  for (const Command* command : app.commands()) {
    out += ".SS " + roff(usage(app, *command)) + "\n" + roff(one_line(command->get_description())) +
           ".\n" + roff_arguments(*command) + roff_block(command->get_footer());
  }
  out += ".SH EXAMPLES AND EXIT STATUS\n" + roff_block(app.get_footer());
  return out +
         ".SH SEE ALSO\nThe documents are in /usr/share/doc/bellwether where the package "
         "is installed.\n";
}

std::string markdown_page(const Command& app) {
  std::string out =
      fmt::format("# All commands of `{}`\n\n{}\n\n", app.get_name(), app.get_description());
  for (const Command* command : app.commands())
    out += fmt::format("- [`{0}`](#{0}): {1}\n", command->get_name(),
                       one_line(command->get_description()));
  out += "\n```text\n" + app.get_footer() + "\n```\n";
  for (const Command* command : app.commands()) {
    out += fmt::format("\n## {}\n\n{}.\n\n```text\n{}\n```\n\n{}", command->get_name(),
                       one_line(command->get_description()), usage(app, *command),
                       markdown_arguments(*command));
    if (const std::string footer = command->get_footer(); !footer.empty())
      out += "\n```text\n" + footer + "\n```\n";
  }
  return out;
}

void add_document(Command& app, int& status) {
  Command* sub = app.add_subcommand("document", "All commands and options on one page");
  const auto format = std::make_shared<std::string>();
  sub->add_option("format", *format, "man or markdown")->required();
  sub->footer("To read it here:  bellwether document man | man -l -");
  sub->callback([&app, format, &status] {
    const std::vector<std::string> known{"man", "markdown"};
    if (std::find(known.begin(), known.end(), *format) == known.end())
      throw core::Problem(core::unknown_name("format", *format, known));
    std::fputs((*format == "man" ? man_page(app) : markdown_page(app)).c_str(), stdout);
    status = 0;
  });
}

}  // namespace bellwether::terminal
