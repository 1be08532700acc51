// The pilot of the fused path: INT8 scores of a few query rows against all keys, exact in 16 bits.
//
// Keys are packed once, when they enter the cache: code = clamp(round((k - mean) * inverse), -63, 63) per channel, in
// tiles of S::kLanes keys by 4 channels. Queries are scaled by the channels' steps and quantised row by row, which leaves
// the order of a row's scores as it is, with a step so large that |q . k| <= 32767 by Cauchy and Schwarz. So 16-bit sums
// never overflow in the end, and what wraps on the way does not matter.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../kernels.h"
#include "../scratch.h"

namespace shadownpu::ops {

constexpr int kMostKeyCode = 63;
constexpr size_t kWord = 4;  // channels of a packed word

constexpr size_t words_of(size_t head_dim) { return (head_dim + kWord - 1) / kWord; }

template <class S>
void pack_keys(const float* k, const float* mean, const float* inverse, uint8_t* packed, int32_t* most_norm,
               const PackShape& shape) {
  constexpr size_t kTile = S::kLanes;
  const size_t words = words_of(shape.head_dim);
  for (size_t i = 0; i < shape.count; ++i) {
    const size_t key = shape.first + i;
    uint8_t* to = packed + key / kTile * kTile * words * kWord + key % kTile * kWord;
    const float* row = k + i * shape.head_dim;
    int32_t norm = 0;
    for (size_t w = 0; w < words; ++w) {
      uint8_t word[kWord];
      for (size_t j = 0; j < kWord; ++j) {
        const size_t d = w * kWord + j;
        int code = 0;
        if (d < shape.head_dim) {
          const float x = (row[d] - mean[d]) * inverse[d];
          const float most = static_cast<float>(kMostKeyCode);
          // A comparison with NaN is false, so NaN becomes -most here; such a key is reported by the layer's check.
          const float clamped = x > -most ? (x < most ? x : most) : -most;
          code = static_cast<int>(std::nearbyintf(clamped));
        }
        norm += code * code;
        word[j] = static_cast<uint8_t>(code + S::kKeyBias);
      }
      std::memcpy(to + w * kTile * kWord, word, kWord);
    }
    if (norm > *most_norm) *most_norm = norm;
  }
}

// Codes of query rows, and what turns their scores into nats: base + step * score.
template <class S>
struct QueryCoder {
  using F = typename S::F;
  static constexpr size_t padded(size_t head_dim) { return (head_dim + S::kBytes - 1) / S::kBytes * S::kBytes; }

  float* scaled;  // [padded] one row, zeros behind it
  uint8_t* codes_of_row;
  size_t head_dim;

  static size_t scratch_bytes(size_t head_dim) { return lines(padded(head_dim) * sizeof(float)) + lines(padded(head_dim)); }
  QueryCoder(Scratch& scratch, size_t dim)
      : scaled(scratch.take<float>(padded(dim))), codes_of_row(scratch.take<uint8_t>(padded(dim))), head_dim(dim) {
    for (size_t d = 0; d < padded(dim); ++d) scaled[d] = 0;
  }

  // `channel` [head_dim] are the steps of the keys' channels, `mean` [head_dim] was taken off the keys.
  void row(const float* q, const float* channel, const float* mean, float most_norm, float scale, int8_t* codes,
           int32_t& bias, float& step, float& base) const {
    constexpr float kMost = 127, kRange = 32767;
    F squares = S::zero(), high = S::zero(), low = S::zero(), dot = S::zero();
    size_t d = 0;
    const auto take = [&](F x, F c, F m) __attribute__((always_inline)) {
      const F y = S::mul(x, c);
      squares = S::fma(y, y, squares);
      high = S::max(high, y);
      low = S::max(low, S::sub(S::zero(), y));
      dot = S::fma(x, m, dot);
      return y;
    };
    for (; d + S::kLanes <= head_dim; d += S::kLanes) {
      S::store(scaled + d, take(S::load(q + d), S::load(channel + d), S::load(mean + d)));
    }
    if (d < head_dim) {
      const size_t n = head_dim - d;
      S::store(scaled + d, take(S::load_n(q + d, n), S::load_n(channel + d, n), S::load_n(mean + d, n)));
    }
    const float norm = std::sqrt(S::reduce_add(squares)), most = S::reduce_max(S::max(high, low));
    const size_t used = words_of(head_dim) * kWord;
    // Rounding moves a code by at most a half, so the norm of all by at most half the square root of their number.
    const float room = kRange / std::sqrt(most_norm > 1 ? most_norm : 1) - 0.5f * std::sqrt(static_cast<float>(used));
    float unit = most / kMost;
    if (norm / room > unit) unit = norm / room;
    if (!(unit > 0) || !std::isfinite(unit)) unit = 1;  // a row of zeros, or of numbers that are not finite
    const F inverse = S::set1(1 / unit);
    for (d = 0; d < head_dim; d += S::kBytes) {
      constexpr size_t W = S::kLanes;
      const float* x = scaled + d;
      S::bstore(codes_of_row + d, S::narrow(S::quantized(S::mul(S::load(x), inverse)),
                                            S::quantized(S::mul(S::load(x + W), inverse)),
                                            S::quantized(S::mul(S::load(x + 2 * W), inverse)),
                                            S::quantized(S::mul(S::load(x + 3 * W), inverse))));
    }
    std::memcpy(codes, codes_of_row, used);
    int32_t sum = 0;
    for (d = 0; d < used; ++d) sum += codes[d];
    bias = -S::kKeyBias * sum;
    step = unit * scale;
    base = S::reduce_add(dot) * scale;
  }
};

template <class S>
struct Scores {
  using P = typename S::P;
  static constexpr size_t kStep = 2 * S::kLanes;  // keys of two tiles

  // Scores of R rows against keys [0, keys), written up to the next whole pair of tiles.
  template <size_t R>
  static void rows(const int8_t* codes, const int32_t* bias, const uint8_t* packed, size_t words, size_t keys,
                   int16_t* scores, size_t ld) {
    const size_t tile_bytes = words * S::kLanes * kWord;
    const size_t padded = words * kWord;
    for (size_t key = 0; key < keys; key += kStep) {
      const uint8_t* first = packed + key * words * kWord;
      const uint8_t* second = first + tile_bytes;
      P one[R], two[R];
      for (size_t r = 0; r < R; ++r) one[r] = two[r] = S::start_scores(bias[r]);
      for (size_t w = 0; w < words; ++w) {
        const auto a = S::bload(first + w * S::kLanes * kWord), b = S::bload(second + w * S::kLanes * kWord);
        for (size_t r = 0; r < R; ++r) {
          int32_t word;
          std::memcpy(&word, codes + r * padded + w * kWord, kWord);
          one[r] = S::add_scores(one[r], a, word);
          two[r] = S::add_scores(two[r], b, word);
        }
      }
      for (size_t r = 0; r < R; ++r) S::store_scores(scores + r * ld + key, one[r], two[r]);
    }
  }

  static void run(const int8_t* codes, const int32_t* bias, const uint8_t* packed, size_t words, size_t count,
                  size_t keys, int16_t* scores, size_t ld) {
    const size_t padded = words * kWord;
    size_t r = 0;
    for (; r + S::kScoreRows <= count; r += S::kScoreRows) {
      rows<S::kScoreRows>(codes + r * padded, bias + r, packed, words, keys, scores + r * ld, ld);
    }
    for (; r < count; ++r) rows<1>(codes + r * padded, bias + r, packed, words, keys, scores + r * ld, ld);
  }
};

}  // namespace shadownpu::ops
