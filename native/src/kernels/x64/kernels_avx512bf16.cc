// The kernels for x86-64-v4 with VNNI and BF16.
#if defined(__x86_64__) || defined(_M_X64)

#include "../ops/table.h"
#include "avx512.h"

namespace shadownpu {
namespace {

struct Avx512Bf16 : Avx512 {
  static constexpr const char* kName = "avx512bf16";
  static constexpr bool kBf16Dot = true;
  SHADOW_INLINE F dot_bf16(F acc, I a, I b) { return _mm512_dpbf16_ps(acc, (__m512bh)a, (__m512bh)b); }
  // Words of a value of x beside the value of y in the same column. They come in the order of columns within each
  // 128-bit block: columns 0 .. 3 of a block of 8 in zip_low, 4 .. 7 in zip_high.
  SHADOW_INLINE I zip_low(I x, I y) { return _mm512_unpacklo_epi16(x, y); }
  SHADOW_INLINE I zip_high(I x, I y) { return _mm512_unpackhi_epi16(x, y); }
};

}  // namespace

const Kernels kernels_avx512bf16 = ops::table<Avx512Bf16>();

}  // namespace shadownpu

#endif
