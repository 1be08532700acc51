// The one ONNX Runtime environment of the process: library, devices, execution provider libraries.
// Any thread may call anything here. Nothing is torn down at exit: ORT's own threads may outlive static destructors.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "abi.h"
#include "error.h"

namespace shadownpu::ort {

using KeyValues = std::vector<std::pair<std::string, std::string>>;

/// A copy of what ORT says about one device of one execution provider.
struct Device {
  std::string ep, ep_vendor, type, vendor;
  uint32_t vendor_id = 0, device_id = 0;
  KeyValues ep_metadata, ep_options, device_metadata;
};

/// A handle of the C API together with the function that releases it.
template <class T>
using Handle = std::unique_ptr<T, void (*)(T*)>;

/// Keeps the libraries of the devices a session uses from being unregistered; shared by the session.
using DeviceLease = std::shared_ptr<const std::vector<const OrtEpDevice*>>;

class Environment {
 public:
  /// The instance; usable before Load(), whose absence the members report as ORT_UNAVAILABLE.
  static Environment& Get();

  /// Loads the library once; a second call with the same path is a no-op, with another path an error.
  void Load(const std::string& path);
  const std::string& version() const { return version_; }

  /// Throws ORT_UNAVAILABLE until Load() has succeeded.
  const Api& api() const;
  OrtEnv* env() const { return env_; }
  /// Describes plain process memory for borrowed tensors.
  const OrtMemoryInfo* cpu_memory() const { return cpu_memory_; }

  void RegisterLibrary(const std::string& name, const std::string& path);
  /// Throws BUSY while a session runs on one of the library's devices.
  void UnregisterLibrary(const std::string& name);
  std::vector<Device> Devices() const;

  /// Adds the execution provider of the devices to the options; the lease must live as long as the session.
  DeviceLease AppendDevices(OrtSessionOptions* options, const std::vector<uint32_t>& indices,
                            const KeyValues& ep_options);

  /// Turns a failed status into an Error and releases it. `context` says what was being done.
  void Check(OrtStatus* status, const std::string& context) const;

 private:
  Environment() = default;

  std::vector<const OrtEpDevice*> List() const;

  mutable std::mutex mutex_;  // guards loading, the library table and ORT's device list
  bool loaded_ = false;
  std::string path_, version_;
  Api api_;
  OrtEnv* env_ = nullptr;
  OrtMemoryInfo* cpu_memory_ = nullptr;
  std::map<std::string, std::vector<const OrtEpDevice*>> libraries_;
  std::vector<std::weak_ptr<const std::vector<const OrtEpDevice*>>> leases_;
};

/// "" for a null pointer.
std::string Text(const char* text);
const char* TypeName(OrtHardwareDeviceType type);
/// Empty for a null pointer.
KeyValues Copy(const Api& api, const OrtKeyValuePairs* pairs);

/// UTF-8 to the path type of the platform.
std::filesystem::path ToPath(const std::string& utf8);

}  // namespace shadownpu::ort
