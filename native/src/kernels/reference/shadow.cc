// Reference of the fused path: plain codes, whole-bin selection over 256 bins, the tail's mass summed in double.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "reference.h"

namespace shadownpu::reference {
namespace {

constexpr int kMostKeyCode = 63, kMostQueryCode = 127, kBias = 64;

size_t packed_row(size_t head_dim) { return (head_dim + 3) / 4 * 4; }

int code(float x, int most) {
  const float limit = static_cast<float>(most);
  return static_cast<int>(std::nearbyint(x > -limit ? std::min(x, limit) : -limit));
}

// The rule of ops/select.h: the greatest byte that k bytes reach, found bit by bit, early where that is close enough.
int threshold(const std::vector<int>& bytes, size_t k, bool exact) {
  int limit = 0;
  for (int bit = 128; bit > 0; bit /= 2) {
    const auto reach = static_cast<size_t>(
        std::count_if(bytes.begin(), bytes.end(), [&](int byte) { return byte >= (limit | bit); }));
    if (reach < k) continue;
    limit |= bit;
    if (!exact && reach - k <= k / 64) break;
  }
  return limit;
}

double tail_log(const std::vector<int>& bytes, const std::vector<bool>& kept, double base, double step) {
  double mass = 0;
  for (size_t i = 0; i < bytes.size(); ++i) mass += kept[i] ? 0 : std::exp(step * (bytes[i] - 255));
  return std::log(mass) + base + 255 * step;
}

std::vector<bool> choose(const std::vector<int>& bytes, size_t k, bool exact, float step, float reach) {
  const int top = *std::max_element(bytes.begin(), bytes.end());
  const int within = step > 0 && reach > 0 && reach / step < static_cast<float>(top) ? top - static_cast<int>(reach / step) : 0;
  const int limit = std::max(threshold(bytes, k, exact), within);
  std::vector<bool> kept(bytes.size());
  size_t count = 0;
  for (size_t i = 0; i < bytes.size(); ++i) count += kept[i] = bytes[i] >= limit;
  for (size_t i = bytes.size(); exact && count > k; --i) {
    if (bytes[i - 1] != limit) continue;
    kept[i - 1] = false;
    --count;
  }
  return kept;
}

std::vector<int32_t> positions(const std::vector<bool>& kept) {
  std::vector<int32_t> out;
  for (size_t i = 0; i < kept.size(); ++i) {
    if (kept[i]) out.push_back(static_cast<int32_t>(i));
  }
  return out;
}

struct RowScores {
  std::vector<int> bytes;
  double base, step;
};

RowScores score_row(const ShadowInput& in, const float* q, size_t n, const ShadowShape& shape) {
  const size_t head_dim = shape.head_dim;
  double norm = 0, most = 0, dot = 0;
  for (size_t d = 0; d < head_dim; ++d) {
    const double x = static_cast<double>(q[d]) * in.channel[d];
    norm += x * x;
    most = std::max(most, std::fabs(x));
    dot += static_cast<double>(q[d]) * in.mean[d];
  }
  const double room = 32767 / std::sqrt(std::max(in.most_norm, 1.0f)) - 0.5 * std::sqrt(packed_row(head_dim));
  double unit = std::max(most / kMostQueryCode, std::sqrt(norm) / room);
  if (!(unit > 0) || !std::isfinite(unit)) unit = 1;
  std::vector<int> scores(n);
  for (size_t i = 0; i < n; ++i) {
    for (size_t d = 0; d < head_dim; ++d) {
      const int key = in.packed[i * packed_row(head_dim) + d] - kBias;
      scores[i] += code(static_cast<float>(q[d] * in.channel[d] / unit), kMostQueryCode) * key;
    }
  }
  const auto [least, greatest] = std::minmax_element(scores.begin(), scores.end());
  const int low = *least, range = *greatest - low;
  const unsigned factor = range <= 255 ? 65535u : 255u * 65536u / static_cast<unsigned>(range);
  const double bin = 65536.0 / factor;
  RowScores out = {{}, shape.scale * (dot + unit * (low + 0.5 * (bin - 1))), shape.scale * unit * bin};
  for (const int s : scores) out.bytes.push_back(static_cast<int>(static_cast<unsigned>(s - low) * factor >> 16));
  return out;
}

template <class T>
using SparseFunction = void (*)(const float*, const T*, const T*, const int32_t*, const int32_t*, const Tail*, float*,
                                const SparseShape&);

template <class T>
void attend_rows(const ShadowInput& in, float* out, ShadowStats& stats, const ShadowShape& shape,
                 SparseFunction<T> attend) {
  for (size_t r = 0; r < shape.rows; ++r) {
    const size_t n = shape.n_past + r + 1;
    std::vector<RowScores> scores;
    std::vector<std::vector<bool>> sets;
    for (size_t h = 0; h < shape.heads; ++h) {
      const float* q = in.q + h * shape.q_head_stride + r * shape.head_dim;
      scores.push_back(score_row(in, q, n, shape));
      sets.push_back(choose(scores[h].bytes, static_cast<size_t>(in.counts[h * shape.rows + r]), false,
                            static_cast<float>(scores[h].step), shape.reach));
    }
    std::vector<bool> all(n);
    for (const auto& set : sets) {
      for (size_t i = 0; i < n; ++i) all[i] = all[i] || set[i];
    }
    for (size_t h = 0; h < shape.heads; ++h) {
      const std::vector<bool>& set = shape.share ? all : sets[h];
      const std::vector<int32_t> kept = positions(set);
      const auto count = static_cast<int32_t>(kept.size());
      const auto mass = static_cast<float>(tail_log(scores[h].bytes, set, scores[h].base, scores[h].step));
      const Tail tail = {&mass, in.prefix + r * shape.head_dim, n - 1};
      stats.kept += count;
      if (stats.head_kept != nullptr) stats.head_kept[h] += count;
      if (stats.hits != nullptr && r % kHitRows == 0) {
        for (const int32_t key : kept) ++stats.hits[h * stats.hits_stride + static_cast<size_t>(key)];
      }
      attend(in.q + h * shape.q_head_stride + r * shape.head_dim, static_cast<const T*>(in.k),
             static_cast<const T*>(in.v), kept.data(), &count, shape.tail ? &tail : nullptr,
             out + r * shape.out_row_stride + h * shape.head_dim,
             {1, shape.head_dim, kept.size(), shape.head_dim, shape.scale});
    }
  }
}

}  // namespace

void select(const uint8_t* scores, const float* steps, const float* bases, const int32_t* counts, int32_t* indices,
            int32_t* kept, float* tails, const SelectShape& shape) {
  for (size_t r = 0; r < shape.rows; ++r) {
    const uint8_t* row = scores + r * shape.ld;
    const std::vector<int> bytes(row, row + shape.n_past + r + 1);
    const std::vector<bool> set = choose(bytes, static_cast<size_t>(counts[r]), shape.exact, steps[r], shape.reach);
    const std::vector<int32_t> found = positions(set);
    std::copy(found.begin(), found.end(), indices + r * shape.index_ld);
    kept[r] = static_cast<int32_t>(found.size());
    tails[r] = static_cast<float>(tail_log(bytes, set, bases[r], steps[r]));
  }
}

void pack_keys(const float* k, const float* mean, const float* inverse, uint8_t* packed, int32_t* most_norm,
               const PackShape& shape) {
  const size_t width = packed_row(shape.head_dim);
  for (size_t i = 0; i < shape.count; ++i) {
    uint8_t* row = packed + (shape.first + i) * width;
    int32_t norm = 0;
    std::memset(row, kBias, width);
    for (size_t d = 0; d < shape.head_dim; ++d) {
      const int value = code((k[i * shape.head_dim + d] - mean[d]) * inverse[d], kMostKeyCode);
      row[d] = static_cast<uint8_t>(value + kBias);
      norm += value * value;
    }
    *most_norm = std::max(*most_norm, norm);
  }
}

void shadow(const ShadowInput& in, float* out, ShadowStats& stats, const ShadowShape& shape) {
  attend_rows<float>(in, out, stats, shape, sparse);
}

void shadow_bf16(const ShadowInput& in, float* out, ShadowStats& stats, const ShadowShape& shape) {
  attend_rows<uint16_t>(in, out, stats, shape, sparse_bf16);
}

}  // namespace shadownpu::reference
