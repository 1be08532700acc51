#include "split_rope.h"

#include <cstring>

namespace shadownpu {
namespace {

// The angles of a row are the same for all its heads.
void rotate(const float* __restrict from, float* __restrict to, const float* __restrict rope, size_t half,
            bool interleaved) {
  const float* cosine = rope;
  const float* sine = rope + half;
  if (interleaved) {
    for (size_t i = 0; i < half; ++i) {
      const float x = from[2 * i], y = from[2 * i + 1];
      to[2 * i] = x * cosine[i] - y * sine[i];
      to[2 * i + 1] = x * sine[i] + y * cosine[i];
    }
  } else {
    for (size_t i = 0; i < half; ++i) {
      const float x = from[i], y = from[i + half];
      to[i] = x * cosine[i] - y * sine[i];
      to[i + half] = x * sine[i] + y * cosine[i];
    }
  }
}

}  // namespace

void split_rope(const float* qkv, float* q, float* k, float* v, const float* rope, const SplitShape& shape) {
  const size_t head_dim = shape.head_dim, half = head_dim / 2;
  for (size_t r = 0; r < shape.rows; ++r) {
    const size_t position = shape.n_past + r;
    const float* angles = rope + position * head_dim;
    const float* from = qkv + r * (shape.heads + 2 * shape.kv_heads) * head_dim;
    for (size_t h = 0; h < shape.heads; ++h, from += head_dim) {
      rotate(from, q + (h * shape.rows + r) * head_dim, angles, half, shape.interleaved);
    }
    for (size_t h = 0; h < shape.kv_heads; ++h, from += head_dim) {
      rotate(from, k + (h * shape.capacity + position) * head_dim, angles, half, shape.interleaved);
    }
    for (size_t h = 0; h < shape.kv_heads; ++h, from += head_dim) {
      std::memcpy(v + (h * shape.capacity + position) * head_dim, from, head_dim * sizeof(float));
    }
  }
}

}  // namespace shadownpu
