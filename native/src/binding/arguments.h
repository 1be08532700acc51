// Reads and checks the arguments of a kernel call. Nothing is copied: arrays are borrowed for the length of the call.
// Works on SharedArrayBuffer memory, which node-addon-api's TypedArray classes do not.
#pragma once

#include <napi.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace shadownpu::binding {

template <class T>
constexpr napi_typedarray_type array_type = napi_uint8_array;
template <>
inline constexpr napi_typedarray_type array_type<float> = napi_float32_array;
template <>
inline constexpr napi_typedarray_type array_type<double> = napi_float64_array;
template <>
inline constexpr napi_typedarray_type array_type<int32_t> = napi_int32_array;
template <>
inline constexpr napi_typedarray_type array_type<int8_t> = napi_int8_array;
template <>
inline constexpr napi_typedarray_type array_type<uint16_t> = napi_uint16_array;

const char* array_type_name(napi_typedarray_type type);

template <class T>
struct Array {
  T* data;
  size_t length;
  const char* name;
};

// Product that stays at the greatest uint64 when it overflows, so that a later comparison with a length fails.
uint64_t product(uint64_t a, uint64_t b);

class Arguments {
 public:
  // `call` is the function's name, for messages.
  Arguments(const Napi::CallbackInfo& info, const char* call) : info_(info), call_(call) {}

  // Argument `index` as a typed array of T. Throws TypeError.
  template <class T>
  Array<T> array(size_t index, const char* name) const {
    size_t length;
    void* data = array_of(index, name, array_type<T>, length);
    return {static_cast<T*>(data), length, name};
  }

  // The last argument, an object of extents and options.
  void shape(size_t index);
  // A whole number of `shape`, least <= value < 2^31. Throws TypeError or RangeError.
  size_t extent(const char* name, size_t least) const;
  // The same where `shape` has it, else `absent`.
  size_t extent_or(const char* name, size_t absent) const;
  float finite(const char* name) const;
  bool flag(const char* name) const;
  // Argument `index` as a positive finite float32.
  float positive(size_t index, const char* name) const;
  // Argument `index` as text.
  std::string text(size_t index, const char* name) const;

  template <class T>
  void at_least(const Array<T>& array, uint64_t need) const {
    if (array.length < need) too_short(array.name, array.length, need);
  }
  // A strided block: `rows` rows of `width`, `stride` apart; the last row may end early.
  template <class T>
  void holds_rows(const Array<T>& array, uint64_t rows, uint64_t stride, uint64_t width) const {
    if (rows > 0) at_least(array, add(product(rows - 1, stride), width));
  }
  // Throws a RangeError that says `message` about the call.
  [[noreturn]] void refuse(const std::string& message) const;

 private:
  void* array_of(size_t index, const char* name, napi_typedarray_type type, size_t& length) const;
  Napi::Value member(const char* name) const;
  [[noreturn]] void wrong_type(const std::string& message) const;
  [[noreturn]] void too_short(const char* name, size_t length, uint64_t need) const;
  static uint64_t add(uint64_t a, uint64_t b);

  const Napi::CallbackInfo& info_;
  const char* call_;
  Napi::Object shape_;
};

}  // namespace shadownpu::binding
