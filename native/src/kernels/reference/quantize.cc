// Reference kernels that change number formats: plain loops, the truth that tests hold every other set to.
#include <bit>
#include <cmath>

#include "reference.h"

namespace shadownpu::reference {

float max_abs(const float* x, size_t n) {
  float best = 0;
  for (size_t i = 0; i < n; ++i) {
    if (std::isnan(x[i])) return x[i];
    best = std::fmax(best, std::fabs(x[i]));
  }
  return best;
}

void quantize(const float* x, int8_t* out, size_t n, float lambda) {
  for (size_t i = 0; i < n; ++i) {
    const float ratio = x[i] / lambda;
    // nearbyint rounds half to even in the default rounding mode.
    const float rounded = std::isnan(ratio) ? 0.0f : std::nearbyint(ratio);
    out[i] = static_cast<int8_t>(std::fmin(std::fmax(rounded, -127.0f), 127.0f));
  }
}

void to_bf16(const float* x, uint16_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const uint32_t bits = std::bit_cast<uint32_t>(x[i]);
    // A NaN whose payload sits in the low half would round to infinity: keep it quiet and non-zero.
    out[i] = static_cast<uint16_t>(std::isnan(x[i]) ? (bits >> 16 | 0x40) : (bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
}

}  // namespace shadownpu::reference
