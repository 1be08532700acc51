// Session and CancelToken objects. They live on the thread of their environment; what they point to is shared.
#include "ort.h"

namespace shadownpu {

using ort::Error;
using ort::Port;

namespace {

Napi::Array Names(Napi::Env env, const std::vector<Port>& ports) {
  auto names = Napi::Array::New(env);
  for (const Port& port : ports) names.Set(names.Length(), port.name);
  return names;
}

}  // namespace

Napi::Function SessionHandle::Define(Napi::Env env) {
  return DefineClass(env, "Session",
                     {
                         InstanceMethod<&SessionHandle::Describe>("describe"),
                         InstanceMethod<&SessionHandle::Run>("run"),
                         InstanceMethod<&SessionHandle::RunAsync>("runAsync"),
                         InstanceMethod<&SessionHandle::Close>("close"),
                     });
}

Napi::Value SessionHandle::Wrap(Napi::Env env, std::shared_ptr<ort::Session> session) {
  auto external = Napi::External<std::shared_ptr<ort::Session>>::New(env, &session);
  return env.GetInstanceData<OrtClasses>()->session.New({external});
}

SessionHandle::SessionHandle(const Napi::CallbackInfo& info) : Napi::ObjectWrap<SessionHandle>(info) {
  const Napi::Env env = info.Env();
  if (!info[0].IsExternal()) throw Napi::TypeError::New(env, "sessions are made by openSession and attachSession");
  session_ = *info[0].As<Napi::External<std::shared_ptr<ort::Session>>>().Data();
  auto self = info.This().As<Napi::Object>();
  self.DefineProperties({
      Napi::PropertyDescriptor::Value("id", Napi::Number::New(env, session_->id()), napi_enumerable),
      Napi::PropertyDescriptor::Value("inputNames", Names(env, session_->inputs()), napi_enumerable),
      Napi::PropertyDescriptor::Value("outputNames", Names(env, session_->outputs()), napi_enumerable),
  });
}

std::shared_ptr<ort::Session> SessionHandle::session() const {
  if (!session_) throw Error(ort::code::kClosed, "the session is closed");
  return session_;
}

Napi::Value SessionHandle::Describe(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return Guard(env, [&] {
    const auto held = session();
    auto list = Napi::Array::New(env);
    for (const bool output : {false, true}) {
      for (const Port& port : output ? held->outputs() : held->inputs()) {
        auto dims = Napi::Array::New(env);
        for (const int64_t extent : port.dims) {
          dims.Set(dims.Length(), Napi::Number::New(env, static_cast<double>(extent)));
        }
        auto object = Napi::Object::New(env);
        object.Set("name", port.name);
        object.Set("output", Napi::Boolean::New(env, output));
        object.Set("type", ort::FindElementType(port.type)->name);
        object.Set("dims", dims);
        list.Set(list.Length(), object);
      }
    }
    return list;
  });
}

Napi::Value SessionHandle::Run(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return Guard(env, [&] {
    const auto held = session();
    const auto keep = Napi::Array::New(env);
    const auto inputs = ToTensors(info[0], "inputs", keep);
    const auto outputs = ToTensors(info[1], "outputs", keep);
    held->Validate(inputs, outputs);
    held->Run(inputs, outputs, nullptr);
    return env.Undefined();
  });
}

Napi::Value SessionHandle::RunAsync(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return Guard(env, [&]() -> Napi::Value {
    auto held = session();
    const auto keep = Napi::Array::New(env);
    auto inputs = ToTensors(info[0], "inputs", keep);
    auto outputs = ToTensors(info[1], "outputs", keep);
    held->Validate(inputs, outputs);
    return StartRun(env, std::move(held), std::move(inputs), std::move(outputs), CancelTokenHandle::From(info[2]),
                    keep);
  });
}

Napi::Value SessionHandle::Close(const Napi::CallbackInfo& info) {
  session_.reset();
  return info.Env().Undefined();
}

Napi::Function CancelTokenHandle::Define(Napi::Env env) {
  return DefineClass(env, "CancelToken", {InstanceMethod<&CancelTokenHandle::Cancel>("cancel")});
}

CancelTokenHandle::CancelTokenHandle(const Napi::CallbackInfo& info) : Napi::ObjectWrap<CancelTokenHandle>(info) {}

std::shared_ptr<ort::CancelState> CancelTokenHandle::From(const Napi::Value& value) {
  if (value.IsUndefined()) return nullptr;
  const Napi::Function type = value.Env().GetInstanceData<OrtClasses>()->cancel_token.Value();
  if (!value.IsObject() || !value.As<Napi::Object>().InstanceOf(type)) {
    throw Error::Type("token must come from createCancelToken");
  }
  return Unwrap(value.As<Napi::Object>())->state_;
}

Napi::Value CancelTokenHandle::Cancel(const Napi::CallbackInfo& info) {
  return Guard(info.Env(), [&] {
    state_->Cancel();
    return info.Env().Undefined();
  });
}

}  // namespace shadownpu
