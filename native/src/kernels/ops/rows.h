// What sparse and decode attention share: dot products of one query with many key rows, and weighted sums of value
// rows. A `Rows` class knows the element type of K and V and the order in which it keeps a query in registers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "formats.h"

namespace shadownpu::ops {

template <class Rows>
void read_row(const float* x, float factor, size_t head_dim, float* sums);

// float32 keys and values.
template <class S>
struct FloatRows {
  using Element = float;
  using F = typename S::F;
  static constexpr size_t kBlock = S::kLanes;  // elements of one step
  static constexpr size_t kSums = 1;           // accumulators that one step of a weighted sum fills
  static constexpr size_t kKeys = 1;           // keys that one step of a weighted sum takes

  static void prepare(const float* q, size_t head_dim, float* prepared) {
    const size_t padded = (head_dim + kBlock - 1) / kBlock * kBlock;
    for (size_t d = 0; d < padded; ++d) prepared[d] = d < head_dim ? q[d] : 0;
  }
  static inline __attribute__((always_inline)) F dot(F acc, const float* q, const float* k) {
    return S::fma(S::load(q), S::load(k), acc);
  }
  static inline __attribute__((always_inline)) F weight(const float* weights) { return S::set1(weights[0]); }
  static inline __attribute__((always_inline)) void accumulate(F* acc, F weight, const float* const* v, size_t d) {
    acc[0] = S::fma(weight, S::load(v[0] + d), acc[0]);
  }
  // Where column d of a block lies in the accumulators.
  static constexpr size_t slot(size_t d) { return d; }
};

// bfloat16 keys and values, widened to float: a word of two neighbours gives an even and an odd lane.
template <class S>
struct Bf16Rows {
  using Element = uint16_t;
  using F = typename S::F;
  static constexpr size_t kBlock = 2 * S::kLanes, kSums = 2, kKeys = 1;

  static constexpr size_t slot(size_t d) { return d / 2 + (d % 2) * S::kLanes; }
  static void prepare(const float* q, size_t head_dim, float* prepared) {
    read_row<Bf16Rows>(q, 1, head_dim, prepared);
  }
  static inline __attribute__((always_inline)) F dot(F acc, const float* q, const uint16_t* k) {
    const auto words = S::load_words(k);
    acc = S::fma(S::load(q), S::even_bf16(words), acc);
    return S::fma(S::load(q + S::kLanes), S::odd_bf16(words), acc);
  }
  static inline __attribute__((always_inline)) F weight(const float* weights) { return S::set1(weights[0]); }
  static inline __attribute__((always_inline)) void accumulate(F* acc, F weight, const uint16_t* const* v, size_t d) {
    const auto words = S::load_words(v[0] + d);
    acc[0] = S::fma(weight, S::even_bf16(words), acc[0]);
    acc[1] = S::fma(weight, S::odd_bf16(words), acc[1]);
  }
};

// bfloat16 keys and values, multiplied as such: queries and weights are rounded to bfloat16 too.
template <class S>
struct Bf16DotRows {
  using Element = uint16_t;
  using F = typename S::F;
  using I = typename S::I;
  static constexpr size_t kBlock = 2 * S::kLanes, kSums = 2, kKeys = 2;

  // zip_low and zip_high work within blocks of 128 bits.
  static constexpr size_t slot(size_t d) { return d / 8 * 4 + d % 4 + (d % 8 < 4 ? 0 : S::kLanes); }
  // The words of a block fill the first half of its floats.
  static void prepare(const float* q, size_t head_dim, float* prepared) {
    const size_t padded = (head_dim + kBlock - 1) / kBlock * kBlock;
    for (size_t d = 0; d < padded; d += kBlock) {
      float part[kBlock] = {};
      uint16_t rounded[kBlock];
      std::memcpy(part, q + d, (head_dim - d < kBlock ? head_dim - d : kBlock) * sizeof(float));
      to_bf16<S>(part, rounded, kBlock);
      std::memcpy(prepared + d, rounded, sizeof rounded);
    }
  }
  static inline __attribute__((always_inline)) F dot(F acc, const float* q, const uint16_t* k) {
    return S::dot_bf16(acc, S::float_bits(S::load(q)), S::load_words(k));
  }
  // Adding half a unit to the bits rounds the magnitude to nearest.
  static inline __attribute__((always_inline)) I weight(const float* weights) {
    const uint32_t first = std::bit_cast<uint32_t>(weights[0]) + 0x8000;
    const uint32_t second = std::bit_cast<uint32_t>(weights[1]) + 0x8000;
    return S::iset1(static_cast<int32_t>(first >> 16 | (second & 0xffff0000)));
  }
  static inline __attribute__((always_inline)) void accumulate(F* acc, I weight, const uint16_t* const* v, size_t d) {
    const I first = S::load_words(v[0] + d), second = S::load_words(v[1] + d);
    acc[0] = S::dot_bf16(acc[0], weight, S::zip_low(first, second));
    acc[1] = S::dot_bf16(acc[1], weight, S::zip_high(first, second));
  }
};

// Rows at once in a score tile: enough independent chains to hide the latency of a multiply-add.
constexpr size_t kRowsAtOnce = 8;

template <class S>
constexpr size_t tile_keys = S::kLanes > kRowsAtOnce ? S::kLanes : kRowsAtOnce;

// scores[i] = scale * (query . key at(i)) for i < count; returns the greatest. `query` as Rows::prepare leaves it.
// Writes up to the next whole tile.
template <class S, class Rows, class At>
float score_rows(const float* query, const typename Rows::Element* k, size_t count, At at, size_t head_dim, float scale,
                 float* scores, float best_so_far) {
  using F = typename S::F;
  using Element = typename Rows::Element;
  constexpr size_t kTile = tile_keys<S>;
  const size_t whole = head_dim / Rows::kBlock * Rows::kBlock;
  F best = S::set1(best_so_far);
  for (size_t i = 0; i < count; i += kTile) {
    F sums[kTile];
    for (size_t first = 0; first < kTile; first += kRowsAtOnce) {
      const Element* rows[kRowsAtOnce];
      F acc[kRowsAtOnce];
      for (size_t j = 0; j < kRowsAtOnce; ++j) {
        const size_t key = i + first + j < count ? i + first + j : count - 1;
        rows[j] = k + at(key) * head_dim;
        acc[j] = S::zero();
      }
      for (size_t d = 0; d < whole; d += Rows::kBlock) {
        for (size_t j = 0; j < kRowsAtOnce; ++j) acc[j] = Rows::dot(acc[j], query + d, rows[j] + d);
      }
      if (whole < head_dim) {
        for (size_t j = 0; j < kRowsAtOnce; ++j) {
          Element rest[Rows::kBlock] = {};
          std::memcpy(rest, rows[j] + whole, (head_dim - whole) * sizeof(Element));
          acc[j] = Rows::dot(acc[j], query + whole, rest);
        }
      }
      for (size_t j = 0; j < kRowsAtOnce; ++j) sums[first + j] = acc[j];
    }
    // The last tile repeats its last key, which changes no maximum.
    for (size_t v = 0; v < kTile; v += S::kLanes) {
      const F s = S::mul(S::sum_rows(sums + v), S::set1(scale));
      best = S::max(best, s);
      S::store(scores + i + v, s);
    }
  }
  return S::reduce_max(best);
}

// Adds weights[i] * value at(i) over `Blocks` whole blocks of columns to sums. Unrolled over keys where few
// accumulators would leave the multiply-add units idle.
template <class S, class Rows, size_t Blocks, class At>
void add_blocks(const float* weights, const typename Rows::Element* v, size_t count, At at, size_t head_dim,
                float* sums) {
  using F = typename S::F;
  constexpr size_t kAcc = Blocks * Rows::kSums;
  constexpr size_t kUnroll = kAcc >= 8 ? 1 : kAcc >= 4 ? 2 : 4;
  F acc[kUnroll][kAcc];
  for (size_t a = 0; a < kAcc; ++a) {
    acc[0][a] = S::load(sums + a * S::kLanes);
    for (size_t u = 1; u < kUnroll; ++u) acc[u][a] = S::zero();
  }
  constexpr size_t kKeys = Rows::kKeys;
  const typename Rows::Element* rows[kKeys];
  size_t i = 0;
  for (; i + kUnroll * kKeys <= count; i += kUnroll * kKeys) {
    for (size_t u = 0; u < kUnroll; ++u) {
      for (size_t j = 0; j < kKeys; ++j) rows[j] = v + at(i + u * kKeys + j) * head_dim;
      const auto weight = Rows::weight(weights + i + u * kKeys);
      for (size_t b = 0; b < Blocks; ++b) Rows::accumulate(acc[u] + b * Rows::kSums, weight, rows, b * Rows::kBlock);
    }
  }
  for (; i < count; i += kKeys) {
    float last[kKeys];
    for (size_t j = 0; j < kKeys; ++j) {
      last[j] = i + j < count ? weights[i + j] : 0;
      rows[j] = v + at(i + j < count ? i + j : i) * head_dim;
    }
    const auto weight = Rows::weight(last);
    for (size_t b = 0; b < Blocks; ++b) Rows::accumulate(acc[0] + b * Rows::kSums, weight, rows, b * Rows::kBlock);
  }
  for (size_t a = 0; a < kAcc; ++a) {
    for (size_t u = 1; u < kUnroll; ++u) acc[0][a] = S::add(acc[0][a], acc[u][a]);
    S::store(sums + a * S::kLanes, acc[0][a]);
  }
}

// sums += weights . V. `sums` holds whole blocks in the order of Rows::slot.
template <class S, class Rows, class At>
void add_rows(const float* weights, const typename Rows::Element* v, size_t count, At at, size_t head_dim,
              float* sums) {
  constexpr size_t kWide = 8 / Rows::kSums;
  const size_t blocks = head_dim / Rows::kBlock;
  size_t b = 0;
  const auto go = [&]<size_t Blocks>() {
    add_blocks<S, Rows, Blocks>(weights, v + b * Rows::kBlock, count, at, head_dim, sums + b * Rows::kBlock);
    b += Blocks;
  };
  while (b + kWide <= blocks) go.template operator()<kWide>();
  if constexpr (kWide > 4) {
    if (b + 4 <= blocks) go.template operator()<4>();
  }
  if (b + 2 <= blocks) go.template operator()<2>();
  if (b + 1 <= blocks) go.template operator()<1>();
  const size_t whole = b * Rows::kBlock;
  for (size_t i = 0; whole < head_dim && i < count; ++i) {
    const typename Rows::Element* row = v + at(i) * head_dim + whole;
    for (size_t d = 0; d < head_dim - whole; ++d) {
      float x;
      if constexpr (sizeof(*row) == sizeof(float)) {
        x = row[d];
      } else {
        x = std::bit_cast<float>(static_cast<uint32_t>(row[d]) << 16);
      }
      sums[whole + Rows::slot(d)] += weights[i] * x;
    }
  }
}

// out[d] = sums / total, in natural order. Whole blocks come first: with a constant length they become shuffles.
template <class Rows>
void write_row(const float* sums, float total, size_t head_dim, float* out) {
  const float factor = 1 / total;
  size_t b = 0;
  for (; b + Rows::kBlock <= head_dim; b += Rows::kBlock) {
    for (size_t d = 0; d < Rows::kBlock; ++d) out[b + d] = sums[b + Rows::slot(d)] * factor;
  }
  for (size_t d = 0; b + d < head_dim; ++d) out[b + d] = sums[b + Rows::slot(d)] * factor;
}

// sums[slot] = x * factor for x [head_dim] in natural order, zeros behind it.
template <class Rows>
void read_row(const float* x, float factor, size_t head_dim, float* sums) {
  size_t b = 0;
  for (; b + Rows::kBlock <= head_dim; b += Rows::kBlock) {
    for (size_t d = 0; d < Rows::kBlock; ++d) sums[b + Rows::slot(d)] = x[b + d] * factor;
  }
  if (b == head_dim) return;
  for (size_t d = 0; d < Rows::kBlock; ++d) sums[b + Rows::slot(d)] = b + d < head_dim ? x[b + d] * factor : 0;
}

}  // namespace shadownpu::ops
