// Node-API face of the fused shadow path. Checks everything, then computes on the calling thread.
#include <algorithm>

#include "../attention/key_codes.h"
#include "arguments.h"
#include "kernel_calls.h"

namespace shadownpu::binding {
namespace {

// The state of a head as JavaScript holds it: floats mean, step, value sum [3][head_dim]; four whole numbers.
constexpr size_t kStateRows = 3, kStateInts = 4;

KeyCodes codes_of(const Arguments& args, const Array<uint8_t>& packed, const Array<float>& floats,
                  const Array<int32_t>& ints, size_t head_dim, uint64_t keys) {
  if (head_dim > 4096) args.refuse("headDim must not exceed 4096");
  args.at_least(floats, product(kStateRows, head_dim));
  args.at_least(ints, kStateInts);
  args.at_least(packed, packed_bytes(keys, head_dim));
  return {floats.data, floats.data + head_dim, floats.data + 2 * head_dim, packed.data,
          ints.data,   ints.data + 1,          ints.data + 2,              ints.data + 3};
}

// Each row of a head keeps at least one and at most all of the keys that it sees.
void check_counts(const Arguments& args, const int32_t* counts, size_t rows, size_t n_past) {
  for (size_t r = 0; r < rows; ++r) {
    if (counts[r] < 1 || static_cast<uint64_t>(counts[r]) > uint64_t{n_past} + r + 1) {
      args.refuse("counts must be from 1 to the number of visible keys");
    }
  }
}

void UpdateKeyCodes(const Napi::CallbackInfo& info) {
  Arguments args(info, "updateKeyCodes");
  const auto k = args.array<float>(0, "k");
  const auto v = args.array<float>(1, "v");
  const auto packed = args.array<uint8_t>(2, "packed");
  const auto floats = args.array<float>(3, "floats");
  const auto ints = args.array<int32_t>(4, "ints");
  const auto prefix = args.array<float>(5, "prefix");
  args.shape(6);
  const size_t rows = args.extent("rows", 1), n_past = args.extent("nPast", 0), head_dim = args.extent("headDim", 1);
  const uint64_t keys = uint64_t{n_past} + rows;
  const KeyCodes codes = codes_of(args, packed, floats, ints, head_dim, keys);
  args.at_least(k, product(keys, head_dim));
  args.at_least(v, product(keys, head_dim));
  args.at_least(prefix, product(rows, head_dim));
  for (const int32_t* count : {codes.packed_rows, codes.fitted_rows, codes.summed_rows}) {
    if (*count < 0) args.refuse("ints must not be negative");
  }
  if (static_cast<uint64_t>(*codes.packed_rows) > keys) args.refuse("ints[0] must not exceed nPast + rows");
  update_key_codes(kernels(), k.data, v.data, n_past, rows, head_dim, codes, prefix.data);
}

template <class T>
void Shadow(const Napi::CallbackInfo& info, const char* name,
            void (*Kernels::*kernel)(const ShadowInput&, float*, ShadowStats&, const ShadowShape&)) {
  Arguments args(info, name);
  const auto q = args.array<float>(0, "q");
  const auto packed = args.array<uint8_t>(1, "packed");
  const auto floats = args.array<float>(2, "floats");
  const auto ints = args.array<int32_t>(3, "ints");
  const auto k = args.array<T>(4, "k");
  const auto v = args.array<T>(5, "v");
  const auto prefix = args.array<float>(6, "prefix");
  const auto counts = args.array<int32_t>(7, "counts");
  const auto out = args.array<float>(8, "out");
  const auto stats = args.array<double>(9, "stats");
  args.shape(10);
  const ShadowShape shape = {args.extent("rows", 1),        args.extent("nPast", 0),
                             args.extent("headDim", 1),     args.extent("heads", 1),
                             args.extent("qHeadStride", 0), args.extent("outStride", 1),
                             args.finite("scale"),          args.finite("reach"),
                             args.flag("tail"),             args.flag("share")};
  const uint64_t keys = uint64_t{shape.n_past} + shape.rows;
  const KeyCodes codes = codes_of(args, packed, floats, ints, shape.head_dim, keys);
  if (static_cast<uint64_t>(std::max(*codes.packed_rows, 0)) < keys) args.refuse("ints[0] must be at least nPast + rows");
  const uint64_t row = product(shape.rows, shape.head_dim), width = product(shape.heads, shape.head_dim);
  args.holds_rows(q, shape.heads, shape.q_head_stride, row);
  args.at_least(k, product(keys, shape.head_dim));
  args.at_least(v, product(keys, shape.head_dim));
  args.at_least(prefix, row);
  args.at_least(counts, product(shape.heads, shape.rows));
  args.at_least(stats, size_t{4} + shape.heads);
  if (shape.out_row_stride < width) args.refuse("outStride must not be less than heads * headDim");
  args.holds_rows(out, shape.rows, shape.out_row_stride, width);
  for (size_t h = 0; h < shape.heads; ++h) {
    check_counts(args, counts.data + h * shape.rows, shape.rows, shape.n_past);
  }
  const ShadowInput in = {q.data, packed.data, codes.step, codes.mean,  static_cast<float>(*codes.most_norm),
                          k.data, v.data,      prefix.data, counts.data};
  ShadowStats times = {};
  times.head_kept = stats.data + 4;
  if (info.Length() > 11 && !info[11].IsUndefined()) {
    const auto hits = args.array<int32_t>(11, "hits");
    times.hits = hits.data;
    times.hits_stride = args.extent("hitsStride", 1);
    args.holds_rows(hits, shape.heads, times.hits_stride, keys);
  }
  (kernels().*kernel)(in, out.data, times, shape);
  stats.data[0] += times.pilot;
  stats.data[1] += times.select;
  stats.data[2] += times.sparse;
  stats.data[3] += times.kept;
}

void ShadowAttention(const Napi::CallbackInfo& info) { Shadow<float>(info, "shadowAttention", &Kernels::shadow); }

void ShadowAttentionBf16(const Napi::CallbackInfo& info) {
  Shadow<uint16_t>(info, "shadowAttentionBf16", &Kernels::shadow_bf16);
}

void SelectKeys(const Napi::CallbackInfo& info) {
  Arguments args(info, "selectKeys");
  const auto scores = args.array<uint8_t>(0, "scores");
  const auto steps = args.array<float>(1, "steps");
  const auto bases = args.array<float>(2, "bases");
  const auto counts = args.array<int32_t>(3, "counts");
  const auto indices = args.array<int32_t>(4, "indices");
  const auto kept = args.array<int32_t>(5, "kept");
  const auto tails = args.array<float>(6, "tails");
  args.shape(7);
  const SelectShape shape = {args.extent("rows", 0), args.extent("nPast", 0), args.extent("ld", 1),
                             args.extent("indexLd", 1), args.flag("exact"),       args.finite("reach")};
  const uint64_t visible = uint64_t{shape.n_past} + shape.rows;
  if (shape.rows > 0 && visible > shape.ld) args.refuse("nPast + rows must not exceed ld");
  // Whole bins may keep any number of keys.
  if (visible > shape.index_ld) args.refuse("indexLd must not be less than nPast + rows");
  args.holds_rows(scores, shape.rows, shape.ld, visible);
  args.holds_rows(indices, shape.rows, shape.index_ld, visible);
  for (const auto& [data, length, label] : {steps, bases, tails}) args.at_least(Array<float>{data, length, label}, shape.rows);
  for (const auto& [data, length, label] : {counts, kept}) args.at_least(Array<int32_t>{data, length, label}, shape.rows);
  for (size_t r = 0; r < shape.rows; ++r) {
    if (!(steps.data[r] >= 0)) args.refuse("steps must not be negative");
  }
  check_counts(args, counts.data, shape.rows, shape.n_past);
  kernels().select(scores.data, steps.data, bases.data, counts.data, indices.data, kept.data, tails.data, shape);
}

}  // namespace
}  // namespace shadownpu::binding

// Adds the fused path to the addon's exports.
void InitShadow(Napi::Env env, Napi::Object exports) {
  using namespace shadownpu::binding;
  Add<UpdateKeyCodes>(env, exports, "updateKeyCodes");
  Add<ShadowAttention>(env, exports, "shadowAttention");
  Add<ShadowAttentionBf16>(env, exports, "shadowAttentionBf16");
  Add<SelectKeys>(env, exports, "selectKeys");
}
