// SPDX-License-Identifier: MIT
// What only the type of a protocol can tell: any of its messages, any options, and how its values
// behave. CMakeLists.txt makes one source that has a row for each algorithm.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "bellwether/core/arbitrary.hpp"
#include "bellwether/core/capabilities.hpp"
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

template <class P>
bool contradict(const typename P::Options& options) {
  if constexpr (core::FindsConflicts<P>) return P::conflict(options).has_value();
  return static_cast<void>(options), false;
}

/// What the reader refuses, or what contradicts the options before it, keeps its default.
template <class P>
core::OptionTexts any_options(core::Prng& prng) {
  using Options = typename P::Options;
  core::OptionTexts texts;
  Options options{};
  core::for_each_field<Options>([&](const auto& f) {
    using T = std::remove_cvref_t<decltype(options.*f.member)>;
    if (prng.below(2) == 0) return;
    const std::string text = core::text_of(core::arbitrary<T>(prng));
    Options changed = options;
    if (core::set_option(changed, f.name, text) != core::OptionOutcome::set ||
        contradict<P>(changed))
      return;
    options = changed;
    texts.emplace(f.name, text);
  });
  return texts;
}

/// The nearest value beyond an end of a range; the end itself where the type has none.
template <class T>
T beyond(const T& end, bool above) {
  if constexpr (std::floating_point<T>)
    return std::nextafter(end, above ? 1e300 : -1e300);
  else if (end == (above ? std::numeric_limits<T>::max() : T{}))
    return end;
  else
    return above ? T(end + T{1}) : T(end - T{1});
}

/// Every number and duration has a range; its ends are accepted, and what lies beyond is refused.
struct ExpectRange {
  template <class Options, class T>
  void operator()(const core::Field<Options, T>&) const {
    using Kind = core::FieldKind<T>;
    static_assert(
        std::same_as<Kind, core::FlagField> || (!std::derived_from<Kind, core::NumberField> &&
                                                !std::derived_from<Kind, core::DurationField>),
        "an option that is a number or a duration has a range: core::option");
  }
  template <class Options, class T>
  void operator()(const core::RangedField<Options, T>& f) const {
    for (const bool above : {false, true}) {
      const T end = above ? f.range.most : f.range.least;
      EXPECT_TRUE(accepted(f, end));
      const T outside = beyond(end, above);
      if (outside != end && !(f.range.or_zero && outside == T{})) {
        EXPECT_FALSE(accepted(f, outside));
      }
    }
    EXPECT_EQ(accepted(f, T{}), f.range.contains(T{}));
  }

 private:
  template <class Options, class T>
  static bool accepted(const core::RangedField<Options, T>& f, const T& value) {
    Options options{};
    const std::string text = core::text_of(value);
    const bool set = core::set_option(options, f.name, text) == core::OptionOutcome::set;
    EXPECT_EQ(options.*f.member, set ? value : Options{}.*f.member) << f.name << " = " << text;
    return set;
  }
};

template <class Options>
void expect_defaults() {
  std::set<std::string> names;
  Options all{};
  for (const core::OptionRow& row : core::option_rows<Options>()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name << " is there twice";
    EXPECT_FALSE(row.description.empty()) << row.name << " is not explained";
    EXPECT_FALSE(row.kind.empty());
    Options options{};
    EXPECT_EQ(core::set_option(options, row.name, row.default_text), core::OptionOutcome::set)
        << row.name << " = " << row.default_text;
    EXPECT_EQ(options, Options{}) << row.name << " = " << row.default_text;
    EXPECT_EQ(core::set_option(options, row.name, "no such value"),
              core::OptionOutcome::wrong_kind);
    EXPECT_EQ(options, Options{}) << "a refused value leaves the option as it was";
    core::set_option(all, row.name, row.default_text);
  }
  EXPECT_EQ(all, Options{});
  EXPECT_EQ(core::set_option(all, "no such option", "1"), core::OptionOutcome::unknown_name);
  core::for_each_field<Options>(ExpectRange{});
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
          &any_options<P>,
          &expect_defaults<typename P::Options>,
          alternatives_of(static_cast<Message*>(nullptr)),
          P{} == P{}};
}

}  // namespace bellwether::conformance
