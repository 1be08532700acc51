// One new position of the heads that share a KV head. Memory bound: each tile of K and V is read once for all heads.
#pragma once

#include <cmath>

#include "../kernels.h"
#include "../scratch.h"
#include "exp.h"
#include "rows.h"

namespace shadownpu::ops {

template <class S>
void decode(const float* q, const float* k, const float* v, float* out, const DecodeShape& shape) {
  using Rows = FloatRows<S>;
  constexpr size_t kTile = 64;  // keys of K or V that stay in the first-level cache for all heads
  const size_t head_dim = shape.head_dim, group = shape.group;
  const size_t padded = (head_dim + Rows::kBlock - 1) / Rows::kBlock * Rows::kBlock;
  const size_t weights_ld = (shape.keys + kTile - 1) / kTile * kTile;
  Scratch scratch(2 * lines(group * padded * sizeof(float)) + lines(group * weights_ld * sizeof(float)) +
                  2 * lines(group * sizeof(float)));
  float* queries = scratch.take<float>(group * padded);
  float* sums = scratch.take<float>(group * padded);
  float* weights = scratch.take<float>(group * weights_ld);
  float* best = scratch.take<float>(group);
  float* total = scratch.take<float>(group);

  for (size_t h = 0; h < group; ++h) {
    Rows::prepare(q + h * head_dim, head_dim, queries + h * padded);
    best[h] = -INFINITY;
  }
  for (size_t i = 0; i < group * padded; ++i) sums[i] = 0;
  const auto straight = [](size_t i) { return i; };
  for (size_t key = 0; key < shape.keys; key += kTile) {
    const size_t count = shape.keys - key < kTile ? shape.keys - key : kTile;
    for (size_t h = 0; h < group; ++h) {
      best[h] = score_rows<S, Rows>(queries + h * padded, k + key * head_dim, count, straight, head_dim, shape.scale,
                                    weights + h * weights_ld + key, best[h]);
    }
  }
  for (size_t h = 0; h < group; ++h) total[h] = softmax_weights<S>(weights + h * weights_ld, shape.keys, best[h]);
  for (size_t key = 0; key < shape.keys; key += kTile) {
    const size_t count = shape.keys - key < kTile ? shape.keys - key : kTile;
    for (size_t h = 0; h < group; ++h) {
      add_rows<S, Rows>(weights + h * weights_ld + key, v + key * head_dim, count, straight, head_dim,
                        sums + h * padded);
    }
  }
  for (size_t h = 0; h < group; ++h) write_row<Rows>(sums + h * padded, total[h], head_dim, out + h * head_dim);
}

}  // namespace shadownpu::ops
