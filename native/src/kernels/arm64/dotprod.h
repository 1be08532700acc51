// NEON with the dot product of armv8.2.
#pragma once

#include "neon.h"

namespace shadownpu {
namespace {

struct Dotprod : Neon {
  static constexpr const char* kName = "dotprod";
  SHADOW_INLINE I dot_words(I acc, I k, I q) {
    return vdotq_s32(acc, vreinterpretq_s8_s32(k), vreinterpretq_s8_s32(q));
  }
  SHADOW_INLINE P add_scores(P acc, B keys, int32_t word) {
    return dot_words(acc, vreinterpretq_s32_u8(keys), vdupq_n_s32(word));
  }
};

}  // namespace
}  // namespace shadownpu
