#include "key_codes.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace shadownpu {
namespace {

constexpr float kMostCode = 63;
// A new key may pass a channel's greatest value by this factor before the scales are fitted anew: clipping that little
// costs less than packing all keys again.
constexpr float kSlack = 1.1f;
// Steps grow with a channel's range to this power. At 1 each channel has the finest codes, but a query's few large
// products with wide channels take its own codes' range; measured recall is best near 3/4.
constexpr float kBalance = 0.75f;

bool leaves_range(const float* k, size_t rows, size_t head_dim, const float* mean, const float* step) {
  bool leaves = false;
  for (size_t i = 0; i < rows; ++i) {
    for (size_t d = 0; d < head_dim; ++d) {
      leaves |= std::fabs(k[i * head_dim + d] - mean[d]) > kSlack * kMostCode * step[d];
    }
  }
  return leaves;
}

void fit(const float* k, size_t rows, size_t head_dim, float* mean, float* step) {
  std::fill_n(mean, head_dim, 0.0f);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t d = 0; d < head_dim; ++d) mean[d] += k[i * head_dim + d];
  }
  for (size_t d = 0; d < head_dim; ++d) mean[d] /= static_cast<float>(rows);
  std::fill_n(step, head_dim, 0.0f);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t d = 0; d < head_dim; ++d) step[d] = std::max(step[d], std::fabs(k[i * head_dim + d] - mean[d]));
  }
  const float widest = *std::max_element(step, step + head_dim);
  // A channel that never moves still needs a step that can be divided by.
  const float least = widest > 0 ? widest * 1e-4f : 1;
  const float rest = std::pow(std::max(widest, least), 1 - kBalance) / kMostCode;
  for (size_t d = 0; d < head_dim; ++d) step[d] = std::pow(std::max(step[d], least), kBalance) * rest;
}

void pack(const Kernels& kernels, const float* k, size_t first, size_t count, size_t head_dim, const KeyCodes& codes) {
  std::vector<float> inverse(head_dim);
  for (size_t d = 0; d < head_dim; ++d) inverse[d] = 1 / codes.step[d];
  kernels.pack_keys(k + first * head_dim, codes.mean, inverse.data(), codes.packed, codes.most_norm,
                    {first, count, head_dim});
}

// running += V of the keys; the sums so far go to prefix where it is wanted.
void sum_values(const float* v, size_t rows, size_t head_dim, float* running, float* prefix) {
  for (size_t i = 0; i < rows; ++i) {
    for (size_t d = 0; d < head_dim; ++d) running[d] += v[i * head_dim + d];
    if (prefix) std::copy_n(running, head_dim, prefix + i * head_dim);
  }
}

}  // namespace

void update_key_codes(const Kernels& kernels, const float* k, const float* v, size_t n_past, size_t rows,
                      size_t head_dim, const KeyCodes& codes, float* prefix) {
  const size_t keys = n_past + rows;
  const auto packed = static_cast<size_t>(*codes.packed_rows), fitted = static_cast<size_t>(*codes.fitted_rows);
  const bool stale = packed == 0 || keys >= 2 * fitted ||
                     leaves_range(k + packed * head_dim, keys - packed, head_dim, codes.mean, codes.step);
  if (stale) {
    fit(k, keys, head_dim, codes.mean, codes.step);
    *codes.fitted_rows = static_cast<int32_t>(keys);
    *codes.most_norm = 0;
  }
  const size_t from = stale ? 0 : packed;
  pack(kernels, k, from, keys - from, head_dim, codes);
  *codes.packed_rows = static_cast<int32_t>(keys);

  // The sum of no keys may be anything that an earlier prompt left.
  if (n_past == 0 || static_cast<size_t>(*codes.summed_rows) != n_past) {
    std::fill_n(codes.value_sum, head_dim, 0.0f);
    sum_values(v, n_past, head_dim, codes.value_sum, nullptr);
  }
  sum_values(v + n_past * head_dim, rows, head_dim, codes.value_sum, prefix);
  *codes.summed_rows = static_cast<int32_t>(keys);
}

}  // namespace shadownpu
