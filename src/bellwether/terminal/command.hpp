// SPDX-License-Identifier: MIT
// The commands of a program and what they take. CLI11 reads the command line; it takes seconds to
// compile, so that it is included in command.cpp alone.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace bellwether::terminal {

/// An option, a flag or a positional of a command. The functions are those of CLI::Option.
class Argument {
 public:
  explicit Argument(CLI::Option& option) : option_(option) {}
  Argument(const Argument&) = delete;
  Argument& operator=(const Argument&) = delete;

  Argument* required(bool yes = true);
  Argument* range(int least, int most);
  Argument* one_of(const std::vector<std::string>& words);
  Argument* expected(int least, int most);
  Argument* take_all();
  Argument* allow_extra_args(bool yes);
  Argument* delimiter(char separator);
  Argument* trigger_on_parse();
  Argument* excludes(Argument* other);
  Argument* type_name(const std::string& name);
  Argument* group(const std::string& name);
  Argument* capture_default_str();

  /// How often it was given.
  std::size_t count() const;

 private:
  CLI::Option& option_;
};

/// An argument as help, manual and completion show it.
struct ArgumentText {
  std::vector<std::string> long_names;   // without dashes
  std::vector<std::string> short_names;  // without a dash
  std::string names;                     // "-s,--set", or "scenario"
  std::string type_name;
  std::string description;
  std::string default_text;
  int most_values = 0;  // 0: a flag
  bool positional = false;
  bool required = false;
};

/// A program or one of its commands. The functions are those of CLI::App.
class Command {
 public:
  Command(const std::string& description, const std::string& name);  // a program
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  Command* add_subcommand(const std::string& name, const std::string& description);
  /// For the types that command.cpp names.
  template <class T>
  Argument* add_option(const std::string& names, T& value, const std::string& description = "");
  Argument* add_option_function(const std::string& names,
                                std::function<void(const std::string&)> take,
                                const std::string& description);
  Argument* add_flag(const std::string& names, bool& value, const std::string& description);
  void footer(const std::string& text);
  void callback(std::function<void()> call);
  void allow_extras();
  void set_version_flag(const std::string& names, const std::string& version);

  std::string get_name() const;
  std::string get_description() const;
  std::string get_footer() const;
  std::string help() const;
  std::vector<const Command*> commands() const;
  std::vector<ArgumentText> arguments() const;
  /// What was typed behind the command and is none of its arguments.
  std::vector<std::string> remaining() const;

  enum class Parsed { called, help, version };
  /// Calls the command that is named, of which there has to be one. Throws Problem where the words
  /// do not fit, and what the command throws.
  Parsed parse(int argc, const char* const* argv);

 private:
  explicit Command(CLI::App& app);
  Argument* keep(CLI::Option& option);

  std::unique_ptr<CLI::App> own_;  // of a program; its commands belong to it
  CLI::App& app_;
  std::vector<std::unique_ptr<Command>> commands_;
  std::vector<std::unique_ptr<Argument>> arguments_;
};

}  // namespace bellwether::terminal
