#include "arguments.h"

#include <cmath>

namespace shadownpu::binding {

const char* array_type_name(napi_typedarray_type type) {
  switch (type) {
    case napi_float32_array:
      return "Float32Array";
    case napi_float64_array:
      return "Float64Array";
    case napi_int32_array:
      return "Int32Array";
    case napi_int8_array:
      return "Int8Array";
    case napi_uint16_array:
      return "Uint16Array";
    default:
      return "Uint8Array";
  }
}

uint64_t product(uint64_t a, uint64_t b) {
  uint64_t result;
  return __builtin_mul_overflow(a, b, &result) ? UINT64_MAX : result;
}

uint64_t Arguments::add(uint64_t a, uint64_t b) {
  uint64_t result;
  return __builtin_add_overflow(a, b, &result) ? UINT64_MAX : result;
}

void Arguments::wrong_type(const std::string& message) const {
  throw Napi::TypeError::New(info_.Env(), std::string(call_) + ": " + message);
}

void Arguments::refuse(const std::string& message) const {
  throw Napi::RangeError::New(info_.Env(), std::string(call_) + ": " + message);
}

void Arguments::too_short(const char* name, size_t length, uint64_t need) const {
  refuse(std::string(name) + " has " + std::to_string(length) + " elements, the shape needs " + std::to_string(need));
}

void* Arguments::array_of(size_t index, const char* name, napi_typedarray_type type, size_t& length) const {
  const Napi::Value value = info_[index];
  if (!value.IsTypedArray()) wrong_type(std::string(name) + " must be a " + array_type_name(type));
  napi_typedarray_type actual;
  void* data = nullptr;
  // Asking for the ArrayBuffer as well would fail for shared memory.
  const napi_status status = napi_get_typedarray_info(info_.Env(), value, &actual, &length, &data, nullptr, nullptr);
  if (status != napi_ok) throw Napi::Error::New(info_.Env());
  if (actual != type) wrong_type(std::string(name) + " must be a " + array_type_name(type));
  return data;
}

void Arguments::shape(size_t index) {
  const Napi::Value value = info_[index];
  if (!value.IsObject()) wrong_type("the shape must be an object");
  shape_ = value.As<Napi::Object>();
}

Napi::Value Arguments::member(const char* name) const { return shape_.Get(name); }

size_t Arguments::extent(const char* name, size_t least) const {
  const Napi::Value value = member(name);
  if (!value.IsNumber()) wrong_type(std::string(name) + " must be a number");
  const double number = value.As<Napi::Number>().DoubleValue();
  if (!(number >= static_cast<double>(least) && number < 2147483648.0) || number != std::floor(number)) {
    refuse(std::string(name) + " must be a whole number from " + std::to_string(least) + " to 2147483647");
  }
  return static_cast<size_t>(number);
}

size_t Arguments::extent_or(const char* name, size_t absent) const {
  return member(name).IsUndefined() ? absent : extent(name, 0);
}

float Arguments::finite(const char* name) const {
  const Napi::Value value = member(name);
  if (!value.IsNumber()) wrong_type(std::string(name) + " must be a number");
  const float number = value.As<Napi::Number>().FloatValue();
  if (!std::isfinite(number)) refuse(std::string(name) + " must be finite");
  return number;
}

bool Arguments::flag(const char* name) const {
  const Napi::Value value = member(name);
  if (!value.IsBoolean()) wrong_type(std::string(name) + " must be true or false");
  return value.As<Napi::Boolean>().Value();
}

float Arguments::positive(size_t index, const char* name) const {
  const Napi::Value value = info_[index];
  if (!value.IsNumber()) wrong_type(std::string(name) + " must be a number");
  const float number = value.As<Napi::Number>().FloatValue();
  if (!(number > 0) || !std::isfinite(number)) refuse(std::string(name) + " must be positive and finite as a float32");
  return number;
}

std::string Arguments::text(size_t index, const char* name) const {
  const Napi::Value value = info_[index];
  if (!value.IsString()) wrong_type(std::string(name) + " must be a string");
  return value.As<Napi::String>().Utf8Value();
}

}  // namespace shadownpu::binding
