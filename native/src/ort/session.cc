#include "session.h"

#include <mutex>
#include <unordered_map>

#include "weight_memory.h"

namespace shadownpu::ort {

namespace {

constexpr ElementType kElementTypes[] = {
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, "float32", 4},     {ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8, "uint8", 1},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8, "int8", 1},         {ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16, "uint16", 2},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32, "int32", 4},       {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64, "int64", 8},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL, "bool", 1},         {ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16, "float16", 2},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16, "bfloat16", 2},
};

// Measured defaults. Spinning threads of many small sessions starve each other; the arena holds on to hundreds of
// megabytes and saves no time; the precision switch costs nothing where the CPU has VNNI and, where it has not, keeps
// u8 x s8 products from saturating in 16 bits.
constexpr std::pair<const char*, const char*> kDefaultConfig[] = {
    {"session.intra_op.allow_spinning", "0"},
    {"session.inter_op.allow_spinning", "0"},
    {"session.x64quantprecision", "1"},
    {"session.use_env_allocators", "1"},  // weight_memory.h
};

struct Registry {
  std::mutex mutex;
  uint32_t next_id = 1;
  std::unordered_map<uint32_t, std::weak_ptr<Session>> sessions;
  std::atomic<size_t> alive{0};
};

Registry& GetRegistry() {
  static auto* registry = new Registry;  // never destroyed: threads may still drop sessions while the process exits
  return *registry;
}

std::string Show(const std::vector<int64_t>& dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i) text += (i ? ", " : "") + (dims[i] < 0 ? "?" : std::to_string(dims[i]));
  return text + "]";
}

void ValidatePort(const std::string& what, const Port& port, const TensorView& tensor) {
  const ElementType* type = FindElementType(port.type);
  if (!(tensor.types >> port.type & 1)) {
    throw Error::Type(what + " takes " + type->name + " elements, which the given array does not hold");
  }
  bool fits = tensor.dims.size() == port.dims.size();
  for (size_t i = 0; fits && i < port.dims.size(); ++i) fits = port.dims[i] < 0 || port.dims[i] == tensor.dims[i];
  if (!fits) {
    throw Error::Range(what + " is declared as " + Show(port.dims) + ", not " + Show(tensor.dims));
  }
  size_t elements = 1;
  for (const int64_t extent : tensor.dims) {
    size_t product = 0;
    // Extents are bounded by the caller to 2^53, so only the product can overflow.
    if (__builtin_mul_overflow(elements, static_cast<size_t>(extent), &product)) {
      throw Error::Range(what + " has extents " + Show(tensor.dims) + ", whose product overflows");
    }
    elements = product;
  }
  if (elements != tensor.elements) {
    throw Error::Range(what + " has extents " + Show(tensor.dims) + " for " + std::to_string(elements) +
                       " elements, but its array has " + std::to_string(tensor.elements));
  }
}

void ValidatePorts(const char* kind, const std::vector<Port>& ports, const std::vector<TensorView>& tensors) {
  if (ports.size() != tensors.size()) {
    throw Error::Range("the graph has " + std::to_string(ports.size()) + " " + kind + "s, not " +
                       std::to_string(tensors.size()));
  }
  for (size_t i = 0; i < ports.size(); ++i) {
    ValidatePort(std::string(kind) + " '" + ports[i].name + "'", ports[i], tensors[i]);
  }
}

/// OrtValues over borrowed memory. Made anew for each run: some execution providers copy when a value is bound.
class Values {
 public:
  Values(const std::vector<Port>& ports, const std::vector<TensorView>& tensors) : values_(ports.size(), nullptr) {
    const auto& environment = Environment::Get();
    for (size_t i = 0; i < ports.size(); ++i) {
      static char nothing;  // ORT refuses a null pointer even for an empty tensor
      const TensorView& tensor = tensors[i];
      void* data = tensor.data ? tensor.data : &nothing;
      OrtStatus* status = environment.api().CreateTensorWithDataAsOrtValue(
          environment.cpu_memory(), data, tensor.elements * FindElementType(ports[i].type)->bytes, tensor.dims.data(),
          tensor.dims.size(), ports[i].type, &values_[i]);
      if (status) Release();
      environment.Check(status, "cannot use the memory of '" + ports[i].name + "'");
    }
  }
  ~Values() { Release(); }
  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;

  OrtValue** data() { return values_.data(); }

 private:
  void Release() {
    const Api& api = Environment::Get().api();
    for (OrtValue*& value : values_) {
      if (value) api.ReleaseValue(value);
      value = nullptr;
    }
  }

  std::vector<OrtValue*> values_;
};

Handle<OrtSessionOptions> MakeOptions(const Api& api, const SessionOptions& options) {
  const auto& environment = Environment::Get();
  OrtSessionOptions* raw = nullptr;
  environment.Check(api.CreateSessionOptions(&raw), "cannot make session options");
  Handle<OrtSessionOptions> made(raw, api.ReleaseSessionOptions);
  environment.Check(api.SetIntraOpNumThreads(raw, options.threads), "cannot set the thread count");
  environment.Check(api.SetSessionGraphOptimizationLevel(raw, options.optimization), "cannot set the optimisation");
  environment.Check(api.DisableCpuMemArena(raw), "cannot switch off the memory arena");
  const auto set = [&](const char* key, const char* value) {
    environment.Check(api.AddSessionConfigEntry(raw, key, value), std::string("cannot set ") + key);
  };
  for (const auto& [key, value] : kDefaultConfig) set(key, value);
  for (const auto& [key, value] : options.config) set(key.c_str(), value.c_str());
  return made;
}

}  // namespace

const ElementType* FindElementType(ONNXTensorElementDataType type) {
  for (const ElementType& known : kElementTypes) {
    if (known.type == type) return &known;
  }
  return nullptr;
}

std::shared_ptr<Session> Session::Open(const std::string& model_path, const SessionOptions& options) {
  auto& environment = Environment::Get();
  const Api& api = environment.api();
  const auto made = MakeOptions(api, options);

  const std::shared_ptr<Session> session(new Session);
  Registry& registry = GetRegistry();
  registry.alive.fetch_add(1);  // ~Session takes it back, also when compiling fails
  if (!options.devices.empty()) {
    session->devices_ = environment.AppendDevices(made.get(), options.devices, options.ep_options);
  }
  // Absolute, since ORT looks for external data in the folder part of the path.
  const auto path = std::filesystem::absolute(ToPath(model_path));
  const OpeningWeights large;
  environment.Check(api.CreateSession(environment.env(), path.c_str(), made.get(), &session->session_),
                    "cannot open the graph " + model_path);
  session->ReadPorts();

  std::lock_guard lock(registry.mutex);
  session->id_ = registry.next_id++;
  registry.sessions.emplace(session->id_, session);
  return session;
}

std::shared_ptr<Session> Session::Find(uint32_t id) {
  Registry& registry = GetRegistry();
  std::lock_guard lock(registry.mutex);
  const auto found = registry.sessions.find(id);
  auto session = found == registry.sessions.end() ? nullptr : found->second.lock();
  if (!session) throw Error(code::kClosed, "there is no open session " + std::to_string(id));
  return session;
}

size_t Session::Count() { return GetRegistry().alive.load(); }

Session::~Session() {
  Registry& registry = GetRegistry();
  {
    std::lock_guard lock(registry.mutex);
    registry.sessions.erase(id_);
  }
  if (session_) Environment::Get().api().ReleaseSession(session_);
  registry.alive.fetch_sub(1);
}

void Session::ReadPorts() {
  const auto& environment = Environment::Get();
  const Api& api = environment.api();
  const auto check = [&](OrtStatus* status) {
    environment.Check(status, "cannot read the graph's inputs and outputs");
  };
  OrtAllocator* allocator = nullptr;
  check(api.GetAllocatorWithDefaultOptions(&allocator));
  for (const bool output : {false, true}) {
    size_t count = 0;
    check((output ? api.SessionGetOutputCount : api.SessionGetInputCount)(session_, &count));
    auto& ports = output ? outputs_ : inputs_;
    for (size_t i = 0; i < count; ++i) {
      char* name = nullptr;
      check((output ? api.SessionGetOutputName : api.SessionGetInputName)(session_, i, allocator, &name));
      Port port{.name = name, .type = {}, .dims = {}};
      check(api.AllocatorFree(allocator, name));

      OrtTypeInfo* raw = nullptr;
      check((output ? api.SessionGetOutputTypeInfo : api.SessionGetInputTypeInfo)(session_, i, &raw));
      const Handle<OrtTypeInfo> info(raw, api.ReleaseTypeInfo);
      ONNXType kind = ONNX_TYPE_UNKNOWN;
      check(api.GetOnnxTypeFromTypeInfo(info.get(), &kind));
      if (kind != ONNX_TYPE_TENSOR) throw Error(code::kUnsupported, "'" + port.name + "' of the graph is no tensor");
      const OrtTensorTypeAndShapeInfo* shape = nullptr;
      check(api.CastTypeInfoToTensorInfo(info.get(), &shape));
      check(api.GetTensorElementType(shape, &port.type));
      if (!FindElementType(port.type)) {
        throw Error(code::kUnsupported, "'" + port.name + "' of the graph has element type " +
                                            std::to_string(port.type) + ", which no JavaScript array holds");
      }
      size_t rank = 0;
      check(api.GetDimensionsCount(shape, &rank));
      port.dims.resize(rank);
      check(api.GetDimensions(shape, port.dims.data(), rank));
      ports.push_back(std::move(port));
    }
  }
  for (const Port& port : inputs_) input_names_.push_back(port.name.c_str());
  for (const Port& port : outputs_) output_names_.push_back(port.name.c_str());
}

void Session::Validate(const std::vector<TensorView>& inputs, const std::vector<TensorView>& outputs) const {
  ValidatePorts("input", inputs_, inputs);
  ValidatePorts("output", outputs_, outputs);
}

void Session::Run(const std::vector<TensorView>& inputs, const std::vector<TensorView>& outputs, CancelState* cancel) {
  const auto& environment = Environment::Get();
  const Api& api = environment.api();
  Values in(inputs_, inputs);
  Values out(outputs_, outputs);
  const auto run = [&](const OrtRunOptions* options) {
    return api.Run(session_, options, input_names_.data(), in.data(), inputs.size(), output_names_.data(),
                   outputs.size(), out.data());
  };
  if (!cancel) {
    environment.Check(run(nullptr), "the graph failed");
    return;
  }
  OrtRunOptions* raw = nullptr;
  environment.Check(api.CreateRunOptions(&raw), "cannot make run options");
  const Handle<OrtRunOptions> options(raw, api.ReleaseRunOptions);
  OrtStatus* status = nullptr;
  {
    const CancelState::Scope scope(*cancel, raw);
    status = run(raw);
  }
  // A run that finished although it was asked to stop is reported as stopped too: the caller has moved on.
  if (cancel->cancelled()) {
    if (status) api.ReleaseStatus(status);
    throw Error(code::kCancelled, "the run was cancelled");
  }
  environment.Check(status, "the graph failed");
}

}  // namespace shadownpu::ort
