// Sparse, full and decode attention against the reference, which sums in double. The tolerance of a case follows from
// its data: how far rounding may move a score, and so a weight, and so the mean of values.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "../src/kernels/reference/reference.h"
#include "check.h"

namespace shadownpu::test {
namespace {

constexpr float kUntouched = 12345.5f;
constexpr double kEpsilon = 0x1p-24;     // rounding of a float32 operation
constexpr double kBf16Epsilon = 0x1p-9;  // rounding to bfloat16

bool rounds_to_bf16(const Kernels& kernels) {
  return std::strcmp(kernels.name, "avx512bf16") == 0 || std::strcmp(kernels.name, "i8mm") == 0;
}

double greatest(const std::vector<float>& x) {
  double best = 0;
  for (float value : x) best = std::max(best, std::fabs(static_cast<double>(value)));
  return best;
}

// The greatest sum |q_d k_d| over all pairs of rows.
double greatest_product(const std::vector<float>& q, const std::vector<float>& k, size_t head_dim) {
  double best = 0;
  for (size_t r = 0; r < q.size() / head_dim; ++r) {
    for (size_t c = 0; c < k.size() / head_dim; ++c) {
      double sum = 0;
      for (size_t d = 0; d < head_dim; ++d)
        sum += std::fabs(static_cast<double>(q[r * head_dim + d]) * k[c * head_dim + d]);
      best = std::max(best, sum);
    }
  }
  return best;
}

// `rounding`: of one product in a score; `weight_rounding`: of one weight.
double tolerance(double product, double scale, size_t head_dim, size_t keys, double value, double rounding,
                 double weight_rounding) {
  const double depth = 4 + std::sqrt(static_cast<double>(head_dim));
  const double score_error = product * scale * (depth * kEpsilon + rounding);
  // Roundings of a sum over keys are as good as random: they grow with the root of the count.
  const double sums = (8 + 2 * std::sqrt(static_cast<double>(keys))) * kEpsilon;
  return 2 * value * (std::expm1(2 * score_error) + 4e-7 + weight_rounding + sums);
}

void compare(const char* what, const Kernels& kernels, const std::vector<float>& got, const std::vector<float>& want,
             double allowed, std::initializer_list<std::pair<const char*, double>> values) {
  double worst = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    const double difference = std::fabs(static_cast<double>(got[i]) - want[i]);
    if (!(difference <= worst)) worst = difference;
  }
  check(worst <= allowed, what, [&] {
    return text(kernels.name, values) + text(":", {{"worst", worst}, {"allowed", allowed}});
  });
}

struct Kept {
  std::vector<int32_t> indices, counts;
  size_t ld;
};

// Random ascending choices for each row; what lies behind them would point far outside.
Kept random_kept(Random& random, size_t rows, size_t keys, size_t most) {
  Kept kept;
  kept.ld = most;
  std::vector<int32_t> all(keys);
  for (size_t r = 0; r < rows; ++r) {
    std::iota(all.begin(), all.end(), 0);
    const size_t count = static_cast<size_t>(random.whole(1, static_cast<int64_t>(most)));
    for (size_t i = 0; i < count; ++i) {
      std::swap(all[i],
                all[static_cast<size_t>(random.whole(static_cast<int64_t>(i), static_cast<int64_t>(keys - 1)))]);
    }
    std::sort(all.begin(), all.begin() + static_cast<ptrdiff_t>(count));
    kept.counts.push_back(static_cast<int32_t>(count));
    for (size_t i = 0; i < most; ++i) kept.indices.push_back(i < count ? all[i] : 1 << 30);
  }
  kept.indices.resize((rows - 1) * most + static_cast<size_t>(kept.counts.back()));
  return kept;
}

void sparse_case(const Kernels& kernels, Random& random, size_t rows, size_t keys, size_t head_dim, size_t most,
                 float spread) {
  const std::vector<float> q = random.normals(rows * head_dim, spread), k = random.normals(keys * head_dim),
                           v = random.normals(keys * head_dim);
  const Kept kept = random_kept(random, rows, keys, most);
  const size_t stride = head_dim + static_cast<size_t>(random.whole(0, 5));
  const float scale = 1 / std::sqrt(static_cast<float>(head_dim));
  const SparseShape shape = {rows, head_dim, kept.ld, stride, scale};
  std::vector<float> got((rows - 1) * stride + head_dim, kUntouched), want = got;
  kernels.sparse(q.data(), k.data(), v.data(), kept.indices.data(), kept.counts.data(), nullptr, got.data(), shape);
  reference::sparse(q.data(), k.data(), v.data(), kept.indices.data(), kept.counts.data(), nullptr, want.data(), shape);
  const double product = greatest_product(q, k, head_dim), value = greatest(v);
  compare("sparse", kernels, got, want, tolerance(product, scale, head_dim, most, value, 0, 0),
          {{"rows", rows}, {"keys", keys}, {"head_dim", head_dim}, {"most", most}, {"spread", spread}});

  std::vector<uint16_t> kb(k.size()), vb(v.size());
  reference::to_bf16(k.data(), kb.data(), k.size());
  reference::to_bf16(v.data(), vb.data(), v.size());
  std::fill(got.begin(), got.end(), kUntouched);
  want = got;
  kernels.sparse_bf16(q.data(), kb.data(), vb.data(), kept.indices.data(), kept.counts.data(), nullptr, got.data(), shape);
  reference::sparse_bf16(q.data(), kb.data(), vb.data(), kept.indices.data(), kept.counts.data(), nullptr, want.data(), shape);
  const double rounding = rounds_to_bf16(kernels) ? kBf16Epsilon : 0;
  compare("sparse_bf16", kernels, got, want, tolerance(product, scale, head_dim, most, value, rounding, 2 * rounding),
          {{"rows", rows}, {"keys", keys}, {"head_dim", head_dim}, {"most", most}, {"spread", spread}});
}

void full_case(const Kernels& kernels, Random& random, size_t rows, size_t n_past, size_t head_dim, float spread,
               size_t window = 0) {
  const size_t keys = n_past + rows, stride = head_dim + static_cast<size_t>(random.whole(0, 5));
  const std::vector<float> q = random.normals(rows * head_dim, spread), k = random.normals(keys * head_dim),
                           v = random.normals(keys * head_dim);
  const float scale = 1 / std::sqrt(static_cast<float>(head_dim));
  const FullShape shape = {rows, n_past, head_dim, stride, scale, window};
  std::vector<float> got((rows - 1) * stride + head_dim, kUntouched), want = got;
  kernels.full(q.data(), k.data(), v.data(), got.data(), shape);
  reference::full(q.data(), k.data(), v.data(), want.data(), shape);
  compare("full", kernels, got, want,
          tolerance(greatest_product(q, k, head_dim), scale, head_dim, keys, greatest(v), 0, 0),
          {{"rows", rows}, {"n_past", n_past}, {"head_dim", head_dim}, {"spread", spread}, {"window", window}});
}

void decode_case(const Kernels& kernels, Random& random, size_t group, size_t keys, size_t head_dim, float spread) {
  const std::vector<float> q = random.normals(group * head_dim, spread), k = random.normals(keys * head_dim),
                           v = random.normals(keys * head_dim);
  const float scale = 1 / std::sqrt(static_cast<float>(head_dim));
  const DecodeShape shape = {group, keys, head_dim, scale};
  std::vector<float> got(group * head_dim, kUntouched), want = got;
  kernels.decode(q.data(), k.data(), v.data(), got.data(), shape);
  reference::decode(q.data(), k.data(), v.data(), want.data(), shape);
  compare("decode", kernels, got, want,
          tolerance(greatest_product(q, k, head_dim), scale, head_dim, keys, greatest(v), 0, 0),
          {{"group", group}, {"keys", keys}, {"head_dim", head_dim}, {"spread", spread}});
}

// Two keys with scores 0 and x and values 0 and 1 make exp(x) / (1 + exp(x)): the accuracy of exp by itself.
void test_exp(const Kernels& kernels) {
  const int32_t indices[] = {0, 1}, count = 2;
  const float q = 1, v[] = {0, 1};
  for (float x = 0; x > -87; x -= 0.0371f) {
    const float k[] = {0, x};
    float out;
    kernels.sparse(&q, k, v, indices, &count, nullptr, &out, {1, 1, 2, 1, 1});
    const double want = std::exp(static_cast<double>(x)) / (1 + std::exp(static_cast<double>(x)));
    check(std::fabs(out / want - 1) < 3.5e-7, "exp", [&] {
      return text(kernels.name, {{"x", x}, {"relative error", out / want - 1}});
    });
  }
}

constexpr size_t kHeadDims[] = {1, 2, 3, 7, 8, 9, 16, 24, 31, 33, 64, 72, 80, 96, 112, 128, 130, 256};

}  // namespace

void test_sparse(const Kernels& kernels) {
  Random random(6);
  for (size_t head_dim : kHeadDims) {
    for (size_t most : {1, 2, 3, 7, 8, 9, 15, 16, 17, 40}) sparse_case(kernels, random, 3, 50, head_dim, most, 1);
  }
  for (float spread : {0.0f, 20.0f, 1000.0f}) sparse_case(kernels, random, 5, 300, 64, 300, spread);
  // More rows than a group and more keys than a block, so that rows go through several blocks, some without a kept key.
  for (size_t most : {3, 600, 1500}) sparse_case(kernels, random, 40, 1500, 64, most, 1);
  sparse_case(kernels, random, 33, 700, 256, 200, 1);
  test_exp(kernels);
}

void test_full(const Kernels& kernels) {
  Random random(7);
  for (size_t head_dim : kHeadDims) {
    for (size_t rows : {1, 2, 3, 4, 5, 6, 7, 13}) {
      for (size_t n_past : {0, 1, 50, 63, 64, 130}) full_case(kernels, random, rows, n_past, head_dim, 1);
    }
  }
  full_case(kernels, random, 128, 384, 64, 3);
  for (size_t window : {1, 2, 17, 64, 127, 300, 1000}) {
    for (size_t n_past : {0, 5, 384}) full_case(kernels, random, 131, n_past, 64, 3, window);
    full_case(kernels, random, 7, 200, 256, 1, window);
  }
  full_case(kernels, random, 129, 0, 80, 20);
  full_case(kernels, random, 70, 3, 64, 1000);
}

void test_decode(const Kernels& kernels) {
  Random random(8);
  for (size_t head_dim : kHeadDims) {
    for (size_t group : {1, 3, 4}) {
      for (size_t keys : {1, 2, 7, 8, 9, 17, 63, 64, 65, 200}) decode_case(kernels, random, group, keys, head_dim, 1);
    }
  }
  decode_case(kernels, random, 3, 2000, 64, 20);
}

// NaN and infinity must come out as something that is not finite, in the rows that see them, so that a caller notices.
void test_not_finite(const Kernels& kernels) {
  constexpr size_t kRows = 3, kKeys = 70, kHeadDim = 64, kBad = 68;
  const float infinity = std::numeric_limits<float>::infinity();
  for (float bad : {std::numeric_limits<float>::quiet_NaN(), infinity}) {
    Random random(9);
    const std::vector<float> q(kRows * kHeadDim, 1.0f);
    std::vector<float> k = random.normals(kKeys * kHeadDim), v = random.normals(kKeys * kHeadDim);
    k[kBad * kHeadDim + 5] = bad;
    std::vector<float> out(kRows * kHeadDim);
    kernels.full(q.data(), k.data(), v.data(), out.data(), {kRows, kKeys - kRows, kHeadDim, kHeadDim, 0.125f});
    for (size_t d = 0; d < kHeadDim; ++d) {
      const auto where = [&] { return text(kernels.name, {{"bad", bad}, {"d", static_cast<double>(d)}}); };
      check(std::isfinite(out[d]), "full before a bad key", where);
      check(!std::isfinite(out[kHeadDim + d]), "full at a bad key", where);
      check(!std::isfinite(out[2 * kHeadDim + d]), "full after a bad key", where);
    }
    kernels.decode(q.data(), k.data(), v.data(), out.data(), {1, kKeys, kHeadDim, 0.125f});
    check(!std::isfinite(out[0]), "decode with a bad key", [&] { return kernels.name; });
    const std::vector<int32_t> indices = {1, 5, 9, 60, kBad};
    const int32_t count = 5;
    kernels.sparse(q.data(), k.data(), v.data(), indices.data(), &count, nullptr, out.data(),
                   {1, kHeadDim, 5, kHeadDim, 0.125f});
    check(!std::isfinite(out[0]), "sparse with a bad key", [&] { return kernels.name; });
    std::vector<uint16_t> kb(k.size()), vb(v.size());
    reference::to_bf16(k.data(), kb.data(), k.size());
    reference::to_bf16(v.data(), vb.data(), v.size());
    kernels.sparse_bf16(q.data(), kb.data(), vb.data(), indices.data(), &count, nullptr, out.data(),
                        {1, kHeadDim, 5, kHeadDim, 0.125f});
    check(!std::isfinite(out[0]), "sparse_bf16 with a bad key", [&] { return kernels.name; });
  }
}

}  // namespace shadownpu::test
