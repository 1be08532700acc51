// NEON backend (armv8-a); see ops/README.md for what each member means.
#pragma once

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../compress_table.h"

namespace shadownpu {
namespace {

#define SHADOW_INLINE static inline __attribute__((always_inline))

struct Neon {
  static constexpr const char* kName = "neon";
  static constexpr size_t kLanes = 4, kBytes = 16;
  static constexpr size_t kGemmRows = 6, kGemmVecs = 4;
  static constexpr size_t kPilotRows = 4, kPilotVecs = 4;
  using F = float32x4_t;
  using I = int32x4_t;
  using B = uint8x16_t;

  // --- float
  SHADOW_INLINE F load(const float* p) { return vld1q_f32(p); }
  SHADOW_INLINE void store(float* p, F x) { vst1q_f32(p, x); }
  SHADOW_INLINE F load_n(const float* p, size_t n) {
    float lanes[kLanes] = {};
    std::memcpy(lanes, p, (n < kLanes ? n : kLanes) * sizeof(float));
    return vld1q_f32(lanes);
  }
  SHADOW_INLINE F first_n(size_t n, F a, F b) {
    const uint32_t lanes[kLanes] = {0, 1, 2, 3};
    return vbslq_f32(vcltq_u32(vld1q_u32(lanes), vdupq_n_u32(static_cast<uint32_t>(n))), a, b);
  }
  SHADOW_INLINE F set1(float x) { return vdupq_n_f32(x); }
  SHADOW_INLINE F zero() { return vdupq_n_f32(0); }
  SHADOW_INLINE F add(F a, F b) { return vaddq_f32(a, b); }
  SHADOW_INLINE F sub(F a, F b) { return vsubq_f32(a, b); }
  SHADOW_INLINE F mul(F a, F b) { return vmulq_f32(a, b); }
  SHADOW_INLINE F div(F a, F b) { return vdivq_f32(a, b); }
  SHADOW_INLINE F fma(F a, F b, F c) { return vfmaq_f32(c, a, b); }
  SHADOW_INLINE F max(F a, F b) { return vmaxq_f32(a, b); }
  SHADOW_INLINE float reduce_add(F x) { return vaddvq_f32(x); }
  SHADOW_INLINE float reduce_max(F x) { return vmaxvq_f32(x); }
  SHADOW_INLINE F sum_rows(const F* r) { return vpaddq_f32(vpaddq_f32(r[0], r[1]), vpaddq_f32(r[2], r[3])); }
  SHADOW_INLINE I round_to_int(F x) { return vcvtnq_s32_f32(x); }
  SHADOW_INLINE F to_float(I x) { return vcvtq_f32_s32(x); }
  SHADOW_INLINE F power_of_two(I n) { return vreinterpretq_f32_s32(vshlq_n_s32(vaddq_s32(n, vdupq_n_s32(127)), 23)); }
  SHADOW_INLINE I quantized(F x) {
    // The conversion saturates and turns NaN into 0.
    return vminq_s32(vmaxq_s32(vcvtnq_s32_f32(x), vdupq_n_s32(-127)), vdupq_n_s32(127));
  }

  // --- int32
  SHADOW_INLINE I iload(const int32_t* p) { return vld1q_s32(p); }
  SHADOW_INLINE void istore(int32_t* p, I x) { vst1q_s32(p, x); }
  SHADOW_INLINE I iset1(int32_t x) { return vdupq_n_s32(x); }
  SHADOW_INLINE I isub(I a, I b) { return vsubq_s32(a, b); }
  SHADOW_INLINE I imin(I a, I b) { return vminq_s32(a, b); }
  SHADOW_INLINE I imax(I a, I b) { return vmaxq_s32(a, b); }
  SHADOW_INLINE I iand(I a, I b) { return vandq_s32(a, b); }
  SHADOW_INLINE I shift_right(I x, int n) {
    return vreinterpretq_s32_u32(vshlq_u32(vreinterpretq_u32_s32(x), vdupq_n_s32(-n)));
  }
  SHADOW_INLINE int32_t reduce_imin(I x) { return vminvq_s32(x); }
  SHADOW_INLINE int32_t reduce_imax(I x) { return vmaxvq_s32(x); }
  SHADOW_INLINE I float_bits(F x) { return vreinterpretq_s32_f32(x); }

  // --- bfloat16, widened to float
  static constexpr bool kBf16Dot = false;
  SHADOW_INLINE I load_words(const uint16_t* p) { return vreinterpretq_s32_u16(vld1q_u16(p)); }
  SHADOW_INLINE F even_bf16(I words) { return vreinterpretq_f32_s32(vshlq_n_s32(words, 16)); }
  SHADOW_INLINE F odd_bf16(I words) {
    return vreinterpretq_f32_s32(vandq_s32(words, vdupq_n_s32(static_cast<int32_t>(0xffff0000))));
  }

  // --- int8 product
  static constexpr size_t kPilotWord = 4;
  static constexpr int kPilotBias = 0;
  SHADOW_INLINE int32_t pack_word(const int8_t* p) {
    int32_t word;
    std::memcpy(&word, p, sizeof word);
    return word;
  }
  SHADOW_INLINE I dot_words(I acc, I k, I q) {
    const int8x16_t x = vreinterpretq_s8_s32(k), y = vreinterpretq_s8_s32(q);
    const int32x4_t low = vpaddlq_s16(vmull_s8(vget_low_s8(x), vget_low_s8(y)));
    const int32x4_t high = vpaddlq_s16(vmull_high_s8(x, y));
    return vaddq_s32(acc, vpaddq_s32(low, high));
  }

  // --- 16-bit scores: 32-bit sums of words, narrowed
  static constexpr size_t kScoreRows = 4;
  static constexpr int kKeyBias = 64;
  using P = int32x4_t;
  using H = int16x8_t;
  SHADOW_INLINE P start_scores(int32_t bias) { return vdupq_n_s32(bias); }
  // Codes with their bias are at most 127, so they are signed bytes too.
  SHADOW_INLINE P add_scores(P acc, B keys, int32_t word) {
    return dot_words(acc, vreinterpretq_s32_u8(keys), vdupq_n_s32(word));
  }
  SHADOW_INLINE void store_scores(int16_t* out, P one, P two) {
    vst1q_s16(out, vcombine_s16(vmovn_s32(one), vmovn_s32(two)));
  }
  SHADOW_INLINE H hload(const int16_t* p) { return vld1q_s16(p); }
  SHADOW_INLINE void hstore(int16_t* p, H x) { vst1q_s16(p, x); }
  SHADOW_INLINE H hset1(int16_t x) { return vdupq_n_s16(x); }
  SHADOW_INLINE H hmin(H a, H b) { return vminq_s16(a, b); }
  SHADOW_INLINE H hmax(H a, H b) { return vmaxq_s16(a, b); }
  SHADOW_INLINE int reduce_hmin(H x) { return vminvq_s16(x); }
  SHADOW_INLINE int reduce_hmax(H x) { return vmaxvq_s16(x); }
  SHADOW_INLINE uint8x8_t narrow_half(H x, H least, H factor) {
    const uint16x8_t d = vreinterpretq_u16_s16(vsubq_s16(x, least)), f = vreinterpretq_u16_s16(factor);
    const uint16x4_t low = vshrn_n_u32(vmull_u16(vget_low_u16(d), vget_low_u16(f)), 16);
    const uint16x4_t high = vshrn_n_u32(vmull_high_u16(d, f), 16);
    return vmovn_u16(vcombine_u16(low, high));
  }
  SHADOW_INLINE B narrow_scores(H a, H b, H least, H factor) {
    return vcombine_u8(narrow_half(a, least, factor), narrow_half(b, least, factor));
  }

  // --- bytes
  SHADOW_INLINE B bmax(B a, B b) { return vmaxq_u8(a, b); }
  SHADOW_INLINE B bsubs(B a, B b) { return vqsubq_u8(a, b); }
  SHADOW_INLINE B table16(const uint8_t* p) { return vld1q_u8(p); }
  SHADOW_INLINE B lookup(B table, B nibble) { return vqtbl1q_u8(table, nibble); }
  SHADOW_INLINE B low_nibble(B x) { return vandq_u8(x, vdupq_n_u8(15)); }
  SHADOW_INLINE B high_nibble(B x) { return vshrq_n_u8(x, 4); }
  SHADOW_INLINE B clear_bits(uint64_t bits, B x) {
    const uint8_t weight[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const B spread = vcombine_u8(vdup_n_u8(static_cast<uint8_t>(bits)), vdup_n_u8(static_cast<uint8_t>(bits >> 8)));
    return vbicq_u8(x, vtstq_u8(spread, vld1q_u8(weight)));
  }
  SHADOW_INLINE I add_products(I acc, B a, B b) {
    const uint16x8_t low = vmull_u8(vget_low_u8(a), vget_low_u8(b)), high = vmull_high_u8(a, b);
    return vreinterpretq_s32_u32(vpadalq_u16(vpadalq_u16(vreinterpretq_u32_s32(acc), low), high));
  }
  SHADOW_INLINE B narrow(I a, I b, I c, I d) {
    const int16x8_t ab = vcombine_s16(vmovn_s32(a), vmovn_s32(b)), cd = vcombine_s16(vmovn_s32(c), vmovn_s32(d));
    return vreinterpretq_u8_s8(vcombine_s8(vmovn_s16(ab), vmovn_s16(cd)));
  }
  SHADOW_INLINE B bload(const uint8_t* p) { return vld1q_u8(p); }
  SHADOW_INLINE void bstore(uint8_t* p, B x) { vst1q_u8(p, x); }
  SHADOW_INLINE B bset1(uint8_t x) { return vdupq_n_u8(x); }
  SHADOW_INLINE B count_ge(B acc, B x, B t) { return vsubq_u8(acc, vcgeq_u8(x, t)); }
  SHADOW_INLINE size_t reduce_count(B acc) { return vaddlvq_u8(acc); }
  SHADOW_INLINE uint64_t mask_bits(uint8x16_t mask) {
    const uint8_t weight[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t bits = vandq_u8(mask, vld1q_u8(weight));
    return static_cast<uint64_t>(vaddv_u8(vget_low_u8(bits))) | static_cast<uint64_t>(vaddv_u8(vget_high_u8(bits)))
                                                                    << 8;
  }
  SHADOW_INLINE uint64_t ge_bits(B x, B t) { return mask_bits(vcgeq_u8(x, t)); }
  SHADOW_INLINE uint64_t gt_bits(B x, B t) { return mask_bits(vcgtq_u8(x, t)); }
  SHADOW_INLINE size_t compress8(unsigned mask, int32_t base, int32_t* out) {
    const uint16x8_t at = vmovl_u8(vld1_u8(compress_table.positions[mask]));
    const int32x4_t from = vdupq_n_s32(base);
    vst1q_s32(out, vaddq_s32(from, vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(at)))));
    vst1q_s32(out + 4, vaddq_s32(from, vreinterpretq_s32_u32(vmovl_u16(vget_high_u16(at)))));
    return static_cast<size_t>(__builtin_popcount(mask));
  }
  SHADOW_INLINE size_t compress16(unsigned mask, int32_t base, int32_t* out) {
    const size_t n = compress8(mask & 0xff, base, out);
    return n + compress8(mask >> 8, base + 8, out + n);
  }
};

}  // namespace
}  // namespace shadownpu
