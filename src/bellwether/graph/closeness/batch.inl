// SPDX-License-Identifier: MIT
// Included once for each kind of processor, inside a namespace of its own: see closeness_batch.cpp.

/// 256 counters side by side, bit by bit: plane i holds bit i of each.
struct Counters {
  static constexpr int planes = 40;
  Lanes plane[planes]{};
  Lanes waiting[8];
  int count = 0;

  __attribute__((always_inline)) static inline Lanes carry(Lanes& sum, const Lanes& a,
                                                           const Lanes& b) {
    const Lanes either = sum ^ a;
    const Lanes carried = (sum & a) | (either & b);
    sum = either ^ b;
    return carried;
  }

  __attribute__((always_inline)) inline void add(const Lanes& ones) {
    waiting[count] = ones;
    if (++count == 8) flush();
  }
  void flush() {
    if (count == 0) return;
    for (; count < 8; ++count) waiting[count] = Lanes{};
    Lanes ones = plane[0], twos = plane[1], fours = plane[2];
    const Lanes a = carry(ones, waiting[0], waiting[1]);
    const Lanes b = carry(ones, waiting[2], waiting[3]);
    const Lanes c = carry(twos, a, b);
    const Lanes d = carry(ones, waiting[4], waiting[5]);
    const Lanes e = carry(ones, waiting[6], waiting[7]);
    const Lanes f = carry(twos, d, e);
    Lanes eights = carry(fours, c, f);
    plane[0] = ones;
    plane[1] = twos;
    plane[2] = fours;
    for (int i = 3; !is_zero(eights); ++i) {
      const Lanes carried = plane[i] & eights;
      plane[i] ^= eights;
      eights = carried;
    }
    count = 0;
  }
  std::uint64_t value(std::uint32_t lane) const {
    std::uint64_t out = 0;
    for (int i = 0; i < planes; ++i) {
      const auto* words = reinterpret_cast<const std::uint64_t*>(&plane[i]);
      out |= (words[lane / 64] >> lane % 64 & 1) << i;
    }
    return out;
  }
};

template <int width>
struct Wave {
  SourceBatch& batch;
  Lanes* now;
  Lanes* next;
  Lanes all[width];
  // How many nodes each source has come to, summed over all levels: of the active nodes one by
  // one, of those that all sources have come to as a number.
  Counters total[width];
  std::uint64_t total_full = 0;
  std::uint64_t full = 0;
  std::uint64_t levels = 0;

  explicit Wave(SourceBatch& with) : batch(with) {
    const std::size_t n = batch.graph.size();
    batch.now.assign(n * width, {});
    batch.next.assign(n * width, {});
    batch.touched.assign(n, 0);
    for (auto& each : batch.active) each.clear();
    now = reinterpret_cast<Lanes*>(batch.now.data());
    next = reinterpret_cast<Lanes*>(batch.next.data());
  }

  void touch(std::uint32_t v) {
    if (batch.touched[v] != 0) return;
    batch.touched[v] = 1;
    batch.fresh.push_back(v);
  }
  /// Who is touched takes part from the next level on. By then it has a neighbour whom a source has
  /// come to: so its own neighbours are touched then.
  void activate() {
    const std::size_t many = batch.fresh.size();
    for (std::size_t i = 0; i < many; ++i) {
      const std::uint32_t v = batch.fresh[i];
      batch.active[batch.pulls.kind[v]].push_back(batch.pulls.begins[v]);
      for (const std::uint32_t w : batch.graph.neighbours(v)) touch(w);
    }
    batch.fresh.erase(batch.fresh.begin(), batch.fresh.begin() + static_cast<std::ptrdiff_t>(many));
  }

  void start(std::span<const std::uint32_t> sources) {
    std::uint64_t used[4 * width]{};
    batch.fresh.clear();
    for (std::size_t i = 0; i < sources.size(); ++i) {
      used[i / 64] |= std::uint64_t{1} << i % 64;
      const std::size_t at = std::size_t{sources[i]} * width * 4 + i / 64;
      reinterpret_cast<std::uint64_t*>(now)[at] |= std::uint64_t{1} << i % 64;
      touch(sources[i]);
    }
    activate();  // the sources,
    activate();  // and their neighbours
    for (int i = 0; i < width; ++i) {
      all[i] = Lanes{used[4 * i], used[4 * i + 1], used[4 * i + 2], used[4 * i + 3]};
      total[i].add(all[i]);  // each has come to itself
    }
    levels = 1;
  }

  /// All active nodes that pull from so many others; 0: from as many as they have.
  template <int many>
  void pull(std::vector<std::uint32_t>& active) {
    const std::uint32_t* const entries = batch.pulls.entries.data();
    const Lanes* const before = now;
    Lanes* const after = next;
    std::size_t left = 0;
    for (const std::uint32_t entry : active) {
      const std::uint32_t* const from = entries + entry;
      const std::size_t v = *from;
      Lanes sum[width];
      for (int i = 0; i < width; ++i) sum[i] = before[v * width + i];
      const int end =
          many > 0 ? many : static_cast<int>(batch.pulls.begins[v + 1] - batch.pulls.begins[v] - 1);
#pragma GCC unroll 16
      for (int d = 1; d <= end; ++d)
        for (int i = 0; i < width; ++i) sum[i] |= before[std::size_t{from[d]} * width + i];
      Lanes missing = Lanes{};
      for (int i = 0; i < width; ++i) {
        total[i].add(sum[i]);
        after[v * width + i] = sum[i];
        missing |= all[i] & ~sum[i];
      }
      const bool done = is_zero(missing);
      if (done) batch.full.push_back(static_cast<std::uint32_t>(v));
      active[left] = entry;
      left += done ? 0 : 1;
    }
    active.resize(left);
  }

  /// One more hop. False: all have come to all.
  bool advance() {
    pull<2>(batch.active[0]);
    pull<4>(batch.active[1]);
    pull<6>(batch.active[2]);
    pull<8>(batch.active[3]);
    pull<10>(batch.active[4]);
    pull<12>(batch.active[5]);
    pull<14>(batch.active[6]);
    pull<16>(batch.active[7]);
    pull<0>(batch.active[8]);
    // Who is full leaves the race: from now on it reads the same in either memory.
    for (const std::uint32_t v : batch.full)
      for (int i = 0; i < width; ++i) now[std::size_t{v} * width + i] = all[i];
    total_full += full;
    full += batch.full.size();  // they count themselves in this level
    ++levels;
    batch.full.clear();
    std::swap(now, next);
    activate();
    for (const auto& each : batch.active)
      if (!each.empty()) return true;
    return false;
  }

  /// The sum of a source's distances, or what there is of it so far.
  std::uint64_t sum(std::uint32_t lane) {
    total[lane / 256].flush();
    return batch.graph.size() * levels - total_full - total[lane / 256].value(lane % 256);
  }
};

template <int width>
std::vector<std::uint64_t> batch_sums(SourceBatch& batch, std::span<const std::uint32_t> sources,
                                      std::uint64_t bar) {
  Wave<width> wave(batch);
  const auto many = static_cast<std::uint32_t>(sources.size());
  wave.start(sources);
  while (wave.advance()) {
    // After so many levels each sum is at least what it is by now.
    if (bar == ~std::uint64_t{0} || wave.levels > 64) continue;
    bool hope = false;
    for (std::uint32_t i = 0; i < many && !hope; ++i) hope = wave.sum(i) <= bar;
    if (!hope) return std::vector<std::uint64_t>(many, SourceBatch::beaten);
  }
  std::vector<std::uint64_t> out(many);
  for (std::uint32_t i = 0; i < many; ++i) out[i] = wave.sum(i);
  return out;
}

inline std::vector<std::uint64_t> sums_of(SourceBatch& batch,
                                          std::span<const std::uint32_t> sources,
                                          std::uint64_t bar) {
  return sources.size() <= 256 ? batch_sums<1>(batch, sources, bar)
                               : batch_sums<2>(batch, sources, bar);
}
