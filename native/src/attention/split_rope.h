// Takes the fused QKV projection of a chunk apart and rotates Q and K. Not per instruction set: it moves memory.
#pragma once

#include <cstddef>

namespace shadownpu {

struct SplitShape {
  size_t rows, n_past, heads, kv_heads, head_dim, capacity;
  bool interleaved;  // pairs are (2i, 2i + 1), otherwise (i, i + head_dim / 2)
};

// qkv [rows][(heads + 2 * kv_heads) * head_dim], rope [>= n_past + rows][head_dim] (cosines, then sines).
// q [heads][rows][head_dim]; k, v [kv_heads][capacity][head_dim], written at positions n_past .. n_past + rows - 1.
// head_dim is even.
void split_rope(const float* qkv, float* q, float* k, float* v, const float* rope, const SplitShape& shape);

}  // namespace shadownpu
