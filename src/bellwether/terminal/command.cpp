// SPDX-License-Identifier: MIT
#include "bellwether/terminal/command.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>

#include "bellwether/core/nearest.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/terminal/program.hpp"

namespace bellwether::terminal {

Argument* Argument::required(bool yes) {
  option_.required(yes);
  return this;
}
Argument* Argument::range(int least, int most) {
  option_.check(CLI::Range(least, most));
  return this;
}
Argument* Argument::one_of(const std::vector<std::string>& words) {
  option_.check(CLI::IsMember(words));
  return this;
}
Argument* Argument::expected(int least, int most) {
  option_.expected(least, most);
  return this;
}
Argument* Argument::take_all() {
  option_.multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return this;
}
Argument* Argument::allow_extra_args(bool yes) {
  option_.allow_extra_args(yes);
  return this;
}
Argument* Argument::delimiter(char separator) {
  option_.delimiter(separator);
  return this;
}
Argument* Argument::trigger_on_parse() {
  option_.trigger_on_parse();
  return this;
}
Argument* Argument::excludes(Argument* other) {
  option_.excludes(&other->option_);
  return this;
}
Argument* Argument::type_name(const std::string& name) {
  option_.type_name(name);
  return this;
}
Argument* Argument::group(const std::string& name) {
  option_.group(name);
  return this;
}
Argument* Argument::capture_default_str() {
  option_.capture_default_str();
  return this;
}
std::size_t Argument::count() const {
  return option_.count();
}

Command::Command(const std::string& description, const std::string& name)
    : own_(std::make_unique<CLI::App>(description, name)), app_(*own_) {
  app_.require_subcommand(1);
}
Command::Command(CLI::App& app) : app_(app) {}
Command::~Command() = default;

Command* Command::add_subcommand(const std::string& name, const std::string& description) {
  CLI::App& sub = *app_.add_subcommand(name, description);
  return commands_.emplace_back(new Command(sub)).get();
}

Argument* Command::keep(CLI::Option& option) {
  return arguments_.emplace_back(std::make_unique<Argument>(option)).get();
}

template <class T>
Argument* Command::add_option(const std::string& names, T& value, const std::string& description) {
  return keep(*app_.add_option(names, value, description));
}
using Arguments = std::vector<std::string>;
using Numbers = std::vector<std::uint64_t>;
template Argument* Command::add_option(const std::string&, std::string&, const std::string&);
template Argument* Command::add_option(const std::string&, Arguments&, const std::string&);
template Argument* Command::add_option(const std::string&, Numbers&, const std::string&);
template Argument* Command::add_option(const std::string&, int&, const std::string&);
template Argument* Command::add_option(const std::string&, std::uint16_t&, const std::string&);
template Argument* Command::add_option(const std::string&, std::uint32_t&, const std::string&);
template Argument* Command::add_option(const std::string&, std::uint64_t&, const std::string&);

Argument* Command::add_option_function(const std::string& names,
                                       std::function<void(const std::string&)> take,
                                       const std::string& description) {
  return keep(*app_.add_option_function<std::string>(names, std::move(take), description));
}
Argument* Command::add_flag(const std::string& names, bool& value, const std::string& description) {
  return keep(*app_.add_flag(names, value, description));
}
void Command::footer(const std::string& text) {
  app_.footer(text);
}
void Command::callback(std::function<void()> call) {
  app_.callback(std::move(call));
}
void Command::allow_extras() {
  app_.allow_extras();
}
void Command::set_version_flag(const std::string& names, const std::string& version) {
  app_.set_version_flag(names, version);
}

std::string Command::get_name() const {
  return app_.get_name();
}
std::string Command::get_description() const {
  return app_.get_description();
}
std::string Command::get_footer() const {
  return app_.get_footer();
}
std::string Command::help() const {
  return app_.help();
}

std::vector<const Command*> Command::commands() const {
  std::vector<const Command*> out;
  for (const auto& each : commands_) out.push_back(each.get());
  return out;
}

std::vector<ArgumentText> Command::arguments() const {
  std::vector<ArgumentText> out;
  for (const CLI::Option* option : static_cast<const CLI::App&>(app_).get_options()) {
    const bool positional = option->get_positional();
    out.push_back({option->get_lnames(), option->get_snames(),
                   positional ? option->get_single_name() : option->get_name(false, true),
                   option->get_type_name(), option->get_description(), option->get_default_str(),
                   option->get_items_expected_max(), positional, option->get_required()});
  }
  return out;
}

std::vector<std::string> Command::remaining() const {
  return app_.remaining();
}

namespace {

/// Why a word cannot be read as the whole number that it should be. A negative one can only have
/// failed where 0 is the least.
std::string not_a_number(const std::string& word) {
  const bool negative = word.starts_with("-");
  const std::string digits = word.substr(negative ? 1 : 0);
  if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos)
    return "\"" + word + "\" is not a number";
  return negative ? "must be 0 or greater, not " + word : word + " is too large";
}

/// What the library says of a command line, in our words: place first, with the nearest name.
std::string sentence_of(const CLI::ParseError& error, const CLI::App& app) {
  const CLI::App* sub = app.get_subcommands().empty() ? &app : app.get_subcommands().back();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::vector<std::string> left = app.remaining(true);
    const auto flag = std::find_if(left.begin(), left.end(),
                                   [](const std::string& each) { return each.starts_with("-"); });
    if (flag == left.end())
      return "\"" + (left.empty() ? "" : left.front()) + "\" is more than " + sub->get_name() +
             " takes";
    std::vector<std::string> known;
    for (const CLI::Option* option : sub->get_options())
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    const std::string word = flag->substr(0, flag->find('='));
    const auto near = core::nearest(word, known);
    return word + ": " + sub->get_name() + " has no such flag" +
           (near ? "; did you mean " + *near + "?" : "");
  }
  const std::string said = error.what();
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) {
    constexpr std::string_view begin = "Could not convert: ";
    const std::size_t equals = said.find(" = ");
    if (said.starts_with(begin) && equals != said.npos)
      return said.substr(begin.size(), equals - begin.size()) + ": " +
             not_a_number(said.substr(equals + 3));
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr &&
      said.find("required") != said.npos)
    return said.substr(0, said.find(':')) + ": its value is missing";
  return said;
}

}  // namespace

Command::Parsed Command::parse(int argc, const char* const* argv) {
  try {
    app_.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return Parsed::help;
  } catch (const CLI::CallForVersion&) {
    return Parsed::version;
  } catch (const CLI::ParseError& error) {
    std::string hint = app_.get_name() + " --help";
    for (const CLI::App* sub : app_.get_subcommands())
      hint = app_.get_name() + " " + sub->get_name() + " --help";
    throw core::Problem(sentence_of(error, app_) + " (see " + hint + ")");
  }
  return Parsed::called;
}

}  // namespace bellwether::terminal
