// SPDX-License-Identifier: MIT
#include "bellwether/check/contents.hpp"

#include <algorithm>

namespace bellwether::check {

Contents::Contents(ChannelOrder order) : order_(order) {
  of({});
}

Number Contents::of(std::vector<MessageId> row) {
  const std::lock_guard guard(mutex_);
  const auto [at, fresh] = numbers_.emplace(row, rows_.size());
  if (fresh) rows_.add(std::move(row));
  return at->second;
}

Number Contents::of_bag(std::vector<MessageId> row) {
  if (order_ == ChannelOrder::unordered) std::sort(row.begin(), row.end());
  return of(std::move(row));
}

Number Contents::with(Number content, MessageId message) {
  std::vector<MessageId> row = rows_[content];
  row.insert(
      order_ == ChannelOrder::fifo ? row.end() : std::lower_bound(row.begin(), row.end(), message),
      message);
  return of(std::move(row));
}

Number Contents::without(Number content, std::size_t place) {
  std::vector<MessageId> row = rows_[content];
  row.erase(row.begin() + static_cast<std::ptrdiff_t>(place));
  return of(std::move(row));
}

std::uint64_t Contents::bytes() const {
  return std::uint64_t{rows_.size()} * 160;
}

}  // namespace bellwether::check
