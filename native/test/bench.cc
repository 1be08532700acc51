// 128 queries at the end of n random keys, head_dim 64, one thread: dense attention against shadow attention, for the three heads of a KV head.
// Variants run in turn and the median of each is printed, so that a busy machine hurts all alike.
//   bench [isa] [ratio]
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>

#include "../src/attention/key_codes.h"
#include "check.h"

using namespace shadownpu;

namespace {

constexpr size_t kRows = 128, kHeadDim = 64;

// Of this thread's processor time, which other programs disturb less than the clock on the wall.
double milliseconds(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

void measure(const Kernels& kernels, size_t n, double ratio) {
  test::Random random(1);
  constexpr size_t kHeads = 3;
  const std::vector<float> q = random.normals(kHeads * kRows * kHeadDim, 1.5f), k = random.normals(n * kHeadDim, 1.5f),
                           v = random.normals(n * kHeadDim);
  const size_t n_past = n - kRows;
  std::vector<uint16_t> kb(k.size()), vb(v.size());
  std::vector<int32_t> counts(kHeads * kRows);
  std::vector<float> out(kHeads * kRows * kHeadDim), prefix(kRows * kHeadDim), floats(3 * kHeadDim);
  std::vector<uint8_t> packed(packed_bytes(n, kHeadDim));
  for (size_t i = 0; i < counts.size(); ++i) {
    counts[i] = std::max(1, static_cast<int32_t>(ratio * static_cast<double>(n_past + i % kRows + 1)));
  }
  kernels.to_bf16(k.data(), kb.data(), k.size());
  kernels.to_bf16(v.data(), vb.data(), v.size());
  int32_t packed_rows = 0, fitted_rows = 0, most_norm = 0, summed_rows = 0;
  update_key_codes(kernels, k.data(), v.data(), n_past, kRows, kHeadDim,
                   {floats.data(), floats.data() + kHeadDim, floats.data() + 2 * kHeadDim, packed.data(), &packed_rows,
                    &fitted_rows, &most_norm, &summed_rows},
                   prefix.data());
  const auto shadow = [&](bool tail, bool share) {
    ShadowStats stats = {};
    kernels.shadow_bf16({q.data(), packed.data(), floats.data() + kHeadDim, floats.data(), static_cast<float>(most_norm),
                         kb.data(), vb.data(), prefix.data(), counts.data()},
                        out.data(), stats,
                        {kRows, n_past, kHeadDim, kHeads, kRows * kHeadDim, kHeads * kHeadDim, 0.125f, 0, tail, share});
    return stats;
  };
  const std::pair<bool, bool> variants[] = {{true, false}, {false, false}, {true, true}};
  std::vector<double> full, decode, total[3], elsewhere[3];
  ShadowStats last[3];
  for (int repeat = 0; repeat < 15; ++repeat) {
    full.push_back(milliseconds([&] {
      for (size_t h = 0; h < kHeads; ++h) {
        kernels.full(q.data() + h * kRows * kHeadDim, k.data(), v.data(), out.data(),
                     {kRows, n_past, kHeadDim, kHeads * kHeadDim, 0.125f});
      }
    }));
    decode.push_back(
        milliseconds([&] { kernels.decode(q.data(), k.data(), v.data(), out.data(), {kHeads, n, kHeadDim, 0.125f}); }));
    for (size_t i = 0; i < std::size(variants); ++i) {
      const double ms = milliseconds([&] { last[i] = shadow(variants[i].first, variants[i].second); });
      total[i].push_back(full.back() / ms);
      elsewhere[i].push_back(full.back() / (ms - 1000 * last[i].pilot));
    }
  }
  std::printf("%-10s %5zu  a head: full %7.3f ms (%.0f GF/s), shadow: pilot %6.3f, select %6.3f, sparse %6.3f ms", kernels.name,
              n, median(full) / kHeads, 4e-6 * kHeads * kRows * (static_cast<double>(n) - kRows / 2.0) * kHeadDim / median(full),
              1000 * last[0].pilot / kHeads, 1000 * last[0].select / kHeads, 1000 * last[0].sparse / kHeads);
  std::printf(" | full/shadow %.2f, pilot elsewhere %.2f | no tail %.2f, %.2f | shared sets %.2f, %.2f | decode(3) %.3f ms\n",
              median(total[0]), median(elsewhere[0]), median(total[1]), median(elsewhere[1]), median(total[2]),
              median(elsewhere[2]), median(decode));
}

}  // namespace

int main(int argc, char** argv) {
  const Kernels* kernels = kernels_for(argc > 1 ? argv[1] : usable_isas()[0]);
  if (!kernels) {
    std::printf("this machine cannot run %s\n", argv[1]);
    return 2;
  }
  const double ratio = argc > 2 ? std::strtod(argv[2], nullptr) : 0.1;
  if (!(ratio > 0 && ratio <= 1)) {
    std::printf("the ratio must be above 0 and at most 1\n");
    return 2;
  }
  for (size_t n : {1024, 2048, 4096, 8192}) measure(*kernels, n, ratio);
}
