// The pilot by matrix instructions: smmla multiplies two query rows with two keys, eight codes deep, at a time.
#pragma once

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../kernels.h"
#include "../scratch.h"

namespace shadownpu {
namespace {

struct PilotI8mm {
  static constexpr size_t kDepth = 8;
  static constexpr size_t kRowPairs = 2, kKeyPairs = 4;  // register tile: 4 rows by 8 keys
  static constexpr size_t kTile = 2 * kKeyPairs;

  // Packs two rows as vectors of eight codes of the first and eight of the second; a row that is not there is zeros.
  static void pack(const int8_t* first, const int8_t* second, size_t head_dim, size_t stride, int8_t* packed) {
    for (size_t d = 0; d < head_dim; d += kDepth, packed += stride) {
      const size_t depth = head_dim - d < kDepth ? head_dim - d : kDepth;
      std::memset(packed, 0, 2 * kDepth);
      if (first) std::memcpy(packed, first + d, depth);
      if (second) std::memcpy(packed + kDepth, second + d, depth);
    }
  }

  // q [row pairs][steps][16], keys [steps][kKeyPairs][16]. Writes `rows` rows of `columns` scores.
  template <size_t Pairs>
  static void tile(const int8_t* q, size_t steps, const int8_t* keys, int32_t* scores, size_t ld, size_t rows,
                   size_t columns) {
    int32x4_t acc[Pairs][kKeyPairs];
    for (size_t r = 0; r < Pairs; ++r) {
      for (size_t j = 0; j < kKeyPairs; ++j) acc[r][j] = vdupq_n_s32(0);
    }
    for (size_t s = 0; s < steps; ++s) {
      int8x16_t k[kKeyPairs];
      for (size_t j = 0; j < kKeyPairs; ++j) k[j] = vld1q_s8(keys + (s * kKeyPairs + j) * 16);
      for (size_t r = 0; r < Pairs; ++r) {
        const int8x16_t two = vld1q_s8(q + (r * steps + s) * 16);
        for (size_t j = 0; j < kKeyPairs; ++j) acc[r][j] = vmmlaq_s32(acc[r][j], two, k[j]);
      }
    }
    int32_t whole[2 * Pairs][kTile];
    for (size_t r = 0; r < Pairs; ++r) {
      for (size_t j = 0; j < kKeyPairs; ++j) {
        vst1_s32(whole[2 * r] + 2 * j, vget_low_s32(acc[r][j]));
        vst1_s32(whole[2 * r + 1] + 2 * j, vget_high_s32(acc[r][j]));
      }
    }
    for (size_t r = 0; r < rows; ++r) std::memcpy(scores + r * ld, whole[r], columns * sizeof(int32_t));
  }

  static void run(const int8_t* q8, const int8_t* k8, int32_t* scores, const PilotShape& shape) {
    const size_t head_dim = shape.head_dim, steps = (head_dim + kDepth - 1) / kDepth;
    const size_t pairs = (shape.rows + 1) / 2;
    Scratch scratch(lines(pairs * steps * 16) + lines(steps * kKeyPairs * 16));
    int8_t* q = scratch.take<int8_t>(pairs * steps * 16);
    int8_t* keys = scratch.take<int8_t>(steps * kKeyPairs * 16);
    const auto row_of = [head_dim](const int8_t* rows, size_t count, size_t row) {
      return row < count ? rows + row * head_dim : nullptr;
    };
    for (size_t p = 0; p < pairs; ++p) {
      pack(row_of(q8, shape.rows, 2 * p), row_of(q8, shape.rows, 2 * p + 1), head_dim, 16, q + p * steps * 16);
    }
    for (size_t key = 0; key < shape.keys; key += kTile) {
      const size_t columns = shape.keys - key < kTile ? shape.keys - key : kTile;
      for (size_t j = 0; j < kKeyPairs; ++j) {
        pack(row_of(k8, shape.keys, key + 2 * j), row_of(k8, shape.keys, key + 2 * j + 1), head_dim, kKeyPairs * 16,
             keys + j * 16);
      }
      size_t p = 0;
      for (; p + kRowPairs <= pairs; p += kRowPairs) {
        const size_t left = shape.rows - 2 * p;
        tile<kRowPairs>(q + p * steps * 16, steps, keys, scores + 2 * p * shape.ld + key, shape.ld,
                        left < 2 * kRowPairs ? left : 2 * kRowPairs, columns);
      }
      for (; p < pairs; ++p) {
        const size_t left = shape.rows - 2 * p;
        tile<1>(q + p * steps * 16, steps, keys, scores + 2 * p * shape.ld + key, shape.ld, left < 2 ? left : 2,
                columns);
      }
    }
  }
};

}  // namespace
}  // namespace shadownpu
