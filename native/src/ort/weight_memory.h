// Memory for the weights that ONNX Runtime packs or unpacks while it opens a graph: on huge pages, where Linux has them.
//
// A generated token reads every weight once, far more than any cache holds. With pages of 4 KB a good part of that time
// goes into finding the pages, and the processor's prefetch ends at each of them.
#pragma once

#include "abi.h"

namespace shadownpu::ort {

/// An allocator for all CPU memory of sessions, valid for ever; null on systems without such pages. Keeps `cpu`.
OrtAllocator* WeightAllocator(const OrtMemoryInfo* cpu);

/// While one lives, what its thread allocates in large blocks counts as weights, and glibc's own large blocks stay off
/// its heap. Not to be nested.
class OpeningWeights {
 public:
  OpeningWeights();
  ~OpeningWeights();
  OpeningWeights(const OpeningWeights&) = delete;
  OpeningWeights& operator=(const OpeningWeights&) = delete;
};

}  // namespace shadownpu::ort
