// One asynchronous run. Written on the C interface: when a worker is terminated meanwhile, Node waits for the run and
// then calls `Settle` in an environment that refuses JavaScript, where the C++ wrapper would abort the process.
#include <optional>

#include "ort.h"

namespace shadownpu {

namespace {

struct AsyncRun {
  std::shared_ptr<ort::Session> session;
  std::vector<ort::TensorView> inputs, outputs;
  std::shared_ptr<ort::CancelState> cancel;
  std::optional<ort::Error> error;
  napi_ref keep = nullptr;
  napi_deferred deferred = nullptr;
  napi_async_work work = nullptr;
};

void Execute(napi_env, void* data) {
  auto& run = *static_cast<AsyncRun*>(data);
  try {
    run.session->Run(run.inputs, run.outputs, run.cancel.get());
  } catch (const ort::Error& error) {
    run.error = error;
  } catch (const std::exception& error) {
    run.error.emplace("ORT_FAIL", error.what());
  }
}

/// The rejection value, or null when the environment is going down.
napi_value Rejection(napi_env env, const ort::Error& error) {
  napi_value code = nullptr, message = nullptr, made = nullptr;
  if (napi_create_string_utf8(env, error.code(), NAPI_AUTO_LENGTH, &code) != napi_ok) return nullptr;
  if (napi_create_string_utf8(env, error.what(), NAPI_AUTO_LENGTH, &message) != napi_ok) return nullptr;
  if (napi_create_error(env, code, message, &made) != napi_ok) return nullptr;
  return made;
}

void Settle(napi_env env, napi_status, void* data) {
  const std::unique_ptr<AsyncRun> run(static_cast<AsyncRun*>(data));
  run->session.reset();  // first, so that whoever awaits the promise sees it gone
  napi_handle_scope scope;
  if (napi_open_handle_scope(env, &scope) != napi_ok) return;
  napi_delete_reference(env, run->keep);
  napi_delete_async_work(env, run->work);
  napi_value value = nullptr;
  if (run->error) {
    value = Rejection(env, *run->error);
    if (value) napi_reject_deferred(env, run->deferred, value);
  } else if (napi_get_undefined(env, &value) == napi_ok) {
    napi_resolve_deferred(env, run->deferred, value);
  }
  napi_close_handle_scope(env, scope);
}

}  // namespace

Napi::Promise StartRun(Napi::Env env, std::shared_ptr<ort::Session> session, std::vector<ort::TensorView> inputs,
                       std::vector<ort::TensorView> outputs, std::shared_ptr<ort::CancelState> cancel,
                       Napi::Array keep) {
  auto run = std::make_unique<AsyncRun>();
  run->session = std::move(session);
  run->inputs = std::move(inputs);
  run->outputs = std::move(outputs);
  run->cancel = std::move(cancel);
  const auto check = [&](napi_status status) {
    if (status != napi_ok) throw Napi::Error::New(env);
  };
  napi_value promise;
  check(napi_create_promise(env, &run->deferred, &promise));
  check(napi_create_reference(env, keep, 1, &run->keep));
  check(napi_create_async_work(env, nullptr, Napi::String::New(env, "shadownpu.run"), Execute, Settle, run.get(),
                               &run->work));
  check(napi_queue_async_work(env, run->work));
  run.release();  // Settle owns it now
  return Napi::Promise(env, promise);
}

}  // namespace shadownpu
