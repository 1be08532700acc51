// The ONNX Runtime half of the addon's face.
#pragma once

#include <napi.h>

#include <functional>
#include <memory>
#include <vector>

#include "../ort/cancel.h"
#include "../ort/error.h"
#include "../ort/session.h"

/// Adds loadOrt, devices, openSession, ... to the exports.
void InitOrt(Napi::Env env, Napi::Object exports);

namespace shadownpu {

/// Class constructors of one JavaScript environment.
struct OrtClasses {
  Napi::FunctionReference session, cancel_token;
};

/// The JavaScript error for a caught native one: class by type, `code` from the closed list.
Napi::Error ToJsError(Napi::Env env, const std::exception& error);

/// Runs native code and throws its failures into JavaScript.
template <class F>
auto Guard(Napi::Env env, F&& body) {
  try {
    return body();
  } catch (const Napi::Error&) {
    throw;
  } catch (const std::exception& error) {
    throw ToJsError(env, error);
  }
}

/// The string at `value`; `what` names it in the TypeError.
std::string ToString(const Napi::Value& value, const char* what);

/// The options object of openSession, unknown shapes refused.
ort::SessionOptions ToSessionOptions(const Napi::Value& value);

/// Borrows the memory of an array of Tensor objects; it stays valid while `keep` holds the typed arrays.
std::vector<ort::TensorView> ToTensors(const Napi::Value& value, const char* what, Napi::Array keep);

/// Handle of one environment to a shared session.
class SessionHandle : public Napi::ObjectWrap<SessionHandle> {
 public:
  static Napi::Function Define(Napi::Env env);
  static Napi::Value Wrap(Napi::Env env, std::shared_ptr<ort::Session> session);

  /// Called by Wrap alone, with an External<std::shared_ptr<ort::Session>>.
  explicit SessionHandle(const Napi::CallbackInfo& info);

 private:
  Napi::Value Describe(const Napi::CallbackInfo& info);
  Napi::Value Run(const Napi::CallbackInfo& info);
  Napi::Value RunAsync(const Napi::CallbackInfo& info);
  Napi::Value Close(const Napi::CallbackInfo& info);
  std::shared_ptr<ort::Session> session() const;

  std::shared_ptr<ort::Session> session_;
};

class CancelTokenHandle : public Napi::ObjectWrap<CancelTokenHandle> {
 public:
  static Napi::Function Define(Napi::Env env);
  explicit CancelTokenHandle(const Napi::CallbackInfo& info);

  /// The token at `value`, null for undefined; TypeError for anything else.
  static std::shared_ptr<ort::CancelState> From(const Napi::Value& value);

 private:
  Napi::Value Cancel(const Napi::CallbackInfo& info);

  std::shared_ptr<ort::CancelState> state_ = std::make_shared<ort::CancelState>();
};

/// Runs on a thread of the pool; the promise settles on the calling thread. `keep` holds the arrays meanwhile.
Napi::Promise StartRun(Napi::Env env, std::shared_ptr<ort::Session> session, std::vector<ort::TensorView> inputs,
                       std::vector<ort::TensorView> outputs, std::shared_ptr<ort::CancelState> cancel,
                       Napi::Array keep);

}  // namespace shadownpu
