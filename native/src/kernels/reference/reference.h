// The plain kernels, signature by signature as in the table of kernels.h.
#pragma once

#include "../kernels.h"

namespace shadownpu::reference {

float max_abs(const float* x, size_t n);
void quantize(const float* x, int8_t* out, size_t n, float lambda);
void to_bf16(const float* x, uint16_t* out, size_t n);
void pilot(const int8_t* q8, const int8_t* k8, int32_t* scores, const PilotShape& shape);
void topk(const int32_t* scores, const int32_t* counts, int32_t* indices, const TopkShape& shape);
void sparse(const float* q, const float* k, const float* v, const int32_t* indices, const int32_t* counts, float* out,
            const SparseShape& shape);
void sparse_bf16(const float* q, const uint16_t* k, const uint16_t* v, const int32_t* indices, const int32_t* counts,
                 float* out, const SparseShape& shape);
void full(const float* q, const float* k, const float* v, float* out, const FullShape& shape);
void decode(const float* q, const float* k, const float* v, float* out, const DecodeShape& shape);

}  // namespace shadownpu::reference
