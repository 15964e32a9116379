// SPDX-License-Identifier: MIT
// A message without its type. Drivers, layers and the search carry messages, count and print them;
// only the protocol that they belong to reads them.
#pragma once

#include <atomic>
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

#include "bellwether/core/codec.hpp"
#include "bellwether/core/digest.hpp"
#include "bellwether/core/invariant.hpp"
#include "bellwether/core/members.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::core {

/// Text for people, JSON for programs, or just what a message is called.
enum class Form : unsigned char { text, json, name };

template <class T>
void print_as(Form form, std::string& out, const T& value) {
  if (form == Form::text) print(out, value);
  if (form == Form::json) write_json(out, value);
  if (form == Form::name) print_name(out, value);
}

inline constexpr std::size_t most_small_bytes = 32;

/// A small message is copied as bytes.
template <class Message>
inline constexpr bool is_small = std::is_trivially_copyable_v<Message> &&
                                 sizeof(Message) <= most_small_bytes;

/// What can be done with the messages of one type.
struct MessageKind {
  std::size_t bytes;  // in memory
  bool small;
  void (*copy)(void* to, const void* from);  // `to` is raw memory
  void (*move)(void* to, void* from);        // likewise
  void (*destroy)(void* message);
  bool (*equal)(const void* a, const void* b);
  void (*count)(const void* message, CountSink& sink);
  void (*digest)(const void* message, DigestSink& sink);
  void (*encode)(const void* message, ByteSink& sink);
  void (*print)(const void* message, Form form, std::string& out);
  void (*name_members)(const void* message, NewMembers& found);
};

namespace detail {

/// Alternative by alternative: a copy of the whole would wait for the narrower stores that made it.
template <class M>
void copy_message(void* to, const void* from) {
  const M& message = *static_cast<const M*>(from);
  if constexpr (std::same_as<FieldKind<M>, VariantField> && is_small<M>) {
    M* out = static_cast<M*>(to);
    std::visit(
        [&](const auto& m) {
          new (out) M(std::in_place_type<std::remove_cvref_t<decltype(m)>>, m);
        },
        message);
  } else {
    new (to) M(message);
  }
}

}  // namespace detail

template <class M>
inline constexpr MessageKind message_kind{
    .bytes = sizeof(M),
    .small = is_small<M>,
    .copy = &detail::copy_message<M>,
    .move = [](void* to, void* from) { new (to) M(std::move(*static_cast<M*>(from))); },
    .destroy = [](void* message) { static_cast<M*>(message)->~M(); },
    .equal = [](const void* a,
                const void* b) { return *static_cast<const M*>(a) == *static_cast<const M*>(b); },
    .count = [](const void* m, CountSink& sink) { walk(sink, *static_cast<const M*>(m)); },
    .digest = [](const void* m, DigestSink& sink) { walk(sink, *static_cast<const M*>(m)); },
    .encode = [](const void* m, ByteSink& sink) { walk(sink, *static_cast<const M*>(m)); },
    .print = [](const void* m, Form form,
                std::string& out) { print_as(form, out, *static_cast<const M*>(m)); },
    .name_members = [](const void* m,
                       NewMembers& found) { found.look(*static_cast<const M*>(m)); }};

inline std::size_t encoded_size_of(const MessageKind& kind, const void* message) {
  CountSink sink;
  kind.count(message, sink);
  return sink.bytes;
}
inline std::uint64_t digest_of(const MessageKind& kind, const void* message) {
  DigestSink sink;
  kind.digest(message, sink);
  return sink.state;
}

/// One message, as a regular value. A small one lies inside; copies of a large one share it.
class AnyMessage {
 public:
  AnyMessage() = default;
  /// Of a value of this kind, which is copied or moved.
  static AnyMessage copy_of(const MessageKind& kind, const void* message) {
    AnyMessage out(kind);
    kind.copy(out.room(), message);
    return out;
  }
  static AnyMessage moved(const MessageKind& kind, void* message) {
    AnyMessage out(kind);
    kind.move(out.room(), message);
    return out;
  }
  template <class M>
  static AnyMessage of(M message) {
    return moved(message_kind<M>, &message);
  }

  AnyMessage(const AnyMessage& other) : kind_(other.kind_), place_(other.place_) {
    if (is_boxed()) place_.box->holders.fetch_add(1, std::memory_order_relaxed);
  }
  AnyMessage(AnyMessage&& other) noexcept
      : kind_(std::exchange(other.kind_, nullptr)), place_(other.place_) {}
  AnyMessage& operator=(AnyMessage other) noexcept {
    std::swap(kind_, other.kind_);
    std::swap(place_, other.place_);
    return *this;
  }
  ~AnyMessage() {
    if (is_boxed()) release();
  }

  explicit operator bool() const { return kind_ != nullptr; }
  const MessageKind& kind() const { return *kind_; }
  const void* value() const {
    return is_boxed() ? static_cast<const void*>(place_.box + 1) : &place_;
  }
  template <class M>
  const M& as() const {
    invariant(kind_ == &message_kind<M>, "a message of another type");
    return *static_cast<const M*>(value());
  }

  std::size_t encoded_size() const { return encoded_size_of(*kind_, value()); }
  std::uint64_t digest() const { return digest_of(*kind_, value()); }

  // For the walkers over fields.
  void walk_into(CountSink& sink) const { kind_->count(value(), sink); }
  void walk_into(DigestSink& sink) const { kind_->digest(value(), sink); }
  void walk_into(ByteSink& sink) const { kind_->encode(value(), sink); }
  void print_into(std::string& out) const { kind_->print(value(), Form::text, out); }
  void json_into(std::string& out) const { kind_->print(value(), Form::json, out); }
  void name_into(std::string& out) const { kind_->print(value(), Form::name, out); }
  void name_members(NewMembers& found) const { kind_->name_members(value(), found); }
  /// One of those whose messages the reader carries.
  bool read_from(Reader& in);

  friend bool operator==(const AnyMessage& a, const AnyMessage& b) {
    if (a.kind_ != b.kind_) return false;
    return a.kind_ == nullptr || a.value() == b.value() || a.kind_->equal(a.value(), b.value());
  }

 private:
  struct alignas(16) Box {  // in front of the value
    std::atomic<std::uint32_t> holders{1};
  };
  union Storage {
    alignas(8) std::byte small[most_small_bytes];
    Box* box;
  };

  explicit AnyMessage(const MessageKind& kind) : kind_(&kind) {}
  bool is_boxed() const { return kind_ != nullptr && !kind_->small; }
  void* room() {
    if (kind_->small) return &place_;
    place_.box = new (::operator new(sizeof(Box) + kind_->bytes)) Box;
    return place_.box + 1;
  }
  void release() {
    Box* box = place_.box;
    // A sole holder stays the sole one: no atomic subtraction, which costs more.
    if (box->holders.load(std::memory_order_acquire) != 1 &&
        box->holders.fetch_sub(1, std::memory_order_acq_rel) != 1)
      return;
    kind_->destroy(box + 1);
    box->~Box();
    ::operator delete(box);
  }

  const MessageKind* kind_ = nullptr;
  Storage place_;
};

}  // namespace bellwether::core
