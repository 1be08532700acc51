// max|x|, float to int8 codes, float to bfloat16.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace shadownpu::ops {

template <class S>
float max_abs(const float* x, size_t n) {
  // The bits of |x| order as integers do, NaN above infinity: no special case.
  const typename S::I magnitude = S::iset1(0x7fffffff);
  typename S::I best = S::iset1(0);
  size_t i = 0;
  for (; i + S::kLanes <= n; i += S::kLanes) best = S::imax(best, S::iand(S::float_bits(S::load(x + i)), magnitude));
  if (i < n) best = S::imax(best, S::iand(S::float_bits(S::load_n(x + i, n - i)), magnitude));
  return std::bit_cast<float>(S::reduce_imax(best));
}

template <class S>
void quantize_block(const float* x, uint8_t* out, typename S::F lambda) {
  constexpr size_t W = S::kLanes;
  S::bstore(out, S::narrow(S::quantized(S::div(S::load(x), lambda)), S::quantized(S::div(S::load(x + W), lambda)),
                           S::quantized(S::div(S::load(x + 2 * W), lambda)),
                           S::quantized(S::div(S::load(x + 3 * W), lambda))));
}

template <class S>
void quantize(const float* x, int8_t* out, size_t n, float lambda) {
  uint8_t* codes = reinterpret_cast<uint8_t*>(out);
  const typename S::F divisor = S::set1(lambda);
  size_t i = 0;
  for (; i + S::kBytes <= n; i += S::kBytes) quantize_block<S>(x + i, codes + i, divisor);
  if (i < n) {
    float rest[S::kBytes] = {};
    uint8_t rest_codes[S::kBytes];
    std::memcpy(rest, x + i, (n - i) * sizeof(float));
    quantize_block<S>(rest, rest_codes, divisor);
    std::memcpy(codes + i, rest_codes, n - i);
  }
}

// Plain, since compilers turn it into vector code by themselves. S only keeps instances of different sets apart.
template <class S>
void to_bf16(const float* x, uint16_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const uint32_t bits = std::bit_cast<uint32_t>(x[i]);
    const uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    const bool nan = (bits & 0x7fffffff) > 0x7f800000;
    out[i] = static_cast<uint16_t>(nan ? (bits >> 16 | 0x40) : rounded);
  }
}

}  // namespace shadownpu::ops
