// JavaScript values to the plain types of the ORT host. Everything is checked before memory is touched.
#include <cmath>
#include <iterator>

#include "ort.h"

namespace shadownpu {

namespace {

using ort::Error;
using ort::KeyValues;
using ort::TensorView;

constexpr double kMaxExtent = 9007199254740992.0;  // 2^53, where doubles stop being exact

/// Which ONNX element types an array class may hold; half-precision floats travel as their 16 bits.
uint32_t TypesOf(napi_typedarray_type array) {
  const auto bit = [](ONNXTensorElementDataType type) { return 1u << type; };
  switch (array) {
    case napi_float32_array:
      return bit(ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT);
    case napi_int32_array:
      return bit(ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32);
    case napi_int8_array:
      return bit(ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8);
    case napi_uint8_array:
      return bit(ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8) | bit(ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL);
    case napi_uint16_array:
      return bit(ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16) | bit(ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16) |
             bit(ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16);
    case napi_bigint64_array:
      return bit(ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64);
    default:
      return 0;
  }
}

Napi::Array ToArray(const Napi::Value& value, const std::string& what) {
  if (!value.IsArray()) throw Error::Type(what + " must be an array");
  return value.As<Napi::Array>();
}

KeyValues ToKeyValues(const Napi::Value& value, const char* what) {
  KeyValues pairs;
  if (value.IsUndefined()) return pairs;
  if (!value.IsObject()) throw Error::Type(std::string(what) + " must be an object of strings");
  const auto object = value.As<Napi::Object>();
  const Napi::Array names = object.GetPropertyNames();
  for (uint32_t i = 0; i < names.Length(); ++i) {
    const std::string key = names.Get(i).ToString();
    pairs.emplace_back(key, ToString(object.Get(key), (std::string(what) + "." + key).c_str()));
  }
  return pairs;
}

/// A whole number within [min, max].
double ToWhole(const Napi::Value& value, double min, double max, const std::string& what) {
  if (!value.IsNumber()) throw Error::Type(what + " must be a number");
  const double number = value.As<Napi::Number>().DoubleValue();
  if (!(number >= min && number <= max) || number != std::floor(number)) {
    throw Error::Range(what + " must be a whole number of at least " + std::to_string(static_cast<int64_t>(min)));
  }
  return number;
}

GraphOptimizationLevel ToOptimization(const Napi::Value& value) {
  const std::string name = ToString(value, "optimization");
  if (name == "none") return ORT_DISABLE_ALL;
  if (name == "basic") return ORT_ENABLE_BASIC;
  if (name == "extended") return ORT_ENABLE_EXTENDED;
  if (name == "all") return ORT_ENABLE_ALL;
  throw Error::Range("optimization must be none, basic, extended or all, not " + name);
}

}  // namespace

std::string ToString(const Napi::Value& value, const char* what) {
  if (!value.IsString()) throw Error::Type(std::string(what) + " must be a string");
  return value.As<Napi::String>();
}

ort::SessionOptions ToSessionOptions(const Napi::Value& value) {
  ort::SessionOptions options;
  if (value.IsUndefined()) return options;
  if (!value.IsObject()) throw Error::Type("options must be an object");
  const auto object = value.As<Napi::Object>();
  const Napi::Value devices = object.Get("devices");
  if (!devices.IsUndefined()) {
    const Napi::Array list = ToArray(devices, "devices");
    for (uint32_t i = 0; i < list.Length(); ++i) {
      options.devices.push_back(static_cast<uint32_t>(ToWhole(list.Get(i), 0, UINT32_MAX, "a device index")));
    }
  }
  options.ep_options = ToKeyValues(object.Get("epOptions"), "epOptions");
  if (options.devices.empty() && !options.ep_options.empty()) throw Error::Type("epOptions need devices");
  options.config = ToKeyValues(object.Get("config"), "config");
  const Napi::Value threads = object.Get("threads");
  if (!threads.IsUndefined()) options.threads = static_cast<int>(ToWhole(threads, 1, 1024, "threads"));
  const Napi::Value optimization = object.Get("optimization");
  if (!optimization.IsUndefined()) options.optimization = ToOptimization(optimization);
  return options;
}

std::vector<TensorView> ToTensors(const Napi::Value& value, const char* what, Napi::Array keep) {
  const Napi::Env env = value.Env();
  const Napi::Array list = ToArray(value, what);
  std::vector<TensorView> tensors;
  for (uint32_t i = 0; i < list.Length(); ++i) {
    const std::string name = std::string(what) + "[" + std::to_string(i) + "]";
    const Napi::Value item = list.Get(i);
    if (!item.IsObject()) throw Error::Type(name + " must be { data, dims }");
    const Napi::Value data = item.As<Napi::Object>().Get("data");
    if (!data.IsTypedArray()) throw Error::Type(name + ".data must be a typed array");

    TensorView tensor{};
    napi_typedarray_type array;
    // Not Napi::TypedArray::ArrayBuffer(): that refuses memory shared between threads.
    if (napi_get_typedarray_info(env, data, &array, &tensor.elements, &tensor.data, nullptr, nullptr) != napi_ok) {
      throw Error::Type(name + ".data cannot be read");
    }
    tensor.types = TypesOf(array);
    const Napi::Array dims = ToArray(item.As<Napi::Object>().Get("dims"), name + ".dims");
    for (uint32_t d = 0; d < dims.Length(); ++d) {
      tensor.dims.push_back(static_cast<int64_t>(ToWhole(dims.Get(d), 0, kMaxExtent, name + ".dims")));
    }
    keep.Set(keep.Length(), data);
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

}  // namespace shadownpu
