// SPDX-License-Identifier: MIT
// Bytes on the wire: numbers as base-128 groups, low first, in the fewest bytes; signed ones
// zigzagged; containers behind their size; bytes as they are; messages behind their tag. Every
// value has exactly one encoding: `decode` refuses any other, so encode(decode(bytes)) == bytes. An
// id below 2^21 takes at most three bytes.
#pragma once

#include <limits>
#include <span>
#include <utility>

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
  /// Of a container. Every element takes a byte or more, so a size above what is left is a lie:
  /// refused before anything is kept.
  bool size(std::uint64_t& v) { return number(v) && v <= left(); }
  /// That many bytes as they are.
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

/// What a field of each kind reads: what `Walk` wrote.
struct Read {
  template <class T>
  static bool get(OpaqueField, Reader& in, T& value) {
    return value.read_from(in);
  }
  template <class T>
  static bool get(SharedField, Reader& in, T& value) {
    typename T::Content inside{};
    if (!read(in, inside)) return false;
    value = T(std::move(inside));
    return true;
  }
  template <class T>
  static bool get(NamedField, Reader& in, T& value) {
    std::uint64_t v = 0;
    if (!in.number(v) || v >= names_of(T{}).size()) return false;
    value = static_cast<T>(v);
    return true;
  }
  template <class T>
  static bool get(LabelField, Reader& in, T& value) {
    std::underlying_type_t<T> v{};
    if (!read(in, v)) return false;
    value = static_cast<T>(v);
    return true;
  }
  template <class T>
  static bool get(NumberField, Reader& in, T& value) {  // whole and not negative, a flag, too
    std::uint64_t v = 0;
    if (!in.number(v)) return false;
    value = static_cast<T>(v);
    return static_cast<std::uint64_t>(value) == v;
  }
  template <class T>
  static bool get(SignedField, Reader& in, T& value) {
    std::uint64_t v = 0;
    if (!in.number(v)) return false;
    const std::int64_t s = unzigzag(v);
    value = static_cast<T>(s);
    return value == s;
  }
  template <class T>
  static bool get(RealField, Reader& in, T& value) {
    std::uint64_t v = 0;
    if (!in.number(v)) return false;
    value = static_cast<T>(std::bit_cast<double>(v));
    return value == value;  // a NaN equals nothing, so it has no place in a regular message
  }
  template <class T>
  static bool get(DurationField, Reader& in, T& value) {
    typename T::rep v{};
    if (!read(in, v)) return false;
    value = T{v};
    return true;
  }
  // Not inlined: g++ 12 would warn of the destructor of a value that was never made.
  template <class T>
  [[gnu::noinline]] static bool get(OptionalField, Reader& in, T& value) {
    std::uint64_t there = 0;
    if (!in.number(there) || there > 1) return false;
    value.reset();
    return there == 0 || read(in, value.emplace());
  }
  template <class T>
  static bool get(PairField, Reader& in, T& value) {
    return read(in, value.first) && read(in, value.second);
  }
  template <class T>
  static bool get(ArrayField, Reader& in, T& value) {
    for (auto& each : value)
      if (!read(in, each)) return false;
    return true;
  }
  static bool get(BytesField, Reader& in, Bytes& value) {
    std::uint64_t size = 0;
    return in.size(size) && in.bytes(size, value);
  }
  template <class T>
  static bool get(SequenceField, Reader& in, T& value) {
    return get_elements<typename T::value_type>(in, value, [&](auto& each) {
      value.push_back(std::move(each));
      return true;
    });
  }
  static bool get(TextField, Reader& in, std::string& value) {
    return get(SequenceField{}, in, value);
  }
  template <class T>
  static bool get(SetField, Reader& in, T& value) {
    return get_elements<typename T::key_type>(in, value, [&](auto& each) {
      if (!value.empty() && !(*value.rbegin() < each)) return false;
      value.emplace_hint(value.end(), std::move(each));
      return true;
    });
  }
  template <class T>
  static bool get(MapField, Reader& in, T& value) {
    using Entry = std::pair<typename T::key_type, typename T::mapped_type>;
    return get_elements<Entry>(in, value, [&](Entry& each) {
      if (!value.empty() && !(value.rbegin()->first < each.first)) return false;
      value.emplace_hint(value.end(), std::move(each));
      return true;
    });
  }
  template <class T>
  static bool get(VariantField, Reader& in, T& value) {
    std::uint64_t tag = 0;
    return in.number(tag) && get_alternative<T, 0>(in, tag, value);
  }
  template <class T>
  static bool get(StructField, Reader& in, T& value) {
    bool ok = true;
    for_each_field_of(value, [&](const auto& f) { ok = ok && read(in, value.*f.member); });
    return ok;
  }

 private:
  /// `keep(each)` for each element, until it refuses one.
  template <class Element, class T, class Keep>
  static bool get_elements(Reader& in, T& value, Keep&& keep) {
    std::uint64_t size = 0;
    if (!in.size(size)) return false;
    value.clear();
    for (std::uint64_t i = 0; i < size; ++i) {
      Element each{};
      if (!read(in, each) || !keep(each)) return false;
    }
    return true;
  }
  template <class Variant, std::size_t i>
  static bool get_alternative(Reader& in, std::uint64_t tag, Variant& value) {
    if constexpr (i == std::variant_size_v<Variant>) {
      return false;
    } else {
      using Alternative = std::variant_alternative_t<i, Variant>;
      if (tag != Alternative::tag) return get_alternative<Variant, i + 1>(in, tag, value);
      return read(in, value.template emplace<i>());
    }
  }
};

}  // namespace detail

template <class T>
bool read(Reader& in, T& value) {
  return detail::Read::get(FieldKind<T>{}, in, value);
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
