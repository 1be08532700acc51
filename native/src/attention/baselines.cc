#include "baselines.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace shadownpu {
namespace {

// Keys whose scores are summed side by side: the columns of a packed block.
constexpr size_t kLanes = 16;

// Negative floats order backwards by their bits; -0 becomes 0 first.
int32_t order_of(float score) {
  int32_t bits;
  score += 0.0f;
  std::memcpy(&bits, &score, sizeof bits);
  return bits >= 0 ? bits : static_cast<int32_t>(0x80000000u - static_cast<uint32_t>(bits));
}

// packed[d][lane] = k[first + lane][d], zero where there is no such key.
void pack(const float* k, size_t first, size_t keys, size_t head_dim, float* packed) {
  const size_t count = std::min(kLanes, keys - first);
  std::fill_n(packed, head_dim * kLanes, 0.0f);
  for (size_t lane = 0; lane < count; ++lane) {
    const float* key = k + (first + lane) * head_dim;
    for (size_t d = 0; d < head_dim; ++d) packed[d * kLanes + lane] = key[d];
  }
}

int8_t code_of(float value, float scale) {
  // The clamp comes first: a quotient may be too large for any integer. NaN becomes 0 as in the kernels.
  const float code = std::nearbyint(std::clamp(value / scale, -127.0f, 127.0f));
  return code == code ? static_cast<int8_t>(code) : int8_t{0};
}

struct Int8Memory {
  std::vector<int8_t> q, k, v, v_transposed, weights;
  std::vector<int32_t> scores, sums;
};

}  // namespace

void score_order(const float* q, const float* k, int32_t* order, const ScoreShape& shape) {
  const size_t keys = shape.n_past + shape.rows, head_dim = shape.head_dim;
  thread_local std::vector<float> packed;
  packed.resize(head_dim * kLanes);
  for (size_t first = 0; first < keys; first += kLanes) {
    pack(k, first, keys, head_dim, packed.data());
    for (size_t r = first > shape.n_past ? first - shape.n_past : 0; r < shape.rows; ++r) {
      float sums[kLanes] = {};
      const float* query = q + r * head_dim;
      for (size_t d = 0; d < head_dim; ++d) {
        const float x = query[d];
        const float* column = packed.data() + d * kLanes;
        for (size_t lane = 0; lane < kLanes; ++lane) sums[lane] += x * column[lane];
      }
      const size_t count = std::min(kLanes, shape.n_past + r + 1 - first);
      int32_t* to = order + r * shape.ld + first;
      for (size_t lane = 0; lane < count; ++lane) to[lane] = order_of(sums[lane] * shape.scale);
    }
  }
}

void block_scores(const float* q, const float* k, float* scores, const BlockShape& shape) {
  const size_t head_dim = shape.head_dim;
  thread_local std::vector<float> query, key;
  query.assign(head_dim, 0.0f);
  for (size_t r = 0; r < shape.rows; ++r) {
    for (size_t d = 0; d < head_dim; ++d) query[d] += q[r * head_dim + d];
  }
  for (size_t first = 0, b = 0; first < shape.keys; first += shape.block, ++b) {
    const size_t end = std::min(first + shape.block, shape.keys);
    key.assign(head_dim, 0.0f);
    for (size_t c = first; c < end; ++c) {
      for (size_t d = 0; d < head_dim; ++d) key[d] += k[c * head_dim + d];
    }
    float sum = 0;
    for (size_t d = 0; d < head_dim; ++d) sum += query[d] * key[d];
    scores[b] = sum / (static_cast<float>(shape.rows) * static_cast<float>(end - first));
  }
}

void int8_attention(const Kernels& kernels, const float* q, const float* k, const float* v, float* out,
                    const FullShape& shape, const StaticScales& scales) {
  const size_t rows = shape.rows, head_dim = shape.head_dim, keys = shape.n_past + rows;
  if (rows == 0) return;
  thread_local Int8Memory memory;
  memory.q.resize(rows * head_dim);
  memory.k.resize(keys * head_dim);
  memory.v.resize(keys * head_dim);
  memory.v_transposed.resize(keys * head_dim);
  memory.scores.resize(rows * keys);
  memory.sums.resize(rows * head_dim);

  kernels.quantize(q, memory.q.data(), rows * head_dim, scales.q);
  kernels.quantize(k, memory.k.data(), keys * head_dim, scales.k);
  kernels.quantize(v, memory.v.data(), keys * head_dim, scales.v);
  for (size_t c = 0; c < keys; ++c) {
    for (size_t d = 0; d < head_dim; ++d) memory.v_transposed[d * keys + c] = memory.v[c * head_dim + d];
  }
  kernels.pilot(memory.q.data(), memory.k.data(), memory.scores.data(), {rows, keys, head_dim, keys});

  // A score has 255 values, so its exponential is looked up.
  float exponentials[255];
  for (int i = 0; i < 255; ++i) exponentials[i] = std::exp(static_cast<float>(-i) * scales.s);
  const float product_scale = scales.q * scales.k * shape.scale;
  const float weight_scale = 1.0f / 127.0f;
  memory.weights.assign(rows * keys, 0);
  for (size_t r = 0; r < rows; ++r) {
    const size_t visible = shape.n_past + r + 1;
    int32_t* row = memory.scores.data() + r * keys;
    int32_t greatest = -127;
    for (size_t c = 0; c < visible; ++c) {
      row[c] = code_of(static_cast<float>(row[c]) * product_scale, scales.s);
      greatest = std::max(greatest, row[c]);
    }
    double sum = 0;
    for (size_t c = 0; c < visible; ++c) sum += exponentials[greatest - row[c]];
    // Only 255 quotients are possible, too.
    int8_t weights[255];
    for (int i = 0; i < 255; ++i) weights[i] = code_of(exponentials[i] / static_cast<float>(sum), weight_scale);
    int8_t* to = memory.weights.data() + r * keys;
    for (size_t c = 0; c < visible; ++c) to[c] = weights[greatest - row[c]];
  }
  kernels.pilot(memory.weights.data(), memory.v_transposed.data(), memory.sums.data(),
                {rows, head_dim, keys, head_dim});

  const float sum_scale = scales.v * weight_scale;
  for (size_t r = 0; r < rows; ++r) {
    for (size_t d = 0; d < head_dim; ++d) {
      const float value = static_cast<float>(memory.sums[r * head_dim + d]) * sum_scale;
      out[r * shape.out_stride + d] = static_cast<float>(code_of(value, scales.o)) * scales.o;
    }
  }
}

}  // namespace shadownpu
