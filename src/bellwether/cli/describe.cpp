// SPDX-License-Identifier: MIT
// bellwether describe: all that is known about one algorithm.
#include <fmt/format.h>

#include "bellwether/cli/commands.hpp"
#include "bellwether/cli/text.hpp"
#include "bellwether/observe/metrics/agreement.hpp"

namespace bellwether::cli {
namespace {

/// What a scenario with radio has to say for this algorithm.
std::string radio_text(const core::Model& m) {
  if (m.shape != core::Shape::any || !m.tolerates_changes) return "";
  if (m.tolerates_loss && m.tolerates_reordering)
    return "over any radio; nodes get link notifications, or detect their neighbours by probes";
  return "over any radio with [neighbours] reliable = true; otherwise only with link notifications "
         "(detect = \"told\") and without losses";
}

std::string describe(const core::Algorithm& entry) {
  std::string out = fmt::format("{}: {}\n\n", entry.name, entry.facts.title);
  const auto line = [&](const char* label, std::string_view text) {
    if (!text.empty()) out += fmt::format("  {:<10} {}\n", label, wrapped(text, 13, 100));
  };
  line("source", entry.facts.source);
  line("idea", entry.facts.idea);
  line("model", model_text(entry.facts.model));
  line("radio", radio_text(entry.facts.model));
  line("messages", entry.facts.messages);
  line("time", entry.facts.time);
  line("guarantee", entry.facts.guarantee);
  line("differs", entry.facts.differs);
  out +=
      "\nOptions (in a scenario under [options]; on the command line --set options.NAME=VALUE)\n";
  for (const auto& option : entry.options)
    out += fmt::format("  {:<15} {}\n", option.name,
                       wrapped(fmt::format("{} ({}; default {})", option.description, option.kind,
                                           option.default_text),
                               18, 100));
  if (entry.options.empty()) out += "  none\n";
  if (entry.rounds) return out;
  out += "\nProperties (--set properties=all, or a list of names)\n";
  for (const auto& property : entry.properties)
    out += fmt::format("  {:<15} {}\n", property.name, wrapped(property.says, 18, 100));
  out += fmt::format("  {:<15} {}\n", "agreement", wrapped(observe::agreement_says, 18, 100));
  return out;
}

}  // namespace

void add_describe(terminal::Command& app, const CommandContext& context, int& status) {
  const auto name = std::make_shared<std::string>();
  terminal::Command* sub =
      app.add_subcommand("describe", "Explain an algorithm: model, bounds, options");
  sub->add_option(
         "algorithm", *name,
         "Explain this algorithm: a name from bellwether list algorithms, or a file (FILE.cpp)")
      ->required();
  sub->footer("");
  sub->callback([name, &context, &status] {
    std::fputs(describe(find_algorithm(context, *name)).c_str(), stdout);
    status = 0;
  });
}

}  // namespace bellwether::cli
