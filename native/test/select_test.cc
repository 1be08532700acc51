// Pilot scores and top-k, exact to the last bit, and nothing written outside of a row's part.
#include <algorithm>
#include <climits>

#include "../src/kernels/reference/reference.h"
#include "check.h"

namespace shadownpu::test {
namespace {

constexpr int32_t kUntouched = 0x5a5a5a5a;

void pilot_equals(const Kernels& kernels, const std::vector<int8_t>& q, const std::vector<int8_t>& k,
                  const PilotShape& shape) {
  // The last row ends early: what a row needs and no more.
  std::vector<int32_t> got((shape.rows - 1) * shape.ld + shape.keys, kUntouched), want = got;
  kernels.pilot(q.data(), k.data(), got.data(), shape);
  reference::pilot(q.data(), k.data(), want.data(), shape);
  check(got == want, "pilot", [&] {
    return text(kernels.name, {{"rows", static_cast<double>(shape.rows)},
                               {"keys", static_cast<double>(shape.keys)},
                               {"head_dim", static_cast<double>(shape.head_dim)},
                               {"ld", static_cast<double>(shape.ld)}});
  });
}

// A row of scores with a certain character.
std::vector<int32_t> score_row(Random& random, int kind, size_t n) {
  std::vector<int32_t> row(n);
  for (size_t i = 0; i < n; ++i) {
    switch (kind) {
      case 0:  // as the pilot makes them
        row[i] = static_cast<int32_t>(random.normal() * 60000);
        break;
      case 1:  // all the same
        row[i] = -7;
        break;
      case 2:  // few values, many ties
        row[i] = static_cast<int32_t>(random.whole(-2, 2));
        break;
      case 3:  // the whole range of int32
        row[i] = static_cast<int32_t>(random.whole(INT_MIN, INT_MAX));
        break;
      case 4:  // one far outlier, so that all others share a byte
        row[i] = i == n / 2 ? 2000000000 : static_cast<int32_t>(random.whole(0, 500));
        break;
      case 5:  // ascending
        row[i] = static_cast<int32_t>(i) * 3;
        break;
      case 6:  // descending, ties in pairs
        row[i] = -static_cast<int32_t>(i / 2);
        break;
      default:  // the two ends of int32 only
        row[i] = random.whole(0, 1) ? INT_MAX : INT_MIN;
    }
  }
  return row;
}

void topk_equals(const Kernels& kernels, Random& random, const TopkShape& shape, int kind, int64_t most) {
  std::vector<int32_t> scores, counts;
  for (size_t r = 0; r < shape.rows; ++r) {
    std::vector<int32_t> row = score_row(random, kind, r + 1 == shape.rows ? shape.n_past + shape.rows : shape.ld);
    scores.insert(scores.end(), row.begin(), row.end());
    const int64_t visible = static_cast<int64_t>(shape.n_past + r + 1);
    counts.push_back(static_cast<int32_t>(random.whole(1, std::min(most, visible))));
  }
  // What a row does not see is greater than all it sees: it must not be looked at.
  for (size_t r = 0; r + 1 < shape.rows; ++r) {
    for (size_t c = shape.n_past + r + 1; c < shape.ld; ++c) scores[r * shape.ld + c] = INT_MAX;
  }
  std::vector<int32_t> got((shape.rows - 1) * shape.index_ld + static_cast<size_t>(counts.back()), kUntouched);
  std::vector<int32_t> want = got;
  kernels.topk(scores.data(), counts.data(), got.data(), shape);
  reference::topk(scores.data(), counts.data(), want.data(), shape);
  check(got == want, "topk", [&] {
    return text(kernels.name, {{"rows", static_cast<double>(shape.rows)},
                               {"n_past", static_cast<double>(shape.n_past)},
                               {"kind", static_cast<double>(kind)}});
  });
}

}  // namespace

void test_pilot(const Kernels& kernels) {
  Random random(4);
  for (size_t head_dim : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 31, 64, 65, 80, 96, 128, 256}) {
    for (size_t rows : {1, 2, 3, 4, 5, 6, 7, 13}) {
      for (size_t keys : {1, 7, 8, 15, 16, 17, 33, 64, 70, 129}) {
        const PilotShape shape = {rows, keys, head_dim, keys + static_cast<size_t>(random.whole(0, 3))};
        pilot_equals(kernels, random.codes(rows * head_dim), random.codes(keys * head_dim), shape);
      }
    }
  }
  // The extremes, where 16-bit sums would saturate.
  for (int8_t a : {-128, -127, 127}) {
    for (int8_t b : {-128, -127, 127}) {
      const std::vector<int8_t> q(5 * 64, a), k(37 * 64, b);
      pilot_equals(kernels, q, k, {5, 37, 64, 40});
    }
  }
}

void test_topk(const Kernels& kernels) {
  Random random(5);
  for (int kind = 0; kind <= 7; ++kind) {
    for (size_t n_past : {0, 1, 14, 15, 31, 62, 100, 255, 500}) {
      for (size_t rows : {1, 2, 5, 34}) {
        const size_t ld = n_past + rows + static_cast<size_t>(random.whole(0, 9));
        topk_equals(kernels, random, {rows, n_past, ld, n_past + rows}, kind, INT_MAX);
        const size_t few = (n_past + rows + 4) / 5;
        topk_equals(kernels, random, {rows, n_past, ld, few}, kind, static_cast<int64_t>(few));
      }
    }
    // More chunks than a byte can count.
    topk_equals(kernels, random, {2, 17000, 17002, 3400}, kind, 3400);
  }
}

}  // namespace shadownpu::test
