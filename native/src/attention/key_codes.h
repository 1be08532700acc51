// What the fused path keeps beside the KV cache of a head: packed INT8 keys with the scales that made them, and sums of V.
// Not per instruction set but for the packing itself.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../kernels/kernels.h"

namespace shadownpu {

// State of one KV head in memory that outlives the call.
struct KeyCodes {
  float* mean;       // [head_dim] taken off every key; a row's scores all move by the same amount
  float* step;       // [head_dim] of the channels' codes
  float* value_sum;  // [head_dim] of V over the first *summed_rows keys
  uint8_t* packed;
  int32_t* packed_rows;  // keys in `packed`
  int32_t* fitted_rows;  // keys that `mean` and `step` were made from
  int32_t* most_norm;
  int32_t* summed_rows;
};

// Brings the codes up to `keys` keys and writes sums of V, prefix[r] over keys 0 .. n_past + r. The scales are fitted anew,
// and all keys packed again, when a new key leaves their range or the cache has doubled. k, v [n_past + rows][head_dim].
void update_key_codes(const Kernels& kernels, const float* k, const float* v, size_t n_past, size_t rows,
                      size_t head_dim, const KeyCodes& codes, float* prefix);

}  // namespace shadownpu
