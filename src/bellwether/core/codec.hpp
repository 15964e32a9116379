// SPDX-License-Identifier: MIT
// Bytes on the wire: numbers as base-128 groups, low first, in the fewest bytes; signed ones
// zigzagged; containers behind their size; bytes as they are; messages behind their tag. Every
// value has exactly one encoding: `decode` refuses any other, so encode(decode(bytes)) == bytes. An
// id below 2^21 takes at most three bytes.
#pragma once

#include <limits>
#include <utility>
#include <span>

#include "bellwether/core/walk.hpp"

namespace bellwether::core {

using Bytes = std::vector<std::uint8_t>;
class Nodes;

struct ByteSink {
  Bytes& out;
  void number(std::uint64_t v) {
    while (v >= 0x80) {
      out.push_back(static_cast<std::uint8_t>(v | 0x80));
      v >>= 7;
    }
    out.push_back(static_cast<std::uint8_t>(v));
  }
  void byte(std::uint8_t b) { out.push_back(b); }
};

struct CountSink {
  std::size_t bytes = 0;
  constexpr void number(std::uint64_t v) {
    bytes += (static_cast<std::size_t>(std::bit_width(v | 1)) + 6) / 7;
  }
  constexpr void byte(std::uint8_t) { ++bytes; }
  template <class T>
  void shared(const Shared<T>& value) {
    bytes += value.size_or([&] {
      CountSink inside;
      walk(inside, *value);
      return inside.bytes;
    });
  }
};

template <class T>
Bytes encode(const T& value) {
  Bytes out;
  ByteSink sink{out};
  walk(sink, value);
  return out;
}

template <class T>
constexpr std::size_t encoded_size(const T& value) {
  CountSink sink;
  walk(sink, value);
  return sink.bytes;
}

/// Reads what ByteSink wrote. After the first thing that is wrong, `ok` stays false.
class Reader {
 public:
  /// `inside`: whose messages and timers the values carry, where they carry those of another.
  explicit Reader(std::span<const std::uint8_t> bytes, const Nodes* inside = nullptr)
      : rest_(bytes), inside_(inside) {}

  const Nodes* inside() const { return inside_; }
  /// Says whose they are from here on; who said so before is returned.
  const Nodes* set_inside(const Nodes* inside) { return std::exchange(inside_, inside); }

  bool number(std::uint64_t& v) {
    v = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) return false;
      const std::uint8_t byte = rest_.front();
      rest_ = rest_.subspan(1);
      if (shift == 63 && byte > 1) return false;  // above 64 bits
      if (byte == 0 && shift != 0) return false;  // not the fewest bytes
      v |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }
  /// So many bytes as they are.
  bool bytes(std::uint64_t count, Bytes& out) {
    if (count > rest_.size()) return false;
    out.assign(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(count));
    rest_ = rest_.subspan(static_cast<std::size_t>(count));
    return true;
  }
  std::size_t left() const { return rest_.size(); }
  std::span<const std::uint8_t> rest() const { return rest_; }

 private:
  std::span<const std::uint8_t> rest_;
  const Nodes* inside_;
};

template <class T>
bool read(Reader& in, T& value);

namespace detail {

template <class T>
bool read_container(Reader& in, T& value) {
  std::uint64_t size = 0;
  // Every element takes a byte or more, so a larger size is a lie: refused before anything is kept.
  if (!in.number(size) || size > in.left()) return false;
  if constexpr (std::same_as<T, Bytes>) return in.bytes(size, value);
  value.clear();
  for (std::uint64_t i = 0; i < size; ++i) {
    if constexpr (is_sequence<T> || std::same_as<T, std::string>) {
      typename T::value_type each{};
      if (!read(in, each)) return false;
      value.push_back(std::move(each));
    } else if constexpr (requires { typename T::mapped_type; }) {
      std::pair<typename T::key_type, typename T::mapped_type> each{};
      if (!read(in, each)) return false;
      if (!value.empty() && !(value.rbegin()->first < each.first)) return false;
      value.emplace_hint(value.end(), std::move(each));
    } else {
      typename T::key_type each{};
      if (!read(in, each)) return false;
      if (!value.empty() && !(*value.rbegin() < each)) return false;
      value.emplace_hint(value.end(), std::move(each));
    }
  }
  return true;
}

template <class Variant, std::size_t i = 0>
bool read_alternative(Reader& in, std::uint64_t tag, Variant& value) {
  if constexpr (i == std::variant_size_v<Variant>) {
    return false;
  } else {
    using Alternative = std::variant_alternative_t<i, Variant>;
    if (tag != Alternative::tag) return read_alternative<Variant, i + 1>(in, tag, value);
    return read(in, value.template emplace<i>());
  }
}

template <class Number>
bool read_number(Reader& in, Number& value) {
  std::uint64_t v = 0;
  if (!in.number(v)) return false;
  if constexpr (std::signed_integral<Number>) {
    const std::int64_t s = unzigzag(v);
    value = static_cast<Number>(s);
    return value == s;
  } else {
    value = static_cast<Number>(v);
    return static_cast<std::uint64_t>(value) == v;
  }
}

}  // namespace detail

template <class T>
bool read(Reader& in, T& value) {
  if constexpr (requires { value.read_from(in); }) {
    return value.read_from(in);
  } else if constexpr (is_shared<T>) {
    typename T::Inside inside{};
    if (!read(in, inside)) return false;
    value = T(std::move(inside));
    return true;
  } else if constexpr (NamedEnum<T>) {
    std::uint64_t v = 0;
    if (!in.number(v) || v >= names_of(T{}).size()) return false;
    value = static_cast<T>(v);
    return true;
  } else if constexpr (std::is_enum_v<T>) {
    std::underlying_type_t<T> v{};
    if (!detail::read_number(in, v)) return false;
    value = static_cast<T>(v);
    return true;
  } else if constexpr (std::integral<T>) {
    return detail::read_number(in, value);
  } else if constexpr (std::floating_point<T>) {
    std::uint64_t v = 0;
    if (!in.number(v)) return false;
    value = static_cast<T>(std::bit_cast<double>(v));
    return value == value;  // a NaN equals nothing, so it has no place in a regular message
  } else if constexpr (is_duration<T>) {
    typename T::rep v{};
    if (!detail::read_number(in, v)) return false;
    value = T{v};
    return true;
  } else if constexpr (is_optional<T>) {
    std::uint64_t there = 0;
    if (!in.number(there) || there > 1) return false;
    value.reset();
    return there == 0 || read(in, value.emplace());
  } else if constexpr (is_pair<T>) {
    return read(in, value.first) && read(in, value.second);
  } else if constexpr (is_array<T>) {
    for (auto& each : value)
      if (!read(in, each)) return false;
    return true;
  } else if constexpr (is_sequence<T> || is_sorted_container<T> || std::same_as<T, std::string>) {
    return detail::read_container(in, value);
  } else if constexpr (is_variant<T>) {
    std::uint64_t tag = 0;
    return in.number(tag) && detail::read_alternative(in, tag, value);
  } else {
    bool ok = true;
    for_each_field_of(value, [&](const auto& f) { ok = ok && read(in, value.*f.member); });
    return ok;
  }
}

/// Nothing on garbage: too short, too long, out of range, or not the canonical encoding.
template <class T>
std::optional<T> decode(std::span<const std::uint8_t> bytes) {
  Reader in(bytes);
  std::optional<T> value(std::in_place);
  if (!read(in, *value) || in.left() != 0) return std::nullopt;
  return value;
}

}  // namespace bellwether::core
