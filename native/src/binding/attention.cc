// Node-API face of the kernels. Each function checks everything, then calls the active table; it holds no state but the
// choice of instruction set, which is atomic, so any thread may call any function.
#include <napi.h>

#include <algorithm>

#include "../attention/split_rope.h"
#include "arguments.h"
#include "full_call.h"
#include "kernel_calls.h"

namespace shadownpu::binding {
namespace {

// --- instruction sets

Napi::Value Isas(const Napi::CallbackInfo& info) {
  Napi::Array names = Napi::Array::New(info.Env());
  for (uint32_t i = 0; usable_isas()[i]; ++i) names.Set(i, usable_isas()[i]);
  return names;
}

Napi::Value ActiveIsa(const Napi::CallbackInfo& info) { return Napi::String::New(info.Env(), kernels().name); }

void UseIsa(const Napi::CallbackInfo& info) {
  const Arguments args(info, "useIsa");
  const std::string name = args.text(0, "name");
  const Kernels* table = kernels_for(name.c_str());
  if (!table) args.refuse("this machine cannot run '" + name + "'");
  active().store(table, std::memory_order_relaxed);
}

// --- number formats

Napi::Value MaxAbs(const Napi::CallbackInfo& info) {
  const Array<float> x = Arguments(info, "maxAbs").array<float>(0, "x");
  return Napi::Number::New(info.Env(), kernels().max_abs(x.data, x.length));
}

void Quantize(const Napi::CallbackInfo& info) {
  const Arguments args(info, "quantize");
  const auto x = args.array<float>(0, "x");
  const auto out = args.array<int8_t>(1, "out");
  const float lambda = args.positive(2, "lambda");
  args.at_least(out, x.length);
  kernels().quantize(x.data, out.data, x.length, lambda);
}

void ToBf16(const Napi::CallbackInfo& info) {
  const Arguments args(info, "toBf16");
  const auto x = args.array<float>(0, "x");
  const auto out = args.array<uint16_t>(1, "out");
  args.at_least(out, x.length);
  kernels().to_bf16(x.data, out.data, x.length);
}

void SplitRope(const Napi::CallbackInfo& info) {
  Arguments args(info, "splitRope");
  const auto qkv = args.array<float>(0, "qkv");
  const auto q = args.array<float>(1, "q");
  const auto k = args.array<float>(2, "k");
  const auto v = args.array<float>(3, "v");
  const auto rope = args.array<float>(4, "rope");
  args.shape(5);
  const SplitShape shape = {args.extent("rows", 0),    args.extent("nPast", 0),   args.extent("nHead", 1),
                            args.extent("nHeadKv", 1), args.extent("headDim", 2), args.extent("capacity", 1),
                            args.flag("interleaved")};
  if (shape.head_dim % 2 != 0) args.refuse("headDim must be even");
  const uint64_t positions = shape.n_past + shape.rows;
  if (positions > shape.capacity) args.refuse("nPast + rows must not exceed capacity");
  args.at_least(qkv, product(product(shape.heads + 2 * shape.kv_heads, shape.head_dim), shape.rows));
  args.at_least(q, product(product(shape.heads, shape.head_dim), shape.rows));
  args.at_least(k, product(product(shape.kv_heads, shape.head_dim), shape.capacity));
  args.at_least(v, product(product(shape.kv_heads, shape.head_dim), shape.capacity));
  args.at_least(rope, product(positions, shape.head_dim));
  split_rope(qkv.data, q.data, k.data, v.data, rope.data, shape);
}

// --- selection

void Pilot(const Napi::CallbackInfo& info) {
  Arguments args(info, "pilot");
  const auto q8 = args.array<int8_t>(0, "q8");
  const auto k8 = args.array<int8_t>(1, "k8");
  const auto scores = args.array<int32_t>(2, "scores");
  args.shape(3);
  const PilotShape shape = {args.extent("rows", 0), args.extent("keys", 0), args.extent("headDim", 1),
                            args.extent("ld", 0)};
  // Beyond this a sum of biased products could leave int32.
  constexpr size_t kMostHeadDim = 65535;
  if (shape.head_dim > kMostHeadDim) args.refuse("headDim must not exceed 65535");
  if (shape.ld < shape.keys) args.refuse("ld must not be less than keys");
  args.at_least(q8, product(shape.rows, shape.head_dim));
  args.at_least(k8, product(shape.keys, shape.head_dim));
  args.holds_rows(scores, shape.rows, shape.ld, shape.keys);
  kernels().pilot(q8.data, k8.data, scores.data, shape);
}

void Topk(const Napi::CallbackInfo& info) {
  Arguments args(info, "topk");
  const auto scores = args.array<int32_t>(0, "scores");
  const auto counts = args.array<int32_t>(1, "counts");
  const auto indices = args.array<int32_t>(2, "indices");
  args.shape(3);
  const TopkShape shape = {args.extent("rows", 0), args.extent("nPast", 0), args.extent("ld", 1),
                           args.extent("indexLd", 1)};
  const uint64_t visible = shape.n_past + shape.rows;
  if (shape.rows > 0 && visible > shape.ld) args.refuse("nPast + rows must not exceed ld");
  args.holds_rows(scores, shape.rows, shape.ld, visible);
  args.at_least(counts, shape.rows);
  args.holds_rows(indices, shape.rows, shape.index_ld, 0);
  for (size_t r = 0; r < shape.rows; ++r) {
    const uint64_t most = std::min<uint64_t>(shape.n_past + r + 1, shape.index_ld);
    if (counts.data[r] < 1 || static_cast<uint64_t>(counts.data[r]) > most) {
      args.refuse("counts[" + std::to_string(r) + "] must be from 1 to " + std::to_string(most));
    }
    args.holds_rows(indices, r + 1, shape.index_ld, static_cast<uint64_t>(counts.data[r]));
  }
  kernels().topk(scores.data, counts.data, indices.data, shape);
}

// --- attention

// Checks what both sparse kernels ask for; K and V have `keys` rows.
void CheckSparse(const Arguments& args, const Array<float>& q, uint64_t keys, const Array<int32_t>& indices,
                 const Array<int32_t>& counts, const Array<float>& out, const SparseShape& shape) {
  if (shape.out_stride < shape.head_dim) args.refuse("outStride must not be less than headDim");
  args.at_least(q, product(shape.rows, shape.head_dim));
  args.at_least(counts, shape.rows);
  args.holds_rows(out, shape.rows, shape.out_stride, shape.head_dim);
  for (size_t r = 0; r < shape.rows; ++r) {
    const int32_t count = counts.data[r];
    if (count < 1 || static_cast<size_t>(count) > shape.index_ld) {
      args.refuse("counts[" + std::to_string(r) + "] must be from 1 to " + std::to_string(shape.index_ld));
    }
    args.holds_rows(indices, r + 1, shape.index_ld, static_cast<uint64_t>(count));
    // As unsigned numbers negative positions are too large as well.
    uint32_t greatest = 0;
    const int32_t* row = indices.data + r * shape.index_ld;
    for (int32_t i = 0; i < count; ++i) greatest = std::max(greatest, static_cast<uint32_t>(row[i]));
    if (greatest >= keys) args.refuse("indices of row " + std::to_string(r) + " point outside of k or v");
  }
}

template <class T>
void Sparse(const Napi::CallbackInfo& info, const char* name,
            void (*Kernels::*kernel)(const float*, const T*, const T*, const int32_t*, const int32_t*, const Tail*,
                                     float*, const SparseShape&)) {
  Arguments args(info, name);
  const auto q = args.array<float>(0, "q");
  const auto k = args.array<T>(1, "k");
  const auto v = args.array<T>(2, "v");
  const auto indices = args.array<int32_t>(3, "indices");
  const auto counts = args.array<int32_t>(4, "counts");
  const auto out = args.array<float>(5, "out");
  args.shape(6);
  const SparseShape shape = {args.extent("rows", 0), args.extent("headDim", 1), args.extent("indexLd", 1),
                             args.extent("outStride", 1), args.finite("scale")};
  CheckSparse(args, q, std::min(k.length, v.length) / shape.head_dim, indices, counts, out, shape);
  if (info.Length() <= 7 || info[7].IsUndefined()) {
    (kernels().*kernel)(q.data, k.data, v.data, indices.data, counts.data, nullptr, out.data, shape);
    return;
  }
  const auto log_mass = args.array<float>(7, "logMass");
  const auto prefix = args.array<float>(8, "prefix");
  const Tail tail = {log_mass.data, prefix.data, args.extent("nPast", 0)};
  args.at_least(log_mass, shape.rows);
  args.at_least(prefix, product(shape.rows, shape.head_dim));
  for (size_t r = 0; r < shape.rows; ++r) {
    if (static_cast<uint64_t>(counts.data[r]) > uint64_t{tail.n_past} + r + 1) {
      args.refuse("counts must not exceed the number of visible keys");
    }
  }
  (kernels().*kernel)(q.data, k.data, v.data, indices.data, counts.data, &tail, out.data, shape);
}

void SparseAttention(const Napi::CallbackInfo& info) { Sparse<float>(info, "sparseAttention", &Kernels::sparse); }

void SparseAttentionBf16(const Napi::CallbackInfo& info) {
  Sparse<uint16_t>(info, "sparseAttentionBf16", &Kernels::sparse_bf16);
}

void FullAttention(const Napi::CallbackInfo& info) {
  Arguments args(info, "fullAttention");
  FullCall call = read_full(args);
  call.shape.window = args.extent_or("window", 0);
  check_full(args, call);
  kernels().full(call.q.data, call.k.data, call.v.data, call.out.data, call.shape);
}

void DecodeAttention(const Napi::CallbackInfo& info) {
  Arguments args(info, "decodeAttention");
  const auto q = args.array<float>(0, "q");
  const auto k = args.array<float>(1, "k");
  const auto v = args.array<float>(2, "v");
  const auto out = args.array<float>(3, "out");
  args.shape(4);
  const DecodeShape shape = {args.extent("group", 1), args.extent("keys", 1), args.extent("headDim", 1),
                             args.finite("scale")};
  args.at_least(q, product(shape.group, shape.head_dim));
  args.at_least(k, product(shape.keys, shape.head_dim));
  args.at_least(v, product(shape.keys, shape.head_dim));
  args.at_least(out, product(shape.group, shape.head_dim));
  kernels().decode(q.data, k.data, v.data, out.data, shape);
}

}  // namespace
}  // namespace shadownpu::binding

// Adds the kernels to the addon's exports.
void InitAttention(Napi::Env env, Napi::Object exports) {
  using namespace shadownpu::binding;
  Add<Isas>(env, exports, "isas");
  Add<ActiveIsa>(env, exports, "activeIsa");
  Add<UseIsa>(env, exports, "useIsa");
  Add<MaxAbs>(env, exports, "maxAbs");
  Add<Quantize>(env, exports, "quantize");
  Add<ToBf16>(env, exports, "toBf16");
  Add<SplitRope>(env, exports, "splitRope");
  Add<Pilot>(env, exports, "pilot");
  Add<Topk>(env, exports, "topk");
  Add<SparseAttention>(env, exports, "sparseAttention");
  Add<SparseAttentionBf16>(env, exports, "sparseAttentionBf16");
  Add<FullAttention>(env, exports, "fullAttention");
  Add<DecodeAttention>(env, exports, "decodeAttention");
}
