// SPDX-License-Identifier: MIT
// One algorithm without its type: what is known about it, and how to make nodes of it. A catalogue
// is a list of these.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bellwether/core/facts.hpp"
#include "bellwether/core/option_rows.hpp"

namespace bellwether::core {

class Nodes;

struct PropertyRow {
  std::string name;
  std::string says;
};

struct Algorithm {
  std::string_view name;
  Facts facts;
  bool has_facts = false;  // else nothing is known of its model, and nothing is refused
  bool rounds = false;
  bool tree = false;        // its nodes show where they are in a tree: core/tree_place.hpp
  bool priorities = false;  // a higher one leads; 0: not eligible
  std::vector<OptionRow> options;
  std::vector<PropertyRow> properties;
  /// Throws Problem on an option that there is not, or of the wrong kind, and on options that
  /// contradict each other.
  std::unique_ptr<Nodes> (*make)(const OptionTexts& options) = nullptr;

  bool has_option(std::string_view option) const;
  /// Links that come and go are what layers show, so only who tolerates these can stand on them.
  bool tolerates_layers() const { return !has_facts || facts.model.tolerates_changes; }
  /// The ordered reliable link is for those that need it: others would only pay for it.
  bool needs_order() const {
    return !has_facts || !facts.model.tolerates_loss || !facts.model.tolerates_reordering;
  }
};

/// Says that an algorithm does not have this option, or not of this kind.
[[noreturn]] void refuse_option(std::string_view algorithm, const std::string& name,
                                const std::string& text, const std::vector<OptionRow>& rows,
                                OptionOutcome outcome);

/// Blames the first of them that was given.
[[noreturn]] void refuse_conflict(const OptionConflict& conflict, const OptionTexts& given);

/// What a node may know of its network in advance is an option of that name: where it was left out
/// or at 0, its driver fills it in.
void fill_in(const Algorithm& algorithm, std::string_view option, std::uint64_t value,
             OptionTexts& options);
bool left_open(const Algorithm& algorithm, std::string_view option, const OptionTexts& options);

}  // namespace bellwether::core
