#include "environment.h"

#include <algorithm>
#include <cstdlib>

#include "library.h"
#include "weight_memory.h"

namespace shadownpu::ort {

namespace {

const char* CodeName(OrtErrorCode code) {
  switch (code) {
    case ORT_INVALID_ARGUMENT:
      return "ORT_INVALID_ARGUMENT";
    case ORT_NO_SUCHFILE:
      return "ORT_NO_SUCHFILE";
    case ORT_NO_MODEL:
      return "ORT_NO_MODEL";
    case ORT_ENGINE_ERROR:
      return "ORT_ENGINE_ERROR";
    case ORT_RUNTIME_EXCEPTION:
      return "ORT_RUNTIME_EXCEPTION";
    case ORT_INVALID_PROTOBUF:
      return "ORT_INVALID_PROTOBUF";
    case ORT_MODEL_LOADED:
      return "ORT_MODEL_LOADED";
    case ORT_NOT_IMPLEMENTED:
      return "ORT_NOT_IMPLEMENTED";
    case ORT_INVALID_GRAPH:
      return "ORT_INVALID_GRAPH";
    case ORT_EP_FAIL:
      return "ORT_EP_FAIL";
    case ORT_MODEL_LOAD_CANCELED:
      return "ORT_MODEL_LOAD_CANCELED";
    case ORT_MODEL_REQUIRES_COMPILATION:
      return "ORT_MODEL_REQUIRES_COMPILATION";
    case ORT_NOT_FOUND:
      return "ORT_NOT_FOUND";
    case ORT_DEVICE_RESET:
      return "ORT_DEVICE_RESET";
    default:
      return "ORT_FAIL";
  }
}

}  // namespace

std::string Text(const char* text) { return text ? text : ""; }

const char* TypeName(OrtHardwareDeviceType type) {
  switch (type) {
    case OrtHardwareDeviceType_GPU:
      return "GPU";
    case OrtHardwareDeviceType_NPU:
      return "NPU";
    default:
      return "CPU";
  }
}

KeyValues Copy(const Api& api, const OrtKeyValuePairs* pairs) {
  KeyValues out;
  if (!pairs) return out;
  const char* const* keys = nullptr;
  const char* const* values = nullptr;
  size_t count = 0;
  api.GetKeyValuePairs(pairs, &keys, &values, &count);
  for (size_t i = 0; i < count; ++i) out.emplace_back(Text(keys[i]), Text(values[i]));
  return out;
}

std::filesystem::path ToPath(const std::string& utf8) {
  return std::filesystem::path(std::u8string(utf8.begin(), utf8.end()));
}

namespace {

/**
 * ONNX Runtime 1.29 and later writes a device id and events into the user's cache folder and uploads them, and walks the
 * command line with a regular expression whose recursion a long argument drives over the end of the stack. All of that
 * begins while its environment is made, before DisableTelemetryEvents can be called; this variable, read then, stops it.
 */
void ForbidTelemetry() {
#ifdef _WIN32
  _putenv_s("ORT_DISABLE_TELEMETRY", "1");
#else
  setenv("ORT_DISABLE_TELEMETRY", "1", 1);
#endif
}

}  // namespace

Environment& Environment::Get() {
  static auto* instance = new Environment;  // never destroyed, see the header
  return *instance;
}

void Environment::Load(const std::string& path) {
  std::lock_guard lock(mutex_);
  if (loaded_) {
    if (path == path_) return;
    throw Error(code::kUnavailable, "ONNX Runtime is already loaded from " + path_ + ", not from " + path);
  }
  ForbidTelemetry();
  using GetApiBase = const OrtApiBase*(ORT_API_CALL*)();
  const auto get_base = reinterpret_cast<GetApiBase>(LoadSymbol(path, "OrtGetApiBase"));
  const OrtApiBase* base = get_base();
  version_ = base->GetVersionString();
  const OrtApi* table = base->GetApi(kApiVersion);
  if (!table) {
    throw Error(code::kUnavailable,
                path + " is ONNX Runtime " + version_ + "; 1." + std::to_string(kApiVersion) + " or later is needed");
  }
  api_.Bind(table);
  // Failures come back as statuses; ORT's own lines on stderr would only repeat them.
  if (!env_) Check(api_.CreateEnv(ORT_LOGGING_LEVEL_FATAL, "shadownpu", &env_), "cannot start ONNX Runtime");
  // Windows hands events to its own tracing, which only this call stops.
  Check(api_.DisableTelemetryEvents(env_), "cannot switch off ONNX Runtime's telemetry");
  if (!cpu_memory_) {
    Check(api_.CreateCpuMemoryInfo(OrtDeviceAllocator, OrtMemTypeDefault, &cpu_memory_), "cannot start ONNX Runtime");
    if (OrtAllocator* weights = WeightAllocator(cpu_memory_)) {
      Check(api_.RegisterAllocator(env_, weights), "cannot start ONNX Runtime");
    }
  }
  path_ = path;
  loaded_ = true;
}

const Api& Environment::api() const {
  std::lock_guard lock(mutex_);
  if (!loaded_) throw Error(code::kUnavailable, "ONNX Runtime is not loaded; call loadOrt first");
  return api_;
}

void Environment::Check(OrtStatus* status, const std::string& context) const {
  if (!status) return;
  const char* name = CodeName(api_.GetErrorCode(status));
  const std::string message = context + ": " + Text(api_.GetErrorMessage(status));
  api_.ReleaseStatus(status);
  throw Error(name, message);
}

std::vector<const OrtEpDevice*> Environment::List() const {
  const OrtEpDevice* const* devices = nullptr;
  size_t count = 0;
  Check(api_.GetEpDevices(env_, &devices, &count), "cannot list devices");
  return {devices, devices + count};
}

void Environment::RegisterLibrary(const std::string& name, const std::string& path) {
  api();
  std::lock_guard lock(mutex_);
  if (libraries_.contains(name)) throw Error("ORT_INVALID_ARGUMENT", "EP library " + name + " is registered already");
  const auto before = List();
  Check(api_.RegisterExecutionProviderLibrary(env_, name.c_str(), ToPath(path).c_str()),
        "cannot register the EP library " + path);
  auto& own = libraries_[name];
  for (const OrtEpDevice* device : List()) {
    if (std::find(before.begin(), before.end(), device) == before.end()) own.push_back(device);
  }
}

void Environment::UnregisterLibrary(const std::string& name) {
  api();
  std::lock_guard lock(mutex_);
  const auto found = libraries_.find(name);
  if (found == libraries_.end()) throw Error("ORT_NOT_FOUND", "no EP library is registered as " + name);
  // ORT does not count the sessions on a library and would unload the code under them.
  for (const auto& weak : leases_) {
    const auto lease = weak.lock();
    if (!lease) continue;
    for (const OrtEpDevice* device : *lease) {
      if (std::find(found->second.begin(), found->second.end(), device) != found->second.end()) {
        throw Error(code::kBusy, "EP library " + name + " is in use by an open session; close it first");
      }
    }
  }
  Check(api_.UnregisterExecutionProviderLibrary(env_, name.c_str()), "cannot unregister the EP library " + name);
  libraries_.erase(found);
}

std::vector<Device> Environment::Devices() const {
  api();
  std::lock_guard lock(mutex_);
  std::vector<Device> out;
  for (const OrtEpDevice* device : List()) {
    const OrtHardwareDevice* hardware = api_.EpDevice_Device(device);
    out.push_back({.ep = Text(api_.EpDevice_EpName(device)),
                   .ep_vendor = Text(api_.EpDevice_EpVendor(device)),
                   .type = TypeName(api_.HardwareDevice_Type(hardware)),
                   .vendor = Text(api_.HardwareDevice_Vendor(hardware)),
                   .vendor_id = api_.HardwareDevice_VendorId(hardware),
                   .device_id = api_.HardwareDevice_DeviceId(hardware),
                   .ep_metadata = Copy(api_, api_.EpDevice_EpMetadata(device)),
                   .ep_options = Copy(api_, api_.EpDevice_EpOptions(device)),
                   .device_metadata = Copy(api_, api_.HardwareDevice_Metadata(hardware))});
  }
  return out;
}

DeviceLease Environment::AppendDevices(OrtSessionOptions* options, const std::vector<uint32_t>& indices,
                                       const KeyValues& ep_options) {
  std::lock_guard lock(mutex_);
  const auto all = List();
  std::vector<const OrtEpDevice*> chosen;
  for (const uint32_t index : indices) {
    if (index >= all.size()) {
      throw Error::Range("there is no device " + std::to_string(index) + "; ONNX Runtime lists " +
                         std::to_string(all.size()));
    }
    chosen.push_back(all[index]);
  }
  std::vector<const char*> keys, values;
  for (const auto& [key, value] : ep_options) {
    keys.push_back(key.c_str());
    values.push_back(value.c_str());
  }
  Check(api_.SessionOptionsAppendExecutionProvider_V2(options, env_, chosen.data(), chosen.size(), keys.data(),
                                                      values.data(), keys.size()),
        "the execution provider refused the device");
  auto lease = std::make_shared<const std::vector<const OrtEpDevice*>>(std::move(chosen));
  std::erase_if(leases_, [](const auto& weak) { return weak.expired(); });
  leases_.push_back(lease);
  return lease;
}

}  // namespace shadownpu::ort
