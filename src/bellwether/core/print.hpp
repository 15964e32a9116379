// SPDX-License-Identifier: MIT
// Values as text for people (`token(id=5)`) and as JSON for programs (`{"token":{"id":5}}`).
#pragma once

#include "bellwether/core/field_kinds.hpp"
#include "bellwether/core/time.hpp"

namespace bellwether::core {

/// Appends `text` as a JSON string, quotes included.
void append_json_string(std::string& out, std::string_view text);
/// What the message is called whose text is known: "token" of "token(id=5)".
std::string_view printed_name(std::string_view text);
/// The shortest text that reads back as the same number.
void append_number(std::string& out, double value);

template <class T>
void print(std::string& out, const T& value);
/// Without a name in front.
template <class T>
void print_fields(std::string& out, const T& value);
template <class T>
void write_json(std::string& out, const T& value);

namespace detail {

/// `each(element)` for every element, with commas between.
template <class Range, class Each>
void join(std::string& out, const Range& range, Each&& each) {
  bool first = true;
  for (const auto& element : range) {
    if (!first) out += ',';
    first = false;
    each(element);
  }
}

/// Numbers are the same in both.
struct NumberPrinter {
  static void put(FlagField, std::string& out, bool value);
  static void put(UnsignedField, std::string& out, std::uint64_t value);
  static void put(SignedField, std::string& out, std::int64_t value);
  static void put(RealField, std::string& out, double value) { append_number(out, value); }
  template <class T>
  static void put(LabelField, std::string& out, T value) {
    using Number = std::underlying_type_t<T>;
    put(FieldKind<Number>{}, out, static_cast<Number>(value));
  }
};

/// A field of each kind for people.
struct TextPrinter : NumberPrinter {
  using NumberPrinter::put;

  template <class T>
  static void put(OpaqueField, std::string& out, const T& value) {
    value.print_into(out);
  }
  template <class T>
  static void put(SharedField, std::string& out, const T& value) {
    print(out, *value);
  }
  template <class T>
  static void put(NamedField, std::string& out, T value) {
    out += name_of(value);
  }
  static void put(DurationField, std::string& out, Duration value) { out += to_text(value); }
  static void put(TextField, std::string& out, std::string_view value) { out += value; }
  template <class T>
  static void put(OptionalField, std::string& out, const T& value) {
    value ? print(out, *value) : void(out += "none");
  }
  template <class T>
  static void put(PairField, std::string& out, const T& value) {
    print(out, value.first);
    out += ':';
    print(out, value.second);
  }
  template <class T>
  static void put(ListField, std::string& out, const T& value) {
    out += '[';
    join(out, value, [&](const auto& each) { print(out, each); });
    out += ']';
  }
  template <class T>
  static void put(SortedField, std::string& out, const T& value) {
    out += '{';
    join(out, value, [&](const auto& each) { print(out, each); });
    out += '}';
  }
  template <class T>
  static void put(VariantField, std::string& out, const T& value) {
    std::visit([&](const auto& chosen) { print(out, chosen); }, value);
  }
  template <class T>
  static void put(WordedField, std::string& out, const T& value) {
    out += value.text();
  }
  template <class T>
  static void put(StructField, std::string& out, const T& value) {
    if constexpr (requires { T::name; }) out += T::name;
    print_fields(out, value);
  }
};

/// A field of each kind for programs.
struct JsonPrinter : NumberPrinter {
  using NumberPrinter::put;

  template <class T>
  static void put(OpaqueField, std::string& out, const T& value) {
    value.json_into(out);
  }
  template <class T>
  static void put(SharedField, std::string& out, const T& value) {
    write_json(out, *value);
  }
  template <class T>
  static void put(NamedField, std::string& out, T value) {
    append_json_string(out, name_of(value));
  }
  template <class T>
  static void put(DurationField, std::string& out, T value) {
    put(SignedField{}, out, value.count());
  }
  static void put(TextField, std::string& out, std::string_view value) {
    append_json_string(out, value);
  }
  template <class T>
  static void put(OptionalField, std::string& out, const T& value) {
    value ? write_json(out, *value) : void(out += "null");
  }
  template <class T>
  static void put(PairField, std::string& out, const T& value) {
    out += '[';
    write_json(out, value.first);
    out += ',';
    write_json(out, value.second);
    out += ']';
  }
  template <class T>
  static void put(ListField, std::string& out, const T& value) {
    out += '[';
    join(out, value, [&](const auto& each) { write_json(out, each); });
    out += ']';
  }
  template <class T>
  static void put(SortedField, std::string& out, const T& value) {
    put(ListField{}, out, value);
  }
  template <class T>
  static void put(VariantField, std::string& out, const T& value) {
    std::visit(
        [&](const auto& chosen) {
          out += '{';
          append_json_string(out, std::remove_cvref_t<decltype(chosen)>::name);
          out += ':';
          write_json(out, chosen);
          out += '}';
        },
        value);
  }
  template <class T>
  static void put(WordedField, std::string& out, const T& value) {
    append_json_string(out, value.text());
  }
  template <class T>
  static void put(StructField, std::string& out, const T& value) {
    out += '{';
    bool first = true;
    for_each_field_of(value, [&](const auto& f) {
      if (!first) out += ',';
      first = false;
      append_json_string(out, f.name);
      out += ':';
      write_json(out, value.*f.member);
    });
    out += '}';
  }
};

}  // namespace detail

template <class T>
void print(std::string& out, const T& value) {
  detail::TextPrinter::put(FieldKind<T>{}, out, value);
}

template <class T>
void print_fields(std::string& out, const T& value) {
  out += '(';
  bool first = true;
  for_each_field_of(value, [&](const auto& f) {
    out += first ? "" : " ";
    first = false;
    out += f.name;
    out += '=';
    print(out, value.*f.member);
  });
  out += ')';
}

template <class T>
void write_json(std::string& out, const T& value) {
  detail::JsonPrinter::put(FieldKind<T>{}, out, value);
}

/// What a message is called; one that carries another goes by the name of that one.
template <class T>
void print_name(std::string& out, const T& value) {
  if constexpr (std::same_as<FieldKind<T>, VariantField>)
    std::visit([&](const auto& chosen) { print_name(out, chosen); }, value);
  else if constexpr (requires { value.body.name_into(out); })
    value.body.name_into(out);
  else if constexpr (std::same_as<FieldKind<T>, TextField>)
    out += printed_name(value);
  else if constexpr (requires { T::name; })
    out += T::name;
  else
    out += "message";
}

template <class T>
std::string text_of(const T& value) {
  std::string out;
  print(out, value);
  return out;
}

template <class T>
std::string json_of(const T& value) {
  std::string out;
  write_json(out, value);
  return out;
}

}  // namespace bellwether::core
