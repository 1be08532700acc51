// Ends the process without waiting for its threads; see js/index.ts, endProcess.
#include <napi.h>

#include <cstdlib>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#endif

#include "kernel_calls.h"

namespace shadownpu::binding {
namespace {

void EndProcess(const Napi::CallbackInfo& info) {
  const int code = info[0].IsNumber() ? info[0].As<Napi::Number>().Int32Value() : 0;
#ifdef _WIN32
  // ExitProcess would tell every library, a driver that hangs included.
  TerminateProcess(GetCurrentProcess(), static_cast<UINT>(code));
#else
  std::_Exit(code);
#endif
}

}  // namespace
}  // namespace shadownpu::binding

void InitProcess(Napi::Env env, Napi::Object exports) {
  using namespace shadownpu::binding;
  Add<EndProcess>(env, exports, "endProcess");
}
