// Compiled graphs, shared by all threads of the process under an id.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "abi.h"
#include "cancel.h"
#include "environment.h"

namespace shadownpu::ort {

struct SessionOptions {
  std::vector<uint32_t> devices;  // empty: the default CPU provider
  KeyValues ep_options;
  KeyValues config;  // wins over the defaults of session.cc
  int threads = 1;
  GraphOptimizationLevel optimization = ORT_ENABLE_ALL;
};

/// An input or output as the graph declares it; -1 where an extent is dynamic.
struct Port {
  std::string name;
  ONNXTensorElementDataType type;
  std::vector<int64_t> dims;
};

/// Borrowed row-major memory for the length of a run.
struct TensorView {
  void* data;
  size_t elements;
  /// Bit c is set when the memory may hold ONNX element type c.
  uint32_t types;
  std::vector<int64_t> dims;
};

/// ORT's name ("float32"), element size in bytes; null when no JavaScript array can hold the type.
struct ElementType {
  ONNXTensorElementDataType type;
  const char* name;
  size_t bytes;
};
const ElementType* FindElementType(ONNXTensorElementDataType type);

class Session {
 public:
  /// Compiles the graph on the calling thread. External data is looked for beside the model.
  static std::shared_ptr<Session> Open(const std::string& model_path, const SessionOptions& options);
  /// A living session; throws CLOSED when the last handle has gone.
  static std::shared_ptr<Session> Find(uint32_t id);
  static size_t Count();

  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  uint32_t id() const { return id_; }
  const std::vector<Port>& inputs() const { return inputs_; }
  const std::vector<Port>& outputs() const { return outputs_; }

  /// Throws a type or range error unless the tensors fit the graph's declaration and their own extents.
  void Validate(const std::vector<TensorView>& inputs, const std::vector<TensorView>& outputs) const;

  /// Runs validated tensors; safe from several threads at once. Throws CANCELLED when the token was used meanwhile.
  void Run(const std::vector<TensorView>& inputs, const std::vector<TensorView>& outputs, CancelState* cancel);

 private:
  Session() = default;

  void ReadPorts();

  uint32_t id_ = 0;
  DeviceLease devices_;  // before session_: the EP library outlives it
  OrtSession* session_ = nullptr;
  std::vector<Port> inputs_, outputs_;
  std::vector<const char*> input_names_, output_names_;
};

}  // namespace shadownpu::ort
