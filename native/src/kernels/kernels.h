// The kernels of shadowAttn behind one table of plain C++ functions. A table exists per instruction set; `kernels_for`
// hands out those that this machine can run. Nothing here knows Node. Kernels check nothing: the binding has done so.
// Every function may run on several threads at once; temporary memory is thread local.
#pragma once

#include <cstddef>
#include <cstdint>

namespace shadownpu {

struct PilotShape {
  size_t rows, keys, head_dim, ld;
};

struct TopkShape {
  size_t rows, n_past, ld, index_ld;
};

struct SparseShape {
  size_t rows, head_dim, index_ld, out_stride;
  float scale;
};

struct FullShape {
  size_t rows, n_past, head_dim, out_stride;
  float scale;
};

struct DecodeShape {
  size_t group, keys, head_dim;
  float scale;
};

// Arrays are row-major without padding unless a leading dimension (ld, stride) says otherwise.
struct Kernels {
  const char* name;

  // max |x|, 0 for n = 0, NaN if any element is NaN.
  float (*max_abs)(const float* x, size_t n);
  // out = clamp(round_half_even(x / lambda), -127, 127) with a float32 division; NaN becomes 0. lambda > 0, finite.
  void (*quantize)(const float* x, int8_t* out, size_t n, float lambda);
  // float32 to bfloat16 bits, round to nearest even; NaN stays NaN.
  void (*to_bf16)(const float* x, uint16_t* out, size_t n);
  // scores[rows][ld] = q8[rows][head_dim] . k8[keys][head_dim]^T, exact.
  void (*pilot)(const int8_t* q8, const int8_t* k8, int32_t* scores, const PilotShape& shape);
  // Row r: the counts[r] best of its first n_past + r + 1 scores, as ascending positions at indices[r * index_ld].
  void (*topk)(const int32_t* scores, const int32_t* counts, int32_t* indices, const TopkShape& shape);
  // q [rows][head_dim]; k, v [keys][head_dim]; out row r at out[r * out_stride].
  void (*sparse)(const float* q, const float* k, const float* v, const int32_t* indices, const int32_t* counts,
                 float* out, const SparseShape& shape);
  // The same with bfloat16 k and v.
  void (*sparse_bf16)(const float* q, const uint16_t* k, const uint16_t* v, const int32_t* indices,
                      const int32_t* counts, float* out, const SparseShape& shape);
  // Causal: row r sees keys 0 .. n_past + r. q [rows][head_dim]; k, v [n_past + rows][head_dim].
  void (*full)(const float* q, const float* k, const float* v, float* out, const FullShape& shape);
  // q, out [group][head_dim]; k, v [keys][head_dim].
  void (*decode)(const float* q, const float* k, const float* v, float* out, const DecodeShape& shape);
};

// Names of the instruction sets this machine can run, best first, ended by nullptr; the last is "scalar".
const char* const* usable_isas();

// The table of one of `usable_isas`, or nullptr for any other name.
const Kernels* kernels_for(const char* isa);

// The tables themselves; only those of the architecture that is compiled for are defined.
extern const Kernels kernels_scalar;
extern const Kernels kernels_avx2;
extern const Kernels kernels_avx512;
extern const Kernels kernels_avx512bf16;
extern const Kernels kernels_neon;
extern const Kernels kernels_dotprod;
extern const Kernels kernels_i8mm;

}  // namespace shadownpu
