// Loops that do nothing but multiply and add, as fast as one core can: what benchmarks compare kernels with.
#pragma once

#include <cstddef>

namespace shadownpu {

// Operations of one call: a fused multiply-add in float32, or an INT8 multiply-add, counts as two.
struct RoofLoops {
  double (*fp32)();
  double (*int8)();
};

// By instruction set; only those of the architecture that is compiled for are defined.
extern const RoofLoops roof_avx2;
extern const RoofLoops roof_avx512;
extern const RoofLoops roof_neon;

constexpr size_t kRoofSteps = 400'000;
// Enough independent sums to hide the latency of an addition on every core we know.
constexpr size_t kRoofSums = 12;

// Not known to the compiler, so that nothing is computed before its time or left out.
inline volatile float roof_factor = 0.999f, roof_addend = 1e-9f, roof_sink;
inline volatile int roof_byte = 3;

}  // namespace shadownpu
