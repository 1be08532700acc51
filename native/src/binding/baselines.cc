// Node-API face of the baseline modes' steps (attention/baselines.h). Checks everything, then computes on the calling
// thread.
#include "../attention/baselines.h"

#include "arguments.h"
#include "full_call.h"
#include "kernel_calls.h"

namespace shadownpu::binding {
namespace {

// Beyond this a sum of INT8 products could leave int32.
constexpr size_t kMostTerms = 65535;

void ScoreOrder(const Napi::CallbackInfo& info) {
  Arguments args(info, "scoreOrder");
  const auto q = args.array<float>(0, "q");
  const auto k = args.array<float>(1, "k");
  const auto order = args.array<int32_t>(2, "order");
  args.shape(3);
  const ScoreShape shape = {args.extent("rows", 0), args.extent("nPast", 0), args.extent("headDim", 1),
                            args.extent("ld", 0), args.finite("scale")};
  const uint64_t keys = shape.n_past + shape.rows;
  if (shape.rows > 0 && shape.ld < keys) args.refuse("ld must not be less than nPast + rows");
  args.at_least(q, product(shape.rows, shape.head_dim));
  args.at_least(k, product(keys, shape.head_dim));
  args.holds_rows(order, shape.rows, shape.ld, keys);
  score_order(q.data, k.data, order.data, shape);
}

void BlockScores(const Napi::CallbackInfo& info) {
  Arguments args(info, "blockScores");
  const auto q = args.array<float>(0, "q");
  const auto k = args.array<float>(1, "k");
  const auto scores = args.array<float>(2, "scores");
  args.shape(3);
  const BlockShape shape = {args.extent("rows", 1), args.extent("keys", 0), args.extent("headDim", 1),
                            args.extent("block", 1)};
  args.at_least(q, product(shape.rows, shape.head_dim));
  args.at_least(k, product(shape.keys, shape.head_dim));
  args.at_least(scores, (shape.keys + shape.block - 1) / shape.block);
  block_scores(q.data, k.data, scores.data, shape);
}

void Int8Attention(const Napi::CallbackInfo& info) {
  Arguments args(info, "int8Attention");
  const FullCall call = read_full(args);
  const FullShape& shape = call.shape;
  const auto lambda = [&args](const char* name) {
    const float value = args.finite(name);
    if (!(value > 0)) args.refuse(std::string(name) + " must be positive");
    return value;
  };
  const StaticScales scales = {lambda("lambdaQ"), lambda("lambdaK"), lambda("lambdaS"), lambda("lambdaV"),
                               lambda("lambdaO")};
  if (uint64_t{shape.n_past} + shape.rows > kMostTerms) args.refuse("nPast + rows must not exceed 65535");
  if (shape.head_dim > kMostTerms) args.refuse("headDim must not exceed 65535");
  check_full(args, call);
  int8_attention(kernels(), call.q.data, call.k.data, call.v.data, call.out.data, shape, scales);
}

}  // namespace
}  // namespace shadownpu::binding

// Adds the steps of the baseline modes to the addon's exports.
void InitBaselines(Napi::Env env, Napi::Object exports) {
  using namespace shadownpu::binding;
  Add<ScoreOrder>(env, exports, "scoreOrder");
  Add<BlockScores>(env, exports, "blockScores");
  Add<Int8Attention>(env, exports, "int8Attention");
}
