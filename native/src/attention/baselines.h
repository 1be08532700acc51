// Steps of the baseline attention modes that no kernel of the method has: scores of float top-k, estimates of key
// blocks, and attention that is INT8 throughout. Plain C++, one version for all instruction sets; the INT8 products run
// on the kernel table that is handed in. Nothing here checks: the binding has done so. Any thread may call; temporary
// memory is thread local.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../kernels/kernels.h"

namespace shadownpu {

struct ScoreShape {
  size_t rows, n_past, head_dim, ld;
  float scale;
};

// order[r][c] = an integer that orders like the float32 score q[r] . k[c] * scale, for c <= n_past + r; entries behind
// are left as they are. q [rows][head_dim], k [n_past + rows][head_dim], order [rows][ld].
void score_order(const float* q, const float* k, int32_t* order, const ScoreShape& shape);

struct BlockShape {
  size_t rows, keys, head_dim, block;
};

// scores[b] = (mean of the rows of q) . (mean of the keys of block b). q [rows][head_dim], rows >= 1; k
// [keys][head_dim]; scores [ceil(keys / block)], the last block may be short.
void block_scores(const float* q, const float* k, float* scores, const BlockShape& shape);

// Static INT8 scales: code = clamp(round(x / scale), -127, 127).
struct StaticScales {
  float q, k, s, v, o;
};

// Causal attention of one head with every tensor in INT8: Q and K, the scaled scores, the softmax (scale 1 / 127), V,
// and the output, which is written as float. Shapes as in Kernels::full; n_past + rows <= 65535, head_dim <= 65535.
void int8_attention(const Kernels& kernels, const float* q, const float* k, const float* v, float* out,
                    const FullShape& shape, const StaticScales& scales);

}  // namespace shadownpu
