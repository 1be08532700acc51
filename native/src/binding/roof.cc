// What one core can do at best, for benchmarks to print beside their figures; see js/index.ts, measureRoof.
#include "../roof/roof.h"

#include <napi.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <string_view>

#include "kernel_calls.h"

namespace shadownpu::binding {
namespace {

constexpr int kTries = 5;
constexpr size_t kCopyBytes = size_t{64} << 20;

// Greatest amount of work a second over a few tries. `work` returns how much it did.
template <class Work>
double best_rate(Work work) {
  double best = 0;
  for (int i = 0; i < kTries; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const double amount = work();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    best = std::max(best, amount / seconds.count());
  }
  return best;
}

// The loops of the kernel table in use, or nullptr for the scalar one.
const RoofLoops* loops() {
  const std::string_view isa = kernels().name;
#if defined(__x86_64__) || defined(_M_X64)
  if (isa.starts_with("avx512")) return &roof_avx512;
  if (isa == "avx2") return &roof_avx2;
#elif defined(__aarch64__)
  if (isa != "scalar") return &roof_neon;
#endif
  return nullptr;
}

double copy_rate() {
  const auto from = std::make_unique<unsigned char[]>(kCopyBytes), to = std::make_unique<unsigned char[]>(kCopyBytes);
  return best_rate([&] {
    std::memcpy(to.get(), from.get(), kCopyBytes);
    roof_sink = to[kCopyBytes / 2];
    return 2.0 * kCopyBytes;
  });
}

Napi::Value MeasureRoof(const Napi::CallbackInfo& info) {
  const RoofLoops* chosen = loops();
  Napi::Object roof = Napi::Object::New(info.Env());
  roof.Set("fp32Gflops", chosen ? best_rate(chosen->fp32) / 1e9 : 0);
  roof.Set("int8Gops", chosen ? best_rate(chosen->int8) / 1e9 : 0);
  roof.Set("copyGBs", copy_rate() / 1e9);
  return roof;
}

}  // namespace
}  // namespace shadownpu::binding

void InitRoof(Napi::Env env, Napi::Object exports) {
  using namespace shadownpu::binding;
  Add<MeasureRoof>(env, exports, "measureRoof");
}
