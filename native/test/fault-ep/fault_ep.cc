// A plugin execution provider for tests: a "fault-injection test device" that calls itself an NPU, takes graphs with
// static shapes whole, computes them with ONNX Runtime's own CPU provider and fails where fault.h tells it to. Never
// shipped.
#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

// clang-format off
#include "onnxruntime_c_api.h"
// clang-format on
#include "fault.h"

#ifdef _WIN32
#define SHADOWNPU_EXPORT extern "C" __declspec(dllexport)
#else
#define SHADOWNPU_EXPORT extern "C" __attribute__((visibility("default")))
#endif

namespace {

using fault::Kind;
using fault::Stage;

constexpr char kEpName[] = "faulttestExecutionProvider";
constexpr char kVendor[] = "fault-injection test device";
constexpr uint32_t kVendorId = 0xFA17;

const OrtApi* ort = nullptr;

#define RETURN_IF_ERROR(call) \
  if (OrtStatus* status = (call)) return status

OrtStatus* Injected(const char* message) { return ort->CreateStatus(ORT_EP_FAIL, message); }

/// What a stage returns for its fault; the kinds that do not return happen here.
OrtStatus* Inject(Stage stage) {
  const Kind kind = fault::Asked(stage);
  fault::Suffer(kind);
  if (kind == Kind::kFail) return Injected("injected failure");
  if (kind == Kind::kLost) return ort->CreateStatus(ORT_DEVICE_RESET, "injected loss of the device");
  return nullptr;
}

OrtStatus* Names(const OrtNode* node, bool outputs, std::vector<std::string>& names) {
  size_t count = 0;
  RETURN_IF_ERROR(outputs ? ort->Node_GetNumOutputs(node, &count) : ort->Node_GetNumInputs(node, &count));
  std::vector<const OrtValueInfo*> values(count);
  RETURN_IF_ERROR(outputs ? ort->Node_GetOutputs(node, values.data(), count)
                          : ort->Node_GetInputs(node, values.data(), count));
  for (const OrtValueInfo* value : values) {
    const char* name = nullptr;
    RETURN_IF_ERROR(ort->GetValueInfoName(value, &name));
    names.emplace_back(name);
  }
  return nullptr;
}

/// One compiled graph: a session of the CPU provider on the same file.
class Compiled : public OrtNodeComputeInfo {
 public:
  Compiled() : OrtNodeComputeInfo{} {
    ort_version_supported = ORT_API_VERSION;
    OrtNodeComputeInfo::CreateState = [](OrtNodeComputeInfo* self, OrtNodeComputeContext*, void** state) {
      *state = self;
      return static_cast<OrtStatus*>(nullptr);
    };
    OrtNodeComputeInfo::Compute = [](OrtNodeComputeInfo* self, void*, OrtKernelContext* context) {
      return static_cast<Compiled*>(self)->Run(context);
    };
    OrtNodeComputeInfo::ReleaseState = [](OrtNodeComputeInfo*, void*) {};
  }
  ~Compiled() {
    if (session_) ort->ReleaseSession(session_);
    if (env_) ort->ReleaseEnv(env_);
  }

  OrtStatus* Open(const OrtGraph* graph, const OrtNode* fused) {
    RETURN_IF_ERROR(Names(fused, false, inputs_));
    RETURN_IF_ERROR(Names(fused, true, outputs_));
    for (const auto& name : inputs_) input_names_.push_back(name.c_str());
    for (const auto& name : outputs_) output_names_.push_back(name.c_str());
    const ORTCHAR_T* path = nullptr;
    RETURN_IF_ERROR(ort->Graph_GetModelPath(graph, &path));
    RETURN_IF_ERROR(ort->CreateEnv(ORT_LOGGING_LEVEL_FATAL, "fault-test", &env_));
    OrtSessionOptions* options = nullptr;
    RETURN_IF_ERROR(ort->CreateSessionOptions(&options));
    OrtStatus* status = ort->SetIntraOpNumThreads(options, 1);
    if (!status) status = ort->AddSessionConfigEntry(options, "session.x64quantprecision", "1");
    if (!status) status = ort->CreateSession(env_, path, options, &session_);
    ort->ReleaseSessionOptions(options);
    if (status) return status;
    return ReadOutputShapes();
  }

 private:
  OrtStatus* ReadOutputShapes() {
    OrtAllocator* allocator = nullptr;
    RETURN_IF_ERROR(ort->GetAllocatorWithDefaultOptions(&allocator));
    shapes_.resize(outputs_.size());
    for (size_t i = 0; i < outputs_.size(); ++i) {
      char* name = nullptr;
      RETURN_IF_ERROR(ort->SessionGetOutputName(session_, i, allocator, &name));
      const size_t place = std::find(outputs_.begin(), outputs_.end(), name) - outputs_.begin();
      allocator->Free(allocator, name);
      if (place == outputs_.size()) return Injected("the test device takes whole graphs only");
      OrtTypeInfo* info = nullptr;
      RETURN_IF_ERROR(ort->SessionGetOutputTypeInfo(session_, i, &info));
      const std::unique_ptr<OrtTypeInfo, void (*)(OrtTypeInfo*)> owner(info, ort->ReleaseTypeInfo);
      const OrtTensorTypeAndShapeInfo* shape = nullptr;
      RETURN_IF_ERROR(ort->CastTypeInfoToTensorInfo(info, &shape));
      size_t rank = 0;
      RETURN_IF_ERROR(ort->GetDimensionsCount(shape, &rank));
      shapes_[place].resize(rank);
      RETURN_IF_ERROR(ort->GetDimensions(shape, shapes_[place].data(), rank));
    }
    return nullptr;
  }

  OrtStatus* Run(OrtKernelContext* context) {
    const Kind kind = fault::Asked(Stage::kRun);
    fault::Suffer(kind);
    if (kind == Kind::kFail) return Injected("injected failure of a run");
    if (kind == Kind::kLost) return ort->CreateStatus(ORT_DEVICE_RESET, "injected loss of the device");
    std::vector<const OrtValue*> inputs(inputs_.size());
    std::vector<OrtValue*> outputs(outputs_.size());
    for (size_t i = 0; i < inputs.size(); ++i) RETURN_IF_ERROR(ort->KernelContext_GetInput(context, i, &inputs[i]));
    for (size_t i = 0; i < outputs.size(); ++i) {
      RETURN_IF_ERROR(ort->KernelContext_GetOutput(context, i, shapes_[i].data(), shapes_[i].size(), &outputs[i]));
    }
    RETURN_IF_ERROR(ort->Run(session_, nullptr, input_names_.data(), inputs.data(), inputs.size(), output_names_.data(),
                             outputs.size(), outputs.data()));
    if (kind == Kind::kNan) {
      for (OrtValue* output : outputs) RETURN_IF_ERROR(Spoil(output));
    }
    return nullptr;
  }

  /// Every byte 255: NaN as float of any width, 255 as u8.
  static OrtStatus* Spoil(OrtValue* value) {
    void* data = nullptr;
    size_t bytes = 0;
    RETURN_IF_ERROR(ort->GetTensorMutableData(value, &data));
    RETURN_IF_ERROR(ort->GetTensorSizeInBytes(value, &bytes));
    std::memset(data, 0xFF, bytes);
    return nullptr;
  }

  std::vector<std::string> inputs_, outputs_;
  std::vector<const char*> input_names_, output_names_;
  std::vector<std::vector<int64_t>> shapes_;
  OrtEnv* env_ = nullptr;
  OrtSession* session_ = nullptr;
};

/// Whether every input has a fixed shape, as NPU compilers want it.
OrtStatus* IsStatic(const OrtGraph* graph, bool& all) {
  size_t count = 0;
  RETURN_IF_ERROR(ort->Graph_GetNumInputs(graph, &count));
  std::vector<const OrtValueInfo*> inputs(count);
  RETURN_IF_ERROR(ort->Graph_GetInputs(graph, inputs.data(), count));
  all = true;
  for (const OrtValueInfo* input : inputs) {
    const OrtTypeInfo* info = nullptr;
    RETURN_IF_ERROR(ort->GetValueInfoTypeInfo(input, &info));
    const OrtTensorTypeAndShapeInfo* shape = nullptr;
    RETURN_IF_ERROR(ort->CastTypeInfoToTensorInfo(info, &shape));
    size_t rank = 0;
    RETURN_IF_ERROR(ort->GetDimensionsCount(shape, &rank));
    std::vector<int64_t> dims(rank);
    RETURN_IF_ERROR(ort->GetDimensions(shape, dims.data(), rank));
    all = all && std::all_of(dims.begin(), dims.end(), [](int64_t extent) { return extent > 0; });
  }
  return nullptr;
}

class Ep : public OrtEp {
 public:
  Ep() : OrtEp{} {
    ort_version_supported = ORT_API_VERSION;
    OrtEp::GetName = [](const OrtEp*) noexcept { return kEpName; };
    OrtEp::GetCapability = [](OrtEp*, const OrtGraph* graph, OrtEpGraphSupportInfo* support) noexcept {
      return Claim(graph, support);
    };
    OrtEp::Compile = [](OrtEp*, const OrtGraph** graphs, const OrtNode** fused, size_t count,
                        OrtNodeComputeInfo** infos,
                        OrtNode**) noexcept { return CompileAll(graphs, fused, count, infos); };
    OrtEp::ReleaseNodeComputeInfos = [](OrtEp*, OrtNodeComputeInfo** infos, size_t count) noexcept {
      for (size_t i = 0; i < count; ++i) delete static_cast<Compiled*>(infos[i]);
    };
  }

 private:
  static OrtStatus* Claim(const OrtGraph* graph, OrtEpGraphSupportInfo* support) {
    bool is_static = false;
    RETURN_IF_ERROR(IsStatic(graph, is_static));
    size_t count = 0;
    RETURN_IF_ERROR(ort->Graph_GetNumNodes(graph, &count));
    if (!is_static || count == 0) return nullptr;
    std::vector<const OrtNode*> nodes(count);
    RETURN_IF_ERROR(ort->Graph_GetNodes(graph, nodes.data(), count));
    OrtNodeFusionOptions options{};
    options.ort_version_supported = ORT_API_VERSION;
    options.drop_constant_initializers = true;
    return ort->GetEpApi()->EpGraphSupportInfo_AddNodesToFuse(support, nodes.data(), count, &options);
  }

  static OrtStatus* CompileAll(const OrtGraph** graphs, const OrtNode** fused, size_t count,
                               OrtNodeComputeInfo** infos) {
    for (size_t i = 0; i < count; ++i) {
      auto compiled = std::make_unique<Compiled>();
      RETURN_IF_ERROR(compiled->Open(graphs[i], fused[i]));
      infos[i] = compiled.release();
    }
    return nullptr;
  }
};

class Factory : public OrtEpFactory {
 public:
  Factory() : OrtEpFactory{} {
    ort_version_supported = ORT_API_VERSION;
    OrtEpFactory::GetName = [](const OrtEpFactory*) noexcept { return kEpName; };
    OrtEpFactory::GetVendor = [](const OrtEpFactory*) noexcept { return kVendor; };
    OrtEpFactory::GetVendorId = [](const OrtEpFactory*) noexcept { return kVendorId; };
    OrtEpFactory::GetVersion = [](const OrtEpFactory*) noexcept { return "1.0.0"; };
    OrtEpFactory::GetSupportedDevices = [](OrtEpFactory* self, const OrtHardwareDevice* const*, size_t,
                                           OrtEpDevice** devices, size_t most, size_t* count) noexcept {
      return static_cast<Factory*>(self)->List(devices, most, count);
    };
    OrtEpFactory::CreateEp = [](OrtEpFactory*, const OrtHardwareDevice* const*, const OrtKeyValuePairs* const*, size_t,
                                const OrtSessionOptions*, const OrtLogger*, OrtEp** ep) noexcept {
      if (OrtStatus* status = Inject(Stage::kCreate)) return status;
      *ep = new Ep;
      return static_cast<OrtStatus*>(nullptr);
    };
    OrtEpFactory::ReleaseEp = [](OrtEpFactory*, OrtEp* ep) noexcept { delete static_cast<Ep*>(ep); };
    OrtEpFactory::CreateAllocator = [](OrtEpFactory*, const OrtMemoryInfo*, const OrtKeyValuePairs*,
                                       OrtAllocator** allocator) noexcept {
      *allocator = nullptr;
      return static_cast<OrtStatus*>(nullptr);
    };
    OrtEpFactory::ReleaseAllocator = [](OrtEpFactory*, OrtAllocator*) noexcept {};
    OrtEpFactory::CreateDataTransfer = [](OrtEpFactory*, OrtDataTransferImpl** transfer) noexcept {
      *transfer = nullptr;
      return static_cast<OrtStatus*>(nullptr);
    };
    OrtEpFactory::IsStreamAware = [](const OrtEpFactory*) noexcept { return false; };
  }
  ~Factory() {
    if (hardware_) ort->GetEpApi()->ReleaseHardwareDevice(hardware_);
  }

 private:
  OrtStatus* List(OrtEpDevice** devices, size_t most, size_t* count) {
    *count = 0;
    if (most == 0) return nullptr;
    const OrtEpApi* api = ort->GetEpApi();
    OrtKeyValuePairs* metadata = nullptr;
    ort->CreateKeyValuePairs(&metadata);
    ort->AddKeyValuePair(metadata, "Description", kVendor);
    ort->AddKeyValuePair(metadata, "os_driver_version", "1.0.0.0");
    OrtStatus* status = nullptr;
    if (!hardware_) {
      status = api->CreateHardwareDevice(OrtHardwareDeviceType_NPU, kVendorId, 1, kVendor, metadata, &hardware_);
    }
    if (!status) status = api->CreateEpDevice(this, hardware_, metadata, nullptr, &devices[0]);
    ort->ReleaseKeyValuePairs(metadata);
    if (!status) *count = 1;
    return status;
  }

  OrtHardwareDevice* hardware_ = nullptr;
};

}  // namespace

SHADOWNPU_EXPORT OrtStatus* CreateEpFactories(const char*, const OrtApiBase* base, const OrtLogger*,
                                              OrtEpFactory** factories, size_t most, size_t* count) {
  ort = base->GetApi(ORT_API_VERSION);
  *count = 0;
  RETURN_IF_ERROR(Inject(Stage::kRegister));
  if (most == 0) return Injected("there is no room for a factory");
  factories[0] = new Factory;
  *count = 1;
  return nullptr;
}

SHADOWNPU_EXPORT OrtStatus* ReleaseEpFactory(OrtEpFactory* factory) {
  delete static_cast<Factory*>(factory);
  return nullptr;
}
