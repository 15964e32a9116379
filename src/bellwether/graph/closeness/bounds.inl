// SPDX-License-Identifier: MIT
// Included once for each kind of processor, inside a namespace of its own: see
// closeness_bounds.cpp.

template <class Number>
using Vector __attribute__((vector_size(32), may_alias)) = Number;

/// So many groups of cells side by side.
template <class Number, int groups>
__attribute__((always_inline)) inline void largest(const Vector<Number>* sums, const Number* reach,
                                                   std::size_t landmarks, Vector<Number>* best) {
  for (int g = 0; g < groups; ++g) best[g] = Vector<Number>{};
  for (std::size_t i = 0; i < landmarks; ++i) {
    const Vector<Number> low = Vector<Number>{} + reach[2 * i];
    const Vector<Number> high = Vector<Number>{} + reach[2 * i + 1];
    for (int g = 0; g < groups; ++g) {
      const Vector<Number> sum = sums[static_cast<std::size_t>(g) * landmarks + i];
      const Vector<Number> below = low - sum;
      const Vector<Number> above = sum - high;
      const Vector<Number> either = below > above ? below : above;
      best[g] = either > best[g] ? either : best[g];
    }
  }
}

template <class Number>
__attribute__((always_inline)) inline std::uint64_t total(const Vector<Number>& lanes) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < 32 / sizeof(Number); ++i) sum += static_cast<std::uint64_t>(lanes[i]);
  return sum;
}

template <class Number, class Distance>
std::uint64_t bound(const Bounds<Distance>& bounds) {
  constexpr int side_by_side = 4;
  const auto* sums = reinterpret_cast<const Vector<Number>*>(bounds.sums.data());
  const auto* reach = reinterpret_cast<const Number*>(bounds.reach.data());
  const std::size_t landmarks = bounds.landmarks.size();
  const std::size_t groups = bounds.sums.size() / landmarks;
  const std::size_t most = groups - 1;  // the last one may have empty lanes
  std::uint64_t sum = 0;
  std::size_t g = 0;
  Vector<Number> best[side_by_side];
  for (; g + side_by_side <= most; g += side_by_side) {
    largest<Number, side_by_side>(sums + g * landmarks, reach, landmarks, best);
    sum += add_up(best);
  }
  for (; g < most; ++g) {
    largest<Number, 1>(sums + g * landmarks, reach, landmarks, best);
    sum += total<Number>(best[0]);
  }
  largest<Number, 1>(sums + g * landmarks, reach, landmarks, best);
  return sum + total<Number>(best[0] & *reinterpret_cast<const Vector<Number>*>(&bounds.last));
}
