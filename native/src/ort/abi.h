// The part of ONNX Runtime's C API that the host uses, by slot number.
//
// OrtApi is a struct of function pointers that only ever grows at its end, so a slot keeps its place for all later
// versions. Declaring the few we call (from API version 24 on, ONNX Runtime 1.24) spares a build the 150 MB download
// that carries the full header; `node native/check/ort-abi.mjs` proves numbers and types against that header.
// Declarations follow onnxruntime_c_api.h, Copyright (c) Microsoft Corporation, MIT License.
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef SHADOWNPU_CHECK_ORT_ABI
#include <onnxruntime_c_api.h>
#else

struct OrtStatus;
struct OrtEnv;
struct OrtSession;
struct OrtSessionOptions;
struct OrtRunOptions;
struct OrtValue;
struct OrtTypeInfo;
struct OrtTensorTypeAndShapeInfo;
struct OrtMemoryInfo;
struct OrtEpDevice;
struct OrtHardwareDevice;
struct OrtKeyValuePairs;
struct OrtDeviceEpIncompatibilityDetails;
struct OrtApi;

enum OrtLoggingLevel { ORT_LOGGING_LEVEL_ERROR = 3, ORT_LOGGING_LEVEL_FATAL = 4 };
enum OrtErrorCode {
  ORT_OK,
  ORT_FAIL,
  ORT_INVALID_ARGUMENT,
  ORT_NO_SUCHFILE,
  ORT_NO_MODEL,
  ORT_ENGINE_ERROR,
  ORT_RUNTIME_EXCEPTION,
  ORT_INVALID_PROTOBUF,
  ORT_MODEL_LOADED,
  ORT_NOT_IMPLEMENTED,
  ORT_INVALID_GRAPH,
  ORT_EP_FAIL,
  ORT_MODEL_LOAD_CANCELED,
  ORT_MODEL_REQUIRES_COMPILATION,
  ORT_NOT_FOUND,
  ORT_DEVICE_RESET,
};
enum ONNXTensorElementDataType {
  ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT = 1,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8 = 2,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8 = 3,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16 = 4,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32 = 6,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64 = 7,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL = 9,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16 = 10,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16 = 16,
};
enum ONNXType { ONNX_TYPE_UNKNOWN = 0, ONNX_TYPE_TENSOR = 1 };
enum GraphOptimizationLevel { ORT_DISABLE_ALL = 0, ORT_ENABLE_BASIC = 1, ORT_ENABLE_EXTENDED = 2, ORT_ENABLE_ALL = 99 };
enum OrtAllocatorType { OrtDeviceAllocator = 0, OrtArenaAllocator = 1 };
enum OrtMemType { OrtMemTypeDefault = 0 };
enum OrtHardwareDeviceType { OrtHardwareDeviceType_CPU, OrtHardwareDeviceType_GPU, OrtHardwareDeviceType_NPU };

#ifdef _WIN32
#define ORT_API_CALL __stdcall
#define ORTCHAR_T wchar_t
#else
#define ORT_API_CALL
#define ORTCHAR_T char
#endif

/// Its members up to API version 17; `version` tells the library that there are no more.
struct OrtAllocator {
  uint32_t version;
  void*(ORT_API_CALL* Alloc)(OrtAllocator*, size_t);
  void(ORT_API_CALL* Free)(OrtAllocator*, void*);
  const OrtMemoryInfo*(ORT_API_CALL* Info)(const OrtAllocator*);
};

struct OrtApiBase {
  const OrtApi*(ORT_API_CALL* GetApi)(uint32_t version);
  const char*(ORT_API_CALL* GetVersionString)();
};

#endif  // SHADOWNPU_CHECK_ORT_ABI

namespace shadownpu::ort {

/// The oldest API version that has every slot below; libraries back to it are accepted.
inline constexpr uint32_t kApiVersion = 24;
/// What an OrtAllocator of ours is.
inline constexpr uint32_t kAllocatorVersion = 17;

// clang-format off
// X(slot, result, name, parameters)
#define SHADOWNPU_ORT_SLOTS(X)                                                                                         \
  X(1, OrtErrorCode, GetErrorCode, (const OrtStatus*))                                                                 \
  X(2, const char*, GetErrorMessage, (const OrtStatus*))                                                               \
  X(3, OrtStatus*, CreateEnv, (OrtLoggingLevel, const char*, OrtEnv**))                                                \
  X(6, OrtStatus*, DisableTelemetryEvents, (const OrtEnv*))                                                            \
  X(7, OrtStatus*, CreateSession, (const OrtEnv*, const ORTCHAR_T*, const OrtSessionOptions*, OrtSession**))           \
  X(9, OrtStatus*, Run, (OrtSession*, const OrtRunOptions*, const char* const*, const OrtValue* const*, size_t,        \
                         const char* const*, size_t, OrtValue**))                                                      \
  X(10, OrtStatus*, CreateSessionOptions, (OrtSessionOptions**))                                                       \
  X(19, OrtStatus*, DisableCpuMemArena, (OrtSessionOptions*))                                                          \
  X(23, OrtStatus*, SetSessionGraphOptimizationLevel, (OrtSessionOptions*, GraphOptimizationLevel))                    \
  X(24, OrtStatus*, SetIntraOpNumThreads, (OrtSessionOptions*, int))                                                   \
  X(30, OrtStatus*, SessionGetInputCount, (const OrtSession*, size_t*))                                                \
  X(31, OrtStatus*, SessionGetOutputCount, (const OrtSession*, size_t*))                                               \
  X(33, OrtStatus*, SessionGetInputTypeInfo, (const OrtSession*, size_t, OrtTypeInfo**))                               \
  X(34, OrtStatus*, SessionGetOutputTypeInfo, (const OrtSession*, size_t, OrtTypeInfo**))                              \
  X(36, OrtStatus*, SessionGetInputName, (const OrtSession*, size_t, OrtAllocator*, char**))                           \
  X(37, OrtStatus*, SessionGetOutputName, (const OrtSession*, size_t, OrtAllocator*, char**))                          \
  X(39, OrtStatus*, CreateRunOptions, (OrtRunOptions**))                                                               \
  X(46, OrtStatus*, RunOptionsSetTerminate, (OrtRunOptions*))                                                          \
  X(49, OrtStatus*, CreateTensorWithDataAsOrtValue,                                                                    \
    (const OrtMemoryInfo*, void*, size_t, const int64_t*, size_t, ONNXTensorElementDataType, OrtValue**))              \
  X(55, OrtStatus*, CastTypeInfoToTensorInfo, (const OrtTypeInfo*, const OrtTensorTypeAndShapeInfo**))                 \
  X(56, OrtStatus*, GetOnnxTypeFromTypeInfo, (const OrtTypeInfo*, ONNXType*))                                          \
  X(60, OrtStatus*, GetTensorElementType, (const OrtTensorTypeAndShapeInfo*, ONNXTensorElementDataType*))              \
  X(61, OrtStatus*, GetDimensionsCount, (const OrtTensorTypeAndShapeInfo*, size_t*))                                   \
  X(62, OrtStatus*, GetDimensions, (const OrtTensorTypeAndShapeInfo*, int64_t*, size_t))                               \
  X(69, OrtStatus*, CreateCpuMemoryInfo, (OrtAllocatorType, OrtMemType, OrtMemoryInfo**))                              \
  X(76, OrtStatus*, AllocatorFree, (OrtAllocator*, void*))                                                             \
  X(78, OrtStatus*, GetAllocatorWithDefaultOptions, (OrtAllocator**))                                                  \
  X(93, void, ReleaseStatus, (OrtStatus*))                                                                             \
  X(95, void, ReleaseSession, (OrtSession*))                                                                           \
  X(96, void, ReleaseValue, (OrtValue*))                                                                               \
  X(97, void, ReleaseRunOptions, (OrtRunOptions*))                                                                     \
  X(98, void, ReleaseTypeInfo, (OrtTypeInfo*))                                                                         \
  X(100, void, ReleaseSessionOptions, (OrtSessionOptions*))                                                            \
  X(130, OrtStatus*, AddSessionConfigEntry, (OrtSessionOptions*, const char*, const char*))                            \
  X(176, OrtStatus*, RegisterAllocator, (OrtEnv*, OrtAllocator*))                                                      \
  X(298, void, GetKeyValuePairs, (const OrtKeyValuePairs*, const char* const**, const char* const**, size_t*))         \
  X(301, OrtStatus*, RegisterExecutionProviderLibrary, (OrtEnv*, const char*, const ORTCHAR_T*))                       \
  X(302, OrtStatus*, UnregisterExecutionProviderLibrary, (OrtEnv*, const char*))                                       \
  X(303, OrtStatus*, GetEpDevices, (const OrtEnv*, const OrtEpDevice* const**, size_t*))                               \
  X(304, OrtStatus*, SessionOptionsAppendExecutionProvider_V2,                                                         \
    (OrtSessionOptions*, OrtEnv*, const OrtEpDevice* const*, size_t, const char* const*, const char* const*, size_t))  \
  X(307, OrtHardwareDeviceType, HardwareDevice_Type, (const OrtHardwareDevice*))                                       \
  X(308, uint32_t, HardwareDevice_VendorId, (const OrtHardwareDevice*))                                                \
  X(309, const char*, HardwareDevice_Vendor, (const OrtHardwareDevice*))                                               \
  X(310, uint32_t, HardwareDevice_DeviceId, (const OrtHardwareDevice*))                                                \
  X(311, const OrtKeyValuePairs*, HardwareDevice_Metadata, (const OrtHardwareDevice*))                                 \
  X(312, const char*, EpDevice_EpName, (const OrtEpDevice*))                                                           \
  X(313, const char*, EpDevice_EpVendor, (const OrtEpDevice*))                                                         \
  X(314, const OrtKeyValuePairs*, EpDevice_EpMetadata, (const OrtEpDevice*))                                           \
  X(315, const OrtKeyValuePairs*, EpDevice_EpOptions, (const OrtEpDevice*))                                            \
  X(316, const OrtHardwareDevice*, EpDevice_Device, (const OrtEpDevice*))                                              \
  X(397, OrtStatus*, GetNumHardwareDevices, (const OrtEnv*, size_t*))                                                  \
  X(398, OrtStatus*, GetHardwareDevices, (const OrtEnv*, const OrtHardwareDevice**, size_t))                           \
  X(399, OrtStatus*, GetHardwareDeviceEpIncompatibilityDetails,                                                        \
    (const OrtEnv*, const char*, const OrtHardwareDevice*, OrtDeviceEpIncompatibilityDetails**))                       \
  X(400, OrtStatus*, DeviceEpIncompatibilityDetails_GetReasonsBitmask,                                                 \
    (const OrtDeviceEpIncompatibilityDetails*, uint32_t*))                                                             \
  X(401, OrtStatus*, DeviceEpIncompatibilityDetails_GetNotes, (const OrtDeviceEpIncompatibilityDetails*, const char**)) \
  X(402, OrtStatus*, DeviceEpIncompatibilityDetails_GetErrorCode, (const OrtDeviceEpIncompatibilityDetails*, int32_t*)) \
  X(403, void, ReleaseDeviceEpIncompatibilityDetails, (OrtDeviceEpIncompatibilityDetails*))
// clang-format on

/// The functions above, bound to a loaded library.
struct Api {
#define SHADOWNPU_ORT_MEMBER(slot, result, name, parameters) result(ORT_API_CALL* name) parameters = nullptr;
  SHADOWNPU_ORT_SLOTS(SHADOWNPU_ORT_MEMBER)
#undef SHADOWNPU_ORT_MEMBER

  /// Fills the pointers from the library's own table.
  void Bind(const OrtApi* table) {
    const auto* slots = reinterpret_cast<void* const*>(table);
#define SHADOWNPU_ORT_BIND(slot, result, name, parameters) name = reinterpret_cast<decltype(name)>(slots[slot]);
    SHADOWNPU_ORT_SLOTS(SHADOWNPU_ORT_BIND)
#undef SHADOWNPU_ORT_BIND
  }
};

}  // namespace shadownpu::ort
