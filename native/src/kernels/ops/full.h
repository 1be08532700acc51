// Causal dense attention in blocks of keys with a running softmax. K is packed transposed, one block at a time, so that
// both products run as C = A . B with broadcast elements of A and whole vectors of B.
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
  static constexpr size_t kKeys = 64;  // keys of a block; K and V blocks of 64 columns fill 32 KB
  static constexpr size_t kMostRows = S::kGemmRows;
  static_assert(kKeys % (S::kGemmVecs * W) == 0);

  // c[R][N vectors] += a[R][depth] . b[depth][N vectors]. With a ragged last vector only `last` of its lanes exist in
  // b.
  template <size_t R, size_t N, bool Ragged>
  static void product(const float* a, size_t lda, size_t depth, const float* b, size_t ldb, float* c, size_t ldc,
                      size_t last) {
    F acc[R][N];
    for (size_t r = 0; r < R; ++r) {
      for (size_t j = 0; j < N; ++j) acc[r][j] = S::load(c + r * ldc + j * W);
    }
    for (size_t i = 0; i < depth; ++i) {
      F x[N];
      for (size_t j = 0; j < N; ++j) {
        x[j] = Ragged && j + 1 == N ? S::load_n(b + i * ldb + j * W, last) : S::load(b + i * ldb + j * W);
      }
      for (size_t r = 0; r < R; ++r) {
        const F y = S::set1(a[r * lda + i]);
        for (size_t j = 0; j < N; ++j) acc[r][j] = S::fma(y, x[j], acc[r][j]);
      }
    }
    for (size_t r = 0; r < R; ++r) {
      for (size_t j = 0; j < N; ++j) S::store(c + r * ldc + j * W, acc[r][j]);
    }
  }

  // The same for any number of columns. c has whole vectors.
  template <size_t R>
  static void product_columns(const float* a, size_t lda, size_t depth, const float* b, size_t ldb, float* c,
                              size_t ldc, size_t columns) {
    size_t j = 0;
    for (; j + S::kGemmVecs * W <= columns; j += S::kGemmVecs * W) {
      product<R, S::kGemmVecs, false>(a, lda, depth, b + j, ldb, c + j, ldc, 0);
    }
    for (; j + W <= columns; j += W) product<R, 1, false>(a, lda, depth, b + j, ldb, c + j, ldc, 0);
    if (j < columns) product<R, 1, true>(a, lda, depth, b + j, ldb, c + j, ldc, columns - j);
  }

  // packed[d][key] of one block; keys that do not exist are zeros.
  static void pack(const float* k, size_t count, size_t head_dim, float* packed) {
    for (size_t key = 0; key < kKeys; ++key) {
      for (size_t d = 0; d < head_dim; ++d) packed[d * kKeys + key] = key < count ? k[key * head_dim + d] : 0;
    }
  }

  struct State {
    float* sums;    // [rows][ld], not yet divided by `total`
    float* best;    // [rows] greatest score so far
    float* total;   // [rows] sum of exp(score - best)
    float* scores;  // [kMostRows][kKeys]
    size_t ld;
  };

  // Takes one block of keys into R rows. `visible` (at least 1) is how many keys the first row sees
  // from the block's first key on; each further row sees one more.
  template <size_t R>
  static void block(const float* q, const float* packed, const float* v, size_t row, size_t visible, size_t count,
                    const FullShape& shape, const State& state) {
    float* scores = state.scores;
    for (size_t i = 0; i < R * kKeys; ++i) scores[i] = 0;
    product_columns<R>(q + row * shape.head_dim, shape.head_dim, shape.head_dim, packed, kKeys, scores, kKeys, kKeys);
    for (size_t r = 0; r < R; ++r) {
      const size_t n = visible + r < kKeys ? visible + r : kKeys;
      weigh(scores + r * kKeys, n, shape.scale, state, row + r);
    }
    // Weights of keys that a row does not see are 0.
    product_columns<R>(scores, kKeys, count, v, shape.head_dim, state.sums + row * state.ld, state.ld, shape.head_dim);
  }

  // Turns the first n scores of a row into weights, the others into zeros, and rescales what the row holds already.
  static void weigh(float* scores, size_t n, float scale, const State& state, size_t row) {
    const F factor = S::set1(scale), none = S::set1(-INFINITY);
    F best = none;
    for (size_t i = 0; i < kKeys; i += W) {
      F s = S::mul(S::load(scores + i), factor);
      if (i + W > n) s = S::first_n(i < n ? n - i : 0, s, none);
      S::store(scores + i, s);
      best = S::max(best, s);
    }
    const float top = S::reduce_max(S::max(S::set1(state.best[row]), best));
    const float fade = std::exp(state.best[row] - top);
    state.best[row] = top;
    const size_t vectors = (n + W - 1) / W * W;
    state.total[row] = state.total[row] * fade + softmax_weights<S>(scores, n, top);
    for (size_t i = vectors; i < kKeys; ++i) scores[i] = 0;
    if (fade != 1) {
      float* sums = state.sums + row * state.ld;
      for (size_t d = 0; d < state.ld; d += W) S::store(sums + d, S::mul(S::load(sums + d), S::set1(fade)));
    }
  }

  template <size_t R>
  static void rest(size_t rows, const float* q, const float* packed, const float* v, size_t row, size_t visible,
                   size_t count, const FullShape& shape, const State& state) {
    if constexpr (R > 0) {
      if (rows == R) return block<R>(q, packed, v, row, visible, count, shape, state);
      rest<R - 1>(rows, q, packed, v, row, visible, count, shape, state);
    }
  }

  static void run(const float* q, const float* k, const float* v, float* out, const FullShape& shape) {
    const size_t head_dim = shape.head_dim, rows = shape.rows, keys = shape.n_past + rows;
    State state;
    state.ld = (head_dim + W - 1) / W * W;
    Scratch scratch(lines(rows * state.ld * sizeof(float)) + 2 * lines(rows * sizeof(float)) +
                    lines(kMostRows * kKeys * sizeof(float)) + lines(kKeys * head_dim * sizeof(float)));
    state.sums = scratch.take<float>(rows * state.ld);
    state.best = scratch.take<float>(rows);
    state.total = scratch.take<float>(rows);
    state.scores = scratch.take<float>(kMostRows * kKeys);
    float* packed = scratch.take<float>(kKeys * head_dim);
    for (size_t i = 0; i < rows * state.ld; ++i) state.sums[i] = 0;
    for (size_t r = 0; r < rows; ++r) {
      state.best[r] = -INFINITY;
      state.total[r] = 0;
    }

    for (size_t key = 0; key < keys; key += kKeys) {
      const size_t count = keys - key < kKeys ? keys - key : kKeys;
      pack(k + key * head_dim, count, head_dim, packed);
      // Rows before the first that sees key `key` have nothing to do with this block.
      size_t row = key > shape.n_past ? key - shape.n_past : 0;
      for (; row < rows; row += kMostRows) {
        const size_t left = rows - row;
        const size_t visible = shape.n_past + row + 1 - key;
        if (left >= kMostRows) {
          block<kMostRows>(q, packed, v + key * head_dim, row, visible, count, shape, state);
        } else {
          rest<kMostRows - 1>(left, q, packed, v + key * head_dim, row, visible, count, shape, state);
        }
      }
    }
    for (size_t r = 0; r < rows; ++r) {
      const float factor = 1 / state.total[r];
      for (size_t d = 0; d < head_dim; ++d) out[r * shape.out_stride + d] = state.sums[r * state.ld + d] * factor;
    }
  }
};

}  // namespace shadownpu::ops
