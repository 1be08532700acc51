// What functions over whole causal attention of a head take and check alike.
#pragma once

#include "../kernels/kernels.h"
#include "arguments.h"

namespace shadownpu::binding {

// q [rows][head_dim]; k, v [n_past + rows][head_dim]; out row r at out[r * out_stride].
struct FullCall {
  Array<float> q, k, v, out;
  FullShape shape;
};

// Reads arguments 0 to 4; `check_full` has still to be called.
inline FullCall read_full(Arguments& args) {
  const auto q = args.array<float>(0, "q"), k = args.array<float>(1, "k"), v = args.array<float>(2, "v");
  const auto out = args.array<float>(3, "out");
  args.shape(4);
  return {q, k, v, out,
          {args.extent("rows", 0), args.extent("nPast", 0), args.extent("headDim", 1), args.extent("outStride", 1),
           args.finite("scale")}};
}

inline void check_full(const Arguments& args, const FullCall& call) {
  const FullShape& shape = call.shape;
  const uint64_t keys = uint64_t{shape.n_past} + shape.rows;
  if (shape.out_stride < shape.head_dim) args.refuse("outStride must not be less than headDim");
  args.at_least(call.q, product(shape.rows, shape.head_dim));
  args.at_least(call.k, product(keys, shape.head_dim));
  args.at_least(call.v, product(keys, shape.head_dim));
  args.holds_rows(call.out, shape.rows, shape.out_stride, shape.head_dim);
}

}  // namespace shadownpu::binding
