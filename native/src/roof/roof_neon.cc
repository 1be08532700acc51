#include <arm_neon.h>

#include "roof.h"

namespace shadownpu {
namespace {

double fp32() {
  float32x4_t sums[kRoofSums];
  for (auto& sum : sums) sum = vdupq_n_f32(0);
  const float32x4_t a = vdupq_n_f32(roof_factor), b = vdupq_n_f32(roof_addend);
  for (size_t i = 0; i < kRoofSteps; ++i) {
    for (auto& sum : sums) sum = vfmaq_f32(b, sum, a);
  }
  for (auto& sum : sums) roof_sink = vgetq_lane_f32(sum, 0);
  return 2.0 * 4 * kRoofSums * kRoofSteps;
}

// Without the dot-product instructions: bytes to 16 bits, added in pairs to 32 bits.
double int8() {
  int32x4_t sums[kRoofSums];
  for (auto& sum : sums) sum = vdupq_n_s32(0);
  int8x16_t a = vdupq_n_s8(static_cast<int8_t>(roof_byte));
  for (size_t i = 0; i < kRoofSteps; ++i) {
    for (auto& sum : sums) {
      // The products would be made once, before the loop.
      asm volatile("" : "+w"(a));
      sum = vpadalq_s16(sum, vmlal_s8(vmull_s8(vget_low_s8(a), vget_low_s8(a)), vget_high_s8(a), vget_high_s8(a)));
    }
  }
  for (auto& sum : sums) roof_sink = static_cast<float>(vgetq_lane_s32(sum, 0));
  return 2.0 * 16 * kRoofSums * kRoofSteps;
}

}  // namespace

const RoofLoops roof_neon = {fp32, int8};

}  // namespace shadownpu
