// Exact top-k of int32 rows. A row is narrowed to bytes that keep its order; eight rounds of counting find the byte of
// the k-th best score; only the scores that share this byte are then told apart by their full value.
// Every loop is bounded by the row's length or by 32 rounds, whatever the scores are.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../kernels.h"
#include "../scratch.h"

namespace shadownpu::ops {

template <class S>
struct Topk {
  using I = typename S::I;
  using B = typename S::B;
  static constexpr size_t kChunk = S::kBytes;

  static void least_and_greatest(const int32_t* row, size_t n, int32_t& least, int32_t& greatest) {
    I low = S::iset1(row[0]), high = low;
    size_t i = 0;
    for (; i + S::kLanes <= n; i += S::kLanes) {
      const I x = S::iload(row + i);
      low = S::imin(low, x);
      high = S::imax(high, x);
    }
    least = S::reduce_imin(low);
    greatest = S::reduce_imax(high);
    for (; i < n; ++i) {
      least = row[i] < least ? row[i] : least;
      greatest = row[i] > greatest ? row[i] : greatest;
    }
  }

  static B narrow_chunk(const int32_t* x, I least, int shift) {
    I part[4];
    for (size_t j = 0; j < 4; ++j) part[j] = S::shift_right(S::isub(S::iload(x + j * S::kLanes), least), shift);
    return S::narrow(part[0], part[1], part[2], part[3]);
  }

  // bytes[i] = (row[i] - least) >> shift, filled up with zeros to whole chunks.
  static void narrow_row(const int32_t* row, size_t n, int32_t least, int shift, uint8_t* bytes) {
    const I base = S::iset1(least);
    size_t i = 0;
    for (; i + kChunk <= n; i += kChunk) S::bstore(bytes + i, narrow_chunk(row + i, base, shift));
    if (i < n) {
      int32_t rest[kChunk];
      for (size_t j = 0; j < kChunk; ++j) rest[j] = i + j < n ? row[i + j] : least;
      S::bstore(bytes + i, narrow_chunk(rest, base, shift));
    }
  }

  // How many of the chunks' bytes are at least t; t > 0, so that the filling does not count.
  static size_t count_at_least(const uint8_t* bytes, size_t chunks, uint8_t t) {
    const B threshold = S::bset1(t);
    size_t total = 0;
    while (chunks > 0) {
      // A lane counts at most one per chunk: 255 rounds fit into a byte.
      const size_t round = chunks < 255 ? chunks : 255;
      B one = S::bset1(0), two = one;
      size_t c = 0;
      for (; c + 2 <= round; c += 2) {
        one = S::count_ge(one, S::bload(bytes + c * kChunk), threshold);
        two = S::count_ge(two, S::bload(bytes + (c + 1) * kChunk), threshold);
      }
      if (c < round) one = S::count_ge(one, S::bload(bytes + c * kChunk), threshold);
      total += S::reduce_count(one) + S::reduce_count(two);
      bytes += round * kChunk;
      chunks -= round;
    }
    return total;
  }

  // Keeps the `want` best of `count` members (value, ascending position) by setting keep[i]; 1 <= want <= count.
  static void keep_best(const uint32_t* values, size_t count, size_t want, uint32_t low, int bits, uint8_t* keep) {
    // Bit by bit the greatest value that at least `want` members reach.
    uint32_t limit = low;
    for (int bit = bits - 1; bit >= 0; --bit) {
      const uint32_t trial = limit | 1u << bit;
      size_t reach = 0;
      for (size_t i = 0; i < count; ++i) reach += values[i] >= trial;
      if (reach >= want) limit = trial;
    }
    size_t above = 0;
    for (size_t i = 0; i < count; ++i) above += values[i] > limit;
    size_t ties = want - above;
    for (size_t i = 0; i < count; ++i) {
      const bool tie = values[i] == limit && ties > 0;
      ties -= tie;
      keep[i] = values[i] > limit || tie;
    }
  }

  static uint64_t valid_bits(size_t n, size_t at) {
    const size_t left = n - at;
    return left >= 64 ? ~uint64_t{0} : (uint64_t{1} << left) - 1;
  }

  static void run(const int32_t* scores, const int32_t* counts, int32_t* indices, const TopkShape& shape) {
    const size_t most = shape.n_past + shape.rows;
    const size_t padded = (most + kChunk - 1) / kChunk * kChunk;
    Scratch scratch(2 * lines(padded) + lines(most * sizeof(uint32_t)) + lines((most + 64) * sizeof(int32_t)));
    uint8_t* bytes = scratch.take<uint8_t>(padded);
    uint8_t* keep = scratch.take<uint8_t>(padded);
    uint32_t* members = scratch.take<uint32_t>(most);
    int32_t* kept = scratch.take<int32_t>(most + 64);

    for (size_t r = 0; r < shape.rows; ++r) {
      const int32_t* row = scores + r * shape.ld;
      int32_t* out = indices + r * shape.index_ld;
      const size_t n = shape.n_past + r + 1, k = static_cast<size_t>(counts[r]);
      if (k == n) {
        for (size_t i = 0; i < n; ++i) out[i] = static_cast<int32_t>(i);
        continue;
      }
      int32_t least, greatest;
      least_and_greatest(row, n, least, greatest);
      const uint32_t range = static_cast<uint32_t>(greatest) - static_cast<uint32_t>(least);
      const int shift = range > 255 ? std::bit_width(range) - 8 : 0;
      narrow_row(row, n, least, shift, bytes);

      const size_t chunks = (n + kChunk - 1) / kChunk;
      unsigned limit = 0;
      size_t reach = n;  // how many bytes are at least `limit`
      for (unsigned bit = 128; bit > 0; bit >>= 1) {
        const size_t count = count_at_least(bytes, chunks, static_cast<uint8_t>(limit | bit));
        if (count >= k) {
          limit |= bit;
          reach = count;
        }
      }

      const B threshold = S::bset1(static_cast<uint8_t>(limit));
      if (reach > k) {
        size_t count = 0;
        for (size_t at = 0; at < n; at += kChunk) {
          const B x = S::bload(bytes + at);
          uint64_t equal = S::ge_bits(x, threshold) & ~S::gt_bits(x, threshold) & valid_bits(n, at);
          for (; equal != 0; equal &= equal - 1) {
            const int32_t score = row[at + static_cast<size_t>(std::countr_zero(equal))];
            members[count++] = static_cast<uint32_t>(score) - static_cast<uint32_t>(least);
          }
        }
        keep_best(members, count, k - (reach - count), limit << shift, shift, keep);
      }

      size_t done = 0, member = 0;
      for (size_t at = 0; at < n; at += kChunk) {
        const B x = S::bload(bytes + at);
        uint64_t chosen = S::ge_bits(x, threshold) & valid_bits(n, at);
        if (reach > k) {
          for (uint64_t equal = chosen & ~S::gt_bits(x, threshold); equal != 0; equal &= equal - 1) {
            if (!keep[member++]) chosen ^= equal & (~equal + 1);
          }
        }
        for (size_t j = 0; j < kChunk; j += 16) {
          done += S::compress16(chosen >> j & 0xffff, static_cast<int32_t>(at + j), kept + done);
        }
      }
      std::memcpy(out, kept, k * sizeof(int32_t));
    }
  }
};

}  // namespace shadownpu::ops
