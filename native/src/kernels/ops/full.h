// Causal dense attention in blocks of keys with a running softmax. Queries lie across the lanes: both products take
// broadcast elements of K or V as they are in memory times whole vectors of queries or weights, so K needs no packing
// and the softmax of a row never leaves its lane.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "../kernels.h"
#include "../scratch.h"
#include "exp.h"

namespace shadownpu::ops {

template <class S>
struct Full {
  using F = typename S::F;
  static constexpr size_t W = S::kLanes;
  static constexpr size_t kRows = S::kGemmRows;  // keys or columns of a register tile
  static constexpr size_t kVecs = S::kGemmVecs;  // vectors of queries of a register tile: one panel
  static constexpr size_t kPanel = kVecs * W;
  static constexpr size_t kKeys = 12 * kRows;  // keys of a block, in whole tiles; its weights stay near the core

  static constexpr float kLowest = -1e30f;  // far below any score times log2(e) that a float32 softmax can tell apart

  // Up to kPanel queries, transposed. Lanes without a query hold zeros and come to no harm.
  struct Panel {
    float* queries;  // [head_dim][kPanel], times scale * log2(e)
    float* sums;     // [head_dim][kPanel], not yet divided by `total`
    float* best;     // [kPanel] greatest score so far
    float* total;    // [kPanel] sum of 2^(score - best)
  };

  // acc[R][N vectors] += a[r * row + i * step] * b[i][N vectors] over i < depth.
  template <size_t R, size_t N>
  static inline __attribute__((always_inline)) void multiply(F (&acc)[R][N], const float* a, size_t row, size_t step,
                                                             const float* b, size_t depth) {
    for (size_t i = 0; i < depth; ++i) {
      F x[N];
      for (size_t j = 0; j < N; ++j) x[j] = S::load(b + i * kPanel + j * W);
      for (size_t r = 0; r < R; ++r) {
        const F y = S::set1(a[r * row + i * step]);
        for (size_t j = 0; j < N; ++j) acc[r][j] = S::fma(y, x[j], acc[r][j]);
      }
    }
  }

  // Which queries of a panel see key r of a block: those from `first + r` on, but for those from `end + r` on.
  struct Sight {
    ptrdiff_t first, end;
    Sight from(size_t key) const { return {first + static_cast<ptrdiff_t>(key), end + static_cast<ptrdiff_t>(key)}; }
  };

  // scores[R][kPanel] = K . queries for R keys; `best` takes their maximum.
  template <size_t R, size_t N>
  static void score(const float* k, size_t head_dim, const float* queries, Sight sight, float* scores, F* best) {
    F acc[R][N];
    for (size_t r = 0; r < R; ++r) {
      for (size_t j = 0; j < N; ++j) acc[r][j] = S::zero();
    }
    multiply<R, N>(acc, k, head_dim, 1, queries, head_dim);
    if (sight.first + static_cast<ptrdiff_t>(R) > 1 || sight.end < static_cast<ptrdiff_t>(N * W)) {
      const F nothing = S::set1(-INFINITY);
      for (size_t r = 0; r < R; ++r) {
        for (size_t j = 0; j < N; ++j) {
          const ptrdiff_t lane = static_cast<ptrdiff_t>(r) - static_cast<ptrdiff_t>(j * W);
          const ptrdiff_t first = sight.first + lane, end = sight.end + lane;
          if (first > 0) acc[r][j] = S::first_n(static_cast<size_t>(first), nothing, acc[r][j]);
          if (end < static_cast<ptrdiff_t>(W)) {
            acc[r][j] = S::first_n(end > 0 ? static_cast<size_t>(end) : 0, acc[r][j], nothing);
          }
        }
      }
    }
    for (size_t r = 0; r < R; ++r) {
      for (size_t j = 0; j < N; ++j) {
        S::store(scores + r * kPanel + j * W, acc[r][j]);
        best[j] = S::max(best[j], acc[r][j]);
      }
    }
  }

  // sums[R][kPanel] = sums * fade + V^T . weights for R columns of V.
  template <size_t R, size_t N>
  static void gather(const float* v, size_t head_dim, const float* weights, size_t count, const F* fade, float* sums) {
    F acc[R][N];
    for (size_t r = 0; r < R; ++r) {
      for (size_t j = 0; j < N; ++j) acc[r][j] = S::mul(S::load(sums + r * kPanel + j * W), fade[j]);
    }
    multiply<R, N>(acc, v, 1, head_dim, weights, count);
    for (size_t r = 0; r < R; ++r) {
      for (size_t j = 0; j < N; ++j) S::store(sums + r * kPanel + j * W, acc[r][j]);
    }
  }

  template <size_t R, class Go>
  static inline __attribute__((always_inline)) void last_tile(size_t left, size_t at, Go go) {
    if constexpr (R > 0) {
      if (left == R) return go.template operator()<R>(at);
      last_tile<R - 1>(left, at, go);
    }
  }

  // Calls go<size>(first) for each tile of `count`; only the last has fewer than kRows.
  template <class Go>
  static inline __attribute__((always_inline)) void tiles(size_t count, Go go) {
    size_t at = 0;
    for (; at + kRows <= count; at += kRows) go.template operator()<kRows>(at);
    last_tile<kRows - 1>(count - at, at, go);
  }

  // Takes one block of keys into a panel of N vectors.
  template <size_t N>
  static void block(const float* k, const float* v, size_t count, size_t head_dim, Sight sight, float* scores,
                    const Panel& panel) {
    F best[N], fade[N], total[N];
    for (size_t j = 0; j < N; ++j) best[j] = S::load(panel.best + j * W);
    tiles(count, [&]<size_t R>(size_t key) {
      score<R, N>(k + key * head_dim, head_dim, panel.queries, sight.from(key), scores + key * kPanel, best);
    });
    for (size_t j = 0; j < N; ++j) {
      fade[j] = exp2_negative<S>(S::sub(S::load(panel.best + j * W), best[j]));
      total[j] = S::mul(S::load(panel.total + j * W), fade[j]);
      S::store(panel.best + j * W, best[j]);
    }
    for (size_t i = 0; i < count; ++i) {
      for (size_t j = 0; j < N; ++j) {
        const F e = exp2_negative<S>(S::sub(S::load(scores + i * kPanel + j * W), best[j]));
        total[j] = S::add(total[j], e);
        S::store(scores + i * kPanel + j * W, e);
      }
    }
    for (size_t j = 0; j < N; ++j) S::store(panel.total + j * W, total[j]);
    tiles(head_dim, [&]<size_t R>(size_t d) {
      gather<R, N>(v + d, head_dim, scores, count, fade, panel.sums + d * kPanel);
    });
  }

  template <size_t N>
  static void choose(size_t vectors, const float* k, const float* v, size_t count, size_t head_dim, Sight sight,
                     float* scores, const Panel& panel) {
    if constexpr (N > 0) {
      if (vectors == N) return block<N>(k, v, count, head_dim, sight, scores, panel);
      choose<N - 1>(vectors, k, v, count, head_dim, sight, scores, panel);
    }
  }

  static void fill(const float* q, size_t rows, size_t head_dim, float factor, const Panel& panel) {
    for (size_t lane = 0; lane < kPanel; ++lane) {
      for (size_t d = 0; d < head_dim; ++d) {
        panel.queries[d * kPanel + lane] = lane < rows ? q[lane * head_dim + d] * factor : 0;
      }
      // Finite, for a query may see none of its panel's first keys: differences to it must stay numbers.
      panel.best[lane] = kLowest;
      panel.total[lane] = 0;
    }
    for (size_t i = 0; i < head_dim * kPanel; ++i) panel.sums[i] = 0;
  }

  static void write(const Panel& panel, size_t rows, size_t head_dim, float* out, size_t out_stride) {
    for (size_t lane = 0; lane < rows; ++lane) {
      const float share = 1 / panel.total[lane];
      for (size_t d = 0; d < head_dim; ++d) out[lane * out_stride + d] = panel.sums[d * kPanel + lane] * share;
    }
  }

  static void run(const float* q, const float* k, const float* v, float* out, const FullShape& shape) {
    const size_t head_dim = shape.head_dim, keys = shape.n_past + shape.rows;
    const size_t window = shape.window > 0 && shape.window < keys ? shape.window : keys;
    const size_t first = shape.n_past + 1 > window ? shape.n_past + 1 - window : 0;  // key that row 0 sees first
    const size_t padded = (shape.rows + kPanel - 1) / kPanel * kPanel;
    Scratch scratch(2 * lines(padded * head_dim * sizeof(float)) + 2 * lines(padded * sizeof(float)) +
                    lines(kKeys * kPanel * sizeof(float)));
    const Panel all = {scratch.take<float>(padded * head_dim), scratch.take<float>(padded * head_dim),
                       scratch.take<float>(padded), scratch.take<float>(padded)};
    float* scores = scratch.take<float>(kKeys * kPanel);
    const auto each_panel = [&](auto go) {
      for (size_t row = 0; row < shape.rows; row += kPanel) {
        go(row, shape.rows - row < kPanel ? shape.rows - row : kPanel,
           Panel{all.queries + row * head_dim, all.sums + row * head_dim, all.best + row, all.total + row});
      }
    };
    each_panel([&](size_t row, size_t rows, const Panel& panel) {
      fill(q + row * head_dim, rows, head_dim, shape.scale * kLog2E, panel);
    });
    // Keys outside, so that a block comes from far memory once for all panels.
    for (size_t key = first; key < keys; key += kKeys) {
      each_panel([&](size_t row, size_t rows, const Panel& panel) {
        const size_t seen = shape.n_past + row + rows;  // keys up to the panel's last query
        if (seen <= key || key + kKeys + window <= shape.n_past + row + 1) return;
        const ptrdiff_t own = static_cast<ptrdiff_t>(key) - static_cast<ptrdiff_t>(shape.n_past + row);
        choose<kVecs>((rows + W - 1) / W, k + key * head_dim, v + key * head_dim,
                      seen - key < kKeys ? seen - key : kKeys, head_dim,
                      Sight{own, own + static_cast<ptrdiff_t>(window)}, scores, panel);
      });
    }
    each_panel([&](size_t row, size_t rows, const Panel& panel) {
      write(panel, rows, head_dim, out + row * shape.out_stride, shape.out_stride);
    });
  }
};

}  // namespace shadownpu::ops
