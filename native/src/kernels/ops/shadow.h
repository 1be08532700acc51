// The whole of shadow attention on one core for the query heads of a KV head: scores, selection, tail and sparse
// attention, a few query rows at a time, so that the scores stay in the second-level cache.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "../kernels.h"
#include "../scratch.h"
#include "scores.h"
#include "select.h"
#include "sparse.h"

namespace shadownpu::ops {

constexpr size_t kShadowRows = 8;

class Stopwatch {
 public:
  // Adds the time since the last call (or the start) to `seconds`.
  void lap(double& seconds) {
    const auto now = std::chrono::steady_clock::now();
    seconds += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// Gives each of `heads` sets of bits, `stride` words apart, the union of all.
inline void share_sets(uint64_t* sets, size_t heads, size_t stride, size_t words) {
  for (size_t w = 0; w < words; ++w) {
    uint64_t all = 0;
    for (size_t h = 0; h < heads; ++h) all |= sets[h * stride + w];
    for (size_t h = 0; h < heads; ++h) sets[h * stride + w] = all;
  }
}

template <class S, class Rows>
void shadow(const ShadowInput& in, float* out, ShadowStats& stats, const ShadowShape& shape) {
  using Pick = Select<S>;
  const auto* k = static_cast<const typename Rows::Element*>(in.k);
  const auto* v = static_cast<const typename Rows::Element*>(in.v);
  const size_t head_dim = shape.head_dim, heads = shape.heads, words = words_of(head_dim), codes_ld = words * kWord;
  const size_t most = Pick::padded(shape.n_past + shape.rows);
  const size_t slots = heads * kShadowRows, set_words = most / 64;
  Scratch scratch(lines(slots * codes_ld) + lines(slots * sizeof(int32_t)) + 2 * lines(slots * sizeof(float)) +
                  lines(slots * sizeof(TailMass)) + lines(slots * most * sizeof(int16_t)) + lines(heads * most) + lines(slots * most / 8) +
                  lines(heads * sizeof(ByteScale)) + lines(heads) + lines((most + 8) * sizeof(int32_t)) +
                  QueryCoder<S>::scratch_bytes(head_dim) + Sparse<S, Rows>::scratch_bytes(head_dim, most));
  int8_t* codes = scratch.take<int8_t>(slots * codes_ld);
  int32_t* bias = scratch.take<int32_t>(slots);
  float* steps = scratch.take<float>(slots);
  float* bases = scratch.take<float>(slots);
  TailMass* tails = scratch.take<TailMass>(slots);
  int16_t* scores = scratch.take<int16_t>(slots * most);
  uint8_t* bytes = scratch.take<uint8_t>(heads * most);
  uint64_t* bits = scratch.take<uint64_t>(slots * set_words);
  ByteScale* scales = scratch.take<ByteScale>(heads);
  uint8_t* tops = scratch.take<uint8_t>(heads);
  int32_t* kept = scratch.take<int32_t>(most + 8);
  const QueryCoder<S> coder(scratch, head_dim);
  const Sparse<S, Rows> sparse(scratch, head_dim, most);

  Stopwatch watch;
  for (size_t first = 0; first < shape.rows; first += kShadowRows) {
    const size_t rows = shape.rows - first < kShadowRows ? shape.rows - first : kShadowRows;
    for (size_t h = 0; h < heads; ++h) {
      for (size_t r = 0; r < rows; ++r) {
        const size_t slot = h * rows + r;
        const float* q = in.q + h * shape.q_head_stride + (first + r) * head_dim;
        coder.row(q, in.channel, in.mean, in.most_norm, shape.scale, codes + slot * codes_ld, bias[slot], steps[slot],
                  bases[slot]);
      }
    }
    Scores<S>::run(codes, bias, in.packed, words, heads * rows, shape.n_past + first + rows, scores, most);
    watch.lap(stats.pilot);
    for (size_t r = 0; r < rows; ++r) {
      const size_t n = shape.n_past + first + r + 1;
      for (size_t h = 0; h < heads; ++h) {
        const size_t slot = h * rows + r;
        uint8_t* own = bytes + h * most;
        uint8_t top;
        scales[h] = Pick::narrow(scores + slot * most, n, steps[slot], bases[slot], own, top);
        const auto wanted = static_cast<size_t>(in.counts[h * shape.rows + first + r]);
        const uint8_t limit =
            std::max(Pick::threshold(own, n, wanted, false), within_reach(top, scales[h].step, shape.reach));
        Pick::mark(own, n, limit, bits + slot * set_words);
        tops[h] = Pick::top_dropped(limit, false);
      }
      if (shape.share) share_sets(bits + r * set_words, heads, rows * set_words, Pick::padded(n) / 64);
      for (size_t h = 0; h < heads; ++h) {
        const size_t slot = h * rows + r;
        tails[slot] = {0, 0};
        if (!shape.tail) continue;
        tails[slot] = Pick::tail_mass(bytes + h * most, n, tops[h], bits + slot * set_words, scales[h]);
      }
    }
    watch.lap(stats.select);
    for (size_t r = 0; r < rows; ++r) {
      const size_t row = first + r, n = shape.n_past + row + 1;
      size_t count = 0;
      for (size_t h = 0; h < heads; ++h) {
        const size_t slot = h * rows + r;
        if (!shape.share || h == 0) count = Pick::expand(bits + slot * set_words, n, kept);
        stats.kept += static_cast<double>(count);
        if (stats.head_kept != nullptr) stats.head_kept[h] += static_cast<double>(count);
        if (stats.hits != nullptr && row % kHitRows == 0) {
          for (size_t i = 0; i < count; ++i) ++stats.hits[h * stats.hits_stride + static_cast<size_t>(kept[i])];
        }
        sparse.row(in.q + h * shape.q_head_stride + row * head_dim, k, v, kept, count, head_dim, shape.scale,
                   {tails[slot], n - count, in.prefix + row * head_dim}, out + row * shape.out_row_stride + h * head_dim);
      }
    }
    watch.lap(stats.sparse);
  }
}

}  // namespace shadownpu::ops
