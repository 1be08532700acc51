// AVX-512 (F, BW, VL, DQ, VNNI) backend; see ops/README.md for what each member means.
#pragma once

#if defined(__GNUC__) && !defined(__clang__)
// GCC's own header begins unmasked intrinsics with an undefined vector and then warns about it.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace shadownpu {
namespace {

#define SHADOW_INLINE static inline __attribute__((always_inline))

struct Avx512 {
  static constexpr const char* kName = "avx512";
  static constexpr size_t kLanes = 16, kBytes = 64;
  static constexpr size_t kGemmRows = 6, kGemmVecs = 4;
  static constexpr size_t kPilotRows = 6, kPilotVecs = 4;
  using F = __m512;
  using I = __m512i;
  using B = __m512i;

  // --- float
  SHADOW_INLINE __mmask16 lanes_below(size_t n) {
    return static_cast<__mmask16>(n >= kLanes ? 0xffffu : (1u << n) - 1);
  }
  SHADOW_INLINE F load(const float* p) { return _mm512_loadu_ps(p); }
  SHADOW_INLINE void store(float* p, F x) { _mm512_storeu_ps(p, x); }
  SHADOW_INLINE F load_n(const float* p, size_t n) { return _mm512_maskz_loadu_ps(lanes_below(n), p); }
  SHADOW_INLINE F first_n(size_t n, F a, F b) { return _mm512_mask_blend_ps(lanes_below(n), b, a); }
  SHADOW_INLINE F set1(float x) { return _mm512_set1_ps(x); }
  SHADOW_INLINE F zero() { return _mm512_setzero_ps(); }
  SHADOW_INLINE F add(F a, F b) { return _mm512_add_ps(a, b); }
  SHADOW_INLINE F sub(F a, F b) { return _mm512_sub_ps(a, b); }
  SHADOW_INLINE F mul(F a, F b) { return _mm512_mul_ps(a, b); }
  SHADOW_INLINE F div(F a, F b) { return _mm512_div_ps(a, b); }
  SHADOW_INLINE F fma(F a, F b, F c) { return _mm512_fmadd_ps(a, b, c); }
  SHADOW_INLINE F max(F a, F b) { return _mm512_max_ps(a, b); }
  SHADOW_INLINE float reduce_add(F x) { return _mm512_reduce_add_ps(x); }
  SHADOW_INLINE float reduce_max(F x) { return _mm512_reduce_max_ps(x); }
  SHADOW_INLINE F sum_pairs(F a, F b) { return _mm512_add_ps(_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b)); }
  SHADOW_INLINE F sum_quads(F a, F b) {
    const __m512d x = _mm512_castps_pd(a), y = _mm512_castps_pd(b);
    return _mm512_add_ps(_mm512_castpd_ps(_mm512_unpacklo_pd(x, y)), _mm512_castpd_ps(_mm512_unpackhi_pd(x, y)));
  }
  SHADOW_INLINE F sum_blocks(F a, F b) {
    return _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x88), _mm512_shuffle_f32x4(a, b, 0xdd));
  }
  // Four rows into one vector: each 128-bit block holds the partial sums of rows r[0] .. r[3].
  SHADOW_INLINE F sum_four(const F* r) { return sum_quads(sum_pairs(r[0], r[1]), sum_pairs(r[2], r[3])); }
  SHADOW_INLINE F sum_rows(const F* r) {
    return sum_blocks(sum_blocks(sum_four(r), sum_four(r + 4)), sum_blocks(sum_four(r + 8), sum_four(r + 12)));
  }
  SHADOW_INLINE I round_to_int(F x) { return _mm512_cvtps_epi32(x); }
  SHADOW_INLINE F to_float(I x) { return _mm512_cvtepi32_ps(x); }
  SHADOW_INLINE F power_of_two(I n) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_add_epi32(n, _mm512_set1_epi32(127)), 23));
  }
  SHADOW_INLINE I quantized(F x) {
    const F number = _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(x, x, _CMP_ORD_Q), x);
    return _mm512_cvtps_epi32(_mm512_min_ps(_mm512_max_ps(number, _mm512_set1_ps(-127)), _mm512_set1_ps(127)));
  }

  // --- int32
  SHADOW_INLINE I iload(const int32_t* p) { return _mm512_loadu_si512(p); }
  SHADOW_INLINE void istore(int32_t* p, I x) { _mm512_storeu_si512(p, x); }
  SHADOW_INLINE I iset1(int32_t x) { return _mm512_set1_epi32(x); }
  SHADOW_INLINE I isub(I a, I b) { return _mm512_sub_epi32(a, b); }
  SHADOW_INLINE I imin(I a, I b) { return _mm512_min_epi32(a, b); }
  SHADOW_INLINE I imax(I a, I b) { return _mm512_max_epi32(a, b); }
  SHADOW_INLINE I iand(I a, I b) { return _mm512_and_si512(a, b); }
  SHADOW_INLINE I shift_right(I x, int n) { return _mm512_srl_epi32(x, _mm_cvtsi32_si128(n)); }
  SHADOW_INLINE int32_t reduce_imin(I x) { return _mm512_reduce_min_epi32(x); }
  SHADOW_INLINE int32_t reduce_imax(I x) { return _mm512_reduce_max_epi32(x); }
  SHADOW_INLINE I float_bits(F x) { return _mm512_castps_si512(x); }

  // --- bfloat16, widened to float
  static constexpr bool kBf16Dot = false;
  SHADOW_INLINE I load_words(const uint16_t* p) { return _mm512_loadu_si512(p); }
  SHADOW_INLINE F even_bf16(I words) { return _mm512_castsi512_ps(_mm512_slli_epi32(words, 16)); }
  SHADOW_INLINE F odd_bf16(I words) {
    return _mm512_castsi512_ps(_mm512_and_si512(words, _mm512_set1_epi32(static_cast<int>(0xffff0000))));
  }

  // --- int8 product. vpdpbusd wants unsigned times signed: keys carry a bias of 128, which the pilot takes off again.
  static constexpr size_t kPilotWord = 4;
  static constexpr int kPilotBias = 128;
  SHADOW_INLINE int32_t pack_word(const int8_t* p) {
    int32_t word;
    std::memcpy(&word, p, sizeof word);
    return word;
  }
  SHADOW_INLINE I dot_words(I acc, I k, I q) { return _mm512_dpbusd_epi32(acc, k, q); }

  // --- 16-bit scores: 32-bit sums of words, narrowed
  static constexpr size_t kScoreRows = 8;
  static constexpr int kKeyBias = 64;
  using P = __m512i;
  using H = __m512i;
  SHADOW_INLINE P start_scores(int32_t bias) { return _mm512_set1_epi32(bias); }
  SHADOW_INLINE P add_scores(P acc, B keys, int32_t word) {
    return _mm512_dpbusd_epi32(acc, keys, _mm512_set1_epi32(word));
  }
  SHADOW_INLINE void store_scores(int16_t* out, P one, P two) {
    const __m512i low = _mm512_castsi256_si512(_mm512_cvtepi32_epi16(one));
    hstore(out, _mm512_inserti64x4(low, _mm512_cvtepi32_epi16(two), 1));
  }
  SHADOW_INLINE H hload(const int16_t* p) { return _mm512_loadu_si512(p); }
  SHADOW_INLINE void hstore(int16_t* p, H x) { _mm512_storeu_si512(p, x); }
  SHADOW_INLINE H hset1(int16_t x) { return _mm512_set1_epi16(x); }
  SHADOW_INLINE H hmin(H a, H b) { return _mm512_min_epi16(a, b); }
  SHADOW_INLINE H hmax(H a, H b) { return _mm512_max_epi16(a, b); }
  SHADOW_INLINE int reduce_hmin(H x) {
    const __m256i half = _mm256_min_epi16(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64(x, 1));
    const __m128i m = _mm_min_epi16(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    const __m128i least = _mm_minpos_epu16(_mm_xor_si128(m, _mm_set1_epi16(-32768)));
    return static_cast<int>(_mm_cvtsi128_si32(least) & 0xffff) - 32768;
  }
  SHADOW_INLINE int reduce_hmax(H x) { return -1 - reduce_hmin(_mm512_xor_si512(x, _mm512_set1_epi16(-1))); }
  SHADOW_INLINE B narrow_scores(H a, H b, H least, H factor) {
    const __m256i x = _mm512_cvtepi16_epi8(_mm512_mulhi_epu16(_mm512_sub_epi16(a, least), factor));
    const __m256i y = _mm512_cvtepi16_epi8(_mm512_mulhi_epu16(_mm512_sub_epi16(b, least), factor));
    return _mm512_inserti64x4(_mm512_castsi256_si512(x), y, 1);
  }

  // --- bytes
  SHADOW_INLINE B bmax(B a, B b) { return _mm512_max_epu8(a, b); }
  SHADOW_INLINE B bsubs(B a, B b) { return _mm512_subs_epu8(a, b); }
  SHADOW_INLINE B table16(const uint8_t* p) {
    return _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  }
  SHADOW_INLINE B lookup(B table, B nibble) { return _mm512_shuffle_epi8(table, nibble); }
  SHADOW_INLINE B low_nibble(B x) { return _mm512_and_si512(x, _mm512_set1_epi8(15)); }
  SHADOW_INLINE B high_nibble(B x) { return _mm512_and_si512(_mm512_srli_epi16(x, 4), _mm512_set1_epi8(15)); }
  SHADOW_INLINE B clear_bits(uint64_t bits, B x) { return _mm512_maskz_mov_epi8(~bits, x); }
  SHADOW_INLINE I add_products(I acc, B a, B b) { return _mm512_dpbusd_epi32(acc, a, b); }
  SHADOW_INLINE B narrow(I a, I b, I c, I d) {
    const __m256i ab =
        _mm256_inserti128_si256(_mm256_castsi128_si256(_mm512_cvtepi32_epi8(a)), _mm512_cvtepi32_epi8(b), 1);
    const __m256i cd =
        _mm256_inserti128_si256(_mm256_castsi128_si256(_mm512_cvtepi32_epi8(c)), _mm512_cvtepi32_epi8(d), 1);
    return _mm512_inserti64x4(_mm512_castsi256_si512(ab), cd, 1);
  }
  SHADOW_INLINE B bload(const uint8_t* p) { return _mm512_loadu_si512(p); }
  SHADOW_INLINE void bstore(uint8_t* p, B x) { _mm512_storeu_si512(p, x); }
  SHADOW_INLINE B bset1(uint8_t x) { return _mm512_set1_epi8(static_cast<char>(x)); }
  SHADOW_INLINE B count_ge(B acc, B x, B t) {
    return _mm512_mask_sub_epi8(acc, _mm512_cmpge_epu8_mask(x, t), acc, _mm512_set1_epi8(-1));
  }
  SHADOW_INLINE size_t reduce_count(B acc) {
    return static_cast<size_t>(_mm512_reduce_add_epi64(_mm512_sad_epu8(acc, _mm512_setzero_si512())));
  }
  SHADOW_INLINE uint64_t ge_bits(B x, B t) { return _mm512_cmpge_epu8_mask(x, t); }
  SHADOW_INLINE uint64_t gt_bits(B x, B t) { return _mm512_cmpgt_epu8_mask(x, t); }
  SHADOW_INLINE size_t compress16(unsigned mask, int32_t base, int32_t* out) {
    const I lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const I at = _mm512_add_epi32(lane, _mm512_set1_epi32(base));
    // Compressing in the register and storing it whole is much faster than a compressing store on some CPUs.
    istore(out, _mm512_maskz_compress_epi32(static_cast<__mmask16>(mask), at));
    return static_cast<size_t>(__builtin_popcount(mask));
  }
};

}  // namespace
}  // namespace shadownpu
