// The table of one backend.
#pragma once

#include "../kernels.h"
#include "decode.h"
#include "formats.h"
#include "full.h"
#include "pilot.h"
#include "rows.h"
#include "scores.h"
#include "select.h"
#include "shadow.h"
#include "sparse.h"
#include "topk.h"

namespace shadownpu::ops {

template <class S, bool Bf16Dot>
struct HalfRows {
  using Type = Bf16Rows<S>;
};
template <class S>
struct HalfRows<S, true> {
  using Type = Bf16DotRows<S>;
};

template <class S, class PilotOfSet = Pilot<S>>
constexpr Kernels table() {
  return {
      S::kName,
      max_abs<S>,
      quantize<S>,
      to_bf16<S>,
      PilotOfSet::run,
      Topk<S>::run,
      sparse_rows<S, FloatRows<S>>,
      sparse_rows<S, typename HalfRows<S, S::kBf16Dot>::Type>,
      Select<S>::run,
      pack_keys<S>,
      shadow<S, FloatRows<S>>,
      shadow<S, typename HalfRows<S, S::kBf16Dot>::Type>,
      Full<S>::run,
      decode<S>,
  };
}

}  // namespace shadownpu::ops
