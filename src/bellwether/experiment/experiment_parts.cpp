// SPDX-License-Identifier: MIT
#include "bellwether/experiment/experiment_parts.hpp"

#include <algorithm>
#include <cmath>

#include "bellwether/core/nearest.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/scenario/kinds.hpp"
#include "bellwether/scenario/toml.hpp"

namespace bellwether::experiment {
namespace {

/// A table of the file, read key by key; unknown keys are refused.
class TableReader {
 public:
  TableReader(const scenario::Table& table, std::string path, std::string where)
      : table_(table), path_(std::move(path)), where_(std::move(where)) {}

  [[noreturn]] void complain(const scenario::Value& value, std::string_view key,
                             const std::string& sentence) const {
    throw core::Problem({path_, value.line}, where_ + std::string(key), sentence);
  }
  const scenario::Value* find(std::string_view key) {
    known_.emplace_back(key);
    for (const scenario::Entry& entry : table_)
      if (entry.key == key) return &entry.value;
    return nullptr;
  }
  /// Reads with one of the kinds of values that scenarios have.
  template <class Kind, class T>
  void read(std::string_view key, const Kind& kind, T& into) {
    const scenario::Value* value = find(key);
    if (!value) return;
    try {
      into = static_cast<T>(kind.read(*value));
    } catch (const core::Problem& refused) {
      complain(*value, key, refused.sentence());
    }
  }
  void read_number(std::string_view key, double& into) {
    const scenario::Value* value = find(key);
    if (!value) return;
    const auto* real = value->as<double>();
    const auto* whole = value->as<std::int64_t>();
    if (!real && !whole) complain(*value, key, "must be a number, not " + shown(*value));
    into = real ? *real : static_cast<double>(*whole);
    if (!std::isfinite(into)) complain(*value, key, "must be a finite number");
  }
  void read_texts(std::string_view key, std::vector<std::string>& into) {
    const scenario::Value* value = find(key);
    if (!value) return;
    const auto* list = value->as<scenario::List>();
    if (!list) complain(*value, key, "must be a list of names, not " + shown(*value));
    for (const scenario::Value& each : *list) {
      const auto* text = each.as<std::string>();
      if (!text)
        complain(*value, key, "must be a list of names, not of values such as " + shown(each));
      into.push_back(*text);
    }
  }
  /// Keys and values; tables within it are dotted keys.
  std::vector<Setting> read_settings(std::string_view key) {
    std::vector<Setting> out;
    const scenario::Value* value = find(key);
    if (!value) return out;
    const auto* table = value->as<scenario::Table>();
    if (!table) complain(*value, key, "must be a table of keys and values, not " + shown(*value));
    for_each_key(*table, "", [&](const std::string& name, const scenario::Value& each) {
      out.push_back({name, text_of(each, name)});
    });
    return out;
  }
  /// `see(key, value)`
  template <class See>
  void for_each_key(const scenario::Table& table, const std::string& before, See&& see) const {
    for (const scenario::Entry& entry : table) {
      if (const auto* inner = entry.value.as<scenario::Table>())
        for_each_key(*inner, before + entry.key + '.', see);
      else
        see(before + entry.key, entry.value);
    }
  }
  std::string text_of(const scenario::Value& value, const std::string& key) const {
    if (const auto* text = value.as<std::string>()) return *text;
    if (value.as<scenario::Date>())
      complain(value, key, "no key takes a date; write text or a number");
    const auto* list = value.as<scenario::List>();
    if (!list) return shown(value);
    std::string out;
    for (const scenario::Value& each : *list) out += (out.empty() ? "" : ", ") + text_of(each, key);
    return '[' + out + ']';
  }
  /// [[key]], each with a reader of its own.
  template <class See>
  void for_each_table(std::string_view key, See&& see) {
    const scenario::Value* value = find(key);
    if (!value) return;
    const auto* list = value->as<scenario::List>();
    const std::string cure =
        "must be a list of tables; write [[" + std::string(key) + "]] above each";
    if (!list) complain(*value, key, cure);
    for (const scenario::Value& each : *list) {
      const auto* table = each.as<scenario::Table>();
      if (!table) complain(*value, key, cure);
      TableReader inner(*table, path_, std::string(key) + ": ");
      see(inner, table->empty() ? each.line : table->front().value.line);
      inner.refuse_others();
    }
  }
  void refuse_others() const {
    for (const scenario::Entry& entry : table_)
      if (std::find(known_.begin(), known_.end(), entry.key) == known_.end())
        complain(entry.value, entry.key, core::unknown_name("key", entry.key, known_));
  }

 private:
  const scenario::Table& table_;
  std::string path_;
  std::string where_;
  std::vector<std::string> known_;
};

void read_matrix(TableReader& file, Experiment& out) {
  const scenario::Value* matrix = file.find("matrix");
  if (!matrix) return;
  const auto* table = matrix->as<scenario::Table>();
  if (!table) file.complain(*matrix, "matrix", "must be a table; write [matrix] above its keys");
  file.for_each_key(*table, "", [&](const std::string& key, const scenario::Value& value) {
    const auto* list = value.as<scenario::List>();
    if (!list || list->empty())
      file.complain(value, "matrix." + key,
                    "must be a list of values, such as " + key + " = [1, 2], not " +
                        (list ? "an empty one" : shown(value)));
    Axis axis{key, {}};
    for (const scenario::Value& each : *list) {
      const std::string text = file.text_of(each, key);
      const auto same = [&](const Variation& choice) { return choice.label == text; };
      if (std::any_of(axis.choices.begin(), axis.choices.end(), same))
        file.complain(value, "matrix." + key, text + " is in the list twice; remove one");
      axis.choices.push_back({text, {{key, text}}});
    }
    out.axes.push_back(std::move(axis));
  });
}

void read_variants(TableReader& file, Experiment& out) {
  Axis axis{"variant", {}};
  file.for_each_table("variant", [&](TableReader& reader, std::size_t) {
    Variation choice;
    reader.read("label", scenario::TextKind{}, choice.label);
    choice.settings = reader.read_settings("set");
    const scenario::Value* label = reader.find("label");
    if (!label)
      throw core::Problem(out.path, {}, "variant: each needs a label; write label = \"NAME\"");
    for (const Variation& other : axis.choices)
      if (other.label == choice.label)
        reader.complain(*label, "label",
                        '"' + choice.label + "\" is there twice; choose another label");
    axis.choices.push_back(std::move(choice));
  });
  if (!axis.choices.empty()) out.axes.insert(out.axes.begin(), std::move(axis));
}

void read_repeat(TableReader& file, Experiment& out) {
  const scenario::Value* value = file.find("repeat");
  if (!value) return;
  const auto* table = value->as<scenario::Table>();
  if (!table) file.complain(*value, "repeat", "must be a table; write [repeat] above its keys");
  TableReader reader(*table, out.path, "repeat.");
  Repeat& repeat = out.repeat;
  reader.read("runs", scenario::WholeKind{20}, repeat.runs);
  reader.read("seed", scenario::WholeKind{62}, repeat.seed);
  reader.read("interval", scenario::ChoiceKind<Interval>{"interval"}, repeat.interval);
  reader.read("confidence", scenario::ShareKind{}, repeat.confidence);
  reader.read("until", scenario::TextKind{}, repeat.until);
  reader.read("within", scenario::ShareKind{}, repeat.within);
  reader.read("at_most", scenario::WholeKind{20}, repeat.at_most);
  reader.refuse_others();
  if (repeat.runs == 0) reader.complain(*value, "runs", "must be 1 or greater, not 0");
  if (!(repeat.confidence > 0 && repeat.confidence < 1))
    reader.complain(*value, "confidence", "must be between 0 and 1, such as 0.95");
  if (!repeat.until.empty() && (repeat.at_most < repeat.runs || repeat.runs < 2))
    reader.complain(*value, "until", "needs runs of 2 or greater, and at_most of at least runs");
}

std::optional<Smaller> read_smaller(TableReader& file, const std::string& path,
                                    const std::string& name) {
  const scenario::Value* value = file.find(name);
  if (!value) return std::nullopt;
  const auto* table = value->as<scenario::Table>();
  if (!table) file.complain(*value, name, "must be a table; write [" + name + "] above its keys");
  TableReader reader(*table, path, name + '.');
  Smaller out;
  reader.read("runs", scenario::WholeKind{20}, out.runs);
  out.settings = reader.read_settings("set");
  if (const scenario::Value* keep = reader.find("keep")) {
    const auto* axes = keep->as<scenario::Table>();
    if (!axes) reader.complain(*keep, "keep", "must be a table of axes with lists of values");
    reader.for_each_key(*axes, "", [&](const std::string& key, const scenario::Value& values) {
      Axis axis{key, {}};
      const auto* list = values.as<scenario::List>();
      if (!list) reader.complain(values, "keep." + key, "must be a list of values");
      for (const scenario::Value& each : *list)
        axis.choices.push_back({reader.text_of(each, key), {}});
      out.keep.push_back(std::move(axis));
    });
  }
  reader.refuse_others();
  if (out.runs == 0) reader.complain(*value, "runs", "must be 1 or greater, not 0");
  return out;
}

void read_figure(TableReader& reader, FigureSpec& figure) {
  reader.read("kind", scenario::ChoiceKind<FigureKind>{"kind of figure"}, figure.kind);
  reader.read("title", scenario::TextKind{}, figure.title);
  reader.read("note", scenario::TextKind{}, figure.note);
  reader.read("x", scenario::TextKind{}, figure.x);
  reader.read("y", scenario::TextKind{}, figure.y);
  reader.read("y2", scenario::TextKind{}, figure.y2);
  reader.read("by", scenario::TextKind{}, figure.by);
  figure.where = reader.read_settings("where");
  reader.read("log_x", scenario::FlagKind{}, figure.log_x);
  reader.read("log_y", scenario::FlagKind{}, figure.log_y);
  reader.read_number("scale", figure.scale);
  reader.read("unit", scenario::TextKind{}, figure.unit);
}

void read_published(TableReader& reader, Published& each) {
  reader.read("what", scenario::TextKind{}, each.what);
  reader.read("metric", scenario::TextKind{}, each.metric);
  each.where = reader.read_settings("where");
  each.over = reader.read_settings("over");
  reader.read("direction", scenario::ChoiceKind<Comparison>{"direction"}, each.direction);
  reader.read_number("at", each.at_s);
  reader.read_number("value", each.value);
  reader.read_number("scale", each.scale);
  reader.read_number("tolerance", each.tolerance);
  reader.read("note", scenario::TextKind{}, each.note);
}

}  // namespace

Experiment read_parts(std::string_view toml, const std::string& path, const ScenarioNamed& base) {
  Experiment out;
  out.path = path;
  out.text = toml;
  out.name = std::filesystem::path(path).stem().string();
  const scenario::Table table = scenario::parse_toml(toml, path);
  TableReader file(table, path, "");
  file.read("name", scenario::TextKind{}, out.name);
  file.read("about", scenario::TextKind{}, out.about);
  file.read("source", scenario::TextKind{}, out.source);
  std::string scenario;
  file.read("scenario", scenario::TextKind{}, scenario);
  out.settings = file.read_settings("set");
  read_matrix(file, out);
  read_variants(file, out);
  file.for_each_table("skip", [&](TableReader& reader, std::size_t) {
    out.skips.push_back(reader.read_settings("where"));
  });
  read_repeat(file, out);
  out.quick = read_smaller(file, path, "quick").value_or(Smaller{});
  out.brief = read_smaller(file, path, "short");
  file.read_texts("series", out.series);
  file.read_texts("metrics", out.metrics);
  file.for_each_table("figure", [&](TableReader& reader, std::size_t) {
    read_figure(reader, out.figures.emplace_back());
  });
  file.for_each_table("published", [&](TableReader& reader, std::size_t line) {
    read_published(reader, out.published.emplace_back());
    out.published.back().line = line;
  });
  file.refuse_others();
  if (scenario.empty())
    throw core::Problem(path, {}, "names no scenario; write scenario = \"../scenarios/NAME.toml\"");
  out.base = base(scenario);
  return out;
}

}  // namespace bellwether::experiment
