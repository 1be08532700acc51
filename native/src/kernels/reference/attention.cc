// Reference attention: two passes over the keys of a row, all sums in double.
#include <bit>
#include <cmath>
#include <vector>

#include "reference.h"

namespace shadownpu::reference {
namespace {

float widen(float x) { return x; }
float widen(uint16_t bf16) { return std::bit_cast<float>(static_cast<uint32_t>(bf16) << 16); }

// One row over `count` keys, the i-th of which is key `at(i)`. The others, `dropped` of the keys whose values sum up to
// `prefix`, add exp(log_mass) with their mean value.
template <class T, class At>
void attend(const float* q, const T* k, const T* v, size_t count, At at, size_t head_dim, float scale, float* out,
            double log_mass = -INFINITY, size_t dropped = 0, const float* prefix = nullptr) {
  std::vector<double> weight(count);
  double best = -INFINITY;
  for (size_t i = 0; i < count; ++i) {
    const T* key = k + at(i) * head_dim;
    double dot = 0;
    for (size_t d = 0; d < head_dim; ++d) dot += static_cast<double>(q[d]) * widen(key[d]);
    weight[i] = dot * scale;
    best = std::fmax(best, weight[i]);
  }
  double total = 0;
  for (double& w : weight) total += w = std::exp(w - best);
  std::vector<double> sum(head_dim);
  for (size_t i = 0; i < count; ++i) {
    const T* value = v + at(i) * head_dim;
    for (size_t d = 0; d < head_dim; ++d) sum[d] += weight[i] * widen(value[d]);
  }
  if (dropped > 0 && log_mass > -INFINITY) {
    const double mass = std::exp(log_mass - best);
    for (size_t d = 0; d < head_dim; ++d) {
      double rest = prefix[d];
      for (size_t i = 0; i < count; ++i) rest -= widen(v[at(i) * head_dim + d]);
      sum[d] += mass * rest / static_cast<double>(dropped);
    }
    total += mass;
  }
  for (size_t d = 0; d < head_dim; ++d) out[d] = static_cast<float>(sum[d] / total);
}

template <class T>
void sparse_rows(const float* q, const T* k, const T* v, const int32_t* indices, const int32_t* counts,
                 const Tail* tail, float* out, const SparseShape& shape) {
  for (size_t r = 0; r < shape.rows; ++r) {
    const int32_t* kept = indices + r * shape.index_ld;
    const size_t count = static_cast<size_t>(counts[r]);
    attend(
        q + r * shape.head_dim, k, v, count, [kept](size_t i) { return static_cast<size_t>(kept[i]); },
        shape.head_dim, shape.scale, out + r * shape.out_stride, tail ? tail->log_mass[r] : -INFINITY,
        tail ? tail->n_past + r + 1 - count : 0, tail ? tail->prefix + r * shape.head_dim : nullptr);
  }
}

constexpr auto every = [](size_t i) { return i; };

}  // namespace

void sparse(const float* q, const float* k, const float* v, const int32_t* indices, const int32_t* counts,
            const Tail* tail, float* out, const SparseShape& shape) {
  sparse_rows(q, k, v, indices, counts, tail, out, shape);
}

void sparse_bf16(const float* q, const uint16_t* k, const uint16_t* v, const int32_t* indices, const int32_t* counts,
                 const Tail* tail, float* out, const SparseShape& shape) {
  sparse_rows(q, k, v, indices, counts, tail, out, shape);
}

void full(const float* q, const float* k, const float* v, float* out, const FullShape& shape) {
  for (size_t r = 0; r < shape.rows; ++r) {
    const size_t seen = shape.n_past + r + 1;
    const size_t count = shape.window > 0 && shape.window < seen ? shape.window : seen;
    attend(
        q + r * shape.head_dim, k, v, count, [first = seen - count](size_t i) { return first + i; }, shape.head_dim,
        shape.scale, out + r * shape.out_stride);
  }
}

void decode(const float* q, const float* k, const float* v, float* out, const DecodeShape& shape) {
  for (size_t h = 0; h < shape.group; ++h) {
    attend(q + h * shape.head_dim, k, v, shape.keys, every, shape.head_dim, shape.scale, out + h * shape.head_dim);
  }
}

}  // namespace shadownpu::reference

namespace shadownpu {

const Kernels kernels_scalar = {
    "scalar",          reference::max_abs,   reference::quantize, reference::to_bf16,     reference::pilot,
    reference::topk,   reference::sparse,    reference::sparse_bf16, reference::select, reference::pack_keys,
    reference::shadow, reference::shadow_bf16, reference::full,     reference::decode,
};

}  // namespace shadownpu
