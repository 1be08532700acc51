// The baseline modes' steps against plain sums in double, over ragged sizes.
#include "../src/attention/baselines.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "check.h"

namespace shadownpu::test {
namespace {

constexpr int32_t kUntouched = -7777;

// The float that an integer of score_order stands for: negative floats count down from 0.
float score_of(int32_t order) {
  const uint32_t bits = order >= 0 ? static_cast<uint32_t>(order) : 0x80000000u - static_cast<uint32_t>(order);
  float score;
  std::memcpy(&score, &bits, sizeof score);
  return score;
}

double dot(const float* a, const float* b, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

void order_case(Random& random, size_t rows, size_t n_past, size_t head_dim) {
  const size_t keys = n_past + rows, ld = keys + static_cast<size_t>(random.whole(0, 3));
  const std::vector<float> q = random.normals(rows * head_dim), k = random.normals(keys * head_dim);
  std::vector<int32_t> order((rows - 1) * ld + keys, kUntouched);
  score_order(q.data(), k.data(), order.data(), {rows, n_past, head_dim, ld, 0.125f});
  const double allowed = 1e-6 * static_cast<double>(head_dim + 8);
  double worst = 0;
  bool rest_untouched = true;
  for (size_t r = 0; r < rows; ++r) {
    for (size_t c = 0; c < keys; ++c) {
      const int32_t got = order[r * ld + c];
      if (c > n_past + r) {
        rest_untouched = rest_untouched && got == kUntouched;
        continue;
      }
      const double want = dot(&q[r * head_dim], &k[c * head_dim], head_dim) * 0.125;
      worst = std::max(worst, std::fabs(score_of(got) - want));
    }
  }
  const auto where = [&] {
    return text("order", {{"rows", rows}, {"n_past", n_past}, {"head_dim", head_dim}, {"worst", worst}});
  };
  check(worst <= allowed, "score_order", where);
  check(rest_untouched, "score_order wrote behind the visible keys", where);
}

void order_of_special_values() {
  // One dimension: the scores are the keys themselves.
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> k = {-inf, -3e38f, -1, -1e-45f, -0.0f, 0, 1e-45f, 1, 3e38f, inf};
  const float q = 1;
  std::vector<int32_t> order(k.size());
  score_order(&q, k.data(), order.data(), {1, k.size() - 1, 1, k.size(), 1});
  for (size_t i = 1; i < k.size(); ++i) {
    const bool zeros = k[i - 1] == k[i];
    check(zeros ? order[i - 1] == order[i] : order[i - 1] < order[i], "order of special values", [&] {
      return text("", {{"a", k[i - 1]}, {"b", k[i]}});
    });
  }
}

void block_case(Random& random, size_t rows, size_t keys, size_t head_dim, size_t block) {
  const std::vector<float> q = random.normals(rows * head_dim), k = random.normals(keys * head_dim);
  std::vector<float> scores((keys + block - 1) / block);
  block_scores(q.data(), k.data(), scores.data(), {rows, keys, head_dim, block});
  for (size_t b = 0; b < scores.size(); ++b) {
    const size_t end = std::min((b + 1) * block, keys);
    double sum = 0;
    for (size_t r = 0; r < rows; ++r) {
      for (size_t c = b * block; c < end; ++c) sum += dot(&q[r * head_dim], &k[c * head_dim], head_dim);
    }
    const double want = sum / static_cast<double>(rows * (end - b * block));
    check(std::fabs(scores[b] - want) <= 1e-5, "block_scores", [&] {
      return text("", {{"rows", rows}, {"keys", keys}, {"head_dim", head_dim}, {"got", scores[b]}, {"want", want}});
    });
  }
}

double rounded(double x, double scale) { return std::clamp(std::nearbyint(x / scale), -127.0, 127.0) * scale; }

void int8_case(const Kernels& kernels, Random& random, size_t rows, size_t n_past, size_t head_dim) {
  const size_t keys = n_past + rows, stride = head_dim + static_cast<size_t>(random.whole(0, 5));
  const std::vector<float> q = random.normals(rows * head_dim), k = random.normals(keys * head_dim),
                           v = random.normals(keys * head_dim);
  const float scale = 1 / std::sqrt(static_cast<float>(head_dim));
  const FullShape shape = {rows, n_past, head_dim, stride, scale};
  const StaticScales scales = {0.02f, 0.02f, 0.03f, 0.02f, 0.02f};
  std::vector<float> got((rows - 1) * stride + head_dim, 12345.5f), plain_table = got;
  int8_attention(kernels, q.data(), k.data(), v.data(), got.data(), shape, scales);
  int8_attention(kernels_scalar, q.data(), k.data(), v.data(), plain_table.data(), shape, scales);
  const auto where = [&] { return text(kernels.name, {{"rows", rows}, {"n_past", n_past}, {"head_dim", head_dim}}); };
  // The integer products are exact, so the tables agree bit for bit; the gaps between rows stay as they were.
  check(std::memcmp(got.data(), plain_table.data(), got.size() * sizeof(float)) == 0, "int8_attention on two tables",
        where);

  double worst = 0;
  for (size_t r = 0; r < rows; ++r) {
    const size_t visible = n_past + r + 1;
    std::vector<double> scores(visible);
    for (size_t c = 0; c < visible; ++c) {
      double sum = 0;
      for (size_t d = 0; d < head_dim; ++d) {
        sum += rounded(q[r * head_dim + d], scales.q) * rounded(k[c * head_dim + d], scales.k);
      }
      scores[c] = rounded(sum * scale, scales.s);
    }
    const double most = *std::max_element(scores.begin(), scores.end());
    double total = 0;
    for (double& score : scores) total += score = std::exp(score - most);
    for (size_t d = 0; d < head_dim; ++d) {
      double sum = 0;
      for (size_t c = 0; c < visible; ++c) {
        sum += rounded(scores[c] / total, 1.0 / 127) * rounded(v[c * head_dim + d], scales.v);
      }
      worst = std::max(worst, std::fabs(got[r * stride + d] - rounded(sum, scales.o)));
    }
  }
  // Float32 may move a value over a rounding border: a score by a step, and with it a weight and the output.
  check(worst <= 3.5 * scales.o, "int8_attention", where);
}

void not_finite(const Kernels& kernels) {
  std::vector<float> q(8), k(8 * 3), out(8);
  q[0] = std::numeric_limits<float>::quiet_NaN();
  k[9] = std::numeric_limits<float>::infinity();
  int8_attention(kernels, q.data(), k.data(), k.data(), out.data(), {1, 2, 8, 8, 1e38f},
                 {1e30f, 1e30f, 1e-30f, 1, 1e-30f});
  for (float value : out)
    check(std::isfinite(value), "int8_attention of values that are not finite", [] { return ""; });
}

}  // namespace

void test_baselines(const Kernels& kernels) {
  Random random(23);
  order_of_special_values();
  for (const size_t rows : {1, 3, 64}) {
    for (const size_t n_past : {0, 1, 15, 16, 17, 130}) {
      for (const size_t head_dim : {1, 8, 64, 80}) {
        order_case(random, rows, n_past, head_dim);
        int8_case(kernels, random, rows, n_past, head_dim);
        block_case(random, rows, n_past + rows, head_dim, 64);
      }
    }
  }
  not_finite(kernels);
}

}  // namespace shadownpu::test
