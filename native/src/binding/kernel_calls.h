// What all kernel functions of the addon share: the kernel table in use, and how a function is exported.
#pragma once

#include <napi.h>

#include <atomic>
#include <new>

#include "../kernels/kernels.h"

namespace shadownpu::binding {

// The table that every call uses; one for the process, any thread may read or switch it.
inline std::atomic<const Kernels*>& active() {
  static std::atomic<const Kernels*> table{kernels_for(usable_isas()[0])};
  return table;
}

inline const Kernels& kernels() { return *active().load(std::memory_order_relaxed); }

// Kernels allocate temporary memory; that it ran out must reach JavaScript as an error.
template <auto Function>
auto Guarded(const Napi::CallbackInfo& info) {
  try {
    return Function(info);
  } catch (const std::bad_alloc&) {
    throw Napi::Error::New(info.Env(), "out of memory for an attention kernel");
  }
}

template <auto Function>
void Add(Napi::Env env, Napi::Object exports, const char* name) {
  exports.Set(name, Napi::Function::New<Guarded<Function>>(env, name));
}

}  // namespace shadownpu::binding
