// SPDX-License-Identifier: MIT
// The kinds of values that keys take. Each says what it accepts, reads it, and prints it as TOML.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bellwether/core/options.hpp"
#include "bellwether/core/time.hpp"
#include "bellwether/scenario/toml.hpp"

namespace bellwether::scenario {

using core::Duration;
using core::NodeId;

/// `must be KIND, not VALUE`
[[noreturn]] void refuse(const std::string& kind, const Value& value);

/// `unknown WHAT "word"; did you mean ...?`
[[noreturn]] void refuse_name(std::string_view what, std::string_view word,
                              std::span<const std::string_view> known);

struct FlagKind {
  std::string kind() const { return "true or false"; }
  bool read(const Value& value) const;
  std::string print(bool flag) const { return flag ? "true" : "false"; }
};

struct TextKind {
  std::string kind() const { return "text"; }
  std::string read(const Value& value) const;
  std::string print(const std::string& text) const { return toml_quoted(text); }
};

/// From 0 to 2^bits - 1.
struct WholeKind {
  int bits = 63;
  std::string kind() const { return "a whole number from 0 to 2^" + std::to_string(bits) + "-1"; }
  std::uint64_t read(const Value& value) const;
  std::string print(std::uint64_t whole) const { return std::to_string(whole); }
};

/// A share: from 0 to 1.
struct ShareKind {
  std::string kind() const { return "a number from 0 to 1"; }
  double read(const Value& value) const;
  std::string print(double number) const { return core::text_of(number); }
};

/// Finite, and not below 0.
struct AmountKind {
  std::string kind() const { return "0 or greater"; }
  double read(const Value& value) const;
  std::string print(double number) const { return core::text_of(number); }
};

/// In metres, in either direction.
struct CoordinateKind {
  std::string kind() const { return "a number"; }
  double read(const Value& value) const;
  std::string print(double number) const { return core::text_of(number); }
};

struct DurationKind {
  bool positive = false;  // not even 0
  std::string kind() const;
  Duration read(const Value& value) const;
  std::string print(Duration d) const { return toml_quoted(core::to_text(d)); }
};

/// A word out of a list, for what `world` keeps as text.
struct WordKind {
  std::string_view what;
  std::vector<std::string_view> known;
  std::string kind() const;
  std::string read(const Value& value) const;
  std::string print(const std::string& word) const { return toml_quoted(word); }
};

template <core::NamedEnum E>
struct ChoiceKind {
  std::string_view what;
  std::string kind() const { return core::kind_of<E>(); }
  E read(const Value& value) const {
    E out{};
    const auto* text = value.as<std::string>();
    if (!text) refuse(kind(), value);
    if (!core::read_option(*text, out)) refuse_name(what, *text, names_of(E{}));
    return out;
  }
  std::string print(E e) const { return toml_quoted(core::name_of(e)); }
};

/// One of a list, or "own": the algorithm decides.
template <core::NamedEnum E>
struct MaybeChoiceKind {
  std::string_view what;
  std::string kind() const { return "\"own\", or " + core::kind_of<E>(); }
  std::optional<E> read(const Value& value) const {
    const auto* text = value.as<std::string>();
    if (text && *text == "own") return std::nullopt;
    return ChoiceKind<E>{what}.read(value);
  }
  std::string print(const std::optional<E>& e) const {
    return e ? toml_quoted(core::name_of(*e)) : "\"own\"";
  }
};

/// How many; 0 stands for all.
struct CountKind {
  std::string kind() const { return "\"all\", or a whole number from 1 to 2^31-1"; }
  std::uint64_t read(const Value& value) const;
  std::string print(std::uint64_t n) const { return n == 0 ? "\"all\"" : std::to_string(n); }
};

/// Different ones, in the order given.
struct NodeIdsKind {
  std::string kind() const { return "a list of node ids, such as [1, 2]"; }
  std::vector<NodeId> read(const Value& value) const;
  std::string print(const std::vector<NodeId>& nodes) const;
};

/// {"all"} stands for all of them, and no name for none.
struct NamesKind {
  std::string kind() const { return "\"all\", \"none\", or a list of names"; }
  std::vector<std::string> read(const Value& value) const;
  std::string print(const std::vector<std::string>& names) const;
};

NodeId read_node(const Value& value);

}  // namespace bellwether::scenario
