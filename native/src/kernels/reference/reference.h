// The plain kernels, signature by signature as in the table of kernels.h.
#pragma once

#include "../kernels.h"

namespace shadownpu::reference {

float max_abs(const float* x, size_t n);
void quantize(const float* x, int8_t* out, size_t n, float lambda);
void to_bf16(const float* x, uint16_t* out, size_t n);
void pilot(const int8_t* q8, const int8_t* k8, int32_t* scores, const PilotShape& shape);
void topk(const int32_t* scores, const int32_t* counts, int32_t* indices, const TopkShape& shape);
void sparse(const float* q, const float* k, const float* v, const int32_t* indices, const int32_t* counts,
            const Tail* tail, float* out, const SparseShape& shape);
void sparse_bf16(const float* q, const uint16_t* k, const uint16_t* v, const int32_t* indices, const int32_t* counts,
                 const Tail* tail, float* out, const SparseShape& shape);
void select(const uint8_t* scores, const float* steps, const float* bases, const int32_t* counts, int32_t* indices,
            int32_t* kept, float* tails, const SelectShape& shape);
void pack_keys(const float* k, const float* mean, const float* inverse, uint8_t* packed, int32_t* most_norm,
               const PackShape& shape);
void shadow(const ShadowInput& in, float* out, ShadowStats& stats, const ShadowShape& shape);
void shadow_bf16(const ShadowInput& in, float* out, ShadowStats& stats, const ShadowShape& shape);
void full(const float* q, const float* k, const float* v, float* out, const FullShape& shape);
void decode(const float* q, const float* k, const float* v, float* out, const DecodeShape& shape);

}  // namespace shadownpu::reference
