// SPDX-License-Identifier: MIT
#include "bellwether/terminal/completion.hpp"

#include <algorithm>
#include <cstdio>

#include "bellwether/core/nearest.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/terminal/command.hpp"
#include "bellwether/terminal/command_line.hpp"
#include "bellwether/terminal/program.hpp"

namespace bellwether::terminal {
namespace {

constexpr const char* footer = R"(To have it in every new shell:
  bash   bellwether completion bash > ~/.local/share/bash-completion/completions/bellwether
  zsh    bellwether completion zsh > a folder of $fpath, as _bellwether
  fish   bellwether completion fish > ~/.config/fish/completions/bellwether.fish
To try it here (bash):  source <(bellwether completion bash))";

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

/// "--set -s": all names of its options.
std::vector<std::string> option_names(const Command& command) {
  std::vector<std::string> out;
  for (const ArgumentText& option : command.arguments()) {
    for (const std::string& name : option.long_names) out.push_back("--" + name);
    for (const std::string& name : option.short_names) out.push_back("-" + name);
  }
  return out;
}

std::string name_list(const Command& app) {
  std::vector<std::string> out;
  for (const Command* command : app.commands()) out.push_back(command->get_name());
  return joined(out);
}

/// One line, without what a shell could take for its own.
std::string plain(std::string text) {
  text = text.substr(0, text.find('\n'));
  std::erase_if(text, [](char c) { return c == '\'' || c == '`' || c == '\\' || c == '"'; });
  return text;
}

/// The words behind options, as branches of a `case` on the word before.
std::string value_branches(const Command& command, const CompletionWords& words,
                           const char* answer) {
  std::string out;
  for (const ArgumentText& option : command.arguments())
    for (const std::string& name : option.long_names)
      if (const auto found = words.find("--" + name); found != words.end()) {
        std::string pattern = "--" + name;
        for (const std::string& letter : option.short_names) pattern += "|-" + letter;
        out +=
            "        " + pattern + ") words=\"" + joined(found->second) + "\"; " + answer + " ;;\n";
      }
  return out;
}

std::string own_words(const Command& command, const CompletionWords& words) {
  const auto found = words.find(command.get_name());
  return found == words.end() ? "" : joined(found->second);
}

/// What bash and zsh have in common: a branch for each command that sets `words`.
std::string branches(const Command& app, const CompletionWords& words) {
  std::string out;
  for (const Command* command : app.commands()) {
    out += "    " + command->get_name() + ")\n      case \"$before\" in\n" +
           value_branches(*command, words, "return 0") + "      esac\n";
    out += "      options=\"" + joined(option_names(*command)) + "\"\n";
    out += "      words=\"" + own_words(*command, words) + "\" ;;\n";
  }
  return out;
}

std::string script_for(const Command& app, const CompletionWords& words, const std::string& shell) {
  if (shell == "bash") return bash_completion(app, words);
  if (shell == "zsh") return zsh_completion(app, words);
  if (shell == "fish") return fish_completion(app, words);
  const std::vector<std::string> known{"bash", "zsh", "fish"};
  throw core::Problem(core::unknown_name("shell", shell, known));
}

/// The functions of two programs must not be called the same.
std::string function_of(const Command& app) {
  std::string name = "_" + app.get_name();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// bellwether-ns3 has the commands of bellwether.
std::string programs_of(const Command& app) {
  return app.get_name() + (app.get_name() == "bellwether" ? " bellwether-ns3" : "");
}

/// The frame of a script, in which PROGRAMS and FUNCTION stand for those of the program.
std::string filled_in(const std::string& text, const Command& app) {
  return replaced(replaced(text, "PROGRAMS", programs_of(app)), "FUNCTION", function_of(app));
}

/// Sets `words` and `options` for a command and the word before the cursor.
std::string chooser(const Command& app, const CompletionWords& words) {
  return function_of(app) +
         "_words() {  # command, word before; sets words and options\n"
         "  local before=\"$2\"\n  words='' options=''\n  case \"$1\" in\n    '') words=\"" +
         name_list(app) + "\"; options='--help --version' ;;\n" + branches(app, words) +
         "  esac\n}\n";
}

}  // namespace

std::string bash_completion(const Command& app, const CompletionWords& words) {
  return "# bash completion, by `" + app.get_name() + " completion bash`\n" + chooser(app, words) +
         filled_in(R"(FUNCTION() {
  local words options command='' i
  local now="${COMP_WORDS[COMP_CWORD]}"
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "${COMP_WORDS[i]}" in -*) ;; *) command="${COMP_WORDS[i]}"; break ;; esac
  done
  FUNCTION_words "$command" "${COMP_WORDS[COMP_CWORD-1]}"
  case "$now" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$now")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$now"))
       [ -n "$words" ] || COMPREPLY=($(compgen -f -- "$now")) ;;
  esac
}
complete -o filenames -F FUNCTION PROGRAMS
)",
                   app);
}

std::string zsh_completion(const Command& app, const CompletionWords& words) {
  return "#compdef " + programs_of(app) + "\n# zsh completion, by `" + app.get_name() +
         " completion zsh`\n" + chooser(app, words) +
         filled_in(R"(FUNCTION() {
  local line=("${words[@]}") place=$CURRENT words options command='' i
  for ((i = 2; i < place; i++)); do
    case "${line[i]}" in -*) ;; *) command="${line[i]}"; break ;; esac
  done
  FUNCTION_words "$command" "${line[place-1]}"
  case "${line[place]}" in
    -*) compadd -- ${=options} ;;
    *) if [[ -n "$words" ]]; then compadd -- ${=words}; else _files; fi ;;
  esac
}
FUNCTION "$@"
)",
                   app);
}

std::string fish_completion(const Command& app, const CompletionWords& words) {
  const std::string complete = "complete -c " + app.get_name();
  std::string out = "# fish completion, by `" + app.get_name() + " completion fish`\n";
  for (const Command* command : app.commands()) {
    const std::string name = command->get_name();
    out += complete + " -n __fish_use_subcommand -f -a " + name + " -d '" +
           plain(command->get_description()) + "'\n";
    const std::string after = complete + " -n '__fish_seen_subcommand_from " + name + "'";
    if (const std::string own = own_words(*command, words); !own.empty())
      out += after + " -f -a '" + own + "'\n";
    for (const ArgumentText& option : command->arguments()) {
      if (option.long_names.empty()) continue;
      const std::string& longer = option.long_names.front();
      out += after + " -l " + longer;
      for (const std::string& letter : option.short_names) out += " -s " + letter;
      const auto found = words.find("--" + longer);
      if (found != words.end())
        out += " -x -a '" + joined(found->second) + "'";
      else if (option.most_values > 0)
        out += " -r";
      out += " -d '" + plain(option.description) + "'\n";
    }
  }
  return out;
}

void add_completion(Command& app, CompletionWords words, int& status) {
  Command* sub = app.add_subcommand("completion", "A script that completes commands in a shell");
  const auto shell = std::make_shared<std::string>();
  sub->add_option("shell", *shell, "bash, zsh or fish")->required();
  sub->footer(footer);
  words["completion"] = {"bash", "zsh", "fish"};
  sub->callback([&app, words = std::move(words), shell, &status] {
    std::fputs(script_for(app, words, *shell).c_str(), stdout);
    status = 0;
  });
}

}  // namespace bellwether::terminal
