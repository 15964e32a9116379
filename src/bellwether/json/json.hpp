// SPDX-License-Identifier: MIT
// A JSON value, to build what is printed and to look into what was read. Objects keep the order in
// which their keys came. nlohmann-json reads the texts, in json.cpp: its header costs
// every source that includes it some two seconds to compile.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bellwether::json {

class Json {
 public:
  struct KeyValue;

  Json() noexcept;  // null
  Json(std::nullptr_t) noexcept : Json() {}
  template <std::same_as<bool> T>
  Json(T value) : Json(Plain{value}) {}
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) Json(T value) : Json(Plain{std::uint64_t{value}}) {}
  template <std::signed_integral T>
  Json(T value)
      : Json(value < 0 ? Plain{std::int64_t{value}} : Plain{static_cast<std::uint64_t>(value)}) {}
  template <std::floating_point T>
  Json(T value) : Json(Plain{static_cast<double>(value)}) {}
  Json(const char* text);
  Json(std::string_view text);
  Json(std::string text);
  /// {{"key", value}, ...} is an object; any other list is an array.
  Json(std::initializer_list<Json> list);
  template <class T>
  Json(const std::vector<T>& list) : Json(array()) {
    for (const auto& each : list) push_back(Json(each));
  }
  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(const Json& other);
  Json& operator=(Json&& other) noexcept;
  ~Json();

  static Json array(std::initializer_list<Json> list = {}) { return Json(Array(list)); }
  static Json object();
  /// Nothing if that is no JSON, or deeper than 200 lists in lists.
  static std::optional<Json> read(std::string_view text);
  /// The same; throws core::Problem.
  static Json parse(std::string_view text);

  bool is_null() const { return std::holds_alternative<std::nullptr_t>(value_); }
  bool is_boolean() const { return std::holds_alternative<bool>(value_); }
  bool is_string() const { return std::holds_alternative<std::string>(value_); }
  bool is_array() const { return std::holds_alternative<Array>(value_); }
  bool is_object() const { return std::holds_alternative<Object>(value_); }
  bool is_unsigned() const { return std::holds_alternative<std::uint64_t>(value_); }
  bool is_whole() const { return is_unsigned() || std::holds_alternative<std::int64_t>(value_); }
  bool is_number() const { return is_whole() || std::holds_alternative<double>(value_); }

  /// As a T; throws core::Problem if it is of another kind, or does not fit.
  template <class T>
  T get() const;

  /// The value of a key of an object; null if there is none.
  const Json* find(std::string_view key) const;
  bool contains(std::string_view key) const { return find(key) != nullptr; }
  /// Throws core::Problem if there is none.
  const Json& at(std::string_view key) const;
  const Json& at(std::size_t index) const;
  template <class T>
  T value(std::string_view key, T otherwise) const {
    const Json* found = find(key);
    return found == nullptr ? otherwise : found->template get<T>();
  }
  Json value(std::string_view key, Json otherwise) const;
  std::string value(std::string_view key, const char* otherwise) const {
    return value<std::string>(key, otherwise);
  }
  const Json& operator[](std::string_view key) const { return at(key); }
  const Json& operator[](std::size_t index) const { return at(index); }
  /// Makes it, in an object or of null.
  Json& operator[](std::string_view key);
  Json& operator[](std::size_t index) { return const_cast<Json&>(at(index)); }
  void erase(std::string_view key);

  /// Of an array, or of null.
  void push_back(Json element);
  /// How many elements or members.
  std::size_t size() const;
  bool empty() const { return size() == 0; }
  /// The elements of an array; none of null. Throws core::Problem for all else.
  const Json* begin() const { return elements().data(); }
  const Json* end() const { return begin() + elements().size(); }
  /// Those of an object; none of null. Throws core::Problem for all else.
  std::span<const KeyValue> members() const;

  bool operator==(const Json& other) const;

  /// In one line, or with `indent` spaces a level. What is not UTF-8 becomes U+FFFD.
  std::string dump(int indent = -1) const;
  friend std::ostream& operator<<(std::ostream& out, const Json& value);

 private:
  using Array = std::vector<Json>;
  using Object = std::vector<KeyValue>;
  using JsonVariant = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double,
                                   std::string, Array, Object>;

  using Plain = std::variant<bool, std::int64_t, std::uint64_t, double>;

  explicit Json(Plain value);
  explicit Json(Array array);

  std::span<const Json> elements() const;
  bool boolean() const;
  double number() const;
  const std::string& text() const;
  std::int64_t signed_number(std::int64_t least, std::int64_t most) const;
  std::uint64_t unsigned_number(std::uint64_t most) const;
  void write(std::string& out, int indent, int level) const;

  JsonVariant value_;
};

struct Json::KeyValue {
  std::string key;
  Json value;
  bool operator==(const KeyValue&) const = default;
};

template <class T>
T Json::get() const {
  if constexpr (std::same_as<T, Json>)
    return *this;
  else if constexpr (std::same_as<T, bool>)
    return boolean();
  else if constexpr (std::unsigned_integral<T>)
    return static_cast<T>(unsigned_number(std::numeric_limits<T>::max()));
  else if constexpr (std::signed_integral<T>)
    return static_cast<T>(
        signed_number(std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  else if constexpr (std::floating_point<T>)
    return static_cast<T>(number());
  else
    return T(text());
}

}  // namespace bellwether::json
