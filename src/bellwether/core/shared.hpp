// SPDX-License-Identifier: MIT
// A value that many hold and few change: copies share one object until one of them is edited. Made
// for large states that travel in messages. Codec, digest, printer, JSON and the fuzz generator
// see the value inside.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace bellwether::core {

template <class T>
class Shared {
 public:
  using Content = T;

  Shared() = default;  // T{}, and nothing is allocated
  explicit Shared(T value) : value_(new Box(std::move(value))) {}
  Shared(const Shared& other) : value_(other.value_) {
    if (value_) value_->holders.fetch_add(1, std::memory_order_relaxed);
  }
  Shared(Shared&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
  Shared& operator=(Shared other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Shared() {
    if (value_ && (alone() || value_->holders.fetch_sub(1, std::memory_order_acq_rel) == 1))
      delete value_;
  }

  const T& operator*() const { return value_ ? value_->value : nothing(); }
  const T* operator->() const { return &**this; }

  /// To be changed, now: keep no reference for later. What others hold stays as it is: it is copied
  /// first where it is shared.
  T& edit() {
    if (!value_)
      *this = Shared(T{});
    else if (!alone())
      *this = Shared(value_->value);
    else
      value_->forget();
    return value_->value;
  }

  /// What was found out about the value is kept with it until it is edited: its encoded size and
  /// its digest are asked for again and again. `find` is called where it is asked for the first
  /// time.
  template <class Find>
  std::uint64_t size_or(Find&& find) const {
    return value_ ? remember(value_->size, find) : find();
  }
  template <class Find>
  std::uint64_t digest_or(Find&& find) const {
    return value_ ? remember(value_->digest, find) : find();
  }

  /// One and the same object: certainly equal, at no cost. Says nothing where it is false.
  bool same(const Shared& other) const { return value_ == other.value_; }

  friend bool operator==(const Shared& a, const Shared& b) { return a.same(b) || *a == *b; }

 private:
  // Two threads may find out the same thing at the same time: both write the same number.
  struct Box {
    explicit Box(T v) : value(std::move(v)) {}
    void forget() {
      size.store(0, std::memory_order_relaxed);
      digest.store(0, std::memory_order_relaxed);
    }
    T value;
    std::atomic<std::uint32_t> holders{1};
    std::atomic<std::uint32_t> size{0};  // 0: not known, or too large a number to keep
    std::atomic<std::uint64_t> digest{0};
  };
  template <class Number, class Find>
  static std::uint64_t remember(std::atomic<Number>& place, Find&& find) {
    if (const Number known = place.load(std::memory_order_relaxed)) return known;
    const std::uint64_t found = find();
    const auto kept = static_cast<Number>(found);
    if (kept == found) place.store(kept, std::memory_order_relaxed);
    return found;
  }

  /// Whether this is the only holder: then no other can come to hold it.
  bool alone() const { return value_->holders.load(std::memory_order_acquire) == 1; }

  static const T& nothing() {
    static const T none{};
    return none;
  }

  // A machine word, unlike a shared pointer: a million nodes hold several of these each.
  Box* value_ = nullptr;
};

}  // namespace bellwether::core
