#include "library.h"

#include "environment.h"
#include "error.h"

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace shadownpu::ort {

#ifdef _WIN32

void* LoadSymbol(const std::string& utf8_path, const char* symbol) {
  HMODULE self = nullptr;
  GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                     reinterpret_cast<LPCWSTR>(&LoadSymbol), &self);
  // The altered search path finds the DLLs beside it (DirectML) and not those beside the executable.
  HMODULE library = LoadLibraryExW(ToPath(utf8_path).c_str(), nullptr, LOAD_WITH_ALTERED_SEARCH_PATH);
  if (!library) {
    throw Error(code::kUnavailable, "cannot load " + utf8_path + ": Windows error " + std::to_string(GetLastError()));
  }
  void* address = reinterpret_cast<void*>(GetProcAddress(library, symbol));
  if (!address) throw Error(code::kUnavailable, utf8_path + " has no " + symbol);
  return address;
}

#else

// On Linux the linker flag `-z nodelete` pins the addon.
void* LoadSymbol(const std::string& utf8_path, const char* symbol) {
  void* library = dlopen(utf8_path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* reason = dlerror();
    throw Error(code::kUnavailable, "cannot load " + utf8_path + ": " + (reason ? reason : "unknown reason"));
  }
  void* address = dlsym(library, symbol);
  if (!address) throw Error(code::kUnavailable, utf8_path + " has no " + symbol);
  return address;
}

#endif

}  // namespace shadownpu::ort
