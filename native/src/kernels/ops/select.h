// Which keys a row keeps, as bits, and the softmax mass of the others, both from scores narrowed to bytes.
// A byte of 256 is a bin: the threshold is found by counting, bit by bit; whole bins are kept unless exactly k are wanted.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../kernels.h"
#include "../scratch.h"
#include "exp.h"
#include "sparse.h"
#include "topk.h"

namespace shadownpu::ops {

// Nats of byte b: base + step * b.
struct ByteScale {
  float base, step;
};

// The least byte within `reach` nats of the greatest byte of a row, `top`; 0 for any byte where reach is 0.
inline uint8_t within_reach(uint8_t top, float step, float reach) {
  const float span = step > 0 && reach > 0 ? reach / step : 256;
  return span >= top ? 0 : static_cast<uint8_t>(top - static_cast<int>(span));
}

template <class S>
struct Select {
  using B = typename S::B;
  using H = typename S::H;
  static constexpr size_t kChunk = S::kBytes;
  static constexpr size_t kHalf = S::kBytes / 2;

  static size_t padded(size_t n) { return (n + 63) / 64 * 64; }

  // bytes = (scores - least) spread over 0 .. 255, zeros behind them. `scores` is readable up to padded(n).
  // `top` becomes the greatest byte.
  static ByteScale narrow(const int16_t* scores, size_t n, float step, float base, uint8_t* bytes, uint8_t& top) {
    H low = S::hset1(scores[0]), high = low;
    size_t i = 0;
    for (; i + kHalf <= n; i += kHalf) {
      const H x = S::hload(scores + i);
      low = S::hmin(low, x);
      high = S::hmax(high, x);
    }
    int least = S::reduce_hmin(low), most = S::reduce_hmax(high);
    for (; i < n; ++i) {
      least = std::min<int>(least, scores[i]);
      most = std::max<int>(most, scores[i]);
    }
    const int range = most - least;
    // (x * factor) >> 16 maps the range to 0 .. 255 without a division.
    const unsigned factor = range <= 255 ? 65535u : 255u * 65536u / static_cast<unsigned>(range);
    const H from = S::hset1(static_cast<int16_t>(least)), by = S::hset1(static_cast<int16_t>(factor));
    for (i = 0; i < n; i += kChunk) {
      S::bstore(bytes + i, S::narrow_scores(S::hload(scores + i), S::hload(scores + i + kHalf), from, by));
    }
    for (i = n; i < padded(n); ++i) bytes[i] = 0;
    top = static_cast<uint8_t>(static_cast<unsigned>(range) * factor >> 16);
    const float unit = 65536.0f / static_cast<float>(factor);
    // A byte stands for the middle of its bin.
    return {base + step * (static_cast<float>(least) + 0.5f * (unit - 1)), step * unit};
  }

  static uint8_t greatest(const uint8_t* bytes, size_t n) {
    B most = S::bset1(0);
    for (size_t i = 0; i < n; i += kChunk) most = S::bmax(most, S::bload(bytes + i));
    uint8_t lanes[kChunk];
    S::bstore(lanes, most);
    return *std::max_element(lanes, lanes + kChunk);
  }

  // The greatest byte that at least k of n bytes reach. Ends early where the set is at most 1/64 too large.
  static uint8_t threshold(const uint8_t* bytes, size_t n, size_t k, bool exact) {
    const size_t chunks = (n + kChunk - 1) / kChunk;
    unsigned limit = 0;
    for (unsigned bit = 128; bit > 0; bit >>= 1) {
      const size_t reach = Topk<S>::count_at_least(bytes, chunks, static_cast<uint8_t>(limit | bit));
      if (reach < k) continue;
      limit |= bit;
      if (!exact && reach - k <= k / 64) break;
    }
    return static_cast<uint8_t>(limit);
  }

  // bits[i / 64] bit i % 64 = bytes[i] >= limit, for i < n; returns how many.
  static size_t mark(const uint8_t* bytes, size_t n, uint8_t limit, uint64_t* bits) {
    const B t = S::bset1(limit);
    size_t count = 0;
    for (size_t at = 0; at < n; at += 64) {
      uint64_t word = 0;
      for (size_t j = 0; j < 64; j += kChunk) word |= S::ge_bits(S::bload(bytes + at + j), t) << j;
      word &= Topk<S>::valid_bits(n, at);
      bits[at / 64] = word;
      count += static_cast<size_t>(std::popcount(word));
    }
    return count;
  }

  // Takes `surplus` of the keys that share the byte `limit` out again, the last ones first.
  static void trim(const uint8_t* bytes, size_t n, uint8_t limit, size_t surplus, uint64_t* bits) {
    for (size_t i = n; i-- > 0 && surplus > 0;) {
      if (bytes[i] != limit) continue;
      bits[i / 64] &= ~(uint64_t{1} << i % 64);
      --surplus;
    }
  }

  // table[i] = 127 * exp(-i * step) as bytes.
  static void exp_table(float step, uint8_t* table) {
    constexpr float kOne = 127;
    static constexpr float kIndex[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    float values[16];
    for (size_t i = 0; i < 16; i += S::kLanes) {
      S::store(values + i, S::mul(exp_negative<S>(S::mul(S::load(kIndex + i), S::set1(-step))), S::set1(kOne)));
    }
    for (size_t i = 0; i < 16; ++i) table[i] = static_cast<uint8_t>(values[i] + 0.5f);
  }

  // Sum of exp(nats) over the bytes whose bit is not set, of which `top` is at least the greatest. Weights are products of
  // two 7-bit tables over the distance to it: 16 steps by 16 bytes.
  static TailMass tail_mass(const uint8_t* bytes, size_t n, uint8_t top, const uint64_t* bits, const ByteScale& scale) {
    alignas(16) uint8_t coarse[16], fine[16];
    exp_table(scale.step, fine);
    exp_table(16 * scale.step, coarse);
    const B high = S::table16(coarse), low = S::table16(fine), greatest = S::bset1(top);
    typename S::I sum = S::iset1(0);
    for (size_t at = 0; at < n; at += kChunk) {
      const B distance = S::bsubs(greatest, S::bload(bytes + at));
      const uint64_t taken = bits[at / 64] >> at % 64 | ~(Topk<S>::valid_bits(n, at));
      sum = S::add_products(sum, S::lookup(high, S::high_nibble(distance)),
                            S::clear_bits(taken, S::lookup(low, S::low_nibble(distance))));
    }
    int32_t lanes[S::kLanes];
    S::istore(lanes, sum);
    double total = 0;
    for (const int32_t lane : lanes) total += lane;
    return {static_cast<float>(total) / (127 * 127), scale.base + scale.step * static_cast<float>(top)};
  }

  // Positions of the set bits, ascending; may write 8 entries more. Sets are sparse, so most words take one round.
  static size_t expand(const uint64_t* bits, size_t n, int32_t* indices) {
    size_t count = 0;
    for (size_t at = 0; at < n; at += 64) {
      uint64_t word = bits[at / 64];
      int32_t* next = indices + count;
      count += static_cast<size_t>(std::popcount(word));
      for (; word != 0; next += 8) {
        for (size_t i = 0; i < 8; ++i) {
          // When the bits have run out, what is written is overwritten by the next word or never read.
          next[i] = static_cast<int32_t>(at) + std::countr_zero(word);
          word &= word - 1;
        }
      }
    }
    return count;
  }

  // Greatest byte whose bit is not set, at most `limit`.
  static uint8_t top_dropped(uint8_t limit, bool trimmed) {
    return trimmed || limit == 0 ? limit : static_cast<uint8_t>(limit - 1);
  }

  // Rows of u8 scores, as a device gives them.
  static void run(const uint8_t* scores, const float* steps, const float* bases, const int32_t* counts,
                  int32_t* indices, int32_t* kept, float* tails, const SelectShape& shape) {
    const size_t most = padded(shape.n_past + shape.rows);
    Scratch scratch(lines(most) + lines(most / 8) + lines((most + 8) * sizeof(int32_t)));
    uint8_t* bytes = scratch.take<uint8_t>(most);
    uint64_t* bits = scratch.take<uint64_t>(most / 64);
    int32_t* positions = scratch.take<int32_t>(most + 8);
    for (size_t r = 0; r < shape.rows; ++r) {
      const size_t n = shape.n_past + r + 1, k = static_cast<size_t>(counts[r]);
      std::memcpy(bytes, scores + r * shape.ld, n);
      std::memset(bytes + n, 0, padded(n) - n);
      const uint8_t best = threshold(bytes, n, k, shape.exact);
      const uint8_t limit = std::max(best, within_reach(greatest(bytes, n), steps[r], shape.reach));
      size_t count = mark(bytes, n, limit, bits);
      const bool trimmed = shape.exact && count > k;
      if (trimmed) {
        trim(bytes, n, limit, count - k, bits);
        count = k;
      }
      const TailMass tail = tail_mass(bytes, n, top_dropped(limit, trimmed), bits, {bases[r], steps[r]});
      tails[r] = std::log(tail.mass) + tail.at;
      expand(bits, n, positions);
      std::memcpy(indices + r * shape.index_ld, positions, count * sizeof(int32_t));
      kept[r] = static_cast<int32_t>(count);
    }
  }
};

}  // namespace shadownpu::ops
