// AVX2 + FMA backend; see ops/README.md for what each member means.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../compress_table.h"

namespace shadownpu {
namespace {

#define SHADOW_INLINE static inline __attribute__((always_inline))

struct Avx2 {
  static constexpr const char* kName = "avx2";
  static constexpr size_t kLanes = 8, kBytes = 32;
  static constexpr size_t kGemmRows = 6, kGemmVecs = 2;
  static constexpr size_t kPilotRows = 4, kPilotVecs = 2;
  using F = __m256;
  using I = __m256i;
  using B = __m256i;

  // --- float
  SHADOW_INLINE F load(const float* p) { return _mm256_loadu_ps(p); }
  SHADOW_INLINE void store(float* p, F x) { _mm256_storeu_ps(p, x); }
  SHADOW_INLINE I lanes_below(size_t n) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  }
  SHADOW_INLINE F load_n(const float* p, size_t n) { return _mm256_maskload_ps(p, lanes_below(n)); }
  SHADOW_INLINE F first_n(size_t n, F a, F b) { return _mm256_blendv_ps(b, a, _mm256_castsi256_ps(lanes_below(n))); }
  SHADOW_INLINE F set1(float x) { return _mm256_set1_ps(x); }
  SHADOW_INLINE F zero() { return _mm256_setzero_ps(); }
  SHADOW_INLINE F add(F a, F b) { return _mm256_add_ps(a, b); }
  SHADOW_INLINE F sub(F a, F b) { return _mm256_sub_ps(a, b); }
  SHADOW_INLINE F mul(F a, F b) { return _mm256_mul_ps(a, b); }
  SHADOW_INLINE F div(F a, F b) { return _mm256_div_ps(a, b); }
  SHADOW_INLINE F fma(F a, F b, F c) { return _mm256_fmadd_ps(a, b, c); }
  SHADOW_INLINE F max(F a, F b) { return _mm256_max_ps(a, b); }
  SHADOW_INLINE float reduce_add(F x) {
    __m128 s = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
  }
  SHADOW_INLINE float reduce_max(F x) {
    __m128 s = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    s = _mm_max_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_max_ss(s, _mm_movehdup_ps(s)));
  }
  SHADOW_INLINE F sum_rows(const F* r) {
    const F low = _mm256_hadd_ps(_mm256_hadd_ps(r[0], r[1]), _mm256_hadd_ps(r[2], r[3]));
    const F high = _mm256_hadd_ps(_mm256_hadd_ps(r[4], r[5]), _mm256_hadd_ps(r[6], r[7]));
    return _mm256_add_ps(_mm256_permute2f128_ps(low, high, 0x20), _mm256_permute2f128_ps(low, high, 0x31));
  }
  SHADOW_INLINE I round_to_int(F x) { return _mm256_cvtps_epi32(x); }
  SHADOW_INLINE F to_float(I x) { return _mm256_cvtepi32_ps(x); }
  SHADOW_INLINE F power_of_two(I n) {
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(n, _mm256_set1_epi32(127)), 23));
  }
  SHADOW_INLINE I quantized(F x) {
    const F number = _mm256_and_ps(x, _mm256_cmp_ps(x, x, _CMP_ORD_Q));
    return _mm256_cvtps_epi32(_mm256_min_ps(_mm256_max_ps(number, _mm256_set1_ps(-127)), _mm256_set1_ps(127)));
  }

  // --- int32
  SHADOW_INLINE I iload(const int32_t* p) { return _mm256_loadu_si256(reinterpret_cast<const I*>(p)); }
  SHADOW_INLINE void istore(int32_t* p, I x) { _mm256_storeu_si256(reinterpret_cast<I*>(p), x); }
  SHADOW_INLINE I iset1(int32_t x) { return _mm256_set1_epi32(x); }
  SHADOW_INLINE I isub(I a, I b) { return _mm256_sub_epi32(a, b); }
  SHADOW_INLINE I imin(I a, I b) { return _mm256_min_epi32(a, b); }
  SHADOW_INLINE I imax(I a, I b) { return _mm256_max_epi32(a, b); }
  SHADOW_INLINE I iand(I a, I b) { return _mm256_and_si256(a, b); }
  SHADOW_INLINE I shift_right(I x, int n) { return _mm256_srl_epi32(x, _mm_cvtsi32_si128(n)); }
  SHADOW_INLINE int32_t reduce_imin(I x) {
    __m128i m = _mm_min_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    m = _mm_min_epi32(m, _mm_shuffle_epi32(m, 0x4e));
    return _mm_cvtsi128_si32(_mm_min_epi32(m, _mm_shuffle_epi32(m, 0xb1)));
  }
  SHADOW_INLINE int32_t reduce_imax(I x) {
    __m128i m = _mm_max_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    m = _mm_max_epi32(m, _mm_shuffle_epi32(m, 0x4e));
    return _mm_cvtsi128_si32(_mm_max_epi32(m, _mm_shuffle_epi32(m, 0xb1)));
  }
  SHADOW_INLINE I float_bits(F x) { return _mm256_castps_si256(x); }

  // --- bfloat16, widened to float
  static constexpr bool kBf16Dot = false;
  SHADOW_INLINE I load_words(const uint16_t* p) { return _mm256_loadu_si256(reinterpret_cast<const I*>(p)); }
  SHADOW_INLINE F even_bf16(I words) { return _mm256_castsi256_ps(_mm256_slli_epi32(words, 16)); }
  SHADOW_INLINE F odd_bf16(I words) {
    return _mm256_castsi256_ps(_mm256_and_si256(words, _mm256_set1_epi32(static_cast<int>(0xffff0000))));
  }

  // --- int8 product. vpmaddubsw saturates, so the codes are widened to pairs of int16 when packed.
  static constexpr size_t kPilotWord = 2;
  static constexpr int kPilotBias = 0;
  SHADOW_INLINE int32_t pack_word(const int8_t* p) {
    return static_cast<int32_t>(static_cast<uint32_t>(p[0] & 0xffff) | static_cast<uint32_t>(p[1]) << 16);
  }
  SHADOW_INLINE I dot_words(I acc, I k, I q) { return _mm256_add_epi32(acc, _mm256_madd_epi16(k, q)); }

  // --- 16-bit scores. Keys are biased bytes; a lane of P holds the sum of two of a word's four products.
  static constexpr size_t kScoreRows = 4;
  static constexpr int kKeyBias = 64;
  using P = __m256i;
  using H = __m256i;
  SHADOW_INLINE P start_scores(int32_t bias) { return _mm256_set1_epi32(bias & 0xffff); }
  SHADOW_INLINE P add_scores(P acc, B keys, int32_t word) {
    return _mm256_add_epi16(acc, _mm256_maddubs_epi16(keys, _mm256_set1_epi32(word)));
  }
  SHADOW_INLINE void store_scores(int16_t* out, P one, P two) {
    hstore(out, _mm256_permute4x64_epi64(_mm256_hadd_epi16(one, two), 0xd8));
  }
  SHADOW_INLINE H hload(const int16_t* p) { return _mm256_loadu_si256(reinterpret_cast<const H*>(p)); }
  SHADOW_INLINE void hstore(int16_t* p, H x) { _mm256_storeu_si256(reinterpret_cast<H*>(p), x); }
  SHADOW_INLINE H hset1(int16_t x) { return _mm256_set1_epi16(x); }
  SHADOW_INLINE H hmin(H a, H b) { return _mm256_min_epi16(a, b); }
  SHADOW_INLINE H hmax(H a, H b) { return _mm256_max_epi16(a, b); }
  SHADOW_INLINE int reduce_hmin(H x) {
    // The instruction for unsigned minima, moved by half the range.
    const __m128i m = _mm_min_epi16(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    const __m128i least = _mm_minpos_epu16(_mm_xor_si128(m, _mm_set1_epi16(-32768)));
    return static_cast<int>(_mm_cvtsi128_si32(least) & 0xffff) - 32768;
  }
  SHADOW_INLINE int reduce_hmax(H x) { return -1 - reduce_hmin(_mm256_xor_si256(x, _mm256_set1_epi16(-1))); }
  SHADOW_INLINE B narrow_scores(H a, H b, H least, H factor) {
    const H x = _mm256_mulhi_epu16(_mm256_sub_epi16(a, least), factor);
    const H y = _mm256_mulhi_epu16(_mm256_sub_epi16(b, least), factor);
    return _mm256_permute4x64_epi64(_mm256_packus_epi16(x, y), 0xd8);
  }

  // --- bytes
  SHADOW_INLINE B bmax(B a, B b) { return _mm256_max_epu8(a, b); }
  SHADOW_INLINE B bsubs(B a, B b) { return _mm256_subs_epu8(a, b); }
  SHADOW_INLINE B table16(const uint8_t* p) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  }
  SHADOW_INLINE B lookup(B table, B nibble) { return _mm256_shuffle_epi8(table, nibble); }
  SHADOW_INLINE B low_nibble(B x) { return _mm256_and_si256(x, _mm256_set1_epi8(15)); }
  SHADOW_INLINE B high_nibble(B x) { return _mm256_and_si256(_mm256_srli_epi16(x, 4), _mm256_set1_epi8(15)); }
  SHADOW_INLINE B clear_bits(uint64_t bits, B x) {
    const I spread = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const I each = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201));
    const I byte = _mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int>(bits)), spread);
    return _mm256_andnot_si256(_mm256_cmpeq_epi8(_mm256_and_si256(byte, each), each), x);
  }
  // acc + products of bytes of at most 127.
  SHADOW_INLINE I add_products(I acc, B a, B b) {
    return _mm256_add_epi32(acc, _mm256_madd_epi16(_mm256_maddubs_epi16(a, b), _mm256_set1_epi16(1)));
  }
  SHADOW_INLINE B narrow(I a, I b, I c, I d) {
    const I low = _mm256_set1_epi32(0xff);
    const I ab = _mm256_packus_epi32(_mm256_and_si256(a, low), _mm256_and_si256(b, low));
    const I cd = _mm256_packus_epi32(_mm256_and_si256(c, low), _mm256_and_si256(d, low));
    // Packing works within 128-bit halves: words come out as a0 b0 c0 d0 a1 b1 c1 d1.
    return _mm256_permutevar8x32_epi32(_mm256_packus_epi16(ab, cd), _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
  }
  SHADOW_INLINE B bload(const uint8_t* p) { return _mm256_loadu_si256(reinterpret_cast<const B*>(p)); }
  SHADOW_INLINE void bstore(uint8_t* p, B x) { _mm256_storeu_si256(reinterpret_cast<B*>(p), x); }
  SHADOW_INLINE B bset1(uint8_t x) { return _mm256_set1_epi8(static_cast<char>(x)); }
  SHADOW_INLINE B ge_mask(B x, B t) { return _mm256_cmpeq_epi8(_mm256_max_epu8(x, t), x); }
  SHADOW_INLINE B count_ge(B acc, B x, B t) { return _mm256_sub_epi8(acc, ge_mask(x, t)); }
  SHADOW_INLINE size_t reduce_count(B acc) {
    const I sums = _mm256_sad_epu8(acc, _mm256_setzero_si256());
    const __m128i s = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    return static_cast<size_t>(_mm_cvtsi128_si64(s) + _mm_extract_epi64(s, 1));
  }
  SHADOW_INLINE uint64_t ge_bits(B x, B t) { return static_cast<uint32_t>(_mm256_movemask_epi8(ge_mask(x, t))); }
  SHADOW_INLINE uint64_t gt_bits(B x, B t) { return ~ge_bits(t, x) & 0xffffffffu; }
  SHADOW_INLINE size_t compress8(unsigned mask, int32_t base, int32_t* out) {
    const __m128i at = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(compress_table.positions[mask]));
    istore(out, _mm256_add_epi32(_mm256_cvtepu8_epi32(at), _mm256_set1_epi32(base)));
    return static_cast<size_t>(__builtin_popcount(mask));
  }
  SHADOW_INLINE size_t compress16(unsigned mask, int32_t base, int32_t* out) {
    const size_t n = compress8(mask & 0xff, base, out);
    return n + compress8(mask >> 8, base + 8, out + n);
  }
};

}  // namespace
}  // namespace shadownpu
