// The kernels for arm64 with dotprod, i8mm and bf16.
#if defined(__aarch64__) || defined(_M_ARM64)

#include "../ops/table.h"
#include "dotprod.h"
#include "pilot_i8mm.h"

namespace shadownpu {
namespace {

struct I8mm : Dotprod {
  static constexpr const char* kName = "i8mm";
  static constexpr bool kBf16Dot = true;
  SHADOW_INLINE F dot_bf16(F acc, I a, I b) {
    return vbfdotq_f32(acc, vreinterpretq_bf16_s32(a), vreinterpretq_bf16_s32(b));
  }
  // Words of a value of x beside the value of y in the same column: columns 0 .. 3, then 4 .. 7.
  SHADOW_INLINE I zip_low(I x, I y) {
    return vreinterpretq_s32_u16(vzip1q_u16(vreinterpretq_u16_s32(x), vreinterpretq_u16_s32(y)));
  }
  SHADOW_INLINE I zip_high(I x, I y) {
    return vreinterpretq_s32_u16(vzip2q_u16(vreinterpretq_u16_s32(x), vreinterpretq_u16_s32(y)));
  }
};

}  // namespace

const Kernels kernels_i8mm = ops::table<I8mm, PilotI8mm>();

}  // namespace shadownpu

#endif
