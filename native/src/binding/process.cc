// The process as a whole: its end, and the memory that it holds without need; see js/index.ts.
#include <napi.h>

#include <cstdlib>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#elif defined(__GLIBC__)
#include <malloc.h>
#elif defined(__APPLE__)
#include <malloc/malloc.h>
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

void TrimMemory(const Napi::CallbackInfo&) {
#ifdef _WIN32
  HeapCompact(GetProcessHeap(), 0);
#elif defined(__GLIBC__)
  // Freed blocks stay with the process until the end of their heap is free; this gives back every free page.
  malloc_trim(0);
#elif defined(__APPLE__)
  malloc_zone_pressure_relief(nullptr, 0);
#endif
}

}  // namespace
}  // namespace shadownpu::binding

void InitProcess(Napi::Env env, Napi::Object exports) {
  using namespace shadownpu::binding;
  Add<EndProcess>(env, exports, "endProcess");
  Add<TrimMemory>(env, exports, "trimMemory");
}
