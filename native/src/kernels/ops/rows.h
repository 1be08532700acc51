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
  static constexpr size_t kQueryVecs = 1;  // vectors that hold a block of a prepared query
  static inline __attribute__((always_inline)) F dot(F acc, const F* q, const float* k) {
    return S::fma(q[0], S::load(k), acc);
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
  static constexpr size_t kQueryVecs = 2;
  static inline __attribute__((always_inline)) F dot(F acc, const F* q, const uint16_t* k) {
    const auto words = S::load_words(k);
    return S::fma(q[1], S::odd_bf16(words), S::fma(q[0], S::even_bf16(words), acc));
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
  static constexpr size_t kQueryVecs = 1;
  static inline __attribute__((always_inline)) F dot(F acc, const F* q, const uint16_t* k) {
    return S::dot_bf16(acc, S::float_bits(q[0]), S::load_words(k));
  }
  // Weights are never negative, so adding half a unit rounds to nearest.
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

// Keys of a score tile: their sums come out of one reduction.
template <class S>
constexpr size_t tile_keys = S::kLanes > 8 ? S::kLanes : 8;

// One block of a prepared query in registers.
template <class S, class Rows>
inline __attribute__((always_inline)) void load_query(const float* prepared, typename S::F* q) {
  for (size_t i = 0; i < Rows::kQueryVecs; ++i) q[i] = S::load(prepared + i * S::kLanes);
}

// query . key for a whole number of blocks, known when compiled: the query stays in registers.
template <class S, class Rows, size_t Blocks>
struct FixedDot {
  using F = typename S::F;
  F q[Blocks][Rows::kQueryVecs];

  inline __attribute__((always_inline)) FixedDot(const float* query, size_t) {
    for (size_t b = 0; b < Blocks; ++b) load_query<S, Rows>(query + b * Rows::kBlock, q[b]);
  }
  inline __attribute__((always_inline)) F operator()(const typename Rows::Element* k) const {
    // Two chains of additions, for a multiply-add takes several cycles.
    F even = S::zero(), odd = S::zero();
    for (size_t b = 0; b < Blocks; b += 2) {
      even = Rows::dot(even, q[b], k + b * Rows::kBlock);
      if (b + 1 < Blocks) odd = Rows::dot(odd, q[b + 1], k + (b + 1) * Rows::kBlock);
    }
    return S::add(even, odd);
  }
};

// The same for any head_dim.
template <class S, class Rows>
struct AnyDot {
  using F = typename S::F;
  const float* query;
  size_t head_dim;

  AnyDot(const float* prepared, size_t dim) : query(prepared), head_dim(dim) {}
  F operator()(const typename Rows::Element* k) const {
    F acc = S::zero(), q[Rows::kQueryVecs];
    size_t d = 0;
    for (; d + Rows::kBlock <= head_dim; d += Rows::kBlock) {
      load_query<S, Rows>(query + d, q);
      acc = Rows::dot(acc, q, k + d);
    }
    if (d == head_dim) return acc;
    typename Rows::Element rest[Rows::kBlock] = {};
    std::memcpy(rest, k + d, (head_dim - d) * sizeof(*k));
    load_query<S, Rows>(query + d, q);
    return Rows::dot(acc, q, rest);
  }
};

template <class S, class Rows, class Dot, class At>
float score_tiles(const float* query, const typename Rows::Element* k, size_t count, At at, size_t head_dim,
                  float scale, float* scores, float best_so_far) {
  using F = typename S::F;
  constexpr size_t kTile = tile_keys<S>;
  const Dot dot(query, head_dim);
  F best = S::set1(best_so_far);
  for (size_t i = 0; i < count; i += kTile) {
    F sums[kTile];
    // The last tile repeats its last key, which changes no maximum.
    if (i + kTile <= count) {
      for (size_t j = 0; j < kTile; ++j) sums[j] = dot(k + at(i + j) * head_dim);
    } else {
      for (size_t j = 0; j < kTile; ++j) sums[j] = dot(k + at(i + j < count ? i + j : count - 1) * head_dim);
    }
    for (size_t v = 0; v < kTile; v += S::kLanes) {
      const F s = S::mul(S::sum_rows(sums + v), S::set1(scale));
      best = S::max(best, s);
      S::store(scores + i + v, s);
    }
  }
  return S::reduce_max(best);
}

// scores[i] = scale * (query . key at(i)) for i < count; returns the greatest. `query` as Rows::prepare leaves it.
// Writes up to the next whole tile.
template <class S, class Rows, class At>
float score_rows(const float* query, const typename Rows::Element* k, size_t count, At at, size_t head_dim, float scale,
                 float* scores, float best_so_far) {
  // Half of the 16 vector registers of the smallest set may hold the query.
  constexpr size_t kBlocks = 64 / Rows::kBlock;
  if constexpr (kBlocks * Rows::kQueryVecs <= S::kQueryRegisters) {
    if (head_dim == 64) {
      return score_tiles<S, Rows, FixedDot<S, Rows, kBlocks>>(query, k, count, at, head_dim, scale, scores,
                                                              best_so_far);
    }
  }
  return score_tiles<S, Rows, AnyDot<S, Rows>>(query, k, count, at, head_dim, scale, scores, best_so_far);
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
