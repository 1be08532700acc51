#include <immintrin.h>

#include "roof.h"

namespace shadownpu {
namespace {

double fp32() {
  __m512 sums[kRoofSums];
  for (auto& sum : sums) sum = _mm512_setzero_ps();
  const __m512 a = _mm512_set1_ps(roof_factor), b = _mm512_set1_ps(roof_addend);
  for (size_t i = 0; i < kRoofSteps; ++i) {
    for (auto& sum : sums) sum = _mm512_fmadd_ps(sum, a, b);
  }
  for (auto& sum : sums) roof_sink = _mm512_cvtss_f32(sum);
  return 2.0 * 16 * kRoofSums * kRoofSteps;
}

double int8() {
  __m512i sums[kRoofSums];
  for (auto& sum : sums) sum = _mm512_setzero_si512();
  const __m512i a = _mm512_set1_epi8(static_cast<char>(roof_byte));
  for (size_t i = 0; i < kRoofSteps; ++i) {
    for (auto& sum : sums) sum = _mm512_dpbusd_epi32(sum, a, a);
  }
  for (auto& sum : sums) roof_sink = static_cast<float>(_mm_cvtsi128_si32(_mm512_castsi512_si128(sum)));
  return 2.0 * 64 * kRoofSums * kRoofSteps;
}

}  // namespace

const RoofLoops roof_avx512 = {fp32, int8};

}  // namespace shadownpu
