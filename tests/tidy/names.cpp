// SPDX-License-Identifier: MIT
#include "names.hpp"

#include <cctype>
#include <string_view>
#include <unordered_map>

namespace bellwether::tidy {
namespace {

using Counts = std::unordered_map<std::string_view, int>;

void count_words(std::string_view text, Counts& counts) {
  const auto is_letter = [&](std::size_t i) {
    return std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_';
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t begin = i;
    while (i < text.size() && is_letter(i)) ++i;
    if (i > begin) ++counts[text.substr(begin, i - begin)];
  }
}

Counts uses_of_words(std::span<const Source> files) {
  Counts out;
  for (const Source& file : files) {
    if (!file.is_cpp()) {
      count_words(file.text, out);
      continue;
    }
    for (const Token& token : file.tokens.code)
      if (token.is_word()) ++out[token.text];
    // A directive is used, whatever it says: the words of a macro stand for code elsewhere.
    for (const Token& token : file.tokens.directives)
      if (token.is_word()) ++out[token.text];
    for (const Declaration& declaration : file.outline.declarations)
      --out[file.tokens.code[declaration.token].text];
    for (const std::size_t token : file.outline.qualifiers) --out[file.tokens.code[token].text];
  }
  return out;
}

/// "void A::f() {}", which says nothing of overriding.
bool is_definition_elsewhere(const Source& file, const Declaration& declaration) {
  return declaration.token > 0 && file.tokens.code[declaration.token - 1].is("::");
}

}  // namespace

std::vector<DeadName> dead_declarations(std::span<const Source> files) {
  const Counts uses = uses_of_words(files);
  std::set<std::string_view> ours;  // not only overridden here
  for (const Source& file : files)
    for (const Declaration& declaration : file.outline.declarations)
      if (!declaration.overrides && !is_definition_elsewhere(file, declaration))
        ours.insert(declaration.name);
  std::vector<DeadName> out;
  for (const Source& file : files) {
    if (!file.is_header()) continue;
    for (const Declaration& declaration : file.outline.declarations) {
      if (declaration.name == "operator" || uses.at(declaration.name) > 0) continue;
      if (!ours.contains(declaration.name)) continue;
      out.push_back({declaration.name, place(file, declaration.line)});
    }
  }
  return out;
}

std::map<std::string, std::set<std::string>> shared_type_names(std::span<const Source> files) {
  std::map<std::string, std::set<std::string>> out;
  for (const Source& file : files) {
    std::string module = module_of(file.path);
    if (module.empty() || file.is_test()) continue;
    if (module == "layers") module = "algorithms";
    for (const Declaration& declaration : file.outline.declarations)
      if (declaration.kind == Declaration::Kind::type && declaration.body)
        out[declaration.name].insert(module);
  }
  std::erase_if(out, [](const auto& entry) { return entry.second.size() < 2; });
  return out;
}

}  // namespace bellwether::tidy
