// One head, 128 queries at the end of n keys, head_dim 64, one thread: dense attention against pilot + top-k + sparse.
// Variants run in turn and the median of each is printed, so that a busy machine hurts all alike.
//   bench [isa] [ratio]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>

#include "check.h"

using namespace shadownpu;

namespace {

constexpr size_t kRows = 128, kHeadDim = 64;

double milliseconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

void measure(const Kernels& kernels, size_t n, float ratio) {
  test::Random random(1);
  const std::vector<float> q = random.normals(kRows * kHeadDim), k = random.normals(n * kHeadDim),
                           v = random.normals(n * kHeadDim);
  const size_t n_past = n - kRows, most = static_cast<size_t>(std::ceil(ratio * static_cast<float>(n)));
  std::vector<int8_t> q8(q.size()), k8(k.size());
  std::vector<uint16_t> kb(k.size()), vb(v.size());
  std::vector<int32_t> scores(kRows * n), indices(kRows * most), counts(kRows);
  std::vector<float> out(kRows * kHeadDim);
  for (size_t r = 0; r < kRows; ++r) {
    counts[r] = std::max(1, static_cast<int32_t>(ratio * static_cast<float>(n_past + r + 1)));
  }
  kernels.quantize(k.data(), k8.data(), k.size(), 0.03f);
  kernels.to_bf16(k.data(), kb.data(), k.size());
  kernels.to_bf16(v.data(), vb.data(), v.size());
  const SparseShape sparse = {kRows, kHeadDim, most, kHeadDim, 0.125f};

  const std::function<void()> work[] = {
      [&] {
        kernels.full(q.data(), k.data(), v.data(), out.data(), {kRows, n_past, kHeadDim, kHeadDim, 0.125f});
      },
      [&] {
        kernels.quantize(q.data(), q8.data(), q.size(), 0.03f);
        kernels.pilot(q8.data(), k8.data(), scores.data(), {kRows, n, kHeadDim, n});
      },
      [&] {
        kernels.topk(scores.data(), counts.data(), indices.data(), {kRows, n_past, n, most});
      },
      [&] { kernels.sparse(q.data(), k.data(), v.data(), indices.data(), counts.data(), nullptr, out.data(), sparse); },
      [&] { kernels.sparse_bf16(q.data(), kb.data(), vb.data(), indices.data(), counts.data(), nullptr, out.data(), sparse); },
      [&] {
        kernels.decode(q.data(), k.data(), v.data(), out.data(), {3, n, kHeadDim, 0.125f});
      },
  };
  constexpr size_t kVariants = std::size(work);
  std::vector<double> times[kVariants];
  for (int repeat = 0; repeat < 11; ++repeat) {
    for (size_t i = 0; i < kVariants; ++i) times[i].push_back(milliseconds(work[i]));
  }
  double ms[kVariants];
  for (size_t i = 0; i < kVariants; ++i) ms[i] = median(times[i]);
  const double chosen = std::min(ms[3], ms[4]);
  std::printf(
      "%-10s %5zu  full %7.3f  pilot %6.3f  topk %6.3f  sparse %6.3f  bf16 %6.3f  decode(3) %6.3f ms"
      "  | full/shadow %.2fx, without pilot %.2fx\n",
      kernels.name, n, ms[0], ms[1], ms[2], ms[3], ms[4], ms[5], ms[0] / (ms[1] + ms[2] + chosen),
      ms[0] / (ms[2] + chosen));
}

}  // namespace

int main(int argc, char** argv) {
  const Kernels* kernels = kernels_for(argc > 1 ? argv[1] : usable_isas()[0]);
  if (!kernels) {
    std::printf("this machine cannot run %s\n", argv[1]);
    return 2;
  }
  const float ratio = argc > 2 ? std::strtof(argv[2], nullptr) : 0.2f;
  if (!(ratio > 0 && ratio <= 1)) {
    std::printf("the ratio must be above 0 and at most 1\n");
    return 2;
  }
  for (size_t n : {1024, 2048, 4096, 8192}) measure(*kernels, n, ratio);
}
