// Included before everything else by a build that tests the AVX-512 kernels on a processor without AVX-512: SIMDe
// (https://github.com/simd-everywhere/simde, Debian's libsimde-dev) computes the intrinsics in plain C. What its
// released version lacks is added here, lane by lane, as Intel's guide defines it.
#pragma once

#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx512.h>

#include <cmath>
#include <cstdint>
#include <cstring>

namespace shadownpu::emulated {

template <class T, class V, class Fold>
T reduce(V x, Fold fold) {
  T lanes[sizeof(V) / sizeof(T)];
  std::memcpy(lanes, &x, sizeof x);
  T result = lanes[0];
  for (size_t i = 1; i < sizeof(V) / sizeof(T); ++i) result = fold(result, lanes[i]);
  return result;
}

inline simde__m512 maskz_loadu_ps(uint16_t mask, const float* p) {
  float lanes[16];
  for (int i = 0; i < 16; ++i) lanes[i] = mask >> i & 1 ? p[i] : 0.0f;
  return simde_mm512_loadu_ps(lanes);
}

inline simde__m512i cvtps_epi32(simde__m512 x) {
  float from[16];
  int32_t to[16];
  std::memcpy(from, &x, sizeof x);
  for (int i = 0; i < 16; ++i) {
    const float whole = std::nearbyint(from[i]);
    // What does not fit becomes the "integer indefinite".
    to[i] = whole >= -0x1p31f && whole < 0x1p31f ? static_cast<int32_t>(whole) : INT32_MIN;
  }
  return simde_mm512_loadu_si512(to);
}

inline simde__m512 cvtepi32_ps(simde__m512i x) {
  int32_t from[16];
  float to[16];
  std::memcpy(from, &x, sizeof x);
  for (int i = 0; i < 16; ++i) to[i] = static_cast<float>(from[i]);
  return simde_mm512_loadu_ps(to);
}

inline simde__m128i cvtepi32_epi8(simde__m512i x) {
  int32_t from[16];
  int8_t to[16];
  std::memcpy(from, &x, sizeof x);
  for (int i = 0; i < 16; ++i) to[i] = static_cast<int8_t>(from[i]);
  return simde_mm_loadu_si128(reinterpret_cast<const simde__m128i*>(to));
}

inline simde__m256i cvtepi32_epi16(simde__m512i x) {
  int32_t from[16];
  int16_t to[16];
  std::memcpy(from, &x, sizeof x);
  for (int i = 0; i < 16; ++i) to[i] = static_cast<int16_t>(from[i]);
  return simde_mm256_loadu_si256(reinterpret_cast<const simde__m256i*>(to));
}

inline simde__m512i mulhi_epu16(simde__m512i a, simde__m512i b) {
  uint16_t x[32], y[32];
  std::memcpy(x, &a, sizeof a);
  std::memcpy(y, &b, sizeof b);
  for (int i = 0; i < 32; ++i) x[i] = static_cast<uint16_t>(uint32_t{x[i]} * y[i] >> 16);
  return simde_mm512_loadu_si512(x);
}

// Blocks of 128 bits: the lower two picked from a, the upper two from b.
template <int Pick>
simde__m512 shuffle_f32x4(simde__m512 a, simde__m512 b) {
  float from_a[16], from_b[16], to[16];
  std::memcpy(from_a, &a, sizeof a);
  std::memcpy(from_b, &b, sizeof b);
  for (int block = 0; block < 4; ++block) {
    std::memcpy(to + 4 * block, (block < 2 ? from_a : from_b) + 4 * (Pick >> 2 * block & 3), 16);
  }
  return simde_mm512_loadu_ps(to);
}

inline constexpr auto add = [](auto a, auto b) { return a + b; };
inline constexpr auto least = [](auto a, auto b) { return b < a ? b : a; };
// As vmaxps: the second operand where one is NaN.
inline constexpr auto greatest = [](auto a, auto b) { return a > b ? a : b; };

}  // namespace shadownpu::emulated

#define _mm512_maskz_loadu_ps(mask, p) shadownpu::emulated::maskz_loadu_ps(mask, p)
#define _mm512_reduce_add_ps(x) shadownpu::emulated::reduce<float>(x, shadownpu::emulated::add)
#define _mm512_reduce_max_ps(x) shadownpu::emulated::reduce<float>(x, shadownpu::emulated::greatest)
#define _mm512_reduce_min_epi32(x) shadownpu::emulated::reduce<int32_t>(x, shadownpu::emulated::least)
#define _mm512_reduce_max_epi32(x) shadownpu::emulated::reduce<int32_t>(x, shadownpu::emulated::greatest)
#define _mm512_reduce_add_epi64(x) shadownpu::emulated::reduce<int64_t>(x, shadownpu::emulated::add)
#define _mm512_cvtps_epi32(x) shadownpu::emulated::cvtps_epi32(x)
#define _mm512_cvtepi32_ps(x) shadownpu::emulated::cvtepi32_ps(x)
#define _mm512_cvtepi32_epi8(x) shadownpu::emulated::cvtepi32_epi8(x)
#define _mm512_cvtepi32_epi16(x) shadownpu::emulated::cvtepi32_epi16(x)
#define _mm512_mulhi_epu16(a, b) shadownpu::emulated::mulhi_epu16(a, b)
#undef _mm512_shuffle_f32x4
#define _mm512_shuffle_f32x4(a, b, pick) shadownpu::emulated::shuffle_f32x4<pick>(a, b)
