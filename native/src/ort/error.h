// Errors of the ORT host: a closed list of codes that JavaScript sees as `error.code`.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace shadownpu::ort {

// Kept equal to NativeErrorCode in native/js/index.ts.
namespace code {
inline constexpr const char* kUnavailable =
    "ORT_UNAVAILABLE";                                  // library missing, unloadable or too old; not loaded yet
inline constexpr const char* kClosed = "CLOSED";        // the handle was closed, or no such session is alive
inline constexpr const char* kCancelled = "CANCELLED";  // a cancel token stopped the run
inline constexpr const char* kBusy = "BUSY";            // an EP library is still used by an open session
inline constexpr const char* kUnsupported =
    "UNSUPPORTED";  // a graph whose inputs or outputs cannot cross to JavaScript
}  // namespace code

/// What to throw into JavaScript.
enum class ErrorType { kError, kType, kRange };

class Error : public std::runtime_error {
 public:
  Error(const char* code, const std::string& message) : std::runtime_error(message), code_(code) {}

  static Error Type(const std::string& message) { return Error(ErrorType::kType, message); }
  static Error Range(const std::string& message) { return Error(ErrorType::kRange, message); }

  ErrorType type() const { return type_; }
  /// Null for type and range errors, whose class says all.
  const char* code() const { return code_; }

 private:
  Error(ErrorType type, const std::string& message) : std::runtime_error(message), type_(type) {}

  ErrorType type_ = ErrorType::kError;
  const char* code_ = nullptr;
};

}  // namespace shadownpu::ort
