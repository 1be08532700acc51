// Softmax attention over the kept keys of a row: scores, softmax, weighted sum, in two passes over the kept rows.
#pragma once

#include <cmath>

#include "../kernels.h"
#include "../scratch.h"
#include "exp.h"
#include "rows.h"

namespace shadownpu::ops {

// A sum of exp(nats): mass * exp(at).
struct TailMass {
  float mass, at;
};

// What the keys that were not kept add: their mass, spread evenly over them, so that with c the mass of one of them
// out = (sum over kept of (e_i - c) v_i + c * (sum of all visible v)) / (sum of e_i + mass).
struct RowTail {
  TailMass sum;
  size_t dropped;       // how many keys were not kept
  const float* prefix;  // [head_dim] sum of v over all visible keys
};

template <class S, class Rows>
struct Sparse {
  using Element = typename Rows::Element;
  static constexpr size_t kTile = tile_keys<S>;

  static size_t padded_dim(size_t head_dim) { return (head_dim + Rows::kBlock - 1) / Rows::kBlock * Rows::kBlock; }
  static size_t padded_keys(size_t count) { return (count + kTile - 1) / kTile * kTile; }
  static size_t scratch_bytes(size_t head_dim, size_t most) {
    return 2 * lines(padded_dim(head_dim) * sizeof(float)) + lines(padded_keys(most) * sizeof(float));
  }

  float* query;    // [padded_dim]
  float* sums;     // [padded_dim]
  float* weights;  // [padded_keys(most)]

  Sparse(Scratch& scratch, size_t head_dim, size_t most)
      : query(scratch.take<float>(padded_dim(head_dim))),
        sums(scratch.take<float>(padded_dim(head_dim))),
        weights(scratch.take<float>(padded_keys(most))) {}

  // One query over `count` (at least 1) kept keys.
  void row(const float* q, const Element* k, const Element* v, const int32_t* kept, size_t count, size_t head_dim,
           float scale, const RowTail& tail, float* out) const {
    const auto at = [kept](size_t i) { return static_cast<size_t>(kept[i]); };
    Rows::prepare(q, head_dim, query);
    const float best = score_rows<S, Rows>(query, k, count, at, head_dim, scale, weights, -INFINITY);
    float mass = 0, each = 0;
    if (tail.sum.mass > 0 && tail.dropped > 0) {
      mass = tail.sum.mass * std::exp(tail.sum.at - best);
      each = mass / static_cast<float>(tail.dropped);
      read_row<Rows>(tail.prefix, each, head_dim, sums);
    } else {
      const size_t padded = padded_dim(head_dim);
      for (size_t d = 0; d < padded; ++d) sums[d] = 0;
    }
    const float total = softmax_weights<S>(weights, count, best, each) + mass;
    add_rows<S, Rows>(weights, v, count, at, head_dim, sums);
    write_row<Rows>(sums, total, head_dim, out);
  }
};

template <class S, class Rows>
void sparse_rows(const float* q, const typename Rows::Element* k, const typename Rows::Element* v,
                 const int32_t* indices, const int32_t* counts, const Tail* tail, float* out,
                 const SparseShape& shape) {
  int32_t most = 0;
  for (size_t r = 0; r < shape.rows; ++r) most = counts[r] > most ? counts[r] : most;
  Scratch scratch(Sparse<S, Rows>::scratch_bytes(shape.head_dim, static_cast<size_t>(most)));
  const Sparse<S, Rows> sparse(scratch, shape.head_dim, static_cast<size_t>(most));
  for (size_t r = 0; r < shape.rows; ++r) {
    const size_t count = static_cast<size_t>(counts[r]);
    RowTail of_row = {{0, 0}, 0, nullptr};
    if (tail) of_row = {{1, tail->log_mass[r]}, tail->n_past + r + 1 - count, tail->prefix + r * shape.head_dim};
    sparse.row(q + r * shape.head_dim, k, v, indices + r * shape.index_ld, count, shape.head_dim, shape.scale, of_row,
               out + r * shape.out_stride);
  }
}

}  // namespace shadownpu::ops
