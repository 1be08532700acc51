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

// What dropped keys add to sparse attention: log of their mass in nats and sums of the visible values, row by row.
struct Tail {
  const float* log_mass;  // [rows]
  const float* prefix;    // [rows][head_dim]
  size_t n_past;          // row r sees n_past + r + 1 keys
};

struct SelectShape {
  size_t rows, n_past, ld, index_ld;
  bool exact;
  float reach;  // nats below a row's best score beyond which no key is kept; 0: any
};

struct PackShape {
  size_t first, count, head_dim;
};

struct ShadowInput {
  const float* q;         // [heads][q_head_stride]: rows of head_dim each
  const uint8_t* packed;  // packed_bytes(n_past + rows, head_dim) as pack_keys makes them
  const float* channel;   // [head_dim] steps of the packed keys' channels
  const float* mean;      // [head_dim] what was taken off the keys
  float most_norm;        // greatest sum of squares of a packed key's codes
  const void* k;          // [n_past + rows][head_dim], float or bfloat16
  const void* v;
  const float* prefix;    // [rows][head_dim] sums of the visible values
  const int32_t* counts;  // [heads][rows] keys to keep
};

struct ShadowShape {
  size_t rows, n_past, head_dim, heads, q_head_stride, out_row_stride;
  float scale;
  float reach;  // as in SelectShape
  bool tail, share;
};

// One row of so many is counted key by key, see ShadowStats.
constexpr size_t kHitRows = 8;

// Added to, so that calls can be summed: seconds of each stage, and kept keys of all rows and heads. Where they are given:
// kept keys of each head [heads], and how many of every kHitRows-th row kept each key, [heads][hits_stride].
struct ShadowStats {
  double pilot, select, sparse, kept;
  double* head_kept = nullptr;
  int32_t* hits = nullptr;
  size_t hits_stride = 0;
};

// Bytes that hold packed keys: whole tiles of the widest instruction set.
constexpr size_t packed_bytes(size_t keys, size_t head_dim) { return (keys + 31) / 32 * 32 * ((head_dim + 3) / 4 * 4); }

struct FullShape {
  size_t rows, n_past, head_dim, out_stride;
  float scale;
  size_t window = 0;  // a row sees this many keys at most, the last of them its own; 0: all
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
  // `tail` may be null.
  void (*sparse)(const float* q, const float* k, const float* v, const int32_t* indices, const int32_t* counts,
                 const Tail* tail, float* out, const SparseShape& shape);
  // The same with bfloat16 k and v.
  void (*sparse_bf16)(const float* q, const uint16_t* k, const uint16_t* v, const int32_t* indices,
                      const int32_t* counts, const Tail* tail, float* out, const SparseShape& shape);
  // Row r of u8 scores, whose nats are bases[r] + steps[r] * byte: at least counts[r] best of its n_past + r + 1 keys
  // (whole bins of equal bytes; exactly counts[r], lower positions first, where `exact`) but for those beyond reach,
  // ascending, how many, and the logarithm of the others' mass.
  void (*select)(const uint8_t* scores, const float* steps, const float* bases, const int32_t* counts,
                 int32_t* indices, int32_t* kept, float* tails, const SelectShape& shape);
  // Codes of keys first .. first + count - 1 (k is the first of them) into `packed`; raises most_norm to their norms.
  void (*pack_keys)(const float* k, const float* mean, const float* inverse, uint8_t* packed, int32_t* most_norm,
                    const PackShape& shape);
  // Shadow attention of the heads of a KV head; out row r of head h at out[r * out_row_stride + h * head_dim].
  void (*shadow)(const ShadowInput& in, float* out, ShadowStats& stats, const ShadowShape& shape);
  void (*shadow_bf16)(const ShadowInput& in, float* out, ShadowStats& stats, const ShadowShape& shape);
  // Causal: row r sees keys up to n_past + r, within the window. q [rows][head_dim]; k, v [n_past + rows][head_dim].
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
