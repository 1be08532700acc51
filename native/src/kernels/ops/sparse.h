// Softmax attention over the kept keys of each row: scores, softmax, weighted sum, in two passes over the kept rows.
#pragma once

#include <cmath>

#include "../kernels.h"
#include "../scratch.h"
#include "exp.h"
#include "rows.h"

namespace shadownpu::ops {

template <class S, class Rows>
void sparse_rows(const float* q, const typename Rows::Element* k, const typename Rows::Element* v,
                 const int32_t* indices, const int32_t* counts, float* out, const SparseShape& shape) {
  const size_t padded = (shape.head_dim + Rows::kBlock - 1) / Rows::kBlock * Rows::kBlock;
  int32_t most = 0;
  for (size_t r = 0; r < shape.rows; ++r) most = counts[r] > most ? counts[r] : most;
  const size_t weights_size = static_cast<size_t>(most) + 2 * tile_keys<S>;
  Scratch scratch(2 * lines(padded * sizeof(float)) + lines(weights_size * sizeof(float)));
  float* query = scratch.take<float>(padded);
  float* sums = scratch.take<float>(padded);
  float* weights = scratch.take<float>(weights_size);

  for (size_t r = 0; r < shape.rows; ++r) {
    const int32_t* kept = indices + r * shape.index_ld;
    const size_t count = static_cast<size_t>(counts[r]);
    const auto at = [kept](size_t i) { return static_cast<size_t>(kept[i]); };
    Rows::prepare(q + r * shape.head_dim, shape.head_dim, query);
    const float best = score_rows<S, Rows>(query, k, count, at, shape.head_dim, shape.scale, weights, -INFINITY);
    const float total = softmax_weights<S>(weights, count, best);
    for (size_t d = 0; d < padded; ++d) sums[d] = 0;
    add_rows<S, Rows>(weights, v, count, at, shape.head_dim, sums);
    write_row<Rows>(sums, total, shape.head_dim, out + r * shape.out_stride);
  }
}

}  // namespace shadownpu::ops
