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
};

}  // namespace
}  // namespace shadownpu
