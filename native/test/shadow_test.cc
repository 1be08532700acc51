// The fused path: selection from bytes, the tail, and shadow attention as a whole.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "../src/attention/key_codes.h"
#include "../src/kernels/reference/reference.h"
#include "check.h"

namespace shadownpu::test {
namespace {

// Bytes of a certain character.
std::vector<uint8_t> byte_row(Random& random, int kind, size_t n) {
  std::vector<uint8_t> row(n);
  for (uint8_t& value : row) {
    const double x = kind == 0   ? 128 + 40 * static_cast<double>(random.normal())
                     : kind == 1 ? 77
                     : kind == 2 ? static_cast<double>(random.whole(0, 2))
                     : kind == 3 ? static_cast<double>(random.whole(0, 1) * 255)
                                 : static_cast<double>(random.whole(0, 255));
    value = static_cast<uint8_t>(std::clamp(x, 0.0, 255.0));
  }
  return row;
}

void select_case(const Kernels& kernels, Random& random, size_t rows, size_t n_past, int kind, bool exact, float step,
                 float reach) {
  const size_t visible = n_past + rows;
  const SelectShape shape = {rows, n_past, visible + 3, visible, exact, reach};
  const std::vector<uint8_t> scores = byte_row(random, kind, rows * shape.ld);
  std::vector<float> steps(rows, step), bases(rows);
  std::vector<int32_t> counts(rows);
  for (size_t r = 0; r < rows; ++r) {
    bases[r] = random.normal();
    counts[r] = static_cast<int32_t>(random.whole(1, static_cast<int64_t>(n_past + r + 1)));
  }
  struct Sets {
    std::vector<int32_t> indices, kept;
    std::vector<float> tails;
  };
  const Sets empty = {std::vector<int32_t>(rows * visible, -1), std::vector<int32_t>(rows, -1),
                      std::vector<float>(rows)};
  Sets got = empty, want = empty;
  kernels.select(scores.data(), steps.data(), bases.data(), counts.data(), got.indices.data(), got.kept.data(),
                 got.tails.data(), shape);
  reference::select(scores.data(), steps.data(), bases.data(), counts.data(), want.indices.data(), want.kept.data(),
                    want.tails.data(), shape);
  const auto where = [&] {
    return text(kernels.name, {{"rows", static_cast<double>(rows)}, {"n_past", static_cast<double>(n_past)},
                               {"kind", kind}, {"exact", exact}, {"step", step}});
  };
  check(got.kept == want.kept && got.indices == want.indices, "select", where);
  for (size_t r = 0; r < rows; ++r) {
    const size_t count = static_cast<size_t>(want.kept[r]), dropped = n_past + r + 1 - count;
    // Weights are products of two 7-bit numbers, relative to a key just at the threshold.
    uint8_t least = 255;
    for (size_t i = 0; i < count; ++i) {
      least = std::min(least, scores[r * shape.ld + static_cast<size_t>(want.indices[r * visible + i])]);
    }
    const double threshold = bases[r] + steps[r] * static_cast<double>(least);
    const double exact_mass = std::exp(want.tails[r] - threshold), mass = std::exp(got.tails[r] - threshold);
    check(std::fabs(mass - exact_mass) <= 0.03 * exact_mass + 0.006 * static_cast<double>(dropped), "tail", where);
  }
}

struct Head {
  std::vector<float> mean, step, sum, prefix;
  std::vector<uint8_t> packed;
  int32_t packed_rows = 0, fitted_rows = 0, most_norm = 0, summed_rows = 0;

  Head(size_t keys, size_t head_dim, size_t rows)
      : mean(head_dim), step(head_dim), sum(head_dim), prefix(rows * head_dim), packed(packed_bytes(keys, head_dim)) {}
  KeyCodes codes() {
    return {mean.data(), step.data(), sum.data(), packed.data(), &packed_rows, &fitted_rows, &most_norm, &summed_rows};
  }
};

double rms(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (static_cast<double>(a[i]) - b[i]) * (static_cast<double>(a[i]) - b[i]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

void shadow_case(const Kernels& kernels, Random& random, size_t rows, size_t n_past, size_t head_dim, size_t heads,
                 double ratio, bool tail, bool share, bool bf16) {
  const size_t keys = n_past + rows;
  const std::vector<float> q = random.normals(heads * rows * head_dim, 1.5f);
  std::vector<float> k = random.normals(keys * head_dim, 1.5f), v = random.normals(keys * head_dim);
  // Channels of different width, away from zero, as real keys have them.
  for (size_t i = 0; i < k.size(); ++i) k[i] = k[i] * (1 + static_cast<float>(i % head_dim % 5)) * 0.4f + 0.7f;
  std::vector<uint16_t> kb(k.size()), vb(v.size());
  reference::to_bf16(k.data(), kb.data(), k.size());
  reference::to_bf16(v.data(), vb.data(), v.size());
  std::vector<int32_t> counts(heads * rows);
  for (size_t h = 0; h < heads; ++h) {
    for (size_t r = 0; r < rows; ++r) {
      const auto visible = static_cast<double>(n_past + r + 1);
      counts[h * rows + r] = static_cast<int32_t>(std::clamp(std::floor(ratio * visible), 1.0, visible));
    }
  }
  const ShadowShape shape = {rows, n_past, head_dim, heads, rows * head_dim, heads * head_dim, 0.125f, share ? 3.0f : 0.0f, tail, share};
  const auto attend = [&](const Kernels& table, double& kept, std::vector<int32_t>& hits) {
    Head head(keys, head_dim, rows);
    update_key_codes(table, k.data(), v.data(), n_past, rows, head_dim, head.codes(), head.prefix.data());
    const ShadowInput in = {q.data(), head.packed.data(), head.step.data(), head.mean.data(),
                            static_cast<float>(head.most_norm), bf16 ? static_cast<const void*>(kb.data()) : k.data(),
                            bf16 ? static_cast<const void*>(vb.data()) : v.data(), head.prefix.data(), counts.data()};
    std::vector<float> out(heads * rows * head_dim);
    ShadowStats stats = {};
    std::vector<double> head_kept(heads);
    hits.assign(heads * (keys + 3), 0);
    stats.head_kept = head_kept.data();
    stats.hits = hits.data();
    stats.hits_stride = keys + 3;
    (bf16 ? table.shadow_bf16 : table.shadow)(in, out.data(), stats, shape);
    kept = stats.kept;
    check(std::accumulate(head_kept.begin(), head_kept.end(), 0.0) == kept, "kept keys of the heads add up", [&] { return table.name; });
    return out;
  };
  double kept, want_kept;
  std::vector<int32_t> hits, want_hits;
  const std::vector<float> got = attend(kernels, kept, hits), want = attend(kernels_scalar, want_kept, want_hits);
  const auto where = [&] {
    return text(kernels.name, {{"rows", static_cast<double>(rows)}, {"n_past", static_cast<double>(n_past)},
                               {"head_dim", static_cast<double>(head_dim)}, {"heads", static_cast<double>(heads)},
                               {"ratio", ratio}, {"tail", tail}, {"share", share}, {"bf16", bf16},
                               {"error", rms(got, want)}, {"kept", kept}, {"want", want_kept}});
  };
  // A code that rounds the other way can swap a key at the threshold for its like; with few keys each weighs much.
  check(rms(got, want) < (ratio == 1 && !share ? (bf16 ? 5e-3 : 1e-5) : 0.03), "shadow", where);
  check(std::fabs(kept - want_kept) <= 0.02 * want_kept + 3, "shadow keeps", where);
  double off = 0, all = 0;
  for (size_t i = 0; i < hits.size(); ++i) {
    off += std::abs(hits[i] - want_hits[i]);
    all += want_hits[i];
  }
  check(off <= 0.04 * all + 3, "keys that shadow keeps", where);
  if (ratio == 1 && !share) {
    // Every counted row keeps all the keys that it sees.
    bool exact = true;
    for (size_t h = 0; h < heads; ++h) {
      for (size_t key = 0; key < keys; ++key) {
        int32_t expected = 0;
        for (size_t r = 0; r < rows; r += kHitRows) expected += key <= n_past + r;
        exact &= hits[h * (keys + 3) + key] == expected;
      }
    }
    check(exact, "keys of rows that keep all", where);
  }
  if (ratio == 1 && !share && !bf16) {
    std::vector<float> full(heads * rows * head_dim);
    for (size_t h = 0; h < heads; ++h) {
      reference::full(q.data() + h * rows * head_dim, k.data(), v.data(), full.data() + h * head_dim,
                      {rows, n_past, head_dim, heads * head_dim, 0.125f});
    }
    check(rms(got, full) < 1e-5, "shadow that keeps all is full", where);
  }
}

}  // namespace

void test_select(const Kernels& kernels) {
  Random random(31);
  for (const bool exact : {false, true}) {
    for (int kind = 0; kind < 5; ++kind) {
      for (const size_t n_past : {0, 1, 15, 31, 32, 63, 64, 100, 1000}) {
        for (const float step : {0.0f, 0.01f, 0.1f, 0.5f}) {
          for (const float reach : {0.0f, 2.5f}) select_case(kernels, random, 5, n_past, kind, exact, step, reach);
        }
      }
    }
  }
  select_case(kernels, random, 0, 10, 0, true, 0.1f, 0);
}

void test_tail(const Kernels& kernels) {
  Random random(32);
  for (const size_t head_dim : {3, 8, 64, 80, 128}) {
    for (const size_t count : {1, 5, 17, 40}) {
      const size_t rows = 3, keys = 60;
      const std::vector<float> q = random.normals(rows * head_dim), k = random.normals(keys * head_dim);
      const std::vector<float> v = random.normals(keys * head_dim), prefix = random.normals(rows * head_dim, 5);
      std::vector<int32_t> indices, counts(rows, static_cast<int32_t>(count));
      for (size_t r = 0; r < rows; ++r) {
        for (size_t i = 0; i < count; ++i) indices.push_back(static_cast<int32_t>(i + r));
      }
      const std::vector<float> log_mass = {-INFINITY, 2, -3};
      const Tail tail = {log_mass.data(), prefix.data(), keys - rows};
      const SparseShape shape = {rows, head_dim, count, head_dim, 0.2f};
      std::vector<float> got(rows * head_dim), want = got;
      kernels.sparse(q.data(), k.data(), v.data(), indices.data(), counts.data(), &tail, got.data(), shape);
      reference::sparse(q.data(), k.data(), v.data(), indices.data(), counts.data(), &tail, want.data(), shape);
      check(rms(got, want) < 1e-5, "sparse with a tail", [&] {
        return text(kernels.name, {{"head_dim", static_cast<double>(head_dim)}, {"count", static_cast<double>(count)},
                                   {"error", rms(got, want)}});
      });
    }
  }
}

void test_shadow(const Kernels& kernels) {
  Random random(33);
  for (const bool bf16 : {false, true}) {
    for (const bool tail : {false, true}) {
      for (const bool share : {false, true}) {
        for (const size_t head_dim : {4, 30, 64, 128}) {
          shadow_case(kernels, random, 5, 0, head_dim, 1, 1, tail, share, bf16);
          shadow_case(kernels, random, 9, 37, head_dim, 3, 1, tail, share, bf16);
          shadow_case(kernels, random, 19, 200, head_dim, 2, 0.5, tail, share, bf16);
        }
        shadow_case(kernels, random, 33, 1100, 64, 3, 0.1, tail, share, bf16);
      }
    }
  }
  // State that an earlier, longer prompt left, cut down to nothing.
  const std::vector<float> k = random.normals(40 * 8), v = random.normals(40 * 8);
  Head used(40, 8, 40), fresh(40, 8, 40);
  update_key_codes(kernels, k.data(), v.data(), 0, 40, 8, used.codes(), used.prefix.data());
  used.packed_rows = used.fitted_rows = used.summed_rows = 0;
  update_key_codes(kernels, v.data(), k.data(), 0, 9, 8, used.codes(), used.prefix.data());
  update_key_codes(kernels, v.data(), k.data(), 0, 9, 8, fresh.codes(), fresh.prefix.data());
  check(std::equal(fresh.prefix.begin(), fresh.prefix.begin() + 9 * 8, used.prefix.begin()) && used.sum == fresh.sum,
        "sums of values start anew", [&] { return kernels.name; });
  // Rows of zeros and a single key.
  const std::vector<float> zeros(64);
  Head head(1, 64, 1);
  update_key_codes(kernels, zeros.data(), zeros.data(), 0, 1, 64, head.codes(), head.prefix.data());
  const int32_t one = 1;
  std::vector<float> out(64, 7);
  ShadowStats stats = {};
  kernels.shadow({zeros.data(), head.packed.data(), head.step.data(), head.mean.data(), 0, zeros.data(), zeros.data(),
                  head.prefix.data(), &one},
                 out.data(), stats, {1, 0, 64, 1, 64, 64, 1, 0, true, false});
  check(out == zeros, "shadow of zeros", [&] { return kernels.name; });
}

}  // namespace shadownpu::test
