// Compiled (not linked) by ort-abi.mjs: every slot of src/ort/abi.h against the real header.
#define SHADOWNPU_CHECK_ORT_ABI
#include "../src/ort/abi.h"

#include <type_traits>

// The header marks some functions noexcept; a pointer to such converts to the plain one and to no other type.
using shadownpu::ort::Api;

#define CHECK_SLOT(slot, result, name, parameters)                                                         \
  static_assert(offsetof(OrtApi, name) == (slot) * sizeof(void*), "slot of " #name " has another number"); \
  static_assert(std::is_convertible_v<decltype(OrtApi::name), decltype(Api::name)>, "type of " #name " differs");
SHADOWNPU_ORT_SLOTS(CHECK_SLOT)

static_assert(offsetof(OrtApiBase, GetApi) == 0 && offsetof(OrtApiBase, GetVersionString) == sizeof(void*));
static_assert(offsetof(OrtAllocator, Alloc) == sizeof(void*) && offsetof(OrtAllocator, Free) == 2 * sizeof(void*));
static_assert(offsetof(OrtAllocator, Info) == 3 * sizeof(void*) && offsetof(OrtAllocator, Reserve) == 4 * sizeof(void*));
static_assert(ORT_LOGGING_LEVEL_ERROR == 3 && ORT_LOGGING_LEVEL_FATAL == 4);
static_assert(ORT_FAIL == 1 && ORT_NOT_FOUND == 14 && ORT_DEVICE_RESET == 15);
static_assert(ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT == 1 && ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8 == 2);
static_assert(ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8 == 3 && ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16 == 4);
static_assert(ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32 == 6 && ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64 == 7);
static_assert(ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL == 9 && ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16 == 10);
static_assert(ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16 == 16 && ONNX_TYPE_TENSOR == 1);
static_assert(ORT_ENABLE_BASIC == 1 && ORT_ENABLE_EXTENDED == 2 && ORT_ENABLE_ALL == 99);
static_assert(OrtDeviceAllocator == 0 && OrtArenaAllocator == 1 && OrtMemTypeDefault == 0);
static_assert(OrtHardwareDeviceType_CPU == 0 && OrtHardwareDeviceType_GPU == 1 && OrtHardwareDeviceType_NPU == 2);
