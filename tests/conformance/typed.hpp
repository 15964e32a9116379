// SPDX-License-Identifier: MIT
// What only the type of a protocol can tell: any of its messages, any options, and how its values
// behave. CMakeLists.txt makes one source that has a row for each algorithm.
#pragma once

#include <gtest/gtest.h>

#include <set>

#include "bellwether/core/arbitrary.hpp"
#include "bellwether/core/options.hpp"
#include "conformance/subject.hpp"

namespace bellwether::conformance {

struct TypedRow {
  std::string_view name;
  AnyMessage (*any_message)(core::Prng&);
  core::OptionTexts (*any_options)(core::Prng&);
  void (*expect_defaults)();
  std::vector<Alternative> alternatives;
  bool regular;  // two nodes made of nothing are equal
};

/// In the order of the catalogue.
const std::vector<TypedRow>& typed_rows();
const TypedRow& typed_row(std::string_view name);

/// What the reader refuses keeps its default.
template <class Options>
core::OptionTexts any_options(core::Prng& prng) {
  core::OptionTexts texts;
  Options options{};
  core::for_each_field<Options>([&](const auto& f) {
    using T = std::remove_cvref_t<decltype(options.*f.member)>;
    if (prng.below(2) == 0) return;
    const std::string text = core::text_of(core::arbitrary<T>(prng));
    if (core::set_option(options, f.name, text) == core::OptionOutcome::set)
      texts.emplace(f.name, text);
  });
  return texts;
}

template <class Options>
void expect_defaults() {
  std::set<std::string> names;
  Options all{};
  for (const core::OptionRow& row : core::option_rows<Options>()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name << " is there twice";
    EXPECT_FALSE(row.about.empty()) << row.name << " is not explained";
    EXPECT_FALSE(row.kind.empty());
    Options options{};
    EXPECT_EQ(core::set_option(options, row.name, row.standard), core::OptionOutcome::set)
        << row.name << " = " << row.standard;
    EXPECT_EQ(options, Options{}) << row.name << " = " << row.standard;
    EXPECT_EQ(core::set_option(options, row.name, "no such value"),
              core::OptionOutcome::wrong_kind);
    EXPECT_EQ(options, Options{}) << "a refused value leaves the option as it was";
    core::set_option(all, row.name, row.standard);
  }
  EXPECT_EQ(all, Options{});
  EXPECT_EQ(core::set_option(all, "no such option", "1"), core::OptionOutcome::unknown_name);
}

template <class... M>
std::vector<Alternative> alternatives_of(std::variant<M...>*) {
  static_assert((core::MessageStruct<M> && ...));
  return {{M::tag, M::name}...};
}

template <class P>
TypedRow row_of() {
  using Message = typename P::Message;
  return {P::name,
          [](core::Prng& prng) { return AnyMessage::of(core::arbitrary<Message>(prng)); },
          &any_options<typename P::Options>,
          &expect_defaults<typename P::Options>,
          alternatives_of(static_cast<Message*>(nullptr)),
          P{} == P{}};
}

}  // namespace bellwether::conformance
