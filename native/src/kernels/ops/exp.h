// exp(x) for x <= 0, relative error under 2e-7 for normal results; below -87.3 it stays at 1.2e-38. NaN comes through.
#pragma once

namespace shadownpu::ops {

template <class S>
inline __attribute__((always_inline)) typename S::F exp_negative(typename S::F x) {
  using F = typename S::F;
  x = S::max(S::set1(-87.33654f), x);
  const auto n = S::round_to_int(S::mul(x, S::set1(1.44269504088896341f)));
  const F whole = S::to_float(n);
  // ln 2 in two parts (Cody and Waite): the first has few bits, so its product with n is exact.
  F r = S::fma(whole, S::set1(-0.693359375f), x);
  r = S::fma(whole, S::set1(2.12194440e-4f), r);
  F p = S::fma(S::set1(1.9875691500e-4f), r, S::set1(1.3981999507e-3f));
  p = S::fma(p, r, S::set1(8.3334519073e-3f));
  p = S::fma(p, r, S::set1(4.1665795894e-2f));
  p = S::fma(p, r, S::set1(1.6666665459e-1f));
  p = S::fma(p, r, S::set1(5.0000001201e-1f));
  p = S::add(S::fma(p, S::mul(r, r), r), S::set1(1.0f));
  return S::mul(p, S::power_of_two(n));
}

constexpr float kLog2E = 1.44269504088896341f;

// 2^x for x <= 0, relative error under 2e-7 for x >= -126; below that it stays at 1.2e-38. NaN comes through. The
// polynomial is the minimax one of degree 5 for the relative error on [-1/2, 1/2], 7.5e-8.
template <class S>
inline __attribute__((always_inline)) typename S::F exp2_negative(typename S::F x) {
  using F = typename S::F;
  x = S::max(S::set1(-126.0f), x);
  const auto n = S::round_to_int(x);
  const F r = S::sub(x, S::to_float(n));
  F p = S::fma(S::set1(1.32764725e-3f), r, S::set1(9.67554096e-3f));
  p = S::fma(p, r, S::set1(5.55071309e-2f));
  p = S::fma(p, r, S::set1(2.40221202e-1f));
  p = S::fma(p, r, S::set1(6.93146944e-1f));
  p = S::fma(p, r, S::set1(1.00000012f));
  return S::mul(p, S::power_of_two(n));
}

// Replaces `count` scores by exp(score - best) - less and returns the sum of the exponentials; `best` is the greatest score. Reads up to the next whole vector and fills that with zeros.
template <class S>
float softmax_weights(float* scores, size_t count, float best, float less = 0) {
  using F = typename S::F;
  const F top = S::set1(best), off = S::set1(less);
  F sum = S::zero();
  size_t i = 0;
  for (; i + S::kLanes <= count; i += S::kLanes) {
    const F e = exp_negative<S>(S::sub(S::load(scores + i), top));
    sum = S::add(sum, e);
    S::store(scores + i, S::sub(e, off));
  }
  if (i < count) {
    const size_t n = count - i;
    const F e = S::first_n(n, exp_negative<S>(S::sub(S::load(scores + i), top)), S::zero());
    sum = S::add(sum, e);
    S::store(scores + i, S::first_n(n, S::sub(e, off), S::zero()));
  }
  return S::reduce_add(sum);
}

}  // namespace shadownpu::ops
