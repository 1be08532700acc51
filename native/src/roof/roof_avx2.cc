#include <immintrin.h>

#include "roof.h"

namespace shadownpu {
namespace {

double fp32() {
  __m256 sums[kRoofSums];
  for (auto& sum : sums) sum = _mm256_setzero_ps();
  const __m256 a = _mm256_set1_ps(roof_factor), b = _mm256_set1_ps(roof_addend);
  for (size_t i = 0; i < kRoofSteps; ++i) {
    for (auto& sum : sums) sum = _mm256_fmadd_ps(sum, a, b);
  }
  for (auto& sum : sums) roof_sink = _mm256_cvtss_f32(sum);
  return 2.0 * 8 * kRoofSums * kRoofSteps;
}

// Without VNNI: bytes to pairs of 16 bits to 32 bits, then the addition.
double int8() {
  __m256i sums[kRoofSums];
  for (auto& sum : sums) sum = _mm256_setzero_si256();
  __m256i a = _mm256_set1_epi8(static_cast<char>(roof_byte));
  const __m256i ones = _mm256_set1_epi16(1);
  for (size_t i = 0; i < kRoofSteps; ++i) {
    for (auto& sum : sums) {
      // The products would be made once, before the loop.
      asm volatile("" : "+x"(a));
      sum = _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_maddubs_epi16(a, a), ones));
    }
  }
  for (auto& sum : sums) roof_sink = static_cast<float>(_mm256_extract_epi32(sum, 0));
  return 2.0 * 32 * kRoofSums * kRoofSteps;
}

}  // namespace

const RoofLoops roof_avx2 = {fp32, int8};

}  // namespace shadownpu
