// Functions on the environment: load, devices, execution provider libraries, sessions by id.
#include "ort.h"

#include "../ort/abi.h"
#include "../ort/environment.h"
#include "../ort/hardware.h"

namespace shadownpu {

namespace {

using ort::Environment;
using ort::KeyValues;
using ort::Session;

Napi::Object ToObject(Napi::Env env, const KeyValues& pairs) {
  auto object = Napi::Object::New(env);
  for (const auto& [key, value] : pairs) object.Set(key, value);
  return object;
}

Napi::Value LoadOrt(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return Guard(env, [&] {
    Environment::Get().Load(ToString(info[0], "libraryPath"));
    auto result = Napi::Object::New(env);
    result.Set("version", Environment::Get().version());
    result.Set("apiVersion", Napi::Number::New(env, ort::kApiVersion));
    return result;
  });
}

Napi::Value RegisterEpLibrary(const Napi::CallbackInfo& info) {
  return Guard(info.Env(), [&] {
    Environment::Get().RegisterLibrary(ToString(info[0], "name"), ToString(info[1], "path"));
    return info.Env().Undefined();
  });
}

Napi::Value UnregisterEpLibrary(const Napi::CallbackInfo& info) {
  return Guard(info.Env(), [&] {
    Environment::Get().UnregisterLibrary(ToString(info[0], "name"));
    return info.Env().Undefined();
  });
}

Napi::Value Devices(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return Guard(env, [&] {
    auto list = Napi::Array::New(env);
    for (const ort::Device& device : Environment::Get().Devices()) {
      auto object = Napi::Object::New(env);
      object.Set("index", Napi::Number::New(env, list.Length()));
      object.Set("ep", device.ep);
      object.Set("epVendor", device.ep_vendor);
      object.Set("type", device.type);
      object.Set("vendor", device.vendor);
      object.Set("vendorId", Napi::Number::New(env, device.vendor_id));
      object.Set("deviceId", Napi::Number::New(env, device.device_id));
      object.Set("epMetadata", ToObject(env, device.ep_metadata));
      object.Set("epOptions", ToObject(env, device.ep_options));
      object.Set("deviceMetadata", ToObject(env, device.device_metadata));
      list.Set(list.Length(), object);
    }
    return list;
  });
}

Napi::Value Hardware(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return Guard(env, [&] {
    if (!info[0].IsArray()) throw ort::Error::Type("eps must be an array");
    const auto given = info[0].As<Napi::Array>();
    std::vector<std::string> eps;
    for (uint32_t i = 0; i < given.Length(); ++i) eps.push_back(ToString(given.Get(i), "an element of eps"));
    auto list = Napi::Array::New(env);
    for (const ort::Hardware& hardware : ort::ListHardware(eps)) {
      auto object = Napi::Object::New(env);
      object.Set("type", hardware.type);
      object.Set("vendor", hardware.vendor);
      object.Set("vendorId", Napi::Number::New(env, hardware.vendor_id));
      object.Set("deviceId", Napi::Number::New(env, hardware.device_id));
      object.Set("metadata", ToObject(env, hardware.metadata));
      auto against = Napi::Array::New(env);
      for (const ort::Incompatibility& found : hardware.incompatibilities) {
        auto entry = Napi::Object::New(env);
        entry.Set("ep", found.ep);
        entry.Set("reasons", Napi::Number::New(env, found.reasons));
        entry.Set("code", Napi::Number::New(env, found.code));
        entry.Set("notes", found.notes);
        against.Set(against.Length(), entry);
      }
      object.Set("incompatibilities", against);
      list.Set(list.Length(), object);
    }
    return list;
  });
}

Napi::Value OpenSession(const Napi::CallbackInfo& info) {
  return Guard(info.Env(), [&] {
    const auto path = ToString(info[0], "modelPath");
    return SessionHandle::Wrap(info.Env(), Session::Open(path, ToSessionOptions(info[1])));
  });
}

Napi::Value AttachSession(const Napi::CallbackInfo& info) {
  return Guard(info.Env(), [&] {
    if (!info[0].IsNumber()) throw ort::Error::Type("id must be a number");
    return SessionHandle::Wrap(info.Env(), Session::Find(info[0].As<Napi::Number>().Uint32Value()));
  });
}

Napi::Value CreateCancelToken(const Napi::CallbackInfo& info) {
  return info.Env().GetInstanceData<OrtClasses>()->cancel_token.New({});
}

Napi::Value SessionCount(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(Session::Count()));
}

}  // namespace

Napi::Error ToJsError(Napi::Env env, const std::exception& error) {
  const auto* own = dynamic_cast<const ort::Error*>(&error);
  if (own && own->type() == ort::ErrorType::kType) return Napi::TypeError::New(env, error.what());
  if (own && own->type() == ort::ErrorType::kRange) return Napi::RangeError::New(env, error.what());
  auto made = Napi::Error::New(env, error.what());
  if (own) made.Set("code", Napi::String::New(env, own->code()));
  return made;
}

}  // namespace shadownpu

void InitOrt(Napi::Env env, Napi::Object exports) {
  using namespace shadownpu;
  env.SetInstanceData(
      new OrtClasses{Napi::Persistent(SessionHandle::Define(env)), Napi::Persistent(CancelTokenHandle::Define(env))});
  const auto add = [&](const char* name, Napi::Value (*function)(const Napi::CallbackInfo&)) {
    exports.Set(name, Napi::Function::New(env, function, name));
  };
  add("loadOrt", LoadOrt);
  add("registerEpLibrary", RegisterEpLibrary);
  add("unregisterEpLibrary", UnregisterEpLibrary);
  add("devices", Devices);
  add("hardware", Hardware);
  add("openSession", OpenSession);
  add("attachSession", AttachSession);
  add("createCancelToken", CreateCancelToken);
  add("sessionCount", SessionCount);
}
