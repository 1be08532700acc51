// The INT8 pilot: scores = q8 . k8^T, exact. Keys are packed in tiles of a few vectors, word by word, and multiplied
// with broadcast words of a few query rows at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../kernels.h"
#include "../scratch.h"

namespace shadownpu::ops {

template <class S>
struct Pilot {
  using I = typename S::I;
  static constexpr size_t kTile = S::kPilotVecs * S::kLanes;
  // Tiles of a block: 128 keys of 64 columns are 8 KB of bytes or 16 KB of pairs, half a first-level cache.
  static constexpr size_t kTiles = 128 / kTile;

  // Words of one row of codes; missing codes of the last word are 0.
  static int32_t word_at(const int8_t* row, size_t word, size_t head_dim) {
    const size_t d = word * S::kPilotWord;
    if (d + S::kPilotWord <= head_dim) return S::pack_word(row + d);
    int8_t rest[S::kPilotWord] = {};
    std::memcpy(rest, row + d, head_dim - d);
    return S::pack_word(rest);
  }

  // Scores of R query rows against one tile of keys. start[r] undoes the bias of the packed keys.
  template <size_t R>
  static void tile(const int32_t* q, size_t words, const int32_t* keys, const int32_t* start, int32_t* scores,
                   size_t ld, size_t columns) {
    I acc[R][S::kPilotVecs];
    for (size_t r = 0; r < R; ++r) {
      for (size_t j = 0; j < S::kPilotVecs; ++j) acc[r][j] = S::iset1(start[r]);
    }
    for (size_t w = 0; w < words; ++w) {
      I k[S::kPilotVecs];
      for (size_t j = 0; j < S::kPilotVecs; ++j) k[j] = S::iload(keys + w * kTile + j * S::kLanes);
      for (size_t r = 0; r < R; ++r) {
        const I broadcast = S::iset1(q[r * words + w]);
        for (size_t j = 0; j < S::kPilotVecs; ++j) acc[r][j] = S::dot_words(acc[r][j], k[j], broadcast);
      }
    }
    for (size_t r = 0; r < R; ++r) {
      int32_t* row = scores + r * ld;
      if (columns == kTile) {
        for (size_t j = 0; j < S::kPilotVecs; ++j) S::istore(row + j * S::kLanes, acc[r][j]);
      } else {
        int32_t whole[kTile];
        for (size_t j = 0; j < S::kPilotVecs; ++j) S::istore(whole + j * S::kLanes, acc[r][j]);
        std::memcpy(row, whole, columns * sizeof(int32_t));
      }
    }
  }

  static void run(const int8_t* q8, const int8_t* k8, int32_t* scores, const PilotShape& shape) {
    const size_t words = (shape.head_dim + S::kPilotWord - 1) / S::kPilotWord;
    Scratch scratch(lines(shape.rows * words * sizeof(int32_t)) + lines(shape.rows * sizeof(int32_t)) +
                    lines(words * kTiles * kTile * sizeof(int32_t)));
    int32_t* q = scratch.take<int32_t>(shape.rows * words);
    int32_t* start = scratch.take<int32_t>(shape.rows);
    int32_t* keys = scratch.take<int32_t>(words * kTiles * kTile);
    for (size_t r = 0; r < shape.rows; ++r) {
      const int8_t* row = q8 + r * shape.head_dim;
      for (size_t w = 0; w < words; ++w) q[r * words + w] = word_at(row, w, shape.head_dim);
      start[r] = 0;
      if constexpr (S::kPilotBias != 0) {
        for (size_t d = 0; d < shape.head_dim; ++d) start[r] -= S::kPilotBias * row[d];
      }
    }
    for (size_t key = 0; key < shape.keys; key += kTiles * kTile) {
      const size_t columns = shape.keys - key < kTiles * kTile ? shape.keys - key : kTiles * kTile;
      pack_keys(k8 + key * shape.head_dim, columns, words, shape.head_dim, keys);
      size_t r = 0;
      for (; r + S::kPilotRows <= shape.rows; r += S::kPilotRows) {
        block<S::kPilotRows>(q + r * words, words, keys, start + r, scores + r * shape.ld + key, shape.ld, columns);
      }
      for (; r < shape.rows; ++r) {
        block<1>(q + r * words, words, keys, start + r, scores + r * shape.ld + key, shape.ld, columns);
      }
    }
  }

 private:
  // Tiles of `count` keys; keys that do not exist are left as they are, for their scores are thrown away.
  static void pack_keys(const int8_t* k8, size_t count, size_t words, size_t head_dim, int32_t* keys) {
    // The words of a key hold `code + bias` in two's complement: flipping the top bit of each byte adds 128.
    constexpr int32_t flip = S::kPilotBias == 0 ? 0 : static_cast<int32_t>(0x80808080u);
    for (size_t c = 0; c < count; ++c) {
      const int8_t* row = k8 + c * head_dim;
      int32_t* to = keys + c / kTile * kTile * words + c % kTile;
      for (size_t w = 0; w < words; ++w) to[w * kTile] = word_at(row, w, head_dim) ^ flip;
    }
  }

  // Scores of R query rows against a block of tiles, so that each row is written in a stretch.
  template <size_t R>
  static void block(const int32_t* q, size_t words, const int32_t* keys, const int32_t* start, int32_t* scores,
                    size_t ld, size_t columns) {
    for (size_t c = 0; c < columns; c += kTile) {
      tile<R>(q, words, keys + c * words, start, scores + c, ld, columns - c < kTile ? columns - c : kTile);
    }
  }
};

}  // namespace shadownpu::ops
