// Softmax attention over the kept keys of each row: scores, softmax, weighted sum, in two passes over the kept rows.
// A group of query rows goes through K (then V) block by block, so that a key row that several of them kept comes from
// the second-level cache and not from memory.
#pragma once

#include <cmath>

#include "../kernels.h"
#include "../scratch.h"
#include "exp.h"
#include "rows.h"

namespace shadownpu::ops {

constexpr size_t kGroupRows = 32;
constexpr size_t kBlockBytes = 64 * 1024;  // of K or V; an eighth to a half of a core's second-level cache

// Calls visit(row, from, count) with consecutive pieces of each row's kept keys, block of keys by block of keys. Pieces
// are whole tiles but for a row's last. Positions need not ascend to be right, only to be fast.
template <size_t Tile, class Visit>
void visit_kept(const int32_t* indices, size_t index_ld, const int32_t* counts, size_t rows, size_t block,
                Visit visit) {
  size_t done[kGroupRows] = {};
  size_t left = rows;
  for (size_t limit = block; left > 0; limit += block) {
    for (size_t r = 0; r < rows; ++r) {
      const int32_t* kept = indices + r * index_ld;
      const size_t count = static_cast<size_t>(counts[r]);
      if (done[r] == count) continue;
      size_t end = done[r];
      while (end < count && static_cast<size_t>(kept[end]) < limit) ++end;
      if (end == count) {
        --left;
      } else {
        end = done[r] + (end - done[r]) / Tile * Tile;
      }
      if (end > done[r]) visit(r, done[r], end - done[r]);
      done[r] = end;
    }
  }
}

template <class S, class Rows>
void sparse_rows(const float* q, const typename Rows::Element* k, const typename Rows::Element* v,
                 const int32_t* indices, const int32_t* counts, float* out, const SparseShape& shape) {
  constexpr size_t kTile = tile_keys<S>;
  const size_t head_dim = shape.head_dim;
  const size_t padded = (head_dim + Rows::kBlock - 1) / Rows::kBlock * Rows::kBlock;
  const size_t in_block = kBlockBytes / (head_dim * sizeof(*k));
  const size_t block = in_block < 64 ? 64 : in_block;
  int32_t most = 0;
  for (size_t r = 0; r < shape.rows; ++r) most = counts[r] > most ? counts[r] : most;
  const size_t weights_ld = (static_cast<size_t>(most) + kTile - 1) / kTile * kTile;
  Scratch scratch(2 * lines(kGroupRows * padded * sizeof(float)) + lines(kGroupRows * weights_ld * sizeof(float)));
  float* queries = scratch.take<float>(kGroupRows * padded);
  float* sums = scratch.take<float>(kGroupRows * padded);
  float* weights = scratch.take<float>(kGroupRows * weights_ld);
  float best[kGroupRows], total[kGroupRows];

  for (size_t first = 0; first < shape.rows; first += kGroupRows) {
    const size_t rows = shape.rows - first < kGroupRows ? shape.rows - first : kGroupRows;
    const int32_t* kept = indices + first * shape.index_ld;
    for (size_t r = 0; r < rows; ++r) {
      Rows::prepare(q + (first + r) * head_dim, head_dim, queries + r * padded);
      best[r] = -INFINITY;
    }
    for (size_t i = 0; i < rows * padded; ++i) sums[i] = 0;
    visit_kept<kTile>(kept, shape.index_ld, counts + first, rows, block, [&](size_t r, size_t from, size_t count) {
      const int32_t* piece = kept + r * shape.index_ld + from;
      const auto at = [piece](size_t i) { return static_cast<size_t>(piece[i]); };
      best[r] = score_rows<S, Rows>(queries + r * padded, k, count, at, head_dim, shape.scale,
                                    weights + r * weights_ld + from, best[r]);
    });
    for (size_t r = 0; r < rows; ++r) {
      total[r] = softmax_weights<S>(weights + r * weights_ld, static_cast<size_t>(counts[first + r]), best[r]);
    }
    visit_kept<kTile>(kept, shape.index_ld, counts + first, rows, block, [&](size_t r, size_t from, size_t count) {
      const int32_t* piece = kept + r * shape.index_ld + from;
      const auto at = [piece](size_t i) { return static_cast<size_t>(piece[i]); };
      add_rows<S, Rows>(weights + r * weights_ld + from, v, count, at, head_dim, sums + r * padded);
    });
    for (size_t r = 0; r < rows; ++r) {
      write_row<Rows>(sums + r * padded, total[r], head_dim, out + (first + r) * shape.out_stride);
    }
  }
}

}  // namespace shadownpu::ops
